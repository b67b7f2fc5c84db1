package io.torussm.daemon.process;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The bounded queue of process events. If it is full, events are dropped and reported, except the end. Any thread. */
final class DaemonEvents implements SubnetManagerService.Listener {
    private static final EventLog EVENTS = EventLog.of(DaemonEvents.class);
    private static final int MAX_EVENTS = 64;

    private final BlockingQueue<DaemonEvent> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final AtomicReference<@Nullable PublishedView> latest = new AtomicReference<>();
    private final AtomicBoolean isMulticastDue = new AtomicBoolean();
    private final boolean isOnce;
    private final SubnetUpLines ups;

    /**
     * Nothing has happened yet.
     *
     * @param isOnce whether the process ends after its first sweep
     * @param ups hear of each subnet that comes up
     */
    DaemonEvents(boolean isOnce, SubnetUpLines ups) {
        this.isOnce = isOnce;
        this.ups = ups;
    }

    /** The next one, once there is one. */
    DaemonEvent take() throws InterruptedException {
        return events.take();
    }

    /** The next one; null if there is none for so long. */
    @Nullable
    DaemonEvent take(long waitMs) throws InterruptedException {
        return events.poll(waitMs, TimeUnit.MILLISECONDS);
    }

    /** The subnet of a {@link DaemonEvent.Changed} that was taken: the newest. */
    PublishedView latest() {
        return Objects.requireNonNull(latest.getAndSet(null));
    }

    /** A {@link DaemonEvent.MulticastChanged} was taken; what changes from now on is another one. */
    void multicastTaken() {
        isMulticastDue.set(false);
    }

    /** Asks for the end, whatever else waits. */
    void end(String why) {
        while (!events.offer(new DaemonEvent.EndAsked(why))) {
            events.clear();
        }
    }

    /** Whether there was room. */
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
    public void subnetUp(PublishedView view, String summary) {
        ups.up(summary);
        if (latest.getAndSet(view) == null && !offer(new DaemonEvent.Changed())) {
            latest.set(null);
        }
    }

    @Override
    public void refused(String reason) {
        offer(new DaemonEvent.Down(
                ExitCode.ROUTING_REFUSED, Finding.of(SmEvent.ROUTING_REFUSED, EventField.REASON.of(reason))));
    }

    @Override
    public void looked(ShadowReport report) {
        offer(new DaemonEvent.Looked(report));
    }

    @Override
    public void otherMaster(String who) {
        offer(new DaemonEvent.Down(
                ExitCode.OTHER_MASTER,
                Finding.of(isOnce ? SmEvent.ANOTHER_MASTER : SmEvent.STANDBY, EventField.PEER.of(who))));
    }

    @Override
    public void failed(String why) {
        offer(new DaemonEvent.Down(
                ExitCode.INTERNAL_ERROR, Finding.of(SmEvent.SWEEP_FAILED, EventField.REASON.of(why))));
    }

    @Override
    public void multicastProgrammed() {
        if (!isMulticastDue.getAndSet(true) && !offer(new DaemonEvent.MulticastChanged())) {
            isMulticastDue.set(false);
        }
    }

    @Override
    public void notBegun() {
        offer(new DaemonEvent.NotBegun());
    }

    @Override
    public void portLost(String why) {
        offer(new DaemonEvent.PortLost(why));
    }

    @Override
    public void portChanged(boolean isUsable, String why) {
        offer(new DaemonEvent.PortChanged(isUsable ? "" : why));
    }
}
