package io.torussm.routing.balance;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The forwarding tables of engines that allow several ports for a destination. Switch by switch, each
 * destination is assigned one of the allowed ports, so that ports carry equal numbers of routes. The choice is
 * that of OpenSM.
 */
public final class BalancedTables {
    private final Subnet subnet;
    private final Fabric fabric;
    final Links links;
    final Balancing balancing;
    final boolean takesFirstNeighbour;

    /** Active tables {@code [switch][LID]}: output port. A row is empty if the table of the switch is not kept. */
    private final byte[][] activeLfts;

    /** {@code [switch]}: port numbers in the order of the search, see {@link Balancing#searched}. */
    private final int[][] searchOrder;
    /** By port index: true if routes over the port are not counted. */
    private final boolean[] isIgnored;

    /** Indexes of the end ports in the order in which they choose ports. An index into this array is a destination. */
    private final int[] destinations;

    /** By destination: the base LID. */
    private final int[] lids;
    /** By destination: the switch of the end port, or to which it is attached. */
    private final int[] targets;
    /** By destination: true if its routes are counted. */
    private final boolean[] isCounted;
    /** By destination: true if its port is chosen at random. */
    private final boolean[] isScattered;

    /** The maximum number of LIDs of an end port, a power of two. */
    final int offsets;

    /**
     * Prepares tables for a subnet, which {@link #fillTables} fills.
     *
     * @param engine name of the engine that makes the tables; active tables of another engine are not kept
     * @param takesFirstNeighbour true if only cables to the neighbour at the first allowed port are used, as for
     *     dimension order
     */
    public BalancedTables(
            EngineContext context, String engine, Links links, Balancing balancing, boolean takesFirstNeighbour) {
        this.subnet = context.subnet();
        this.fabric = subnet.fabric();
        this.links = links;
        this.balancing = balancing;
        this.takesFirstNeighbour = takesFirstNeighbour;
        activeLfts = EarlierRoutes.of(context, engine);
        searchOrder = balancing.searched(fabric);
        isIgnored = balancing.ignored(fabric);
        destinations = DestinationOrder.of(subnet, links, balancing.routedFirst());
        lids = Arrays.stream(destinations).map(subnet::lid).toArray();
        targets = Arrays.stream(destinations).map(fabric::switchOf).toArray();
        isCounted = new boolean[lids.length];
        isScattered = new boolean[lids.length];
        Set<Long> first = new HashSet<>(balancing.routedFirst());
        for (int i = 0; i < lids.length; i++) {
            isCounted[i] = balancing.countsSwitches || !fabric.isSwitch(fabric.nodeOf(destinations[i]));
            isScattered[i] =
                    balancing.seed != 0 && !(balancing.keepsFirst && first.contains(fabric.portGuid(destinations[i])));
        }
        offsets = 1 << Arrays.stream(destinations).map(subnet::lmc).max().orElse(0);
    }

    /**
     * Returns a plan of shortest paths, for an engine without other rules; a refusal if a file of the operator has
     * errors.
     *
     * @param engine name of the engine
     * @param takesFirstNeighbour true if only cables to the neighbour at the first allowed port are used
     */
    public static RoutingResult shortest(EngineContext context, String engine, boolean takesFirstNeighbour) {
        Fabric fabric = context.subnet().fabric();
        Balancing balancing = new Balancing(context.config());
        List<Finding> findings = balancing.findings(fabric);
        if (!findings.isEmpty()) {
            return new Refusal(engine, findings);
        }
        Links links = new Links(fabric);
        Hops hops = new Hops(links, balancing.weights(fabric));
        byte[][] lfts = new BalancedTables(context, engine, links, balancing, takesFirstNeighbour).fillTables(hops);
        return Plan.builder(engine, context.subnet(), lfts)
                .operatorSl2Vl(context, (from, to) -> hops.hops(from, to) != Hops.NONE)
                .multicastFrom(hops.centres())
                .explainer(new PortReasons(context.subnet(), hops, takesFirstNeighbour))
                .build();
    }

