package io.torussm.daemon.recorder;

import io.torussm.recording.FlightRecorder;
import io.torussm.recording.NoteKind;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;

/**
 * A port whose MADs and changes are recorded. A request is recorded before it is sent, so it always precedes its
 * response.
 */
final class RecordedPort extends ForwardingTransport {
    private final FlightRecorder ring;

    RecordedPort(MadTransport inner, FlightRecorder ring) {
        super(inner);
        this.ring = ring;
    }

    @Override
    public void start(Receiver receiver) {
        super.start(new Receiver() {
            @Override
            public void received(MadFrame frame) {
                receiver.received(frame);
            }

            @Override
            public void transportFailed(String reason) {
                receiver.transportFailed(reason);
            }

            @Override
            public void portChanged(boolean isUsable, String reason) {
                ring.note(NoteKind.PORT, isUsable ? "" : reason);
                receiver.portChanged(isUsable, reason);
            }
        });
    }

    @Override
    protected void received(MadFrame frame) {
        ring.recordReceived(frame);
        super.received(frame);
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        ring.recordSent(frame);
        boolean isTaken = super.send(frame, responseTimeoutMs);
        if (!isTaken) {
            ring.note(NoteKind.REFUSED, "");
        }
        return isTaken;
    }
}
