package io.torussm.routing.ftree;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A tree that is known, and a fabric that is no longer quite that tree. */
class ChangedTreesTest {
    private static final long GUID = 0x20_0000;

    /** The GUID of a switch that replaces another. Engines order switches by it, and begin with the first leaf. */
    private static final long OTHER = 0x20_10ff;

    private final TestTree tree = TestTree.kAry(4, 3);
    private final Subnet wholeSubnet = Subnets.of(tree.fabric());
    private final Plan wholePlan = (Plan) route(wholeSubnet, null);
    private final WholeTree keptTree = tree(wholePlan);

    private static RoutingResult route(Subnet subnet, @Nullable WholeTree kept) {
        return new FatTreeEngine()
                .route(new EngineContext(subnet, TestRouting.QOS, EngineConfig.NONE, null, Map.of(), kept, null));
    }

    /** Routes a subnet, and checks that all pairs of hosts are served and that the tables are proved. */
    private static Plan routeServed(Subnet subnet, WholeTree kept) {
        RoutingResult result = route(subnet, kept);
        assertThat(result).isInstanceOf(Plan.class);
        Plan plan = (Plan) result;
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
        PathEnds ends = new PathEnds(subnet);
        long hosts = ends.ports().length;
        assertThat(PathStatistics.of(plan, ends).pairs()).isEqualTo(hosts * (hosts - 1));
        return plan;
    }

    private static WholeTree tree(Plan plan) {
        return plan.explainer().wholeTree().orElseThrow();
    }

    private static BitSet bitSet(int... bits) {
        BitSet set = new BitSet();
        Arrays.stream(bits).forEach(set::set);
        return set;
    }

