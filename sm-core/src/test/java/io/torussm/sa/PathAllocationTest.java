package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TorusSketch;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A Get of a path makes its answer and a few small objects, whatever the compiler has done by then. */
class PathAllocationTest {
    private static final int GETS = 2_000;

    /** Before: what is looked up once allocates, too. */
    private static final int WARM_UP = 2_000;

    /** The answer is 272, its frame 24; the rest is the queue, what is read of the request, and the search. */
    private static final int MOST_BYTES = 900;

    private int answers;

    @Test
    void aGetOfAPathMakesLittleMoreThanItsAnswer() {
        Subnet subnet = TorusSketch.of(3, 3, 1, 1, 1).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 5, 0));
        PublishedView view = new PublishedView(
                subnet, plan, null, PartitionPlan.open(subnet.fabric()), 0, 18, 16, false, QosTables.NONE, 1);
        SubnetAdministrator sa = PathsAlone.administrator(() -> view, frame -> answers++, Runnable::run);
        long both = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] mad = SaMad.request(Method.GET, 77, PathRecord.TYPE.id(), 0, both);
        PathRecord.SLID.set(mad, SaMad.DATA, 1);
        PathRecord.DLID.set(mad, SaMad.DATA, subnet.topLid());
        MadFrame frame = new MadFrame(new MadAddress(1, 1, 0, 0), mad);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < WARM_UP + GETS; i++) {
            if (i == WARM_UP) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            sa.received(frame);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(answers).isEqualTo(WARM_UP + GETS);
        assertThat(bytes / GETS).isLessThan(MOST_BYTES);
    }
}
