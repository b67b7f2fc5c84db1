package io.torussm.daemon.alert;

import io.torussm.daemon.journal.Conditions;
import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The delivery of the events of a journal to one receiver, on a thread of its own, until it is closed. */
final class Delivery implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(Delivery.class);
    private static final Set<String> DELIVERY_EVENTS =
            Set.of(SmEvent.ALERTS_WAIT.code(), SmEvent.ALERTS_DELIVERED.code(), SmEvent.ALERT_REFUSED.code());

    private static final int MAX_PAUSE_FACTOR = 60;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final Journal journal;
    private final String host;
    private final AlertFilter filter;
    private final Receiver receiver;
    private final long pauseMs;
    private final Consumer<Throwable> defects;
    private final Semaphore wakeUp = new Semaphore(1);
    private final Runnable removeListener;
    private final CountDownLatch closeLatch = new CountDownLatch(1);
    private final Thread thread;
    private final Conditions conditions = new Conditions();
    private boolean isFailing;
    private long lastHandled; // number of the last handled event
    private long forgotten; // number of events dropped since the last alert

    /**
     * Begins the delivery with the first event in the journal.
     *
     * @param host name of this host in alerts
     * @param choice choice of events that are alerts
     * @param pauseMs pause before the second attempt, in ms; doubled for each further attempt, up to 60 times as long
     * @param defects receiver of unexpected exceptions
     */
    Delivery(
            Journal journal,
            String host,
            AlertFilter choice,
            Receiver receiver,
            long pauseMs,
            Consumer<Throwable> defects) {
        this.journal = journal;
        this.host = host;
        this.filter = choice;
        this.receiver = receiver;
        this.pauseMs = pauseMs;
        this.defects = defects;
        removeListener = journal.listen(() -> {
            if (wakeUp.availablePermits() == 0) {
                wakeUp.release();
            }
        });
        thread = new Thread(this::deliver, "alert");
        thread.setDaemon(true);
        thread.start();
    }

    private void deliver() {
        try {
            while (closeLatch.getCount() > 0) {
                wakeUp.acquire();
                handOver(journal.after(lastHandled));
            }
            handOver(journal.after(lastHandled));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // close() interrupts if the time is over
        }
    }

    private void handOver(List<Journal.Entry> events) throws InterruptedException {
        for (Journal.Entry event : events) {
            forgotten += event.number() - lastHandled - 1;
            lastHandled = event.number();
            Alert alert = Alert.of(host, event, conditions.add(event), forgotten);
            if (filter.includes(alert) && !isAboutItself(event)) {
                handOver(alert);
            }
        }
    }

    /**
     * Checks whether an event is about a failure of this receiver. Such an event would be another alert that cannot be
     * delivered.
     */
    private boolean isAboutItself(Journal.Entry event) {
        return DELIVERY_EVENTS.contains(event.code())
                && receiver.name().equals(event.fields().get(EventField.ADDRESS.key()));
    }

    private void handOver(Alert alert) throws InterruptedException {
        for (long pause = pauseMs; ; pause = Math.min(2 * pause, MAX_PAUSE_FACTOR * pauseMs)) {
            try {
                receiver.deliver(alert);
                forgotten = 0;
                endFailure();
                return;
            } catch (Receiver.Refused e) {
                endFailure();
                report(SmEvent.ALERT_REFUSED, e);
                return;
            } catch (Receiver.Unavailable e) {
                if (!isFailing) {
                    isFailing = true;
                    report(SmEvent.ALERTS_WAIT, e);
                }
                if (closeLatch.await(pause, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (RuntimeException | Error e) {
                defects.accept(e);
                FatalErrors.escalate(e);
                return;
            }
        }
    }

    private void endFailure() {
        if (isFailing) {
            isFailing = false;
            EVENTS.report(SmEvent.ALERTS_DELIVERED, EventField.ADDRESS.of(receiver.name()));
        }
    }

    private void report(SmEvent event, Exception cause) {
        EVENTS.report(event, EventField.ADDRESS.of(receiver.name()), EventField.REASON.of(cause.getMessage()));
    }

    /**
     * Ends the delivery. Events in the journal are still delivered, with one attempt each, for at most 2 s. Undelivered
     * events are in the log only.
     */
    @Override
    public void close() {
        removeListener.run();
        closeLatch.countDown();
        wakeUp.release();
        try {
            thread.join(CLOSE_TIMEOUT_MS);
            thread.interrupt();
            thread.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
