package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.NaiveChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.Unswitched;
import io.torussm.subnet.Subnet;
import io.torussm.testing.KeptInputs;
import io.torussm.testing.Seeds;
import io.torussm.testing.SteeredRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every engine on fabrics of all shapes, with settings of all kinds. It routes or refuses, with the same
 * result twice. Accepted plans are free of credit loops, report each connected pair of hosts without a path,
 * and have a tree for multicast. The check follows every packet.
 */
class EngineFuzzTest {
    private static final int FEW = 12;
    private static final int MANY = 40;
    private static final long CASES = 36;
    private static final long CAMPAIGN_CASES = Long.getLong("campaign.seeds", 10_000);
    private static final long FIRST_OF_CAMPAIGN = Long.getLong("campaign.first", 100_000);
    private static final int MOST_OF_CAMPAIGN = Integer.getInteger("campaign.switches", MANY);
    private static final int FIRST_MLID = 0xc000;

    /** Cables of an edge are three at most but for chance, so these groups take all combinations. */
    private static final int GROUPS = 6;

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();
    private String title = "";

    @Test
    void acceptedTablesAreSoundOnFabricsOfAllShapes() {
        verifyAll(LongStream.range(0, CASES), FEW, Seeds::random);
    }

    /** It is the host of the SM, and stays the same while others come and go. */
    @Test
    void aHostWithoutACableIsNoReasonToRoute() {
        verifyAll(LongStream.of(100_128), MANY, Seeds::unmixed);
    }

    /** Lanes are of no use there, and that is no defect of engines. */
    @Test
    void switchesWithoutSl2VlTablesAreNamed() {
        verifyAll(LongStream.of(100_137, 300_268), MANY, Seeds::unmixed);
    }

    /** No seed of the torus that is proposed has all its neighbours. */
    @Test
    void aTorusOfWhichMuchIsMissingIsStillProposed() {
        verifyAll(LongStream.of(200_485, 200_575, 200_831), MANY, Seeds::unmixed);
    }

    @Test
    @Tag("campaign")
    void acceptedTablesAreSoundInManyMoreCases() {
        verifyAll(
                LongStream.range(FIRST_OF_CAMPAIGN, FIRST_OF_CAMPAIGN + CAMPAIGN_CASES),
                MOST_OF_CAMPAIGN,
                Seeds::random);
    }

    /** Runs an input of the fuzzer, which draws the fabric, the engine and its settings. */
    public static void fuzzerTestOneInput(byte[] data) {
        SteeredRandom random = new SteeredRandom(data);
        Engine engine = Engines.ALL.get(random.nextInt(Engines.ALL.size()));
        EngineFuzzTest test = new EngineFuzzTest();
        DrawnFabric drawn = new DrawnFabric(random, FEW);
        test.title = engine.name() + " on " + drawn.shape;
        test.verify(engine, drawn, random);
        assertThat(test.disagreements).isEmpty();
    }

    static List<byte[]> keptInputs() {
        return KeptInputs.of(EngineFuzzTest.class);
    }

    @ParameterizedTest
    @MethodSource("keptInputs")
    void acceptedTablesAreSoundOnSteeredFabrics(byte[] data) {
        fuzzerTestOneInput(data);
    }

    private void verifyAll(LongStream seeds, int max, LongFunction<Random> draws) {
        Long replay = Long.getLong("seed");
        (replay != null ? LongStream.of(replay) : seeds).forEach(seed -> {
            DrawnFabric drawn = new DrawnFabric(draws.apply(seed), max);
            for (Engine engine : Engines.ALL) {
                title = "seed " + seed + ": " + engine.name() + " on " + drawn.shape;
                verify(engine, drawn, draws.apply(seed ^ engine.name().hashCode()));
            }
            assertThat(disagreements).as(counts.toString()).hasSizeLessThan(20);
        });
        assertThat(disagreements).as(counts.toString()).isEmpty();
        System.out.println(counts);
    }

