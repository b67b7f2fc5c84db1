package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.program.table.DrainTime;
import io.torussm.routing.Plan;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.Moment;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of the switches of an embedded fabric, checked repeatedly while the SM writes new tables. */
class ChangeOnTheWireTest {
    private static final int LIDS = 256;

    /** The tables of all switches, by NodeGUID. */
    private record Snapshot(Map<Long, byte[]> lfts, Map<Long, long[]> rows, Map<Long, boolean[]> up) {}

    private final List<Snapshot> snapshots = new ArrayList<>();

    static SweepHarness startedHarness(String torus, FaultPlan faults) {
        SweepHarness harness = new SweepHarness(TorusSpec.parse(torus).topology(), faults);
        String conf = TorusSpec.parse(torus).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        sweepUntilUp(harness);
        return harness;
    }

    private static void sweepUntilUp(SweepHarness harness) {
        int sweeps = 0;
        while (!harness.sweep().equals("up")) {
            assertThat(sweeps++).isLessThan(20);
        }
    }

    private static Snapshot snapshot(SweepHarness harness) {
        Snapshot seen = new Snapshot(new HashMap<>(), new HashMap<>(), new HashMap<>());
        harness.topology.nodes().stream().filter(node -> node.isSwitch()).forEach(node -> {
            long guid = node.nodeGuid();
            int ports = node.numPorts() + 1;
            byte[] known = harness.fabric.lft(guid);
            byte[] lft = Arrays.copyOf(known, LIDS);
            Arrays.fill(lft, Math.min(known.length, LIDS), LIDS, (byte) 0xff);
            long[] rows = new long[ports * ports];
            boolean[] up = new boolean[ports];
            for (int out = 0; out < ports; out++) {
                up[out] = harness.fabric.portInfo(guid, out).portState() > PortInfo.STATE_INITIALIZE;
                for (int in = 0; in < ports; in++) {
                    rows[in * ports + out] = harness.fabric.sl2vl(guid, in, out);
                }
            }
            seen.lfts.put(guid, lft);
            seen.rows.put(guid, rows);
            seen.up.put(guid, up);
        });
        return seen;
    }

    private static String problem(Snapshot seen, Plan before, Plan after) {
        Fabric fabric = after.subnet().fabric();
        byte[][] lfts = new byte[fabric.switchCount()][];
        long[][] rows = new long[fabric.switchCount()][];
        boolean[] up = new boolean[fabric.portCount()];
        for (int sw = 0; sw < lfts.length; sw++) {
            long guid = fabric.nodeGuid(sw);
            lfts[sw] = seen.lfts.getOrDefault(guid, new byte[0]);
            rows[sw] = seen.rows.getOrDefault(guid, new long[0]);
            boolean[] ports = seen.up.getOrDefault(guid, new boolean[0]);
            for (int portNum = 0; portNum < ports.length; portNum++) {
                up[fabric.port(sw, portNum)] = ports[portNum];
            }
        }
        return new Moment(before, after, lfts, rows, port -> up[port]).problem();
    }

    /** Runs an event, and checks all snapshots until the subnet is up again. */
    private void change(SweepHarness harness, String label, int every, Runnable event) {
        Plan before = harness.publishedView().plan();
        snapshots.clear();
        int[] sets = {0};
        harness.isRequestLost = mad -> {
            int id = MadHeader.attributeId(mad);
            boolean isTable = id == LinearForwardingTable.TYPE.id() || id == SlToVlMappingTable.TYPE.id();
            boolean isSet = MadHeader.method(mad) == Method.SET && (isTable || id == PortInfo.TYPE.id());
            if (isSet && ++sets[0] % every == 0) {
                snapshots.add(snapshot(harness));
            }
            return false;
        };
        event.run();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        sweepUntilUp(harness);
        harness.isRequestLost = mad -> false;
        snapshots.add(snapshot(harness));
        Plan after = harness.publishedView().plan();
        for (int i = 0; i < snapshots.size(); i++) {
            assertThat(problem(snapshots.get(i), before, after))
                    .as(label + ", moment " + i + " of " + snapshots.size())
                    .isEmpty();
        }
        assertSnapshotsSafe(harness);
    }