    /** Entries of two plans that differ, at switches and for LIDs that both have. */
    private static long differences(Plan one, Plan other) {
        Fabric fabric = one.subnet().fabric();
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> other.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw)) != Fabric.NONE)
                .mapToLong(sw -> {
                    byte[] there = other.lft(other.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw)));
                    return IntStream.range(1, Math.min(one.lft(sw).length, there.length))
                            .filter(lid -> one.subnet().switchOfLid(lid) != Fabric.NONE
                                    && other.subnet().switchOfLid(lid) != Fabric.NONE)
                            .filter(lid -> one.lft(sw)[lid] != there[lid])
                            .count();
                })
                .sum();
    }

    /** A switch reports fewer ports than it had when the tree was remembered. */
    @Test
    void aTreeWithCablesAtPortsThatASwitchDoesNotReportIsNotCompleted() {
        Map<NodePort, NodePort> cables = new HashMap<>(keptTree.cables());
        long lost = wholeSubnet.fabric().nodeGuid(tree.firstLeaf());
        Map.Entry<NodePort, NodePort> cable = cables.entrySet().stream()
                .filter(each ->
                        each.getKey().nodeGuid() != lost && each.getValue().nodeGuid() != lost)
                .findFirst()
                .orElseThrow();
        NodePort end = cable.getKey();
        NodePort far = cable.getValue();
        cables.remove(end);
        cables.put(new NodePort(end.nodeGuid(), 200), far);
        Subnet less = tree.without(wholeSubnet, bitSet(), bitSet(tree.firstLeaf()));
        assertThat(WholeSubnet.of(less, keptTree)).isNotNull();
        assertThat(WholeSubnet.of(less, new WholeTree(keptTree.ranks(), cables)))
                .isNull();
    }

    @Test
    void aLostLeafChangesNothingElse() {
        Subnet less = tree.without(wholeSubnet, bitSet(), bitSet(tree.firstLeaf(), tree.firstLeaf() + 5));
        Plan plan = routeServed(less, keptTree);
        assertThat(differences(plan, wholePlan)).isZero();
        assertThat(tree(plan)).isEqualTo(keptTree);
        assertThat(plan.explainer().computeOrder()).hasNumberOfRows(tree.leaves());
    }

    @Test
    void aMendedTreeHasItsTablesBack() {
        Plan broken = routeServed(tree.without(wholeSubnet, bitSet(1, 30, 60), bitSet(0)), keptTree);
        assertThat(differences(broken, wholePlan)).isPositive();
        Plan mended = routeServed(wholeSubnet, tree(broken));
        assertThat(differences(mended, wholePlan)).isZero();
        assertThat(tree(mended)).isEqualTo(keptTree);
    }

    @Test
    void aSwitchInThePlaceOfAnotherTakesOver() {
        for (int sw : new int[] {2, tree.firstLeaf() - 3, tree.firstLeaf() + 1}) {
            Subnet other = renamed(tree.without(wholeSubnet, bitSet(7), bitSet()), sw);
            Plan plan = routeServed(other, keptTree);
            assertThat(tree(plan).ranks()).hasSize(tree.switches()).containsKey(OTHER);
            assertThat(tree(plan).ranks()).doesNotContainKey(GUID + sw);
            Plan without = routeServed(tree.without(wholeSubnet, bitSet(7), bitSet()), keptTree);
            for (int port : new PathEnds(other).ports()) {
                int lid = other.lid(port);
                for (int each = 0; each < tree.switches(); each++) {
                    int now = other.fabric().nodeByGuid(renamedGuid(new NodePort(GUID + each, 0), sw));
                    assertThat(plan.lft(now)[lid]).isEqualTo(without.lft(each)[lid]);
                }
            }
        }
    }

    /** Returns a subnet in which a switch has another GUID and LID; all other LIDs stay. */
    private static Subnet renamed(Subnet subnet, int sw) {
        Fabric fabric = subnet.fabric();
        FabricBuilder builder = new FabricBuilder();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            boolean isRenamed = fabric.nodeGuid(node) == GUID + sw;
            long guid = isRenamed ? OTHER : fabric.nodeGuid(node);
            NodeInfo known = fabric.node(node).info();
            builder.addNode(
                    isRenamed ? known.with(NodeInfo.NODE_GUID, guid).with(NodeInfo.PORT_GUID, guid) : known,
                    fabric.node(node).path());
            SwitchInfo info = fabric.node(node).switchInfo();
            if (info != null) {
                builder.setSwitchInfo(guid, info);
            }
            for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
                PortInfo port = fabric.portInfo(fabric.port(node, portNum));
                if (port != null) {
                    builder.setPortInfo(guid, portNum, port);
                }
                builder.setPortGuid(guid, portNum, isRenamed ? 0 : fabric.portGuid(fabric.port(node, portNum)));
            }
            builder.setPortGuid(guid, isRenamed ? 0 : 1, isRenamed ? guid : fabric.portGuid(fabric.port(node, 1)));
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) > port) {
                NodePort end = fabric.nodePort(port);
                NodePort far = fabric.nodePort(fabric.peer(port));
                builder.link(renamedGuid(end, sw), end.portNum(), renamedGuid(far, sw), far.portNum());
            }
        }
        Fabric other = builder.build();
        int[] lids = new int[other.portCount()];
        for (int port = 0; port < lids.length; port++) {
            NodePort at = other.nodePort(port);
            if (other.isEndport(port)) {
                lids[port] = at.nodeGuid() == OTHER ? subnet.topLid() + 1 : subnet.lid(fabric.port(at));
            }
        }
        return new Subnet(other, lids, new byte[lids.length], subnet.gidPrefix());
    }

    private static long renamedGuid(NodePort end, int sw) {
        return end.nodeGuid() == GUID + sw ? OTHER : end.nodeGuid();
    }

    @Test
    void aNewLeafIsAPartOfTheTree() {
        TestTree larger = new TestTree(new int[] {5, 4}, new int[] {4, 4}, 4);
        TestTree smaller = new TestTree(new int[] {4, 4}, new int[] {4, 4}, 4);
        assertThat(smaller.switches()).isLessThan(larger.switches());
        Subnet all = Subnets.of(larger.fabric());
        int newLeaf = larger.switches() - 1;
        Subnet less = larger.without(all, bitSet(), bitSet(newLeaf));
        WholeTree small = tree((Plan) route(less, tree((Plan) route(all, null))));
        Plan plan = routeServed(larger.without(all, bitSet(3), bitSet()), withoutSwitch(small, GUID + newLeaf));
        assertThat(tree(plan).ranks()).containsEntry(GUID + newLeaf, 2);
    }

    private static WholeTree withoutSwitch(WholeTree tree, long guid) {
        Map<Long, Integer> ranks = new HashMap<>(tree.ranks());
        ranks.remove(guid);
        Map<NodePort, NodePort> cables = new HashMap<>(tree.cables());
        cables.entrySet()
                .removeIf(cable ->
                        cable.getKey().nodeGuid() == guid || cable.getValue().nodeGuid() == guid);
        return new WholeTree(ranks, cables);
    }

    @Test
    void aTreeOfAnotherFabricIsForgotten() {
        TestTree other = TestTree.kAry(3, 2);
        Subnet subnet = Subnets.of(other.fabric());
        Plan plan = routeServed(subnet, keptTree);
        assertThat(differences(plan, (Plan) route(subnet, null))).isZero();
        assertThat(tree(plan)).isNotEqualTo(keptTree);
    }

    /** An SM that is cut off with one pod sees a small tree, and must not remember that as the tree. */
    @Test
    void aPartThatIsCutOffKeepsTheWholeTree() {
        BitSet gone = new BitSet();
        gone.set(0, tree.switches());
        gone.clear(tree.spines(), tree.spines() + 4);
        gone.clear(tree.firstLeaf(), tree.firstLeaf() + 4);
        Plan plan = routeServed(tree.without(wholeSubnet, bitSet(), gone), keptTree);
        assertThat(tree(plan)).isEqualTo(keptTree);
        assertThat(differences(plan, wholePlan)).isZero();
    }

    /** Two cables up were plugged into each other's leaf: they are not used, and the tree stays the same. */
    @Test
    void aCableBetweenLeavesIsNotUsed() {
        TestTree.Cable one = tree.cables().get(0);
        TestTree.Cable two = tree.cables().get(9);
        FabricBuilder builder = FabricBuilder.of(wholeSubnet.fabric());
        builder.unlink(GUID + one.below(), one.belowPort());
        builder.unlink(GUID + two.below(), two.belowPort());
        builder.link(GUID + one.below(), one.belowPort(), GUID + two.below(), two.belowPort());
        Plan plan = routeServed(wholeSubnet.with(builder.build()), keptTree);
        assertThat(tree(plan)).isEqualTo(keptTree);
        assertThat(plan.lft(one.below())).doesNotContain((byte) one.belowPort());
    }

    /**
     * One leaf has a cable to the first spine alone, another to the second: paths between them turn at a
     * third leaf.
     */
    @Test
    void pairsWithoutAWayUpAndDownTurnAtOneSwitch() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 6; sw++) {
            sketch.addSwitch("sw-" + sw, 8);
        }
        for (int leaf = 2; leaf < 6; leaf++) {
            for (int spine = 0; spine < 2; spine++) {
                sketch.link(leaf, 1 + spine, spine, leaf);
            }
            sketch.addHost(leaf, 7);
            sketch.addHost(leaf, 8);
        }
        Subnet subnet = Subnets.of(sketch.build());
        WholeTree small = tree((Plan) route(subnet, null));
        FabricBuilder builder = FabricBuilder.of(subnet.fabric());
        builder.unlink(GUID + 2, 1);
        builder.unlink(GUID + 3, 2);
        Plan plan = routeServed(subnet.with(builder.build()), small);
        assertThat(plan.findings()).extracting(finding -> finding.event()).containsExactly(SmEvent.ROUTING_NOTE);
    }
}
