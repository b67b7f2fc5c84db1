package io.torussm.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transport that writes every MAD it carries to a file that Wireshark reads; see {@link CaptureFile}. {@link #close}
 * writes what is queued.
 */
public final class MadCapture implements MadTransport {
    private static final Logger LOG = LoggerFactory.getLogger(MadCapture.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;

    private final MadTransport inner;
    private final CaptureFile file;

    /** A capture to a stream that it closes at its end. */
    MadCapture(MadTransport inner, OutputStream out, String target, Clock clock) {
        this.inner = inner;
        this.file = new CaptureFile(out, target, clock, Long.MAX_VALUE, Instant.MAX);
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
            OutputStream out =
                    CaptureFile.create(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
            return new MadCapture(inner, out, file.toString(), Clock.systemUTC());
        } catch (IOException e) {
            throw new TransportException(
                    "cannot write the MAD capture " + file + " (" + e + "): name a file in a directory that exists and"
                            + " may be written to, or switch the capture off",
                    e);
        }
    }

    /** MADs that were carried but not captured, because the file did not keep up. */
    public long dropped() {
        return file.dropped();
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
                    file.record(frame, false);
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
        file.record(frame, true);
        return inner.send(frame, responseTimeoutMs);
    }

    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        inner.setIsSm(isSm);
    }

    @Override
    public void close() {
        inner.close();
        if (!file.close(CLOSE_TIMEOUT_MS)) {
            LOG.warn("the MAD capture {} could not be completed within {} ms", file.target(), CLOSE_TIMEOUT_MS);
        } else if (dropped() > 0) {
            LOG.warn("the MAD capture {} lacks {} MADs: the file did not keep up", file.target(), dropped());
        }
    }
}
