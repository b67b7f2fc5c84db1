package io.torussm.daemon.process;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue of process events. If it is full, a new event is dropped and logged, except a request to end the
 * process. Thread-safe.
 */
final class DaemonEvents implements SubnetManagerService.Listener {
    private static final EventLog EVENTS = EventLog.of(DaemonEvents.class);
    private static final int MAX_EVENTS = 64;

    private final BlockingQueue<DaemonEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);

    /** View of the queued {@link DaemonEvent.SubnetPublished}; null if none is queued. */
    private final AtomicReference<@Nullable PublishedView> latest = new AtomicReference<>();

    /** True while a {@link DaemonEvent.MulticastChanged} is queued. */
    private final AtomicBoolean isMulticastQueued = new AtomicBoolean();

    private final boolean isOnce;
    private final SubnetUpLines ups;

    /**
     * Creates an empty queue.
     *
     * @param isOnce true if the process ends after its first sweep
     * @param ups log of the subnets that come up
     */
    DaemonEvents(boolean isOnce, SubnetUpLines ups) {
        this.isOnce = isOnce;
        this.ups = ups;
    }

    /** Waits for the next event. */
    DaemonEvent take() throws InterruptedException {
        return events.take();
    }

    /** Waits at most {@code waitMs} for the next event; null after the time-out. */
    @Nullable
    DaemonEvent take(long waitMs) throws InterruptedException {
        return events.poll(waitMs, TimeUnit.MILLISECONDS);
    }

    /** Removes and returns the newest view; called once for each {@link DaemonEvent.SubnetPublished}. */
    PublishedView latest() {
        return Objects.requireNonNull(latest.getAndSet(null));
    }

    /** Notes that a {@link DaemonEvent.MulticastChanged} was taken, so that the next change is queued again. */
    void onMulticastTaken() {
        isMulticastQueued.set(false);
    }

    /** Requests the end of the process. If the queue is full, all events in it are dropped. */
    void requestEnd(String reason) {
        while (!events.offer(new DaemonEvent.EndRequested(reason))) {
            events.clear();
        }
    }

    /** Adds an event. Returns false if the queue is full, so that the event is dropped. */
    boolean offer(DaemonEvent event) {
        boolean hasRoom = events.offer(event);
        if (!hasRoom) {
            EVENTS.report(
                    SmEvent.TASK_DROPPED,
                    EventField.COUNT.of(MAX_EVENTS),
                    EventField.NAME.of(event.getClass().getSimpleName()));
        }
        return hasRoom;
    }

    @Override
    public void accept(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            subnetUp(up);
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            down(ExitCode.ROUTING_REFUSED, SmEvent.ROUTING_REFUSED, EventField.REASON.of(refused.reason()));
        } else if (event instanceof SweepEvent.OtherMaster other) {
            down(
                    ExitCode.OTHER_MASTER,
                    isOnce ? SmEvent.ANOTHER_MASTER : SmEvent.STANDBY,
                    EventField.PEER.of(other.who()));
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            down(ExitCode.INTERNAL_ERROR, SmEvent.SWEEP_FAILED, EventField.REASON.of(failed.reason()));
        } else if (event instanceof SweepEvent.MulticastProgrammed) {
            multicastProgrammed();
        } else if (event instanceof SweepEvent.PortLost lost) {
            offer(new DaemonEvent.PortLost(lost.reason()));
        } else if (event instanceof SweepEvent.PortChanged port) {
            offer(new DaemonEvent.PortChanged(port.isUsable() ? "" : port.reason()));
        }
    }

    private void subnetUp(SweepEvent.SubnetUp up) {
        ups.subnetUp(up.finding());
        if (latest.getAndSet(up.view()) == null && !offer(new DaemonEvent.SubnetPublished())) {
            latest.set(null);
        }
    }

    private void down(ExitCode code, SmEvent event, EventField.Value reason) {
        offer(new DaemonEvent.NoSubnet(code, Finding.of(event, reason)));
    }

    private void multicastProgrammed() {
        if (!isMulticastQueued.getAndSet(true) && !offer(new DaemonEvent.MulticastChanged())) {
            isMulticastQueued.set(false);
        }
    }

    @Override
    public void shadowReported(ShadowReport report) {
        offer(new DaemonEvent.ShadowReported(report));
    }

    @Override
    public void startFailed() {
        offer(new DaemonEvent.StartFailed());
    }
}
