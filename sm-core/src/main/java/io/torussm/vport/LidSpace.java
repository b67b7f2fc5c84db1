package io.torussm.vport;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Lids;
import io.torussm.subnet.LidReach;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** The LIDs that ports leave for vports. Owner thread: the loop. */
final class LidSpace {
    private final LidStore portLids;

    /** LIDs that ports have, had or may have. */
    private BitSet ofPorts = new BitSet();

    private int lastLid;

    /** The highest LID that switches forwarded when this SM became master. */
    private int lastForwarded;

    private int lastPlausible;

    /** PortGUIDs of the ports with a LID. */
    private final Set<Long> ports = new HashSet<>();

    /** @param ports stored LIDs of ports */
    LidSpace(LidStore ports) {
        this.portLids = ports;
    }

    /**
     * Takes a published subnet.
     *
     * @param isFirst whether it is the first one of this mastership: later LinearFDBTop is that of this SM
     * @param vports number of LIDs that vports have
     */
    void replace(Subnet published, boolean isFirst, int vports) {
        Fabric fabric = published.fabric();
        lastLid = LidReach.of(fabric);
        ofPorts = portLids.allLids();
        portLids.lidsOutsideOf(fabric).forEach(ofPorts::set);
        int lastOfPort = 0; // of present ports: a host may report any MasterSMLID, which is kept free as well
        for (int lid = 1; lid <= published.topLid(); lid++) {
            if (isOfPort(published, lid)) {
                ofPorts.set(lid);
                lastOfPort = lid;
            }
        }
        ports.clear();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (published.lid(port) != 0) {
                ports.add(fabric.portGuid(port));
            }
        }
        lastForwarded = isFirst ? LidReach.forwarded(fabric) : lastForwarded;
        lastPlausible = Math.max(lastForwarded, LidReach.plausibleAbove(lastOfPort + vports));
    }

    /** Checks whether a port has a LID in a subnet, and not only had it, or may have it. */
    static boolean isOfPort(Subnet published, int lid) {
        return published.portOfLid(lid) != Fabric.NONE && published.routedLid(lid) == lid;
    }

    /** Checks whether the subnet has a port, given by PortGUID. */
    boolean hasPort(long portGuid) {
        return ports.contains(portGuid);
    }

    /** Checks whether a vport may have a LID: switches forward it, and it is of no port. */
    boolean contains(int lid) {
        return Lids.isUnicast(lid) && lid <= lastLid && !ofPorts.get(lid);
    }

    /**
     * Checks whether a vport may bring a LID with it. Otherwise a false VPortLID would enlarge all tables, and several
     * would do so step by step.
     */
    boolean isPlausible(int lid) {
        return lid <= lastPlausible;
    }

    /** Returns the next LID above another one that is of no port. */
    int after(int lid) {
        return ofPorts.nextClearBit(lid + 1);
    }

    int lastLid() {
        return lastLid;
    }

    /** Returns the number of LIDs for all vports: half of those that ports leave. */
    int room() {
        return Math.max(0, lastLid - ofPorts.cardinality()) / 2;
    }
}