    private void verify(Engine engine, DrawnFabric drawn, Random random) {
        RoutingOptions options = new RoutingOptions(
                random.nextInt(5) > 0, random.nextInt(3) > 0 ? 5 : 1 + random.nextInt(5), random.nextInt(2));
        EngineConfig config = config(engine, drawn, random);
        boolean hasLastResort = random.nextBoolean();
        title += ", " + config.values() + " " + config.files().keySet() + ", " + options;
        try {
            EngineContext context = new EngineContext(drawn.subnet, options, config, null);
            compare(Unswitched.planOrRoute(engine, context), Unswitched.planOrRoute(engine, context));
            ChainResult result = new RoutingChain(
                            new DeadlockChecker(1),
                            List.of(new RoutingChain.Member(engine, config)),
                            new ChainPolicy(hasLastResort, OnCreditLoop.REFUSE))
                    .route(drawn.subnet, options);
            Plan plan = result.plan();
            result.refusals().forEach(this::verifyRefusal);
            if (plan == null) {
                counts.merge(engine.name() + " refused", 1, Integer::sum);
                check(!result.refusals().isEmpty(), "neither plan nor refusal");
                check(!hasLastResort || result.partialPlan() == null || !isConnected(drawn.subnet), "no last resort");
            } else {
                counts.merge(engine.name() + (plan.degradation().isPresent() ? " bent" : " routed"), 1, Integer::sum);
                verifyPlan(plan, result, options, random);
                verifyAbsence(plan, random);
                verifyLeaf(plan, result, options, random);
            }
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            disagreements.add(
                    title + ": " + e + Arrays.stream(e.getStackTrace()).limit(6).toList());
        }
    }

    private void check(boolean isGood, String noun) {
        String disagreement = title + ": " + noun;
        if (!isGood && !disagreements.contains(disagreement)) {
            disagreements.add(disagreement);
        }
    }

