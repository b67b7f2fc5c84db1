package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.IbNetDiscoverFormat;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.Plan;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.TorusSpec;
import io.torussm.stage.Phase;
import io.torussm.subnet.Subnet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a trap makes the SM do: as little as the change needs, with the same result as a sweep of everything. */
class LocalSweepTest {
    private final SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=2");

    /** Of sw-1-1-0, to sw-1-2-0: no packet between these and the SM takes that cable. */
    private static final int OFF_THE_WAY = 3;

    /** After that the neighbours of a switch that does not answer are looked at; the tries of one request take 12.7 s here. */
    private static final long DOUBT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<Long> neighbours = new ArrayList<>();

    private static Fabric fabric(SweepHarness of) {
        return of.up().subnet().fabric();
    }

    private static void settle(SweepHarness of) {
        of.loop.runFor(TimeUnit.SECONDS.toNanos(5));
    }

    private long guid(String description) {
        return harness.node(description)
                .nodeGuid();
    }

    /** Routes of all requests of a kind since the last look. */
    private Set<String> asked(int method, int attribute) {
        Set<String> routes = new TreeSet<>();
        for (byte[] mad : harness.requests) {
            if (MadHeader.method(mad) == method && MadHeader.attributeId(mad) == attribute) {
                routes.add(String.valueOf(Smp.path(mad)));
            }
        }
        return routes;
    }

    @Test
    void aLostCableIsReadAtItsTwoEndsOnly() {
        harness.sweep();
        int sw = fabric(harness).nodeByGuid(guid("sw-1-1-0"));
        harness.requests.clear();
        harness.fabric.unlink(fabric(harness).nodeGuid(sw), OFF_THE_WAY);
        settle(harness);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(fabric(harness).peer(fabric(harness).port(sw, OFF_THE_WAY))).isEqualTo(Fabric.NONE);
        assertThat(asked(Method.GET, NodeInfo.TYPE.id()))
                .as("each end by two routes")
                .hasSize(4);
        assertThat(asked(Method.GET, SwitchInfo.TYPE.id())).hasSize(2);
        assertThat(asked(Method.GET, PortInfo.TYPE.id())).hasSize(2);
        SweeperTest.assertHeld(harness);
        assertThat(harness.lastReport().reactionNs()).as("counts from the trap").isNotNegative();
        assertThat(harness.lastReport().line()).contains("; tables in place 0.0");
        assertIsAsAWholeSweepSeesIt(harness);
        assertThat(harness.lastReport().line())
                .as("of a sweep that nobody's report called for")
                .doesNotContain("in place");
    }

    /** A port without a LID reports changes, too, such as that of a switch that is just coming back. */
    @Test
    void theReportOfAStrangerIsNotTheFirstOfALaterChange() {
        harness.sweep();
        harness.sweeper.sweepAround(0);
        settle(harness);
        harness.fabric.unlink(guid("sw-1-1-0"), OFF_THE_WAY);
        harness.sweeper.sweepAround(lid(guid("sw-1-1-0")));
        harness.sweeper.sweepAround(0);
        settle(harness);
        assertThat(harness.lastReport().line()).as("nothing of the stranger").contains("; tables in place 0.0");

        harness.fabric.relink(guid("sw-1-1-0"), OFF_THE_WAY);
        settle(harness);
        assertThat(harness.ends).containsExactly("up", "up", "up");
        assertThat(harness.lastReport().line())
                .as("nor of the one while it swept")
                .contains("; tables in place 0.0");
    }

