package io.torussm.sa.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.torussm.alias.AliasGuids;
import io.torussm.partition.PartitionPlan;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The first query after a publication finds the view prepared. */
class IndexedViewsTest {
    /** An index of this subnet takes tens of thousands. */
    private static final long FEW_BYTES = 2_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final AtomicReference<@Nullable PublishedView> published = new AtomicReference<>();
    private final IndexedViews views = new IndexedViews(published::get, new AliasGuids(new VirtualLoop(), () -> 0));

    private static PublishedView view(long sweep) {
        Subnet subnet = TorusSketch.of(4, 4, 4, 1, 2).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
        return ViewDraft.of(plan).sweep(sweep).build();
    }

    private ViewIndex index() {
        return Objects.requireNonNull(views.index());
    }

    private long bytesOfLook() {
        long before = threads.getCurrentThreadAllocatedBytes();
        views.index();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void thereIsNoneBeforeAViewIsPublished() {
        views.prepare(view(1));

        assertThat(views.index()).isNull();
    }

    @Test
    void aPreparedViewAnswersOnceItIsPublishedAndNotBefore() {
        PublishedView first = view(1);
        PublishedView second = view(2);
        published.set(first);
        assertThat(bytesOfLook()).isGreaterThan(FEW_BYTES);

        views.prepare(second);
        assertThat(index().view()).isSameAs(first);

        published.set(second);
        assertThat(bytesOfLook()).isLessThan(FEW_BYTES);
        assertThat(index().view()).isSameAs(second);
    }

    @Test
    void aViewBetweenSweepsDoesNotCostThePreparedOne() {
        PublishedView first = view(1);
        PublishedView second = view(2);
        published.set(first);
        views.prepare(second);
        PublishedView other =
                first.with(PartitionPlan.withoutConf(first.subnet().fabric()));
        published.set(other);

        assertThat(index().view()).isSameAs(other);

        published.set(second);
        assertThat(bytesOfLook()).isLessThan(FEW_BYTES);
    }

    @Test
    void aViewWithOtherPartitionsSharesTheRestOfTheIndex() {
        PublishedView first = view(1);
        published.set(first);
        int[] endports = index().endports();
        PublishedView other =
                first.with(PartitionPlan.withoutConf(first.subnet().fabric()));
        published.set(other);

        assertThat(index().view()).isSameAs(other);
        assertThat(index().endports()).isSameAs(endports);

        published.set(view(1));
        assertThat(index().endports()).as("of another subnet").isNotSameAs(endports);
    }
}
