package io.torussm.transport.capture;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.ForwardingTransport;
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
 * A transport whose MADs can be captured to files for Wireshark, one at a time, permanently or for a limited time
 * ({@link CaptureFile}). {@link #close} writes the queued MADs. Any thread may call it.
 */
public final class MadTap extends ForwardingTransport {
    private static final EventLog EVENTS = EventLog.of(MadTap.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final Clock clock;

    /** The active capture, or the last one; null before the first. */
    private volatile @Nullable CaptureFile current;

    /**
     * The state of the active capture, or of the last one.
     *
     * @param file name of the file
     * @param mads MADs in the file
     * @param dropped MADs that are missing because the writer was too slow
     * @param isRunning true while the capture is active
     */
    public record Capture(String file, int mads, long dropped, boolean isRunning) {}

    /** Creates a tap without captures. */
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
     * Returns a transport that captures all MADs as long as it is open.
     *
     * @param file regular file, which is replaced by a file that only its owner may read
     * @throws TransportException if the file cannot be created or is no regular file
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
     * Begins to capture sent and received MADs.
     *
     * @param file path of the new file
     * @param length duration of the capture
     * @param maxBytes max size of the file; reaching it ends the capture
     * @return false if a capture is already active
     * @throws IOException if the file exists or cannot be created
     */
    public synchronized boolean start(Path file, Duration length, long maxBytes) throws IOException {
        CaptureFile previous = current;
        if (previous != null && previous.isOpen()) {
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

    /** Ends the active capture, if there is one. Its file is complete a moment later. */
    public void stop() {
        CaptureFile active = current;
        if (active != null) {
            active.stop();
        }
    }

    /** Returns the active capture, or the last one; null before the first. */
    public @Nullable Capture capture() {
        CaptureFile file = current;
        if (file == null) {
            return null;
        }
        boolean isRunning = file.isOpen(); // checked first: the counters do not change after the end of a capture
        return new Capture(file.target(), file.writtenMads(), file.dropped(), isRunning);
    }

    private void record(MadFrame frame, boolean isSent) {
        CaptureFile file = current;
        if (file != null) {
            file.record(frame, isSent);
        }
    }

    @Override
    protected void received(MadFrame frame) {
        // A returned request was captured when it was sent.
        if (!frame.isUndelivered()) {
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
