package io.torussm.daemon.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.view.PublishedView;
import org.junit.jupiter.api.Test;

/** The queue of events of the process: an event without room in the queue is reported when it happens again. */
class DaemonEventsTest {
    private final DaemonEvents events = new DaemonEvents(false, new SubnetUpLines());

    /** Else nothing of the kind would ever be taken again: dumps and the status for systemd would stay as they are. */
    @Test
    void aMessageWithoutRoomIsReportedWhenItHappensAgain() throws InterruptedException {
        PublishedView view = Views.twoSwitches();
        SweepEvent up = Views.up(view);
        boolean hasRoom = true;
        while (hasRoom) {
            hasRoom = events.offer(new DaemonEvent.StartFailed());
        }
        events.accept(up);
        events.accept(new SweepEvent.MulticastProgrammed());
        DaemonEvent taken;
        do {
            taken = events.take(0);
        } while (taken != null);
        events.accept(up);
        events.accept(new SweepEvent.MulticastProgrammed());
        assertThat(events.take(0)).isInstanceOf(DaemonEvent.SubnetPublished.class);
        assertThat(events.latest()).isSameAs(view);
        assertThat(events.take(0)).isInstanceOf(DaemonEvent.MulticastChanged.class);
    }
}
