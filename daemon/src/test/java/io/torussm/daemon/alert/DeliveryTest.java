package io.torussm.daemon.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The delivery of events of a journal to a receiver, which here accepts, refuses or hangs as a test says. */
@Timeout(120)
class DeliveryTest {
    private final Journal journal = new Journal();
    private final BlockingQueue<Alert> delivered = new LinkedBlockingQueue<>();
    private final List<Throwable> defects = new ArrayList<>();
    private final List<Delivery> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Delivery::close);
    }

    /** The behaviour of a receiver before it has accepted an alert. */
    private interface ReceiverBehaviour {
        void treat(Alert alert) throws Receiver.Unavailable, Receiver.Refused, InterruptedException;
    }

    @Test
    void graveEventsAreHandedOverInTheirOrder() throws Exception {
        addEvent("error", "before it began");
        delivery("warn", alert -> {});
        addEvent("info", "not this");
        addEvent("warn", SmEvent.CONFIGURATION_KEPT.code(), "begun", Map.of("address", "a"));
        addEvent("info", SmEvent.CONFIGURATION_READ.code(), "over", Map.of("address", "a"));
        assertThat(next()).isEqualTo("before it began");
        assertThat(delivered.take())
                .isEqualTo(new Alert(
                        "here",
                        3,
                        Instant.EPOCH,
                        "warn",
                        SmEvent.CONFIGURATION_KEPT.code(),
                        "begins",
                        "begun",
                        Map.of("address", "a"),
                        0));
        assertThat(delivered.take()).matches(alert -> alert.condition().equals("ends") && alert.number() == 4);
    }

    /** Each sweep ends with one. */
    @Test
    void aSubnetUpIsAnAlertOnlyAfterAFailedSweep() throws Exception {
        delivery("warn", alert -> {});
        addEvent("info", SmEvent.SUBNET_UP.code(), "up", Map.of());
        addEvent("error", SmEvent.SWEEP_FAILED.code(), "failed", Map.of());
        addEvent("info", SmEvent.SUBNET_UP.code(), "up again", Map.of());
        addEvent("info", SmEvent.SUBNET_UP.code(), "still up", Map.of());
        addEvent("info", SmEvent.CABLE_BACK.code(), "since before the start", Map.of("guid", "a"));
        assertThat(next()).isEqualTo("failed");
        assertThat(delivered.take())
                .matches(alert ->
                        alert.condition().equals("ends") && alert.text().equals("up again"));
        assertThat(next()).isEqualTo("since before the start");
    }

    /** Hosts leave and return at level info, and the default keys are a warning. */
    @Test
    void codesAreAddedToTheLevelOrExcluded() throws Exception {
        delivery(new AlertFilter("warn", Set.of("TSM-4007", "TSM-4008", "-TSM-3014")), alert -> {}, 1);
        addEvent("info", SmEvent.HOST_GONE.code(), "host gone", Map.of());
        addEvent("warn", SmEvent.KEYS_PUBLIC.code(), "default keys", Map.of());
        addEvent("info", SmEvent.KEYS_SECRET.code(), "secret keys", Map.of());
        addEvent("info", SmEvent.HOST_BACK.code(), "host back", Map.of());
        assertThat(next()).isEqualTo("host gone");
        assertThat(next()).isEqualTo("host back");
    }

    @Test
    void theEndOfAConditionBelowTheLevelIsNoAlert() throws Exception {
        delivery("error", alert -> {});
        addEvent("warn", SmEvent.CABLE_LOST.code(), "cable lost", Map.of());
        addEvent("info", SmEvent.CABLE_BACK.code(), "cable back", Map.of());
        addEvent("error", SmEvent.SWEEP_FAILED.code(), "failed", Map.of());
        assertThat(next()).isEqualTo("failed");
    }

    @Test
    void failedDeliveriesAreTriedAgain() throws Exception {
        int[] tries = {0};
        delivery("info", alert -> {
            if (alert.number() == 1 && ++tries[0] < 12) {
                throw new Receiver.Unavailable("busy");
            }
        });
        addEvent("info", "one");
        addEvent("info", "two");
        assertThat(next()).isEqualTo("one");
        assertThat(next()).isEqualTo("two");
        assertThat(tries[0]).isEqualTo(12);
    }

    @Test
    void droppedEventsAreCounted() throws Exception {
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        delivery("info", alert -> {
            isBusy.countDown();
            mayGoOn.await();
        });
        addEvent("info", "first");
        isBusy.await();
        for (int i = 0; i < Journal.CAPACITY + 70; i++) {
            addEvent("info", "later");
        }
        mayGoOn.countDown();
        assertThat(delivered.take().forgotten()).isZero();
        assertThat(delivered.take()).matches(alert -> alert.forgotten() == 70 && alert.number() == 72);
        assertThat(delivered.take().forgotten()).isZero();
    }

    @Test
    void aRefusedAlertDoesNotDelayOthers() throws Exception {
        delivery("info", alert -> {
            if (alert.text().equals("bad")) {
                throw new Receiver.Refused("never");
            }
            if (alert.text().equals("worse")) {
                throw new IllegalStateException("a defect");
            }
        });
        addEvent("error", "bad");
        addEvent("error", "worse");
        addEvent("error", "good");
        assertThat(next()).isEqualTo("good");
        assertThat(defects).singleElement().isInstanceOf(IllegalStateException.class);
    }

    /** Else each alert that is refused would be followed by another. */
    @Test
    void eventsAboutAReceiverAreNotSentToIt() throws Exception {
        delivery("info", alert -> {});
        addEvent("warn", SmEvent.ALERT_REFUSED.code(), "of it", Map.of(EventField.ADDRESS.key(), "receiver"));
        addEvent("warn", SmEvent.ALERT_REFUSED.code(), "of another", Map.of(EventField.ADDRESS.key(), "other"));
        assertThat(next()).isEqualTo("of another");
    }

    @Test
    void theLastWordsAreDelivered() throws Exception {
        CountDownLatch isBusy = new CountDownLatch(1);
        Delivery last = delivery("error", alert -> isBusy.countDown());
        addEvent("error", "one");
        isBusy.await();
        addEvent("error", "the end");
        last.close();
        assertThat(delivered).extracting(Alert::text).containsExactly("one", "the end");
    }

    /** Not only when the pause is over. */
    @Test
    void theEndEndsAPause() throws Exception {
        CountDownLatch isBusy = new CountDownLatch(1);
        Delivery failing = delivery(
                "error",
                alert -> {
                    isBusy.countDown();
                    if (alert.text().equals("one")) {
                        throw new Receiver.Unavailable("never there");
                    }
                },
                TimeUnit.DAYS.toMillis(1));
        addEvent("error", "one");
        isBusy.await();
        addEvent("error", "two");
        failing.close();
        assertThat(delivered).extracting(Alert::text).containsExactly("two");
    }

    @Test
    void aReceiverThatHangsDoesNotKeepTheProcess() throws Exception {
        CountDownLatch isBusy = new CountDownLatch(1);
        Delivery stuck = delivery("error", alert -> {
            isBusy.countDown();
            new CountDownLatch(1).await();
        });
        addEvent("error", "one");
        isBusy.await();
        stuck.close();
        assertThat(delivered).isEmpty();
    }

    private Delivery delivery(String level, ReceiverBehaviour whim) {
        return delivery(level, whim, 1);
    }

    private Delivery delivery(String level, ReceiverBehaviour whim, long pauseMs) {
        return delivery(new AlertFilter(level, Set.of()), whim, pauseMs);
    }

    private Delivery delivery(AlertFilter choice, ReceiverBehaviour whim, long pauseMs) {
        Receiver receiver = new Receiver() {
            @Override
            public String name() {
                return "receiver";
            }

            @Override
            public void deliver(Alert alert) throws Unavailable, Refused, InterruptedException {
                whim.treat(alert);
                delivered.add(alert);
            }
        };
        Delivery made = new Delivery(journal, "here", choice, receiver, pauseMs, defects::add);
        open.add(made);
        return made;
    }

    private void addEvent(String level, String code, String text, Map<String, String> fields) {
        journal.add(Instant.EPOCH, level, code, text, fields);
    }

    private void addEvent(String level, String text) {
        addEvent(level, "", text, Map.of());
    }

    private String next() throws InterruptedException {
        return delivered.take().text();
    }
}