    private static void assertSnapshotsSafe(SweepHarness harness) {
        Plan plan = harness.publishedView().plan();
        Fabric fabric = plan.subnet().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byte[] held = harness.fabric.lft(fabric.nodeGuid(sw));
            assertThat(Arrays.copyOf(held, plan.lft(sw).length)).isEqualTo(plan.lft(sw));
            for (int port = fabric.port(sw, 0); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                if (fabric.peer(port) != Fabric.NONE) {
                    assertThat(Devices.portInfo(harness, fabric, port).portState())
                            .isEqualTo(PortInfo.STATE_ACTIVE);
                }
            }
        }
    }

    static long guid(SweepHarness harness, String name) {
        return harness.node(name).nodeGuid();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void noMomentOfAFailureOrARepairHasALoop(long seed) {
        Random random = Seeds.random(seed);
        FaultPlan faults = random.nextBoolean() ? FaultPlan.NONE : new FaultPlan(seed, 0.05, 0.05, 1000, 20_000_000);
        int x = 6 + random.nextInt(3);
        SweepHarness harness = startedHarness("torus:" + x + "x4x1,hosts=1", faults);
        long guid = guid(harness, "sw-" + (1 + random.nextInt(x - 1)) + "-" + random.nextInt(4) + "-0");
        boolean isLink = random.nextInt(3) > 0;
        int port = 1 + random.nextInt(4);
        change(harness, "failure", 3, () -> {
            if (isLink) {
                harness.fabric.unlink(guid, port);
            } else {
                harness.fabric.failSwitch(guid);
            }
        });
        change(harness, "repair", 3, () -> {
            if (isLink) {
                harness.fabric.relink(guid, port);
            } else {
                harness.fabric.restoreSwitch(guid);
            }
        });
    }

    /**
     * Sweeps for its first cables plan with the switch. They are preempted by the next ones when they wait in
     * vain, independently of their writes.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void noMomentOfASwitchThatDiesCableByCableHasALoop(long seed) {
        Random random = Seeds.random(seed);
        int x = 6 + random.nextInt(3);
        SweepHarness harness = startedHarness("torus:" + x + "x4x1,hosts=1", new FaultPlan(seed, 0, 0, 200, 50_000, 0));
        Plan before = harness.publishedView().plan();
        long guid = guid(harness, "sw-" + (1 + random.nextInt(x - 1)) + "-" + random.nextInt(4) + "-0");
        List<Integer> ports = new ArrayList<>(List.of(1, 2, 3, 4, 5));
        Collections.shuffle(ports, random);
        change(
                harness,
                "a switch dies",
                1,
                () -> ports.forEach(port -> {
                    harness.fabric.unlink(guid, port);
                    harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(100L << random.nextInt(5)));
                }));
        for (Snapshot snapshot : snapshots) {
            assertThat(problem(snapshot, before, before)).as("with the switch").isEmpty();
        }
    }

    /** The cable is back before the writes for its loss: the fabric is as before, and the tables are not. */
    @Test
    void anInterruptedSweepIsRepeatedAlthoughTheFabricIsUnchanged() {
        SweepHarness harness = harnessWithSteps();
        Plan before = harness.publishedView().plan();
        long guid = guid(harness, "sw-3-1-0");
        String[] mute = {""};
        int[] sets = {0};
        harness.isRequestLost = mad -> {
            if (!isTableSet(mad)) {
                return false;
            }
            snapshots.add(snapshot(harness));
            mute[0] = ++sets[0] == 3 ? String.valueOf(Smp.path(mad)) : mute[0];
            return String.valueOf(Smp.path(mad)).equals(mute[0]);
        };
        harness.fabric.unlink(guid, 1);
        BoundedWait.until(harness.loop, "three tables are written", () -> sets[0] >= 3, TimeUnit.SECONDS.toNanos(1));
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        harness.fabric.relink(guid, 1);
        BoundedWait.until(
                harness.loop,
                "the sweep is superseded",
                () -> supersededSweeps(harness) > 0,
                TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(supersededSweeps(harness)).isEqualTo(1);
        mute[0] = "";
        sets[0] = 3;
        harness.await(2);
        assertThat(harness.ends).containsExactly("up", "up");
        assertThat(harness.sweeper.counts().judgements(SweepCounts.Judgement.RETAINED))
                .isZero();
        for (Snapshot snapshot : snapshots) {
            assertThat(problem(snapshot, before, harness.publishedView().plan()))
                    .isEmpty();
        }
        assertSnapshotsSafe(harness);
    }

    private static long supersededSweeps(SweepHarness harness) {
        return harness.sweeper.counts().counts().stream()
                .filter(count -> count.end() == SweepCounts.SweepEnd.SUPERSEDED)
                .mapToLong(SweepCounts.Count::count)
                .sum();
    }

    /** A new SM may start after any write. The former SM sends several together, so that later ones are lost. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void anSmThatIsRestartedInTheMiddleOfAChangeGoesOnWithoutALoop(long seed) {
        Random random = Seeds.random(seed);
        String name = "sw-" + (1 + random.nextInt(6)) + "-" + random.nextInt(4) + "-0";
        int sets = 1 + random.nextInt(writesOfLoss(name) - 1);
        SweepHarness harness = harnessWithSteps();
        Plan before = harness.publishedView().plan();
        int[] seen = {0};
        boolean[] isRestarted = {false};
        harness.isRequestLost = mad -> {
            if (!isRestarted[0] && seen[0] == sets) {
                return true;
            }
            seen[0] += isTableSet(mad) ? 1 : 0;
            if (isTableSet(mad) && random.nextInt(3) == 0) {
                snapshots.add(snapshot(harness));
            }
            return false;
        };
        harness.fabric.unlink(guid(harness, name), 1);
        BoundedWait.until(harness.loop, sets + " writes", () -> seen[0] == sets, TimeUnit.SECONDS.toNanos(3));
        isRestarted[0] = true;
        harness.restart();
        sweepUntilUp(harness);
        Plan after = harness.publishedView().plan();
        for (Snapshot snapshot : snapshots) {
            assertThat(problem(snapshot, before, after)).isEmpty();
        }
        assertSnapshotsSafe(harness);
    }

    /** Returns the number of writes of forwarding tables after the loss of the first cable of a switch. */
    private static int writesOfLoss(String name) {
        SweepHarness harness = harnessWithSteps();
        int[] seen = {0};
        harness.isRequestLost = mad -> {
            seen[0] += isTableSet(mad) ? 1 : 0;
            return false;
        };
        harness.fabric.unlink(guid(harness, name), 1);
        harness.await(2);
        return seen[0];
    }

    /** Starts an SM on a torus with rings of eight, whose tables are written in steps after a failure. */
    static SweepHarness harnessWithSteps() {
        return startedHarness("torus:8x4x1,hosts=1", FaultPlan.NONE);
    }

    static boolean isTableSet(byte[] mad) {
        return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id();
    }

    private static boolean isDropping(byte[] mad, byte[] held) {
        int from = MadHeader.attributeModifier(mad) * LinearForwardingTable.LIDS_PER_BLOCK;
        LinearForwardingTable block = LinearForwardingTable.TYPE.read(mad, Smp.DATA_OFFSET);
        for (int i = 1; i < LinearForwardingTable.LIDS_PER_BLOCK && from + i < held.length; i++) {
            if (block.port(i) == LinearForwardingTable.NO_PATH && held[from + i] != (byte) 0xff) {
                return true;
            }
        }
        return false;
    }

    @Test
    void aFailedStepPreventsTheNextAndLeavesNoDroppedEntry() {
        SweepHarness harness = harnessWithSteps();
        Plan before = harness.publishedView().plan();
        String[] mute = {""};
        int[] others = {0};
        harness.isRequestLost = mad -> {
            if (!isTableSet(mad)) {
                return false;
            }
            String route = String.valueOf(Smp.path(mad));
            if (mute[0].isEmpty() && isDropping(mad, before.lft(1))) {
                mute[0] = route;
            }
            others[0]++;
            return route.equals(mute[0]);
        };
        harness.fabric.unlink(guid(harness, "sw-3-1-0"), 1);
        harness.await(2);
        assertThat(mute[0]).isNotEmpty();
        assertThat(harness.ends.get(1)).startsWith("failed").contains("tables are not in place");
        int inFirstStep = others[0];

        harness.isRequestLost = mad -> {
            others[0] += isTableSet(mad) ? 1 : 0;
            return false;
        };
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(others[0] - inFirstStep).as("what the first sweep left").isGreaterThan(0);
        assertSnapshotsSafe(harness);
    }

    @Test
    void aLinkComesUpOnlyIfAllTablesAreWritten() {
        SweepHarness harness = harnessWithSteps();
        long guid = guid(harness, "sw-3-1-0");
        harness.fabric.unlink(guid, 1);
        harness.await(2);
        assertThat(harness.ends).last().isEqualTo("up");

        String[] mute = {""};
        harness.isRequestLost = mad -> {
            if (isTableSet(mad) && mute[0].isEmpty()) {
                mute[0] = String.valueOf(Smp.path(mad));
            }
            return isTableSet(mad) && String.valueOf(Smp.path(mad)).equals(mute[0]);
        };
        harness.requests.clear();
        harness.fabric.relink(guid, 1);
        harness.await(3);
        assertThat(harness.ends).last().asString().startsWith("failed");
        assertThat(harness.fabric.portInfo(guid, 1).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);

        harness.isRequestLost = mad -> false;
        harness.requests.clear();
        harness.sweepLight();
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.fabric.portInfo(guid, 1).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        int lastTable = -1;
        int firstRise = -1;
        for (int i = 0; i < harness.requests.size(); i++) {
            lastTable = isTableSet(harness.requests.get(i)) ? i : lastTable;
            boolean rises = Devices.wantedState(harness.requests.get(i)) >= PortInfo.STATE_ARMED;
            firstRise = rises && firstRise < 0 ? i : firstRise;
        }
        assertThat(lastTable).isNotNegative().isLessThan(firstRise);
    }

    @Test
    void anSmThatStopsBetweenTwoStepsWritesNothingMore() {
        SweepHarness harness = harnessWithSteps();
        long[] last = {0};
        int[] sets = {0};
        harness.isRequestLost = mad -> {
            sets[0] += isTableSet(mad) ? 1 : 0;
            last[0] = isTableSet(mad) ? harness.loop.nowNs() : last[0];
            return false;
        };
        harness.fabric.unlink(guid(harness, "sw-3-1-0"), 1);
        long half = DrainTime.ns(harness.publishedView().subnet().fabric()) / 2;
        while (sets[0] == 0 || harness.loop.nowNs() - last[0] < half) {
            harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(50));
            assertThat(harness.ends).as("the sweep is not over").hasSize(1);
        }
        int before = sets[0];
        assertThat(before).isPositive();
        harness.sweeper.stop();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(sets[0]).isEqualTo(before);
    }
}
