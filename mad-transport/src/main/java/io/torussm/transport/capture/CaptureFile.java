package io.torussm.transport.capture;

import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.MadFrame;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A capture file of MADs in a format of Wireshark ({@link InfinibandPcap}).
 *
 * <p>A capture neither delays nor fails traffic: its own thread writes the file from a bounded queue. If the queue is
 * full, a MAD is forwarded and counted but not captured. A write error is reported once and ends the capture, as its
 * limits do. A MAD is queued for the file before it is passed to the transport, so a request always precedes its
 * response.
 *
 * <p>The file contains M_Keys. If the file system has owners, only the owner may read the file.
 */
final class CaptureFile {
    private static final EventLog EVENTS = EventLog.of(CaptureFile.class);
    private static final int QUEUE_CAPACITY = 1 << 13;

    /** Interval at which the idle writer checks whether the capture has ended. */
    private static final long IDLE_POLL_MS = 100;

    private final OutputStream output;
    private final String target;
    private final Clock clock;
    private final long maxBytes;
    private final Instant end;
    private final ArrayBlockingQueue<Packet> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final LongAdder dropped = new LongAdder();
    private final Thread writer;

    /** False after the end of the capture, so that MADs are no longer queued. */
    private volatile boolean isAccepting = true;

    private volatile boolean isClosing;

    /** Number of MADs in the file. Written by the writer thread alone. */
    private volatile int writtenMads;

    /** One MAD on its way to the file. */
    private record Packet(MadFrame frame, boolean isSent, Instant time) {}

    /**
     * Begins the capture.
     *
     * @param stream output, closed at the end
     * @param target name of the output for messages
     * @param maxBytes max size of the file
     * @param end time after which MADs are not captured
     */
    CaptureFile(OutputStream stream, String target, Clock clock, long maxBytes, Instant end) {
        this.output = new BufferedOutputStream(stream, 1 << 16);
        this.target = target;
        this.clock = clock;
        this.maxBytes = maxBytes;
        this.end = end;
        this.writer = new Thread(this::write, "mad-capture");
        writer.setDaemon(true);
        writer.start();
    }

    /** Returns a capture without limits, which ends when it is closed. */
    static CaptureFile unlimited(OutputStream stream, String target, Clock clock) {
        return new CaptureFile(stream, target, clock, Long.MAX_VALUE, Instant.MAX);
    }

    /**
     * Opens a file that only its owner may read.
     *
     * @param extraOptions options in addition to WRITE
     */
    static OutputStream create(Path file, OpenOption... extraOptions) throws IOException {
        Set<OpenOption> options = new HashSet<>(List.of(extraOptions));
        options.add(StandardOpenOption.WRITE);
        boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return Channels.newOutputStream(Files.newByteChannel(file, options, attributes));
    }

    String target() {
        return target;
    }

    /** Returns the number of MADs that were forwarded but not captured, because the queue was full. */
    long dropped() {
        return dropped.sum();
    }

    /** Returns the number of MADs in the file, including buffered ones. */
    int writtenMads() {
        return writtenMads;
    }

    /** Checks whether the file is still being written. */
    boolean isOpen() {
        return writer.isAlive();
    }

    /**
     * Queues a MAD for the file, if the capture has not ended.
     *
     * @param isSent true for a sent MAD, false for a received one
     */
    void record(MadFrame frame, boolean isSent) {
        if (!isAccepting) {
            return;
        }
        if (!queue.offer(new Packet(frame, isSent, clock.instant()))) {
            dropped.increment();
        }
    }

    private void write() {
        try (output) {
            output.write(InfinibandPcap.fileHeader());
            long bytes = InfinibandPcap.FILE_HEADER;
            int sequence = 0;
            for (Packet packet = next(); packet != null; packet = next()) {
                byte[] record = InfinibandPcap.packet(packet.frame(), packet.isSent(), sequence, packet.time());
                bytes += record.length;
                if (bytes > maxBytes || packet.time().isAfter(end)) {
                    break;
                }
                output.write(record);
                sequence++;
                writtenMads = sequence;
            }
        } catch (IOException | RuntimeException | Error e) {
            EVENTS.report(SmEvent.CAPTURE_BROKEN, EventField.FILE.of(target), EventField.REASON.of(e));
            FatalErrors.escalate(e);
        } catch (InterruptedException e) {
            EVENTS.report(SmEvent.CAPTURE_INTERRUPTED, EventField.FILE.of(target));
        } finally {
            isAccepting = false;
            queue.clear();
        }
    }

    /**
     * Returns the next packet; null if the capture has ended and no packet is left. Flushes the file before it waits.
     */
    private @Nullable Packet next() throws IOException, InterruptedException {
        // Read before the queue: a packet that was queued before the end is not lost.
        boolean isLast = isEnding();
        Packet packet = queue.poll();
        while (packet == null && !isLast) {
            output.flush();
            isLast = isEnding();
            packet = queue.poll(isLast ? 0 : IDLE_POLL_MS, TimeUnit.MILLISECONDS);
        }
        return packet;
    }

    private boolean isEnding() {
        return isClosing || clock.instant().isAfter(end);
    }

    /** Accepts no more MADs. Queued ones are still written. */
    void stop() {
        isAccepting = false;
        isClosing = true;
    }

    /** Ends the capture and waits until the file is complete. Returns false if it is incomplete after the time-out. */
    boolean close(long timeoutMs) {
        stop();
        try {
            writer.join(timeoutMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !writer.isAlive();
    }
}
