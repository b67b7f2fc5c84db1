package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults between the last committed view and the takeover, or while the view is checked: each answer before the first
 * sweep has ended is right, and only one SM answers. Faults during the discovery are repaired like those of any other
 * time.
 */
class WarmTakeoverTest {
    private static final int SEEDS = 60;

    /** The cable of the SM moves during the discovery, so that two switches answer in the name of each other. */
    private static final long MOVED_SM = 1082;

    private static final int KINDS = 10;

    /** The kinds of faults that switches report: those of cables and of power. */
    private static final int REPORTED_KINDS = 7;

    /** About the time in virtual time that the check of these fabrics takes. */
    private static final int CHECK_NS = 1_000_000;

    /** Time for a trap to arrive. */
    private static final long TRAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long WAIT_NS = TimeUnit.MINUTES.toNanos(2);

    /** A cable is lost while the check waits for a silent host, before this SM receives traps. */
    private static final long LOST_MEANWHILE = 300;

    static LongStream seeds() {
        return LongStream.concat(LongStream.rangeClosed(1, SEEDS), LongStream.of(MOVED_SM, LOST_MEANWHILE));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void answersAreRight(long seed) {
        assertThat(new Takeover(seed).run()).isEmpty();
    }

    /** Some faults leave the view true, so that the property is not empty. */
    @Test
    void someSeedsAreServedEarly() {
        long early = seeds().filter(seed -> {
                    Takeover takeover = new Takeover(seed);
                    takeover.run();
                    return takeover.isServedEarly;
                })
                .count();
        assertThat(early).isBetween(SEEDS / 10L, SEEDS - 10L);
    }

    @Test
    @Tag("campaign")
    void answersAreRightInACampaign() {
        long first = Long.getLong("campaign.first", 1);
        List<String> faults = new ArrayList<>();
        int early = 0;
        for (long seed = first; seed < first + Long.getLong("campaign.seeds", 10_000); seed++) {
            Takeover takeover = new Takeover(seed);
            for (String each : takeover.run()) {
                faults.add("seed " + seed + ": " + each);
            }
            early += takeover.isServedEarly ? 1 : 0;
        }
        System.out.println(early + " takeovers answered before the first sweep ended");
        assertThat(faults).isEmpty();
    }

    /** A subnet whose master dies while faults happen. */
    private static final class Takeover {
        private static final List<String> SHAPES =
                List.of("torus:4x3x1,hosts=2", "torus:3x3x2,hosts=1", "torus:5x1x1,hosts=2", "torus:2x2x2,hosts=2");

        private final long seed;
        private final Random random;
        private final SweepHarness harness;
        private final List<Topology.Node> hosts;
        private final List<Topology.Node> switches;
        private final List<String> history = new ArrayList<>();
        private boolean isServedEarly;

        Takeover(long seed) {
            this.seed = seed;
            random = seed == MOVED_SM || seed == LOST_MEANWHILE ? Seeds.unmixed(seed) : Seeds.random(seed);
            harness = new SweepHarness(SHAPES.get(random.nextInt(SHAPES.size())));
            hosts = harness.topology.nodes().stream()
                    .filter(node -> !node.isSwitch())
                    .toList();
            switches = harness.topology.nodes().stream()
                    .filter(Topology.Node::isSwitch)
                    .toList();
            harness.engine = switch (random.nextInt(3)) {
                case 0 -> new LashEngine();
                case 1 -> new DorEngine();
                default -> new MinHopEngine();
            };
            harness.keepsRequests = false;
        }

        List<String> run() {
            harness.sweep();
            harness.awaitRest();
            harness.lastState.store(harness.sweeper.state(), Instant.EPOCH);
            int faults = random.nextInt(4);
            for (int fault = 0; fault < faults; fault++) {
                causeFault(random.nextInt(KINDS));
                harness.loop.runFor(random.nextInt(100_000_000));
            }
            harness.view = null;
            int ended = harness.ends.size();
            harness.host = random.nextInt(4) == 0
                    ? SweepHarness.HOST
                    : hosts.get(random.nextInt(hosts.size())).description();
            harness.restart();
            harness.sweeper.setAuthority(new Candidate());
            harness.sweeper.sweepHeavy();
            boolean isMidCheck = seed % 3 == 0 && harness.host.equals(SweepHarness.HOST); // where switches send traps
            if (isMidCheck) {
                harness.loop.runFor(random.nextInt(CHECK_NS));
                causeFault(random.nextInt(REPORTED_KINDS));
            }
            harness.loop.runUntil(() -> harness.servedView() != null || harness.ends.size() > ended, WAIT_NS);
            isServedEarly = harness.ends.size() == ended;
            harness.loop.runFor(TRAP_NS);
            List<String> wrong = new ArrayList<>();
            if (!isMidCheck || harness.ends.size() == ended) { // else a subnet that is about to be swept again
                wrong.addAll(wrongAnswers("first"));
            }
            if (random.nextInt(3) == 0) {
                harness.loop.runFor(random.nextInt(2_000_000));
                causeFault(random.nextInt(KINDS));
                harness.loop.runFor(random.nextInt(100_000_000));
            }
            harness.awaitRest();
            harness.sweepLight();
            harness.awaitRest();
            if (harness.sweeper.view() != null && isAttached()) {
                wrong.addAll(wrongAnswers("last"));
            }
            return wrong;
        }

        /** Checks whether the SM still has a switch; a view without one is out of date for ever. */
        private boolean isAttached() {
            SimInterventions devices = harness.fabric.interventions();
            SimInterventions.CableEnd at =
                    devices.peer(harness.node(harness.host).nodeGuid(), 1);
            return at != null && devices.isPowered(at.nodeGuid());
        }

        private List<String> wrongAnswers(String when) {
            PublishedView view = harness.servedView();
            return view == null
                    ? List.of()
                    : new AnswerJudge(harness.fabric, view)
                            .wrongAnswers().stream()
                                    .map(each -> when + ", after " + history + ": " + each)
                                    .limit(3)
                                    .toList();
        }

        /** Lets something happen to a device. */
        private void causeFault(int kind) {
            Topology.Node host = hosts.get(random.nextInt(hosts.size()));
            Topology.Node sw = switches.get(random.nextInt(switches.size()));
            int cable = cable(sw);
            SimInterventions devices = harness.fabric.interventions();
            history.add(kind + " " + host.description() + " " + sw.description() + " " + cable);
            switch (kind) {
                case 0 -> harness.fabric.unlink(sw.nodeGuid(), cable);
                case 1 -> {
                    harness.fabric.unlink(sw.nodeGuid(), cable);
                    harness.fabric.relink(sw.nodeGuid(), cable);
                }
                case 2 -> harness.fabric.failSwitch(sw.nodeGuid());
                case 3 -> {
                    harness.fabric.failSwitch(sw.nodeGuid());
                    harness.fabric.restoreSwitch(sw.nodeGuid());
                }
                case 4 -> harness.fabric.unlink(host.nodeGuid(), 1);
                case 5 -> harness.fabric.restartHost(host.nodeGuid());
                case 6 -> swap(host, hosts.get(random.nextInt(hosts.size())));
                case 7 -> devices.setLid(host.nodeGuid(), 1, 1 + random.nextInt(40), 0);
                case 8 -> harness.fabric.setLoss(host.nodeGuid(), 1, 1);
                default -> runOtherMaster();
            }
        }

        /** Returns the number of a port with a cable to a switch. */
        private int cable(Topology.Node sw) {
            int[] cables = IntStream.rangeClosed(1, sw.numPorts())
                    .filter(portNum -> {
                        SimInterventions.CableEnd far =
                                harness.fabric.interventions().peer(sw.nodeGuid(), portNum);
                        return far != null && switches.stream().anyMatch(each -> each.nodeGuid() == far.nodeGuid());
                    })
                    .toArray();
            return cables.length == 0 ? 1 : cables[random.nextInt(cables.length)];
        }

        /** Exchanges the cables of two hosts. */
        private void swap(Topology.Node one, Topology.Node other) {
            SimInterventions devices = harness.fabric.interventions();
            SimInterventions.CableEnd first = devices.peer(one.nodeGuid(), 1);
            SimInterventions.CableEnd second = devices.peer(other.nodeGuid(), 1);
            if (!one.equals(other) && first != null && second != null) {
                harness.fabric.unlink(one.nodeGuid(), 1);
                harness.fabric.unlink(other.nodeGuid(), 1);
                devices.link(new SimInterventions.CableEnd(one.nodeGuid(), 1), second);
                devices.link(new SimInterventions.CableEnd(other.nodeGuid(), 1), first);
            }
        }

        /** Another SM is master for a while, with other routes. Without a cable it is master of nothing. */
        private void runOtherMaster() {
            harness.host = hosts.get(random.nextInt(hosts.size())).description();
            if (!isAttached()) {
                return;
            }
            harness.engine = random.nextBoolean() ? new DorEngine() : new MinHopEngine();
            harness.restart();
            harness.sweep();
            harness.awaitRest();
        }
    }
}
