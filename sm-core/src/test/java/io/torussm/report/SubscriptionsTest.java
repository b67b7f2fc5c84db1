package io.torussm.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.InformInfo;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of subscriptions, and a single publication of many changes. */
class SubscriptionsTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final Subscriptions subscriptions = new Subscriptions(loop);
    private final List<Integer> published = new ArrayList<>();
    private final List<Integer> statuses = new ArrayList<>();

    private boolean add(long port, int qpn) {
        return subscriptions.add(new Subscriber(port, qpn), false, ReportHarness.wants(64), statuses::add);
    }

    @Test
    void thereIsABoundForAllPortsTogether() {
        List<Subscription> all = new ArrayList<>();
        for (int i = 0; i < Subscriptions.MAX_SUBSCRIPTIONS + 10; i++) {
            InformInfo wants = ReportHarness.wants(64).with(InformInfo.QPN, 1);
            all.add(new Subscription(
                    new Subscriber(i / 100, 1), 0, false, wants.with(InformInfo.TRAP_NUMBER, i % 100)));
        }
        subscriptions.restore(all);
        assertThat(subscriptions.view()).hasSize(Subscriptions.MAX_SUBSCRIPTIONS);
        add(1_000_000, 1);
        loop.runFor(0);
        assertThat(statuses).containsExactly(MadStatus.SA_NO_RESOURCES);
        assertThat(subscriptions.dropWhere(port -> port == 3)).isEqualTo(100);
        add(1_000_000, 1);
        loop.runFor(0);
        assertThat(statuses).endsWith(MadStatus.OK);
    }

    @Test
    void tooManyChangesAtOnceAreRefused() {
        int taken = 0;
        while (add(taken, 1)) {
            taken++;
        }
        assertThat(taken).isEqualTo(1 << 14);
        loop.runFor(0);
        assertThat(statuses).hasSize(taken).containsOnly(MadStatus.OK);
        assertThat(add(taken, 1)).isTrue();
    }

    @Test
    void changesOfABurstArePublishedTogetherAndBeforeTheyAreAnswered() {
        subscriptions.whenPublished(all -> published.add(all.size()));
        for (int i = 0; i < 100; i++) {
            subscriptions.add(
                    new Subscriber(i, 1),
                    false,
                    ReportHarness.wants(64),
                    status -> statuses.add(subscriptions.view().size()));
        }
        loop.runFor(0);
        assertThat(published).containsExactly(100);
        assertThat(statuses).hasSize(100).containsOnly(100);
    }
}