    private static EngineConfig config(Engine engine, DrawnFabric drawn, Random random) {
        Map<String, String> values = new HashMap<>();
        Map<String, EngineFile> files = new HashMap<>();
        int share = random.nextInt(3) * 20;
        for (EngineSetting setting : engine.settings()) {
            boolean isGiven = random.nextInt(100) < share || setting.key().equals("torus_config");
            if (isGiven && setting.kind() == EngineSetting.ValueFormat.FILE) {
                files.put(setting.key(), EngineFile.read(setting.key(), drawn.file(setting.key())));
            } else if (setting.kind() != EngineSetting.ValueFormat.FILE) {
                String drawnValue = setting.kind() == EngineSetting.ValueFormat.FLAG
                        ? "true"
                        : setting.kind() == EngineSetting.ValueFormat.NUMBER
                                ? Integer.toString(random.nextInt(4))
                                : text(setting, share);
                values.put(setting.key(), isGiven ? drawnValue : setting.byDefault());
            }
        }
        return new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1 + random.nextInt(2));
    }

    /** Returns the value of a text setting; torus-2QoS refuses both texts together. */
    private static String text(EngineSetting setting, int share) {
        return switch (setting.key()) {
            case "balance" -> share > 20 ? "one_sl" : "ties";
            case "multipath" -> share > 20 ? "sides" : "orders";
            default -> "";
        };
    }

    private void compare(RoutingResult one, RoutingResult other) {
        if (one instanceof Plan plan && other instanceof Plan again) {
            compareTables("the second run", plan, again);
            check(plan.multicastTree().equals(again.multicastTree()), "the second run has another tree");
        } else if (one instanceof Refusal refusal && other instanceof Refusal again) {
            check(refusal.reason().equals(again.reason()), "the second run has another reason");
        } else {
            check(false, "the second run came to another end");
        }
    }

    private void compareTables(String label, Plan plan, Plan again) {
        Subnet subnet = plan.subnet();
        for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
            check(Arrays.equals(plan.lft(sw), again.lft(sw)), label + " has other tables");
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                boolean isSame =
                        subnet.switchOfLid(lid) == Fabric.NONE || plan.slMask(sw, lid) == again.slMask(sw, lid);
                check(isSame, label + " has other SLs");
            }
        }
    }

    private void verifyRefusal(Refusal refusal) {
        List<SmEvent> errors = refusal.findings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::event)
                .toList();
        check(!errors.isEmpty() && !refusal.reason().isBlank(), "refused without a reason");
        check(errors.isEmpty() || errors.get(0) != SmEvent.TABLES_UNSOUND, "unsound tables: " + refusal.reason());
    }

    private static boolean isConnected(Subnet subnet) {
        return Arrays.stream(parts(subnet.fabric())).distinct().count() == 1;
    }

    /** Returns the lowest index in its part of the fabric, by switch. */
    private static int[] parts(Fabric fabric) {
        int[] parts = IntStream.range(0, fabric.switchCount()).toArray();
        boolean isChanged = true;
        while (isChanged) {
            isChanged = false;
            for (int sw = 0; sw < parts.length; sw++) {
                for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                    int far = fabric.peer(fabric.port(sw, portNum));
                    int next = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
                    if (next != Fabric.NONE && fabric.isSwitch(next) && parts[next] < parts[sw]) {
                        parts[sw] = parts[next];
                        isChanged = true;
                    }
                }
            }
        }
        return parts;
    }

    private void verifyPlan(Plan plan, ChainResult result, RoutingOptions options, Random random) {
        NaiveChecker packets = new NaiveChecker(plan, options);
        check(!packets.isBroken(), "a packet is lost");
        check(!packets.hasCycle(), "a credit loop");
        Fabric fabric = plan.subnet().fabric();
        int[] parts = parts(fabric);
        verifyPairs(plan, result, parts, random);
        MulticastTree tree = result.multicast();
        if (tree == null) {
            boolean isSaid =
                    result.findings().stream().anyMatch(finding -> finding.event() == SmEvent.MULTICAST_TREE_MISSING);
            check(isSaid, "no tree for multicast, and not a word of it");
            return;
        }
        counts.merge(plan.engine() + " multicast", 1, Integer::sum);
        for (int sw = 0; sw < parts.length; sw++) {
            boolean isServed = plan.slMask(tree.root(), plan.subnet().lid(fabric.port(sw, 0))) != 0;
            check(!isServed || tree.spans(sw), "the tree does not reach " + fabric.name(sw));
        }
        for (int mlid = FIRST_MLID; mlid < FIRST_MLID + GROUPS; mlid++) {
            verifyGroup(plan, packets, tree, mlid);
        }
        check(!packets.isBroken(), "a packet to a group is lost, or goes in a circle");
        check(!packets.hasCycle(), "a credit loop of groups");
    }

    private void verifyGroup(Plan plan, NaiveChecker packets, MulticastTree tree, int mlid) {
        Fabric fabric = plan.subnet().fabric();
        int[] members = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && fabric.switchOf(port) != Fabric.NONE)
                .filter(port -> tree.spans(fabric.switchOf(port)))
                .toArray();
        Map<Integer, long[]> masks = tree.route(mlid, members);
        for (int sl = 0; sl < 16; sl++) {
            Set<Integer> seen = new HashSet<>();
            for (int source : members) {
                if ((plan.multicastSls() >> sl & 1) != 0 && (seen.add(fabric.switchOf(source)) || sl == 0)) {
                    List<Integer> receivers = packets.flood(masks, source, sl);
                    boolean isEach = receivers.size() == members.length - 1
                            && new HashSet<>(receivers).size() == receivers.size()
                            && !receivers.contains(source);
                    check(isEach, "a group does not reach each member once");
                }
            }
        }
    }

    /**
     * Checks that hosts go and come back without routing under any engine, and all others keep their tables
     * and SLs.
     */
    private void verifyAbsence(Plan plan, Random random) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        if (!isConnected(subnet)) {
            return;
        }
        FabricBuilder rest = FabricBuilder.of(fabric);
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            boolean goes = node != fabric.nodeOf(fabric.localPort()) && random.nextInt(3) == 0;
            for (int portNum = 1; goes && portNum <= fabric.numPorts(node); portNum++) {
                rest.unlink(fabric.nodeGuid(node), portNum);
            }
        }
        rest.retrace();
        Subnet part = subnet.restrictedTo(rest.build());
        Plan left = plan.onSubnet(part).orElse(null);
        check(left != null, "hosts that go call for routing");
        check(plan.onSubnet(subnet).isPresent(), "hosts that come back call for routing");
        for (int sw = 0; left != null && sw < fabric.switchCount(); sw++) {
            check(Arrays.equals(left.lft(sw), plan.lft(sw)), "a table is another one without some hosts");
            for (int lid = 1; lid <= part.topLid(); lid++) {
                boolean isSame = left.pathSl(part.lid(fabric.port(sw, 0)), lid, 0)
                        == plan.pathSl(subnet.lid(fabric.port(sw, 0)), lid, 0);
                check(isSame, "an SL is another one without some hosts");
            }
        }
    }

    /** Checks that a switch without paths of others goes and comes back without routing under any engine. */
    private void verifyLeaf(Plan plan, ChainResult result, RoutingOptions options, Random random) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int gone = fabric.switchCount() == 0 ? Fabric.NONE : random.nextInt(fabric.switchCount());
        if (gone == Fabric.NONE || fabric.localSwitch() == gone || !isConnected(subnet)) {
            return;
        }
        FabricBuilder rest = FabricBuilder.of(fabric);
        IntStream.rangeClosed(1, fabric.numPorts(gone)).forEach(port -> rest.unlink(fabric.nodeGuid(gone), port));
        rest.retrace();
        Subnet part = subnet.restrictedTo(rest.build());
        Plan left = RetainedRoutes.withoutLeaves(plan, result.multicast(), part).orElse(null);
        boolean isEnd = part.fabric().switchCount() == fabric.switchCount() - 1
                && (result.multicast() == null || isEndOf(result.multicast(), gone, fabric.switchCount()));
        boolean isLeaf = plan.degradation().isEmpty() && !isPassed(plan, gone, part);
        check(isLeaf || left == null, "paths are lost with a switch, and no other engine runs");
        check(!isLeaf || !isEnd || left != null, "a leaf switch that goes calls for routing");
        if (left == null) {
            return;
        }
        counts.merge(plan.engine() + " without a leaf", 1, Integer::sum);
        NaiveChecker packets = new NaiveChecker(left, options);
        check(!packets.isBroken(), "a packet is lost without a leaf switch");
        check(!packets.hasCycle(), "a credit loop without a leaf switch");
        left.multicastTree().ifPresent(tree -> IntStream.range(FIRST_MLID, FIRST_MLID + GROUPS)
                .forEach(mlid -> verifyGroup(left, packets, tree, mlid)));
        check(!packets.hasCycle(), "a credit loop of groups without a leaf switch");
        Plan back = RetainedRoutes.withoutLeaves(left, left.multicastTree().orElse(null), subnet)
                .orElse(null);
        check(back != null, "a leaf switch that comes back calls for routing");
        if (back != null) {
            compareTables("a fabric with a leaf switch that is back", plan, back);
            check(back.multicastTree().equals(Optional.ofNullable(result.multicast())), "the tree is another one");
        }
    }

    /** Checks whether a switch is a leaf of a tree, or outside of it. */
    private static boolean isEndOf(MulticastTree tree, int sw, int switches) {
        long children = IntStream.range(0, switches)
                .filter(other -> tree.parent(other) == sw)
                .count();
        return children + (tree.parent(sw) == Fabric.NONE ? 0 : 1) <= 1;
    }

    /** Checks whether the path of a table to a remaining LID leads through a switch that is gone. */
    private static boolean isPassed(Plan plan, int gone, Subnet part) {
        Fabric fabric = plan.subnet().fabric();
        return IntStream.range(0, part.fabric().switchCount()).anyMatch(i -> {
            int sw = fabric.nodeByGuid(part.fabric().nodeGuid(i));
            Set<Integer> ports = new HashSet<>();
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                if (far != Fabric.NONE && fabric.nodeOf(far) == gone) {
                    ports.add(portNum);
                }
            }
            return IntStream.rangeClosed(1, part.topLid())
                    .anyMatch(lid -> part.switchOfLid(lid) != Fabric.NONE && ports.contains(plan.lft(sw)[lid] & 0xff));
        });
    }

    private void verifyPairs(Plan plan, ChainResult result, int[] parts, Random random) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        boolean isNamed =
                result.findings().stream().anyMatch(finding -> finding.severity() == Finding.Severity.WARNING);
        int[] hosts = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && fabric.switchOf(port) != Fabric.NONE)
                .toArray();
        int wanted = random.nextInt(16);
        for (int from : hosts) {
            for (int to : hosts) {
                boolean isConnected = parts[fabric.switchOf(from)] == parts[fabric.switchOf(to)];
                int slid = subnet.lid(from) + random.nextInt(1 << subnet.lmc(from));
                int dlid = subnet.lid(to) + random.nextInt(1 << subnet.lmc(to));
                int mask = plan.slMask(fabric.switchOf(from), dlid);
                int sl = plan.pathSl(slid, dlid, wanted);
                check(sl < 0 || (mask >> sl & 1) != 0, "an SL that is not in the mask");
                boolean isHostPair = !fabric.isSwitch(fabric.nodeOf(from)) && !fabric.isSwitch(fabric.nodeOf(to));
                boolean isRouted = plan.pathSl(slid, dlid, 0) >= 0;
                check(!isRouted || isConnected, "a path between parts that are not connected");
                check(
                        isRouted || !isConnected || !isHostPair || isNamed,
                        "no path for a pair of hosts, and not a word of it");
            }
        }
    }
}
