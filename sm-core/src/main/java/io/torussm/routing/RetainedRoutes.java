package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The construction of plans from tables that switches already contain. There are three cases:
 * <ul>
 * <li>{@link #withoutLeaves}: only leaf switches were lost or came back, and no engine needs to run;
 * <li>{@link #ofRefused}: no engine accepts the fabric, and those routes of this SM stay active that still reach
 *     their destination;
 * <li>{@link #ofAdopted}: no engine accepts the fabric, and this SM has not routed it yet, so the tables were read
 *     from the switches.
 * </ul>
 *
 * <p>Forwarding tables, SLs and SL2VL stay unchanged, also at a switch that returns to its place. Pairs of
 * switches without a working path in these tables have no path in the plan. Devices that the tables do not serve
 * are not part of the plan's subnet ({@link ServedPart}). Dependencies between channels are the same as before
 * or fewer, so the routes are as safe as before.
 */
public final class RetainedRoutes {
    /** The value of {@link Plan#engine} for routes that no engine of this run made. */
    public static final String ADOPTED = "adopted";

    /**
     * States of a switch in {@link #lostTo}: its packets arrive, its packets are lost, or the current walk has
     * passed it.
     */
    private static final byte ARRIVES = 1;

    private static final byte IS_LOST = 2;
    private static final byte IS_PASSED = 3;

    private final EarlierPlan source;
    private final Subnet subnet;
    private final Fabric fabric;
    private final byte[][] lfts;

    /**
     * By LID: the switches from which the tables do not lead to the LID; null if they lead to it from all switches.
     * Without entries if the tables are complete.
     */
    private final @Nullable BitSet[] switchesWithoutPath;

    /**
     * @param plan source of SLs and SL2VL rows
     * @param part subnet that the tables serve
     * @param tables output ports {@code [switch of the plan's subnet][LID]}
     * @param isComplete true if each pair of switches has a path in the tables
     */
    private RetainedRoutes(Plan plan, Subnet part, byte[][] tables, boolean isComplete) {
        source = new EarlierPlan(plan, part);
        fabric = part.fabric();
        lfts = source.tables(tables);
        Subnet served = part.with(part.vportLids().only(vport -> isDelivered(part, vport.lid())));
        subnet = served.withTopLid(lfts.length == 0 ? 0 : lfts[0].length - 1);
        switchesWithoutPath = new BitSet[isComplete ? 0 : subnet.topLid() + 1];
        IntStream.range(1, switchesWithoutPath.length)
                .parallel()
                .forEach(lid -> switchesWithoutPath[lid] = lostTo(lid));
    }

    /** Checks whether the tables deliver a LID of a virtual port to the physical port that has it now. */
    private boolean isDelivered(Subnet part, int lid) {
        int sw = part.switchOfLid(lid);
        return sw != Fabric.NONE && lid < lfts[sw].length && (lfts[sw][lid] & 0xff) == part.deliveryPort(lid);
    }

    /**
     * Returns the published plan for a subnet in which leaf switches with their hosts were lost, or came back to
     * their places. Links between the other switches must be unchanged, and no path between other switches may cross
     * a lost leaf. The proof of the plan stays valid, since no traffic is added. The multicast tree loses only these
     * leaves.
     *
     * @param tree multicast tree that is published with the plan; null without a tree
     * @return plan; empty if the subnet must be routed again. Always empty for retained routes
     */
    public static Optional<Plan> withoutLeaves(Plan published, @Nullable MulticastTree tree, Subnet currentSubnet) {
        Plan routed = published.asRouted();
        if (published.retention().isPresent()
                || routed.degradation().isPresent()
                || !SameSubnet.isWithoutLeaves(currentSubnet, routed)) {
            return Optional.empty();
        }
        MulticastTree wholeTree = published.wholeTree().orElse(tree);
        Optional<MulticastTree> remainingTree = remainingTree(wholeTree, currentSubnet.fabric());
        return remainingTree.isPresent() == (wholeTree != null)
                        && remainingTree.stream().allMatch(MulticastTree::isWhole)
                ? Optional.of(new RetainedRoutes(routed, currentSubnet, tables(routed), true)
                        .builder(routed.engine())
                        .multicast(remainingTree, new int[0], routed.multicastSls())
                        .origin(routed, wholeTree)
                        .build())
                : Optional.empty();
    }

    private static byte[][] tables(Plan routed) {
        byte[][] tables = new byte[routed.subnet().fabric().switchCount()][];
        Arrays.setAll(tables, routed::lft);
        return tables;
    }

    /**
     * Returns those routes of the published plan that still reach their destination, on a subnet that no engine
     * accepts.
     *
     * @param tree multicast tree that is published with the plan; null without a tree
     * @param currentSubnet the subnet as discovered
     * @return plan; empty if these routes do not serve the port of the SM
     */
    public static Optional<Plan> ofRefused(Plan published, @Nullable MulticastTree tree, Subnet currentSubnet) {
        Plan routed = published.asRouted();
        MulticastTree wholeTree = published.wholeTree().orElse(tree);
        return ServedPart.of(currentSubnet, new SameSubnet(routed.subnet(), currentSubnet))
                .map(part -> {
                    RetainedRoutes routes = new RetainedRoutes(routed, part.subnet(), tables(routed), false);
                    return routes.builder(routed.engine())
                            .multicast(
                                    remainingTree(wholeTree, part.subnet().fabric()), new int[0], routed.multicastSls())
                            .retention(routes.quality(false, part))
                            .origin(routed, wholeTree)
                            .build();
                });
    }

    private static Optional<MulticastTree> remainingTree(@Nullable MulticastTree wholeTree, Fabric currentFabric) {
        return Optional.ofNullable(wholeTree)
                .map(tree -> tree.remainingOn(currentFabric))
                .filter(tree -> tree.root() != Fabric.NONE);
    }

    /**
     * Returns routes that were read from the switches.
     *
     * @param partial source of SLs and SL2VL for the subnet as discovered; see {@link Refusal#partialPlan}
     * @param held output ports {@code [switch of that subnet][LID]}, rows of the same length; null for a switch
     *     without a table
     * @param first first adopted plan; null if no tables were adopted yet
     * @return plan that must be proved before use; empty if these routes do not serve the port of the SM
     */
    public static Optional<Plan> ofAdopted(Plan partial, byte[] @Nullable [] held, @Nullable Plan first) {
        Subnet currentSubnet = partial.subnet();
        return ServedPart.of(currentSubnet, new ProgrammedLfts(currentSubnet, held))
                .map(part -> {
                    RetainedRoutes routes = new RetainedRoutes(partial, part.subnet(), held, false);
                    Fabric fabric = routes.fabric;
                    int[] roots = Arrays.stream(partial.multicastRoots())
                            .map(root ->
                                    fabric.nodeByGuid(currentSubnet.fabric().nodeGuid(root)))
                            .filter(root -> root != Fabric.NONE)
                            .toArray();
                    return routes.builder(ADOPTED)
                            .multicast(Optional.empty(), roots, partial.multicastSls())
                            .retention(routes.quality(true, part))
                            .origin(first, null)
                            .build();
                });
    }

    /**
     * Returns tables in which a switch without a table gets the table of a known plan.
     *
     * @param held output ports {@code [switch of currentSubnet][LID]}; null for a switch without a table
     * @param known source of the missing tables; null to add none
     */
    public static byte[] @Nullable [] completeTables(
            byte[] @Nullable [] held, Subnet currentSubnet, @Nullable Plan known) {
        byte[] @Nullable [] completed = held.clone();
        int lids = Arrays.stream(held)
                .mapToInt(lft -> lft == null ? 0 : lft.length)
                .max()
                .orElse(0);
        for (int sw = 0; sw < completed.length && lids > 0 && known != null; sw++) {
            int knownSwitch =
                    known.subnet().fabric().nodeByGuid(currentSubnet.fabric().nodeGuid(sw));
            if (completed[sw] == null && knownSwitch != Fabric.NONE) {
                byte[] lft = known.lft(knownSwitch);
                completed[sw] = Arrays.copyOf(lft, lids);
                Arrays.fill(completed[sw], Math.min(lft.length, lids), lids, LinearForwardingTable.NO_PATH_ENTRY);
            }
        }
        return completed;
    }

    /**
     * The tables of switches as a description of the served devices. A switch with a table can use any cable. A host
     * is served if its switch has an entry with the port of the host for each LID of the host.
     */
    private record ProgrammedLfts(Subnet now, byte[] @Nullable [] lfts) implements ServedPart.Tables {
        @Override
        public boolean hasSwitch(int sw) {
            return lfts[sw] != null;
        }

        @Override
        public boolean hasCable(int port) {
            return true;
        }

        @Override
        public boolean hasEndport(int endport) {
            Fabric fabric = now.fabric();
            byte[] lft = lfts[fabric.switchOf(endport)];
            int delivery = fabric.portNum(fabric.peer(endport));
            int base = now.lid(endport);
            return lft != null
                    && base != 0
                    && IntStream.range(base, base + (1 << now.lmc(endport)))
                            .allMatch(lid -> (lft[lid] & 0xff) == delivery);
        }
    }

    private PlanBuilder builder(String engine) {
        return source.builder(engine, subnet, lfts).sls(new PreviousSls(false));
    }

    /** The SLs of the source plan. */
    private final class PreviousSls implements PathSls {
        private final boolean includesLostPairs;

        /** @param includesLostPairs false to exclude pairs without a path in the tables */
        PreviousSls(boolean includesLostPairs) {
            this.includesLostPairs = includesLostPairs;
        }

        private boolean hasPath(int sw, int lid) {
            BitSet switches = includesLostPairs || lid >= switchesWithoutPath.length ? null : switchesWithoutPath[lid];
            return subnet.switchOfLid(lid) != Fabric.NONE && (switches == null || !switches.get(sw));
        }

        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            int from = subnet.switchOfLid(srcLid);
            return from != Fabric.NONE && hasPath(from, dstLid) ? source.pathSl(srcLid, dstLid, wanted) : -1;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return hasPath(srcSw, dstLid) ? source.slMask(srcSw, dstLid) : 0;
        }

        @Override
        public boolean isBySwitch() {
            return false;
        }
    }

    /**
     * Returns the switches from which the tables do not lead to a LID; null if the tables lead to it from all
     * switches, or the LID is unused. Each switch is visited once: the walk from a switch stops at a switch whose
     * state is known.
     */
    private @Nullable BitSet lostTo(int lid) {
        int endport = subnet.portOfLid(lid);
        int destination = endport == Fabric.NONE ? Fabric.NONE : fabric.switchOf(endport);
        if (destination == Fabric.NONE) {
            return null;
        }
        int delivery = fabric.isSwitch(fabric.nodeOf(endport)) ? 0 : fabric.portNum(fabric.peer(endport));
        byte[] ends = new byte[lfts.length];
        ends[destination] = (lfts[destination][lid] & 0xff) == delivery ? ARRIVES : IS_LOST;
        BitSet switches = new BitSet();
        int[] walk = new int[lfts.length];
        for (int sw = 0; sw < ends.length; sw++) {
            int length = 0;
            int current = sw;
            while (current != Fabric.NONE && ends[current] == 0) {
                ends[current] = IS_PASSED;
                walk[length++] = current;
                current = nextSwitch(current, lid);
            }
            byte state = current != Fabric.NONE && ends[current] == ARRIVES ? ARRIVES : IS_LOST;
            for (int i = 0; i < length; i++) {
                ends[walk[i]] = state;
            }
            if (ends[sw] != ARRIVES) {
                switches.set(sw);
            }
        }
        return switches.isEmpty() ? null : switches;
    }

    /** Returns the next switch on the path to a LID; {@link Fabric#NONE} if the table leads to no switch. */
    private int nextSwitch(int sw, int lid) {
        int portNum = lfts[sw][lid] & 0xff;
        return portNum == 0 || portNum > fabric.numPorts(sw)
                ? Fabric.NONE
                : fabric.switchBehind(fabric.port(sw, portNum));
    }

    private RetentionQuality quality(boolean isAdopted, ServedPart part) {
        BitSet[] lostPairs = new BitSet[lfts.length];
        Arrays.setAll(lostPairs, sw -> new BitSet());
        for (int lid = 1; lid < switchesWithoutPath.length; lid++) {
            BitSet switches = switchesWithoutPath[lid];
            if (switches != null) {
                lostPairs[subnet.switchOfLid(lid)].or(switches);
            }
        }
        long count = Arrays.stream(lostPairs).mapToLong(BitSet::cardinality).sum();
        return new RetentionQuality(
                isAdopted, (long) lfts.length * lfts.length, count, part.waiting(), new PreviousSls(true));
    }
}
