package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.LinkSettings;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The properties of a fabric that the engine uses: which cables are links between switches, and how many data
 * VLs ports have.
 */
public final class FabricFilter {
    private FabricFilter() {}

    /**
     * Checks whether an external port of a switch has a cable to another external port of a switch. A port whose
     * cable returns to the same port does not count.
     *
     * @param port index in the fabric
     */
    public static boolean isSwitchLink(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE
                && peer != port
                && fabric.isSwitch(fabric.nodeOf(port))
                && fabric.isSwitch(fabric.nodeOf(peer))
                && fabric.portNum(port) != 0
                && fabric.portNum(peer) != 0;
    }

    /** Checks whether a switch port leads to an end port of a CA or router. */
    static boolean isHostLink(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)) && fabric.isEndport(peer);
    }

    /** Returns the index of the switch with a NodeGUID; {@link Fabric#NONE} if no switch has it. */
    public static int switchByGuid(Fabric fabric, long guid) {
        int node = fabric.nodeByGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /**
     * The data VLs of a set of ports, such as all links between switches.
     *
     * @param count number of VLs that at least half of the ports have, 1 to 15; 15 without a port. Ports with fewer
     *     VLs limit only their own links
     * @param minVls minimum over all ports
     * @param port index of a port with the fewest; {@link Fabric#NONE} if there is no port
     */
    public record DataVls(int count, int minVls, int port) {
        private static final int MAX_VLS = 15;

        private static DataVls of(int[] ports, IntUnaryOperator vlsOf) {
            int[] vls = IntStream.of(ports).map(vlsOf).sorted().toArray();
            int poorest = Fabric.NONE;
            for (int port : ports) {
                poorest = poorest == Fabric.NONE || vlsOf.applyAsInt(port) < vlsOf.applyAsInt(poorest) ? port : poorest;
            }
            return vls.length == 0
                    ? new DataVls(MAX_VLS, MAX_VLS, Fabric.NONE)
                    : new DataVls(vls[vls.length / 2], vls[0], poorest);
        }
    }

    /** Returns the data VLs on links between switches. */
    public static DataVls switchLinkVls(Fabric fabric, int maxOpVls) {
        return DataVls.of(switchLinks(fabric), port -> dataVls(fabric, port, maxOpVls));
    }

    /** Returns the data VLs on ports of CAs and routers. */
    public static DataVls endportVls(Fabric fabric, int maxOpVls) {
        int[] ports = IntStream.range(portsOfSwitches(fabric), fabric.portCount())
                .filter(fabric::isEndport)
                .toArray();
        return DataVls.of(ports, port -> dataVls(fabric, port, maxOpVls));
    }

    /**
     * Returns a port of each cable between switches that has fewer data VLs than needed: the end with fewer VLs.
     *
     * @param needed minimum number of data VLs, at least 1
     */
    public static int[] linksWithFewVls(Fabric fabric, int maxOpVls, int needed) {
        return IntStream.of(switchLinks(fabric))
                .filter(port -> dataVls(fabric, port, maxOpVls) < needed)
                .filter(port -> hasFewerVls(fabric, port, maxOpVls))
                .toArray();
    }

    /**
     * Checks whether a port is the end of its cable with fewer VLs; if both ends are equal, the end with the lower
     * index.
     */
    private static boolean hasFewerVls(Fabric fabric, int port, int maxOpVls) {
        int peer = fabric.peer(port);
        int surplus = ownVls(fabric, peer, maxOpVls) - ownVls(fabric, port, maxOpVls);
        return surplus > 0 || (surplus == 0 && port < peer);
    }

    private static int[] switchLinks(Fabric fabric) {
        return IntStream.range(0, portsOfSwitches(fabric))
                .filter(port -> isSwitchLink(fabric, port))
                .toArray();
    }

    private static int portsOfSwitches(Fabric fabric) {
        int switches = fabric.switchCount();
        return switches == 0 ? 0 : fabric.port(switches - 1, fabric.numPorts(switches - 1)) + 1;
    }

    /**
     * Returns the number of data VLs of a link: the minimum of its two ends. An end that is down or unknown counts
     * as 15.
     */
    private static int dataVls(Fabric fabric, int port, int maxOpVls) {
        int vls = ownVls(fabric, port, maxOpVls);
        int peer = fabric.peer(port);
        return peer == Fabric.NONE ? vls : Math.min(vls, ownVls(fabric, peer, maxOpVls));
    }

    /**
     * Returns the number of data VLs of one port. An active port uses its OperationalVLs, even if its VLCap differs.
     */
    private static int ownVls(Fabric fabric, int port, int maxOpVls) {
        PortInfo info = fabric.portInfo(port);
        return info == null || info.portState() == PortInfo.STATE_DOWN
                ? DataVls.MAX_VLS
                : LinkSettings.dataVls(
                        Math.min(maxOpVls, LinkSettings.limitedTo(maxOpVls).operationalVls(fabric, port)));
    }
}