    /**
     * Returns the tables {@code [switch][LID]}, as {@link Plan#builder} takes them. With a seed, switches
     * are filled one after the other, because all draw from one random sequence.
     *
     * @param hops allowed ports
     */
    public byte[][] fillTables(NextHops hops) {
        byte[][] lfts = new byte[fabric.switchCount()][];
        AdditiveRandom random = new AdditiveRandom(balancing.seed);
        IntStream switches = IntStream.of(links.order());
        (balancing.seed == 0 ? switches.parallel() : switches)
                .forEach(sw -> lfts[sw] = new Table(sw, hops, random).fill());
        return lfts;
    }

    /** The table of one switch. */
    private final class Table {
        private final int sw;
        private final NextHops hops;
        private final AdditiveRandom random;
        private final byte[] lft = new byte[subnet.topLid() + 1];
        /** The active table by LID; empty if it is not kept. */
        private final byte[] activeLft;

        private final PortBalance choice;
        /** By port number: true if routes over the port are counted. */
        private final boolean[] isCountedAt;

        private final int[] searchedAt;

        /** {@code [target switch]}: allowed port numbers in the order of the search; null if not yet computed. */
        private final byte[][] candidates;

        /** A buffer for {@link NextHops#ports}. */
        private final int[] portBuffer;

        Table(int sw, NextHops hops, AdditiveRandom random) {
            this.sw = sw;
            this.hops = hops;
            this.random = random;
            searchedAt = searchOrder[sw];
            activeLft = activeLfts[sw];
            candidates = new byte[fabric.switchCount()][];
            portBuffer = new int[searchedAt.length];
            isCountedAt = new boolean[searchedAt.length];
            for (int portNum = 1; portNum < searchedAt.length; portNum++) {
                isCountedAt[portNum] = !isIgnored[fabric.port(sw, portNum)];
            }
            choice = new PortBalance(BalancedTables.this, sw, searchedAt);
            Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        }

        byte[] fill() {
            for (int offset = 0; offset < offsets; offset++) {
                for (int i = 0; i < lids.length; i++) {
                    if (offset < 1 << subnet.lmc(destinations[i])) {
                        forward(i, offset);
                    }
                }
            }
            return lft;
        }

        private void forward(int destination, int offset) {
            int lid = lids[destination] + offset;
            int port;
            if (targets[destination] == sw) {
                int endport = destinations[destination];
                port = fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
            } else {
                port = outputPort(destination, lid, offset);
                if (port != LinearForwardingTable.NO_PATH && isCountedAt[port] && isCounted[destination]) {
                    choice.countRoute(port);
                }
            }
            lft[lid] = (byte) port;
        }

        /**
         * Returns the output port for a LID of a destination on another switch.
         *
         * @param offset distance of the LID from the base LID
         */
        private int outputPort(int destination, int lid, int offset) {
            byte[] ports = candidates(targets[destination]);
            int held = activeLft.length > lid ? activeLft[lid] & 0xff : LinearForwardingTable.NO_PATH;
            if (ports.length == 0) {
                return LinearForwardingTable.NO_PATH;
            } else if (held != LinearForwardingTable.NO_PATH && has(ports, held)) {
                return held;
            } else if (offset == 0 && isScattered[destination]) {
                return choice.randomPort(ports, random);
            }
            if (isCounted[destination]) {
                choice.collectUsedPorts(lft, lid - offset, lid, isCountedAt);
            } else {
                choice.collectUsedPorts(lft, lid, lid, isCountedAt);
            }
            int start = offset == 0 || takesFirstNeighbour ? 1 : ((lft[lid - 1] & 0xff) + 1) % searchedAt.length;
            return choice.choosePort(ports, start);
        }

        private byte[] candidates(int target) {
            byte[] ordered = candidates[target];
            if (ordered == null) {
                ordered = choice.inOrder(portBuffer, hops.ports(sw, target, portBuffer));
                candidates[target] = ordered;
            }
            return ordered;
        }

        private static boolean has(byte[] ports, int wanted) {
            for (byte port : ports) {
                if ((port & 0xff) == wanted) {
                    return true;
                }
            }
            return false;
        }
    }
}
