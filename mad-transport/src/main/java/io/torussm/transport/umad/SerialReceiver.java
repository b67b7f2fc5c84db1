package io.torussm.transport.umad;

import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;

/**
 * A receiver for several threads that passes one call at a time to another receiver. Only the first failure is passed
 * on.
 */
final class SerialReceiver implements MadTransport.Receiver {
    private final MadTransport.Receiver receiver;
    private boolean hasFailed;

    SerialReceiver(MadTransport.Receiver to) {
        this.receiver = to;
    }

    @Override
    public synchronized void received(MadFrame frame) {
        receiver.received(frame);
    }

    @Override
    public synchronized void transportFailed(String reason) {
        if (!hasFailed) {
            hasFailed = true;
            receiver.transportFailed(reason);
        }
    }

    @Override
    public synchronized void portChanged(boolean isUsable, String reason) {
        receiver.portChanged(isUsable, reason);
    }
}
