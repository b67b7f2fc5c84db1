package io.torussm.testing;

import io.torussm.transport.LocalPort;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;

/** A port that takes everything, from any thread, and hears nothing. */
public final class QuietTransport implements MadTransport {
    @Override
    public LocalPort localPort() {
        return new LocalPort("quiet", 1, 1);
    }

    @Override
    public int maxOutstanding() {
        return 1;
    }

    @Override
    public void start(Receiver receiver) {}

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        return true;
    }

    @Override
    public void setIsSm(boolean isSm) {}

    @Override
    public void close() {}
}