    /** Whichever end tells of it: the way to that end may have led over the cable, and nobody waits for a dead one. */
    @Test
    void noLostCableCostsAWaitForAnAnswer() {
        harness.sweep();
        for (int sw = 0; sw < fabric(harness).switchCount(); sw++) {
            for (int portNum = 1; portNum <= 4; portNum++) {
                long guid = fabric(harness).nodeGuid(sw);
                int ends = harness.ends.size();
                harness.fabric.unlink(guid, portNum);
                harness.await(ends + 1);
                assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                        .as("discovery after port %d of switch %d is lost", portNum, sw)
                        .isLessThan(TimeUnit.MILLISECONDS.toNanos(1));
                settle(harness);
                harness.fabric.relink(guid, portNum);
                settle(harness);
            }
        }
        assertThat(harness.ends).doesNotContain("failed");
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /** Its links go one after the other, while switches are read by routes through it, and by itself; it still reports some of that. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3_000, 20_000, 100_000})
    void noLostSwitchCostsAWaitForAnAnswer(long betweenNs) {
        harness.sweep();
        for (int sw = 1; sw < fabric(harness).switchCount(); sw++) {
            long guid = fabric(harness).nodeGuid(sw);
            int ends = harness.ends.size();
            for (int portNum = 1; portNum <= 6; portNum++) {
                harness.fabric.unlink(guid, portNum);
                harness.loop.runFor(betweenNs);
            }
            harness.await(ends + 1);
            assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                    .as("discovery after switch %d is lost", sw)
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
            settle(harness);
            assertThat(fabric(harness).nodeByGuid(guid)).isEqualTo(Fabric.NONE);
            for (int portNum = 1; portNum <= 6; portNum++) {
                harness.fabric.relink(guid, portNum);
            }
            settle(harness);
        }
        assertThat(harness.ends).doesNotContain("failed");
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /** Its own traps, and those of some neighbours, may come in while other neighbours have not noticed anything yet. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aSwitchThatIsGoneIsMissedByItsNeighboursAlone(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepAround(lid(guid));
        harness.sweeper.sweepAround(lid(neighbours.get(first)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                .as("a switch that answers would have done so long ago")
                .isBetween(DOUBT_NS, DOUBT_NS + TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** All traps but one are lost. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void hardlyAnybodyWaitsForASwitchThatOneOfItsNeighboursMisses(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepAround(lid(neighbours.get(first)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER))
                .isLessThan(DOUBT_NS + TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** The way to the other ones may have led through it, so that their traps are lost with it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void nobodyWaitsForASwitchThatTwoOfItsNeighboursMiss(int first) {
        long guid = failSilently("sw-1-1-0");
        harness.sweeper.sweepAround(lid(guid));
        harness.sweeper.sweepAround(lid(neighbours.get(first)));
        harness.sweeper.sweepAround(lid(neighbours.get((first + 1) % 4)));
        harness.await(2);
        assertThat(harness.lastReport().phaseNs().get(Phase.DISCOVER)).isLessThan(TimeUnit.MILLISECONDS.toNanos(2));
        assertIsGone(guid);
    }

    /** Without a trap; its neighbours are left in {@link #neighbours}. */
    private long failSilently(String description) {
        harness.sweep();
        long guid = guid(description);
        int sw = fabric(harness).nodeByGuid(guid);
        for (int portNum = 1; portNum <= 4; portNum++) {
            int far = fabric(harness).peer(fabric(harness).port(sw, portNum));
            neighbours.add(fabric(harness).nodeGuid(fabric(harness).nodeOf(far)));
        }
        harness.deaf = mad -> true;
        harness.fabric.failSwitch(guid);
        settle(harness);
        return guid;
    }

    private void assertIsGone(long guid) {
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.sweeper.counts().counted())
                .as("the first sweep is the only one of everything")
                .filteredOn(count -> count.kind() == SweepCounts.Kind.HEAVY && count.count() > 0)
                .containsExactly(new SweepCounts.Count(SweepCounts.Kind.HEAVY, SweepCounts.End.UP, 1));
        assertThat(fabric(harness).nodeByGuid(guid)).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    private int lid(long guid) {
        Fabric seen = fabric(harness);
        return harness.up().subnet().lid(seen.port(seen.nodeByGuid(guid), 0));
    }

    @Test
    void aCableThatIsBackIsUsedAgain() {
        harness.sweep();
        List<Object> before = Devices.snapshot(harness);
        harness.fabric.unlink(guid("sw-1-1-0"), 1);
        settle(harness);
        harness.fabric.relink(guid("sw-1-1-0"), 1);
        settle(harness);
        assertThat(Devices.snapshot(harness)).isEqualTo(before);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    @Test
    void aHostThatRestartsCostsNoRoutingAndNoForwardingEntry() {
        harness.sweep();
        long host = guid("host-2-1-0-1");
        int before =
                harness.up().subnet().lid(fabric(harness).port(fabric(harness).nodeByGuid(host), 1));
        long routings = harness.sweeper.counts().routings();
        harness.requests.clear();
        harness.fabric.unlink(host, 1);
        settle(harness);
        assertThat(fabric(harness).nodeByGuid(host)).isEqualTo(Fabric.NONE);
        assertThat(harness.up().plan().asRouted()).isNotSameAs(harness.up().plan());
        SweeperTest.assertHeld(harness);
        harness.fabric.relink(host, 1);
        settle(harness);
        assertThat(harness.up()
                        .subnet()
                        .lid(fabric(harness).port(fabric(harness).nodeByGuid(host), 1)))
                .isEqualTo(before);
        assertThat(harness.sweeper.counts().routings()).isEqualTo(routings);
        assertThat(harness.sets(LinearForwardingTable.TYPE.id())).isZero();
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /** A switch at the end of a row, with its hosts: no path of others leads through it. */
    @Test
    void aLeafSwitchThatRestartsCostsNoRoutingAndNoEntryElsewhere() {
        SweepHarness row = new SweepHarness("torus:4x1x1,mesh=x,hosts=2");
        row.sweep();
        List<Object> before = Devices.snapshot(row);
        long leaf = fabric(row).nodeGuid(3);
        long routings = row.sweeper.counts().routings();
        row.requests.clear();
        row.fabric.failSwitch(leaf);
        settle(row);
        assertThat(fabric(row).switchCount()).isEqualTo(3);
        assertThat(row.up().plan().standing()).isEmpty();
        assertThat(row.sets(LinearForwardingTable.TYPE.id())).isZero();
        SweeperTest.assertHeld(row);
        row.fabric.restoreSwitch(leaf);
        settle(row);
        assertIsAsBefore(row, routings, before);
    }

    /** Hosts go and come meanwhile, at the leaf and elsewhere. */
    @Test
    void hostsComeAndGoWhileALeafSwitchIsAway() {
        SweepHarness row = new SweepHarness("torus:4x1x1,mesh=x,hosts=2");
        row.sweep();
        List<Object> before = Devices.snapshot(row);
        long leaf = fabric(row).nodeGuid(3);
        int hostPort = row.hosts().get(3);
        long host = fabric(row).nodeGuid(fabric(row).nodeOf(hostPort));
        long routings = row.sweeper.counts().routings();
        row.fabric.unlink(host, 1);
        settle(row);
        row.fabric.failSwitch(leaf);
        settle(row);
        row.fabric.relink(host, 1);
        settle(row);
        row.fabric.unlink(host, 1);
        settle(row);
        row.fabric.restoreSwitch(leaf);
        settle(row);
        row.fabric.relink(host, 1);
        settle(row);
        assertIsAsBefore(row, routings, before);
    }

    @Test
    void aSwitchThatOthersNeedIsRouted() {
        harness.sweep();
        long routings = harness.sweeper.counts().routings();
        harness.fabric.failSwitch(guid("sw-1-1-0"));
        settle(harness);
        assertThat(harness.sweeper.counts().routings()).isGreaterThan(routings);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /** The last LID goes with the last host: tables do not shrink for it. */
    @Test
    void theHostWithTheLastLidCostsNoMoreThanAnother() {
        long last = guid("host-2-1-0-1");
        harness.fabric.unlink(last, 1);
        harness.sweep();
        harness.fabric.relink(last, 1);
        settle(harness);
        int top = harness.up().subnet().topLid();
        Fabric fabric = fabric(harness);
        int port = harness.up().subnet().portOfLid(top);
        harness.requests.clear();
        harness.fabric.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
        settle(harness);
        assertThat(harness.up().subnet().topLid()).isEqualTo(top);
        assertThat(harness.up().subnet().portOfLid(top)).isEqualTo(Fabric.NONE);
        assertThat(asked(Method.SET, SwitchInfo.TYPE.id())).hasSize(1);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aHostThatWasNeverThereIsRouted() {
        long host = guid("host-2-1-0-1");
        harness.fabric.unlink(host, 1);
        harness.sweep();
        long routings = harness.sweeper.counts().routings();
        harness.fabric.relink(host, 1);
        settle(harness);
        assertThat(harness.sweeper.counts().routings()).isEqualTo(routings + 1);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    @Test
    void aSwitchWithoutPowerIsLeftOutAndProgrammedAnewWhenItIsBack() {
        harness.sweep();
        List<Object> before = Devices.snapshot(harness);
        harness.fabric.failSwitch(guid("sw-2-1-0"));
        settle(harness);
        assertThat(fabric(harness).nodeByGuid(guid("sw-2-1-0"))).isEqualTo(Fabric.NONE);
        assertThat(fabric(harness).nodeByGuid(guid("host-2-1-0-1"))).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
        harness.fabric.restoreSwitch(guid("sw-2-1-0"));
        settle(harness);
        SweeperTest.assertHeld(harness);
        assertThat(Devices.snapshot(harness)).isEqualTo(before);
    }

    /** Nobody needs them, and they may be more than all others. */
    @Test
    void whatIsLeftOfASwitchThatIsGoneIsTakenAwayLast() {
        SweepHarness torus = new SweepHarness("torus:9x6x1,hosts=4");
        torus.sweep();
        Plan before = torus.up().plan();
        torus.requests.clear();
        torus.fabric.failSwitch(before.subnet().fabric().nodeGuid(20));
        settle(torus);
        List<Boolean> isOfGone = torus.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id())
                .map(mad -> isOfGoneOnly(mad, before, torus.up().subnet()))
                .toList();
        assertThat(isOfGone).contains(true, false).isSorted();
        SweeperTest.assertHeld(torus);
    }

    /** Whether a block that is written differs from before only in LIDs that nobody has any more. */
    private static boolean isOfGoneOnly(byte[] mad, Plan before, Subnet now) {
        Fabric fabric = now.fabric();
        DrPath path = Objects.requireNonNull(Smp.path(mad));
        int sw = IntStream.range(0, fabric.switchCount())
                .filter(each -> fabric.node(each).path().equals(path))
                .findFirst()
                .orElseThrow();
        byte[] held = before.lft(before.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw)));
        int block = (int) MadHeader.ATTRIBUTE_MODIFIER.get(mad, 0);
        LinearForwardingTable written = LinearForwardingTable.TYPE.read(mad, Smp.DATA);
        return IntStream.range(0, LinearForwardingTable.LIDS_PER_BLOCK)
                .filter(i -> now.switchOfLid(block * LinearForwardingTable.LIDS_PER_BLOCK + i) != Fabric.NONE)
                .allMatch(i -> (byte) written.port(i) == held[block * LinearForwardingTable.LIDS_PER_BLOCK + i]);
    }

    /** Ten times a second for a minute. */
    @Test
    void aFlappingLinkCostsFewSweepsAndIsRightInTheEnd() {
        harness.sweep();
        long guid = guid("sw-1-1-0");
        for (int i = 0; i < 300; i++) {
            harness.fabric.unlink(guid, 1);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
            harness.fabric.relink(guid, 1);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        }
        assertThat(harness.ends.size()).isBetween(5, 60);
        harness.fabric.unlink(guid, 1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(11));
        assertThat(fabric(harness).peer(fabric(harness).port(fabric(harness).nodeByGuid(guid), 1)))
                .isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
    }

    /** The way to a switch that asks for attention may be the one that is lost. */
    @Test
    void theFarEndOfALostCableIsAskedByAnotherWay() {
        harness.sweep();
        Fabric fabric = fabric(harness);
        int own = fabric.nodeOf(fabric.peer(fabric.localPort()));
        int far = fabric.nodeOf(fabric.peer(fabric.port(own, 1)));
        DrPath old = fabric.node(far).path();
        assertThat(old.hops()).isEqualTo(2);
        harness.requests.clear();
        harness.fabric.unlink(fabric.nodeGuid(own), 1);
        settle(harness);
        assertThat(asked(Method.GET, NodeInfo.TYPE.id()))
                .as("the near end, and the far one by two routes")
                .hasSize(3);
        assertThat(fabric(harness).node(far).path().hops()).isEqualTo(4);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aSwitchThatIsNotWhereItWasIsLookedForInTheWholeFabric() {
        harness.sweep();
        long silent = guid("sw-2-1-0");
        String route = String.valueOf(
                fabric(harness).node(fabric(harness).nodeByGuid(silent)).path());
        boolean[] isDeaf = {true};
        harness.swallow = mad -> {
            boolean isLost = isDeaf[0]
                    && MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                    && String.valueOf(Smp.path(mad)).equals(route);
            return isLost;
        };
        harness.tamper = mad -> isDeaf[0] = harness.ends.size() < 2 && isDeaf[0];
        harness.sweeper.sweepAround(
                harness.up().subnet().lid(fabric(harness).port(fabric(harness).nodeByGuid(silent), 0)));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        isDeaf[0] = false;
        harness.await(2);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(asked(Method.GET, NodeInfo.TYPE.id())).hasSizeGreaterThan(12);
    }

    /** A switch with an address of another SM that answers nothing may complain for ever. */
    @Test
    void whatAStrangerReportsCostsNoSweepUnlessASwitchHasChanged() {
        harness.sweep();
        harness.rest();
        harness.sweeper.sweepAround(0xbeef);
        harness.rest();
        assertThat(harness.ends).hasSize(1);

        harness.fabric.unlink(guid("sw-2-1-0"), 1);
        harness.sweeper.sweepAround(0xbeef);
        harness.rest();
        assertThat(harness.ends).hasSize(2);
    }

    /**
     * Switches that restart between two stages of a sweep, and look afterwards as if nothing had been; in the last one a
     * host that does not answer, and a way to it that leads nowhere later; and switches that lose their last link while they
     * are read, because a probe found them.
     */
    @ParameterizedTest
    @ValueSource(longs = {96, 183, 401, 440, 2951, 580, 333, 425})
    void noticesWhatIsHardToNotice(long seed) {
        convergesToWhatAWholeSweepWouldSee(seed);
    }

    /** Whatever fails and comes back: the SM sees what is there, and devices hold what it published. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesToWhatAWholeSweepWouldSee(long seed) {
        Random random = new Random(seed);
        FaultPlan slow = new FaultPlan(seed, random.nextInt(3) * 0.02, 0.02, 100_000, 5_000_000);
        SweepHarness of =
                new SweepHarness(TorusSpec.parse("torus:3x3x2,hosts=1").topology(), slow);
        of.sweep();
        List<Runnable> repairs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            if (!repairs.isEmpty() && random.nextInt(3) == 0) {
                repairs.remove(random.nextInt(repairs.size())).run();
            } else {
                repairs.add(fault(of, random));
            }
            of.loop.runFor(random.nextInt(400) * 1_000_000L);
        }
        calm(of);
        assertThat(of.ends).noneMatch(how -> how.contains("internal error"));
        SweeperTest.assertHeld(of);
        assertIsAsAWholeSweepSeesIt(of);
        repairs.forEach(Runnable::run);
        calm(of);
        SweeperTest.assertHeld(of);
        assertThat(fabric(of).nodeCount()).isEqualTo(36);
        assertIsAsAWholeSweepSeesIt(of);
    }

    /** Breaks something that does not cut the SM off from its own switch. */
    private static Runnable fault(SweepHarness of, Random random) {
        var nodes = of.topology.nodes().stream()
                .filter(node -> !node.description().endsWith("-0-0-0")
                        && !node.description().equals(SweepHarness.HOST))
                .toList();
        var node = nodes.get(random.nextInt(nodes.size()));
        if (node.isSwitch() && random.nextInt(4) == 0) {
            of.fabric.failSwitch(node.nodeGuid());
            return () -> of.fabric.restoreSwitch(node.nodeGuid());
        }
        int port = 1 + random.nextInt(node.numPorts());
        of.fabric.unlink(node.nodeGuid(), port);
        return () -> of.fabric.relink(node.nodeGuid(), port);
    }

    /** Light sweeps, until two in a row find nothing to do. */
    private static void calm(SweepHarness of) {
        for (int quiet = 0, rounds = 0; quiet < 2; rounds++) {
            assertThat(rounds).isLessThan(60);
            int before = of.ends.size();
            rest(of);
            of.sweeper.sweepLight();
            rest(of);
            quiet = of.ends.size() == before ? quiet + 1 : 0;
        }
        assertThat(of.ends.get(of.ends.size() - 1)).isEqualTo("up");
    }

    private static void rest(SweepHarness of) {
        of.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        of.rest();
    }

    private static void assertIsAsBefore(SweepHarness of, long routings, List<Object> devices) {
        assertThat(of.sweeper.counts().routings()).isEqualTo(routings);
        assertThat(Devices.snapshot(of)).isEqualTo(devices);
        SweeperTest.assertHeld(of);
        assertIsAsAWholeSweepSeesIt(of);
    }

    private static void assertIsAsAWholeSweepSeesIt(SweepHarness of) {
        String seen = text(of);
        assertRoutesLead(fabric(of));
        assertThat(of.sweep()).isEqualTo("up");
        assertThat(seen).isEqualTo(text(of));
    }

    private static void assertRoutesLead(Fabric fabric) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            DrPath path = fabric.node(node).path();
            int at = fabric.nodeOf(fabric.localPort());
            for (int hop = 0; hop < path.hops(); hop++) {
                at = fabric.nodeOf(fabric.peer(fabric.port(at, path.port(hop))));
            }
            assertThat(at).isEqualTo(node);
        }
    }

    private static String text(SweepHarness of) {
        try {
            StringBuilder text = new StringBuilder();
            IbNetDiscoverFormat.write(fabric(of), text);
            return text.toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
