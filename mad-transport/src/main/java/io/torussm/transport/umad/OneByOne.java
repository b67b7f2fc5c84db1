package io.torussm.transport.umad;

import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;

/**
 * A receiver for several threads that passes one call at a time to another receiver. Only the first failure is passed
 * on.
 */
final class OneByOne implements MadTransport.Receiver {
    private final MadTransport.Receiver to;
    private boolean hasFailed;

    OneByOne(MadTransport.Receiver to) {
        this.to = to;
    }

    @Override
    public synchronized void received(MadFrame frame) {
        to.received(frame);
    }

    @Override
    public synchronized void transportFailed(String reason) {
        if (!hasFailed) {
            hasFailed = true;
            to.transportFailed(reason);
        }
    }

    @Override
    public synchronized void portChanged(boolean isUsable, String reason) {
        to.portChanged(isUsable, reason);
    }
}
