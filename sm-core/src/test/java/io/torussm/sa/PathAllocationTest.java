package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.paths.PathPolicy;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The allocation of a Get of a path: its answer and a few small objects, independent of the compiler's
 * progress.
 */
class PathAllocationTest {
    /** The receiving thread answers this many in a millisecond. */
    private static final int BATCH = 100;

    private static final int BATCHES = 100;

    /**
     * The answer has 272 bytes, its frame 24. The rest is for the request, the search and the reply: 624
     * before C2 compiles it.
     */
    private static final int MAX_BYTES = 650;

    /** The queue adds 170 bytes for a waiting request. */
    private static final int MAX_BYTES_WAITING = 850;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final VirtualLoop clock = new VirtualLoop();
    private int answers;

    @Test
    void aGetOfAPathMakesLittleMoreThanItsAnswer() {
        assertThat(bytesOfAGet(1)).isLessThan(MAX_BYTES);
    }

    @Test
    void aGetThatWaitsMakesLittleMoreThanItsAnswer() {
        assertThat(bytesOfAGet(0)).isLessThan(MAX_BYTES_WAITING);
    }

    /** Measures the second half of the Gets only, because the first ones initialize caches. */
    private long bytesOfAGet(long msPerBatch) {
        Subnet subnet = TorusSketch.of(3, 3, 1, 1, 1).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
        PublishedView view = ViewDraft.of(plan).build();
        SubnetAdministrator sa =
                PathsAlone.administrator(() -> view, PathPolicy.NONE, frame -> answers++, Runnable::run, clock);
        long both = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] mad = SaMad.request(Method.GET, 77, PathRecord.TYPE.id(), 0, both);
        PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, 1);
        PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, subnet.topLid());
        MadFrame frame = new MadFrame(new MadAddress(1, 1, 0, 0), mad);
        long bytes = 0;
        for (int batch = -BATCHES; batch < BATCHES; batch++) {
            clock.runFor(TimeUnit.MILLISECONDS.toNanos(msPerBatch));
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < BATCH; i++) {
                sa.onMad(frame);
            }
            bytes += batch < 0 ? 0 : threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(answers).isEqualTo(2 * BATCH * BATCHES);
        return bytes / (BATCH * BATCHES);
    }
}
