package io.torussm.sweep;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.paths.PathPolicy;
import io.torussm.sa.PathsAlone;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The response time of SubnAdmGet(PathRecord) without and with sweeps in another thread: 8x8x8 switches with 2 hosts
 * each. Requests are due at a constant rate (open loop). The time begins when the request is due, even if the previous
 * request delays it. A line contains also the time in which the requesting thread waited for a processor, and the time
 * of garbage collections. Arguments: requests a second, seconds.
 */
public final class SaUnderSweep {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:8x8x8,hosts=2");
    private static final int REQUESTS = 1 << 12;
    private static final long PACE_NS = 50_000;
    private static final int ROUNDS = 3;

    private final SweepHarness harness = new SweepHarness(TORUS.topology(), FaultPlan.NONE);
    private final MadFrame[] requests = new MadFrame[REQUESTS];
    private final ForkJoinPool workers = new ForkJoinPool(SubnetAdministrator.LANES);
    private final SubnetAdministrator sa;
    private final int perSecond;

    private volatile long startNs;

    /** Response times by request number, in ns; 0 without a response yet. */
    private volatile AtomicLongArray tookNs = new AtomicLongArray(1);

    private final Semaphore answers = new Semaphore(0);
    private volatile boolean isSweeping = true;

    /** The clock of an SA that schedules nothing. */
    private static final class WallClock implements Loop {
        @Override
        public void execute(Runnable task) {
            throw new IllegalStateException("the SA schedules a task");
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            throw new IllegalStateException("the SA schedules a task");
        }

        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public boolean isInLoop() {
            return true;
        }
    }

    private SaUnderSweep(int perSecond) {
        this.perSecond = perSecond;
        harness.keepsRequests = false;
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", TORUS.torus2QosConf()));
        harness.sweep();
        sa = PathsAlone.administrator(
                harness.sweeper::view, PathPolicy.NONE, this::recordResponse, workers, new WallClock());
        harness.onPrepare = sa::prepare;
        write(harness.publishedView());
    }

    private void write(PublishedView view) {
        Subnet subnet = view.subnet();
        Random random = new Random(1);
        for (int i = 0; i < REQUESTS; i++) {
            int from = 1 + random.nextInt(subnet.topLid());
            int to = 1 + random.nextInt(subnet.topLid());
            byte[] mad = SaMad.request(
                    Method.GET,
                    0,
                    PathRecord.TYPE.id(),
                    0,
                    PathRecord.COMPONENTS.bit(PathRecord.SLID)
                            | PathRecord.COMPONENTS.bit(PathRecord.DLID)
                            | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH));
            PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, from);
            PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, to);
            PathRecord.NUMB_PATH.set(mad, SaMad.DATA_OFFSET, 1);
            requests[i] = new MadFrame(new MadAddress(from, 1, 0, 0), mad);
        }
    }

    private void recordResponse(MadFrame answer) {
        int number = (int) MadHeader.tid(answer.mad());
        long due = startNs + dueNs(number);
        tookNs.set(number, MadHeader.status(answer.mad()) == 0 ? System.nanoTime() - due : Long.MAX_VALUE);
        answers.release();
    }

    private long dueNs(int number) {
        return number * TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Sends requests to a server. Returns the response time that 99.9 % of them do not exceed, in ms. */
    private double measure(String title, int count, Consumer<MadFrame> server) throws InterruptedException {
        tookNs = new AtomicLongArray(count);
        answers.drainPermits();
        Stalls before = Stalls.read();
        startNs = System.nanoTime();
        for (int number = 0; number < count; ) {
            long elapsed = System.nanoTime() - startNs;
            for (; number < count && dueNs(number) <= elapsed; number++) {
                MadFrame request = requests[number % REQUESTS];
                byte[] mad = request.mad().clone();
                for (int i = 0; i < Integer.BYTES; i++) {
                    mad[15 - i] = (byte) (number >>> Byte.SIZE * i);
                }
                server.accept(new MadFrame(request.peer(), mad));
            }
            LockSupport.parkNanos(PACE_NS);
        }
        Stalls stalls = Stalls.read().since(before);
        boolean areAllAnswered = answers.tryAcquire(count, 1, TimeUnit.SECONDS);
        int dropped = areAllAnswered ? 0 : count - answers.drainPermits();
        long[] sorted = new long[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = tookNs.get(i) == 0 ? Long.MAX_VALUE : tookNs.get(i);
        }
        Arrays.sort(sorted);
        System.out.printf(
                "%s: %d/s, 50 %% within %.3f ms, 99 %% %.3f, 99.9 %% %.3f, 99.99 %% %.3f; %d rejected, %d dropped;"
                        + " without a processor for %.0f ms, %d collections in %d ms%n",
                title,
                perSecond,
                percentile(sorted, 0.5),
                percentile(sorted, 0.99),
                percentile(sorted, 0.999),
                percentile(sorted, 0.9999),
                Arrays.stream(sorted).filter(took -> took == Long.MAX_VALUE).count() - dropped,
                dropped,
                stalls.runQueueNs() / 1e6,
                stalls.collections(),
                stalls.collectionMs());
        return percentile(sorted, 0.999);
    }

    private static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }

    /**
     * Measures the loop without an SA, the SA without sweeps and the SA with sweeps in turn, after a round for the JIT.
     * The last line has the medians.
     */
    public static void main(String[] args) throws InterruptedException {
        int perSecond = Integer.parseInt(args[0]);
        int count = perSecond * Integer.parseInt(args[1]);
        SaUnderSweep bench = new SaUnderSweep(perSecond);
        bench.measure("warming up", count, bench.sa::onMad);
        double[][] within = new double[3][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            within[0][round] = bench.measure("no SA", count, bench::recordResponse);
            within[1][round] = bench.measure("quiet", count, bench.sa::onMad);
            within[2][round] = bench.measureBesideSweeps(count);
        }
        for (double[] each : within) {
            Arrays.sort(each);
        }
        int middle = ROUNDS / 2;
        System.out.printf("99.9 %%\t%.3f\t%.3f\t%.3f%n", within[0][middle], within[1][middle], within[2][middle]);
        System.exit(0);
    }

    private double measureBesideSweeps(int count) throws InterruptedException {
        isSweeping = true;
        int[] sweeps = new int[1];
        Thread sweeper = new Thread(() -> {
            while (isSweeping) {
                harness.sweep();
                sweeps[0]++;
            }
        });
        sweeper.start();
        double within = measure("heavy sweeps without a pause", count, sa::onMad);
        isSweeping = false;
        sweeper.join();
        System.out.println("sweeps: " + sweeps[0]);
        return within;
    }
}
