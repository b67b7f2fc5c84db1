package io.torussm.transport;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that writes every MAD it carries to a file that Wireshark reads ({@link InfinibandPcap}).
 *
 * <p>Capturing never holds up, nor fails, what is captured: a thread of its own writes the file, fed through a bounded
 * queue; MADs that find the queue full are carried but not captured, and counted. An error while writing is logged once
 * and ends the capture. {@link #close} writes what is queued. A MAD stands in the file before it is handed to the inner
 * transport, so a request always stands before its answer.
 *
 * <p>The file holds M_Keys; it is created for its owner only, where the file system knows owners.
 */
public final class MadCapture implements MadTransport {
    private static final Logger LOG = LoggerFactory.getLogger(MadCapture.class);
    private static final int QUEUE_CAPACITY = 1 << 13;
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    /** How often the idle writer looks whether it is to end. */
    private static final long IDLE_POLL_MS = 100;

    private final MadTransport inner;
    private final OutputStream out;
    private final String target;
    private final Clock clock;
    private final ArrayBlockingQueue<Packet> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
    private final LongAdder dropped = new LongAdder();
    private final Thread writer;
    private volatile boolean accepting = true;
    private volatile boolean closing;

    /** One MAD on its way to the file. */
    private record Packet(MadFrame frame, boolean isSent, Instant time) {}

    /** A capture to a stream that it closes at its end. */
    MadCapture(MadTransport inner, OutputStream out, String target, Clock clock) {
        this.inner = inner;
        this.out = new BufferedOutputStream(out, 1 << 16);
        this.target = target;
        this.clock = clock;
        this.writer = new Thread(this::write, "mad-capture");
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Captures everything that a transport sends and receives from now on.
     *
     * @param inner the transport; closed by the capture's {@code close}
     * @param file written anew
     * @throws TransportException if the file cannot be created
     */
    public static MadCapture capture(MadTransport inner, Path file) throws TransportException {
        try {
            return new MadCapture(inner, create(file), file.toString(), Clock.systemUTC());
        } catch (IOException e) {
            throw new TransportException(
                    "cannot write the MAD capture " + file + " (" + e + "): name a file in a directory that exists and"
                            + " may be written to, or switch the capture off",
                    e);
        }
    }

    private static OutputStream create(Path file) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        boolean hasOwners = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = hasOwners
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return Channels.newOutputStream(Files.newByteChannel(file, options, attributes));
    }

    /** MADs that were carried but not captured, because the file did not keep up. */
    public long dropped() {
        return dropped.sum();
    }

    private void record(MadFrame frame, boolean isSent) {
        if (!accepting) {
            return;
        }
        if (!queue.offer(new Packet(frame, isSent, clock.instant()))) {
            dropped.increment();
        }
    }

    private void write() {
        try (out) {
            out.write(InfinibandPcap.fileHeader());
            int sequence = 0;
            for (Packet packet = next(); packet != null; packet = next()) {
                out.write(InfinibandPcap.packet(packet.frame(), packet.isSent(), sequence++, packet.time()));
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("the MAD capture {} ends here, the subnet manager goes on: {}", target, e.toString());
        } catch (InterruptedException e) {
            LOG.error("the MAD capture {} was interrupted and is not complete", target);
        } finally {
            accepting = false;
            queue.clear();
        }
    }

    /** The next packet, or null if the capture is closing and none is left; flushes before it waits. */
    private @Nullable Packet next() throws IOException, InterruptedException {
        boolean isClosing = closing;
        Packet packet = queue.poll();
        while (packet == null && !isClosing) {
            out.flush();
            isClosing = closing;
            packet = queue.poll(isClosing ? 0 : IDLE_POLL_MS, TimeUnit.MILLISECONDS);
        }
        return packet;
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
        accepting = false;
        closing = true;
        try {
            writer.join(CLOSE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (writer.isAlive()) {
            LOG.warn("the MAD capture {} could not be completed within {} ms", target, CLOSE_TIMEOUT_MS);
        } else if (dropped() > 0) {
            LOG.warn("the MAD capture {} lacks {} MADs: the file did not keep up", target, dropped());
        }
    }
}
