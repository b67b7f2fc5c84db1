package io.torussm.sa.query;

import io.torussm.WaitingLoop;
import io.torussm.alias.AliasGuids;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;

/** Queries while the sweeper prepares and publishes views: each sees the view that is published at one moment of it. */
public class ViewInterleavings {
    private static final PublishedView[] VIEWS = {view(0), view(1), view(2), view(3), view(4), view(5), view(6)};

    private final AtomicReference<PublishedView> published = new AtomicReference<>(VIEWS[0]);
    private final IndexedViews views = new IndexedViews(published::get, new AliasGuids(new WaitingLoop(), () -> 0));
    private int last;

    @Operation(nonParallelGroup = "sweeper")
    public void publish() {
        last++;
        views.prepare(VIEWS[last]);
        published.set(VIEWS[last]);
    }

    @Operation
    public long query() {
        ViewIndex index = views.index();
        return index == null ? -1 : index.view().sweep();
    }

    /** The number of the published view, as a sequential program has it. */
    public static class Sequential {
        private long number;

        public void publish() {
            number++;
        }

        public long query() {
            return number;
        }
    }

    public static void published(int limit) {
        System.out.println("scenario IndexedViews: publications, queries");
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(10)
                .invocationsPerIteration(limit)
                .sequentialSpecification(Sequential.class)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                "io.torussm.sa.query.ViewIndex", "io.torussm.view.PublishedView")
                        .allMethods()
                        .treatAsAtomic())
                .check(ViewInterleavings.class);
        System.out.println("outcome each answer is that of one moment");
    }

    private static PublishedView view(long number) {
        Subnet subnet = TorusSketch.of(2, 1, 1, 1, 1).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 5, 0));
        return ViewDraft.of(plan).sweep(number).build();
    }
}
