package io.torussm.transport;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose MADs can be captured, for good or for a while, to one file at a time that Wireshark reads; see
 * {@link CaptureFile}. {@link #close} writes what is queued.
 */
public final class MadTap extends ForwardingTransport {
    private static final EventLog EVENTS = EventLog.of(MadTap.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;

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
        super(inner);
        this.clock = clock;
    }

    MadTap(MadTransport inner, CaptureFile first) {
        this(inner);
        current = first;
    }

    /**
     * A transport of which everything is captured, as long as it lives.
     *
     * @param file written anew, with the rights of its owner only
     * @throws TransportException if the file cannot be created, or something else than a regular file is there
     */
    public static MadTap capturing(MadTransport inner, Path file) throws TransportException {
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(file);
            }
            OutputStream out = CaptureFile.create(file, StandardOpenOption.CREATE_NEW);
            return new MadTap(inner, CaptureFile.unlimited(out, file.toString(), Clock.systemUTC()));
        } catch (IOException e) {
            throw new TransportException(
                    "cannot write the MAD capture " + file + " (" + e + "): name a file, no link or device, in a"
                            + " directory that exists and may be written to, or switch the capture off",
                    e);
        }
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
        if (now == null) {
            return null;
        }
        boolean isRunning = now.isOpen(); // asked first: once it is at its end, what is counted stays
        return new Capture(now.target(), now.written(), now.dropped(), isRunning);
    }

    private void record(MadFrame frame, boolean isSent) {
        CaptureFile now = current;
        if (now != null) {
            now.record(frame, isSent);
        }
    }

    @Override
    protected void received(MadFrame frame) {
        if (!frame.undelivered()) {
            record(frame, false);
        }
        super.received(frame);
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        record(frame, true);
        return super.send(frame, responseTimeoutMs);
    }

    @Override
    public void close() {
        super.close();
        CaptureFile last = current;
        if (last != null && !last.close(CLOSE_TIMEOUT_MS)) {
            EVENTS.report(
                    SmEvent.CAPTURE_SLOW,
                    EventField.FILE.of(last.target()),
                    EventField.MILLISECONDS.of(CLOSE_TIMEOUT_MS));
        } else if (last != null && last.dropped() > 0) {
            EVENTS.report(
                    SmEvent.CAPTURE_INCOMPLETE, EventField.FILE.of(last.target()), EventField.COUNT.of(last.dropped()));
        }
    }
}
