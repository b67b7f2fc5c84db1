package io.torussm.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A transport whose MADs can be captured for a while, to one file at a time; see {@link CaptureFile}. */
public final class MadTap implements MadTransport {
    private final MadTransport inner;
    private final Clock clock;
    private volatile @Nullable CaptureFile current;

    /**
     * A capture that runs, or the last one that did.
     *
     * @param file its name
     * @param mads MADs in it
     * @param dropped MADs that it lacks, because the file did not keep up
     * @param isRunning whether it goes on
     */
    public record Capture(String file, int mads, long dropped, boolean isRunning) {}

    /** Nothing is captured yet. */
    public MadTap(MadTransport inner) {
        this(inner, Clock.systemUTC());
    }

    MadTap(MadTransport inner, Clock clock) {
        this.inner = inner;
        this.clock = clock;
    }

    /**
     * Captures what is sent and received from now on.
     *
     * @param file must not exist
     * @param length it ends after this time
     * @param maxBytes and before it would be longer than this
     * @return false if a capture runs already
     * @throws IOException if the file exists, or cannot be created
     */
    public synchronized boolean start(Path file, Duration length, long maxBytes) throws IOException {
        CaptureFile before = current;
        if (before != null && before.isOpen()) {
            return false;
        }
        current = new CaptureFile(
                CaptureFile.create(file, StandardOpenOption.CREATE_NEW),
                file.toString(),
                clock,
                maxBytes,
                clock.instant().plus(length));
        return true;
    }

    /** Ends the capture that runs, if any; its file is complete a moment later. */
    public void stop() {
        CaptureFile now = current;
        if (now != null) {
            now.stop();
        }
    }

    /** The capture that runs, or the last one; null if there was none. */
    public @Nullable Capture capture() {
        CaptureFile now = current;
        return now == null ? null : new Capture(now.target(), now.written(), now.dropped(), now.isOpen());
    }

    private void record(MadFrame frame, boolean isSent) {
        CaptureFile now = current;
        if (now != null) {
            now.record(frame, isSent);
        }
    }

    @Override
    public LocalPort localPort() {
        return inner.localPort();
    }

    @Override
    public int maxOutstanding() {
        return inner.maxOutstanding();
    }

    @Override
    public void start(Receiver receiver) {
        inner.start(new Receiver() {
            @Override
            public void received(MadFrame frame) {
                if (!frame.undelivered()) {
                    record(frame, false);
                }
                receiver.received(frame);
            }

            @Override
            public void transportFailed(String why) {
                receiver.transportFailed(why);
            }
        });
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        record(frame, true);
        return inner.send(frame, responseTimeoutMs);
    }

    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        inner.setIsSm(isSm);
    }

    @Override
    public void close() {
        inner.close();
        stop();
    }
}
