package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The processor time of a local sweep in one thread: until the first forwarding block is written, until the
 * last one, and until the subnet is up. Time is virtual, so waiting costs nothing: the results contain
 * neither the wire nor the pauses of the order of change. A light sweep precedes each event. Without it
 * devices at new links would count as unknown and be read again. Arguments: radix, hosts of each switch, events,
 * and optionally {@code ready}. With {@code ready} each loss is played once before it is measured, so that its plan is
 * precomputed.
 */
public final class ReactionTimes {
    private static final long MAX_PLAN_BYTES = 64L << 20;

    private final SweepHarness harness;
    private final Random random = new Random(1);
    private final boolean isReady;

    /** Plans that are to be computed in advance. */
    private final ArrayDeque<Runnable> plans = new ArrayDeque<>();

    private long firstNs;
    private long lastNs;
    private int blocks;

    private ReactionTimes(int radix, int hosts, boolean isReady) {
        this.isReady = isReady;
        TorusSpec torus = TorusSpec.parse("torus:%1$dx%1$dx%1$d,hosts=%2$d".formatted(radix, hosts));
        harness = new SweepHarness(torus.topology(), FaultPlan.NONE);
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", torus.torus2QosConf()));
        harness.isRequestLost = this::recordBlockTime;
        harness.sweep();
        harness.sweepLight();
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private boolean recordBlockTime(byte[] mad) {
        boolean isBlock =
                MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id() && MadHeader.method(mad) == Method.SET;
        if (isBlock) {
            lastNs = cpuNs();
            firstNs = blocks++ == 0 ? lastNs : firstNs;
        }
        return false;
    }

    private double[] event(Runnable change) {
        harness.requests.clear();
        int ends = harness.ends.size();
        blocks = 0;
        long begunNs = cpuNs();
        change.run();
        harness.await(ends + 1);
        long upNs = cpuNs();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
        harness.sweepLight();
        return new double[] {
            blocks == 0 ? 0 : (firstNs - begunNs) / 1e6,
            blocks == 0 ? 0 : (lastNs - begunNs) / 1e6,
            (upNs - begunNs) / 1e6
        };
    }

    /** Plays a loss and its repair, so that plans for both are ready. */
    private void prepare(Runnable loss, Runnable repair) {
        if (!isReady) {
            return;
        }
        prepareNext();
        event(loss);
        prepareNext();
        event(repair);
        prepareNext();
    }

    /** Runs two precomputations, because the first may still be of the previous fabric. */
    private void prepareNext() {
        harness.sweeper.idle().keepPlansReady(MAX_PLAN_BYTES, plans::add);
        for (int i = 0; i < 2; i++) {
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
            plans.remove().run();
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
    }

    /** Returns a random port of a switch with a cable to another switch. */
    private int cable(Fabric fabric) {
        while (true) {
            int port = random.nextInt(fabric.portCount());
            int far = fabric.peer(port);
            PortInfo info = fabric.portInfo(port);
            if (far != Fabric.NONE
                    && info != null
                    && fabric.isSwitch(fabric.nodeOf(port))
                    && fabric.isSwitch(fabric.nodeOf(far))) {
                return port;
            }
        }
    }

    private void measure(int events) {
        double[][] lost = new double[events][];
        double[][] back = new double[events][];
        for (int i = 0; i < events; i++) {
            Fabric fabric = harness.publishedView().subnet().fabric();
            int port = cable(fabric);
            long guid = fabric.nodeGuid(fabric.nodeOf(port));
            Runnable loss = () -> harness.fabric.unlink(guid, fabric.portNum(port));
            Runnable repair = () -> harness.fabric.relink(guid, fabric.portNum(port));
            prepare(loss, repair);
            lost[i] = event(loss);
            back[i] = event(repair);
        }
        print("link lost", lost);
        print("link back", back);
    }

    private void measureSwitches(int events) {
        double[][] lost = new double[events][];
        double[][] back = new double[events][];
        for (int i = 0; i < events; i++) {
            int sw = 1 + random.nextInt(7) + 8 * i; // another one of the next eight, never the switch of the SM
            long guid = harness.publishedView().subnet().fabric().nodeGuid(sw);
            Runnable loss = () -> harness.fabric.failSwitch(guid);
            Runnable repair = () -> harness.fabric.restoreSwitch(guid);
            prepare(loss, repair);
            lost[i] = event(loss);
            back[i] = event(repair);
        }
        print("switch lost", lost);
        print("switch back", back);
    }

    private static void print(String label, double[][] times) {
        System.out.printf("%-11s", label);
        String[] stages = {"first block", "last block", "up"};
        for (int stage = 0; stage < stages.length; stage++) {
            int at = stage;
            double[] sorted =
                    Arrays.stream(times).mapToDouble(each -> each[at]).sorted().toArray();
            System.out.printf(
                    "  %s: p50 %6.1f ms, most %6.1f, first %6.1f",
                    stages[stage], sorted[sorted.length / 2], sorted[sorted.length - 1], times[0][at]);
        }
        System.out.println();
    }

    /** Runs the measurement, and prints its times. */
    public static void main(String[] args) {
        ReactionTimes times = new ReactionTimes(Integer.parseInt(args[0]), Integer.parseInt(args[1]), args.length > 3);
        int events = Integer.parseInt(args[2]);
        for (int round = 0; round < 2; round++) { // the first warms up
            times.measure(events);
            times.measureSwitches(Math.max(1, events / 5));
        }
        System.out.println(times.harness.sweeper.idle().readyPlans());
    }
}
