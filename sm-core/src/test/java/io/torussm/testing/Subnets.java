package io.torussm.testing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;

/** Subnets for tests and benchmarks, with LIDs in the order of ports. */
public final class Subnets {
    /** The default subnet prefix (IBA 4.1.1). */
    public static final long DEFAULT_PREFIX = 0xfe80_0000_0000_0000L;

    private Subnets() {}

    /** Returns a fabric with LIDs 1 to n in the order of port indexes (switches first), LMC 0. */
    public static Subnet of(Fabric fabric) {
        return of(fabric, 0);
    }

    /**
     * Returns a fabric with LIDs in the order of port indexes; base LIDs are aligned.
     *
     * @param lmc LMC of the ports of hosts; switches have LMC 0
     */
    public static Subnet of(Fabric fabric, int lmc) {
        int[] baseLid = new int[fabric.portCount()];
        byte[] lmcs = new byte[baseLid.length];
        int lid = 1;
        for (int port = 0; port < baseLid.length; port++) {
            if (fabric.isEndport(port)) {
                lmcs[port] = (byte) (fabric.isSwitch(fabric.nodeOf(port)) ? 0 : lmc);
                int lidsOfPort = 1 << lmcs[port];
                baseLid[port] = roundUp(lid, lidsOfPort);
                lid = baseLid[port] + lidsOfPort;
            }
        }
        return new Subnet(fabric, baseLid, lmcs, DEFAULT_PREFIX);
    }

    private static int roundUp(int lid, int multiple) {
        return (lid + multiple - 1) / multiple * multiple;
    }
}
