package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * The allocation of an SM's loop for each SMP of a cold sweep, without the fabric around it and without
 * routing.
 */
class SweepAllocationTest {
    /**
     * Bytes for each SMP: 272 for the request, and 0.4 KiB of {@link SweepHarness}, mostly a copy of the
     * answer. It is 1,193 bytes, the same in each run; with a dozen further objects for a Set it was 1,492.
     */
    private static final long MAX_BYTES = 1_340;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private boolean isSm;
    private long bytes;
    private long since;
    private long smps;

    private void run(boolean isOfSm, Runnable task) {
        boolean before = isSm;
        change(isOfSm);
        try {
            task.run();
        } finally {
            change(before);
        }
    }

    private void change(boolean isOfSm) {
        long now = THREADS.getCurrentThreadAllocatedBytes();
        bytes += isSm ? now - since : 0;
        isSm = isOfSm;
        since = THREADS.getCurrentThreadAllocatedBytes();
    }

    private MadTransport counted(MadTransport port) {
        return new ForwardingTransport(port) {
            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                boolean before = isSm;
                change(false);
                smps++;
                boolean isSent = super.send(frame, responseTimeoutMs);
                change(before);
                return isSent;
            }

            @Override
            protected void received(MadFrame frame) {
                run(true, () -> super.received(frame));
            }
        };
    }

    private Loop counted(Loop loop) {
        return new Loop() {
            @Override
            public void execute(Runnable task) {
                loop.execute(() -> run(true, task));
            }

            @Override
            public Timer schedule(long delayNs, Runnable task) {
                return loop.schedule(delayNs, () -> run(true, task));
            }

            @Override
            public long nowNs() {
                return loop.nowNs();
            }

            @Override
            public boolean isInLoop() {
                return loop.isInLoop();
            }
        };
    }

    /** Returns the bytes for each SMP. */
    private long coldSweep() {
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse("torus:4x4x4,hosts=2").topology(), FaultPlan.NONE);
        harness.keepsRequests = false;
        harness.smLoop = counted(harness.loop);
        harness.pool = task -> run(false, task);
        harness.wire = this::counted;
        harness.restart();
        bytes = 0;
        smps = 0;
        assertThat(harness.sweep()).isEqualTo("up");
        return bytes / smps;
    }

    @Test
    void anSmpOfAColdSweepCostsFewObjects() {
        coldSweep(); // This excludes single allocations, such as classes and lambdas.
        assertThat(coldSweep()).isLessThan(MAX_BYTES);
    }
}
