package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.routing.Plan;
import io.torussm.testing.TestRouting;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The verdicts on SLs of hosts, which an executor computes that runs a task when a test says so. */
class SlVerdictCacheTest {
    private final List<Runnable> queued = new ArrayList<>();
    private final List<Throwable> defects = new ArrayList<>();
    private final SlVerdictCache judge = new SlVerdictCache(queued::add, defects::add);
    private final PublishedView view = Views.twoSwitches();

    @Test
    void computesOnTheFirstRequestAndKeepsTheResultWithTheRoutes() {
        assertThat(judge.verdicts(view, TestRouting.QOS, 0)).isNull();
        assertThat(judge.verdicts(view, TestRouting.QOS, 0)).isNull();
        assertThat(queued).hasSize(1);
        queued.remove(0).run();
        SlVerdicts verdicts = judge.verdicts(view, TestRouting.QOS, 0);
        assertThat(verdicts).isNotNull();
        assertThat(judge.verdicts(view.on(view.subnet().fabric()), TestRouting.QOS, 0))
                .isSameAs(verdicts);
        assertThat(queued).isEmpty();
        assertThat(judge.verdicts(view, TestRouting.NO_QOS, 0)).isNull();
        assertThat(queued).hasSize(1);
    }

    @Test
    void judgesOneRoutingAfterTheOther() {
        PublishedView next = Views.twoSwitches();
        judge.verdicts(view, TestRouting.QOS, 0);
        assertThat(judge.verdicts(next, TestRouting.QOS, 0)).isNull();
        assertThat(judge.verdicts(null, TestRouting.QOS, 0)).isNull();
        assertThat(queued).hasSize(1);
        queued.remove(0).run();
        assertThat(judge.verdicts(next, TestRouting.QOS, 0)).isNull();
        queued.remove(0).run();
        assertThat(judge.verdicts(next, TestRouting.QOS, 0)).isNotNull();
        assertThat(judge.verdicts(null, TestRouting.QOS, 0)).isNull();
    }

    @Test
    void aDefectIsCountedAndNotMetAgain() {
        Plan broken =
                Plan.builder("broken", view.plan().subnet(), new byte[2][1]).build();
        PublishedView bad = Views.view(broken);
        judge.verdicts(bad, TestRouting.QOS, 0);
        queued.remove(0).run();
        assertThat(defects).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(judge.verdicts(bad, TestRouting.QOS, 0)).isNull();
        assertThat(queued).isEmpty();
    }

    @Test
    void knowsNothingOfAnSmThatEnds() {
        SlVerdictCache ended = new SlVerdictCache(
                task -> {
                    throw new RejectedExecutionException();
                },
                defects::add);
        assertThat(ended.verdicts(view, TestRouting.QOS, 1000)).isNull();
        assertThat(defects).isEmpty();
    }
}
