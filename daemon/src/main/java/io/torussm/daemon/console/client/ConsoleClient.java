package io.torussm.daemon.console.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A connection to the console of a running daemon, for one request after another. A response is a series of lines that
 * ends with {@code .ok}, {@code .error} or {@code .usage}; a line of text that begins with a dot is sent with two dots.
 *
 * <p>Used by one thread, except for {@link #interrupt} and {@link #abandon}.
 */
public final class ConsoleClient implements AutoCloseable {
    private static final int MAX_LINE = 1 << 16;

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).flip();
    private boolean wasMisused;
    private volatile boolean isAbandoned;

    private ConsoleClient(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Connects to a daemon.
     *
     * @param address address of a UNIX domain socket, or of a TCP port
     * @throws IOException if no daemon listens
     */
    public static ConsoleClient connect(SocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        try {
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new ConsoleClient(channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Connects, sends one request, and passes on the lines of its response as they arrive.
     *
     * @param silenceMs time-out between bytes of the response, in ms
     * @return true if the request succeeded
     * @throws IOException if no daemon listens, or the response is incomplete
     */
    public static boolean execute(Path socket, String request, int silenceMs, Consumer<String> lines)
            throws IOException {
        try (ConsoleClient client = connect(UnixDomainSocketAddress.of(socket))) {
            return client.execute(request, silenceMs, lines);
        }
    }

    /**
     * Returns the request for a list of words.
     *
     * @throws IllegalArgumentException if a word contains characters that a request cannot contain
     */
    public static String request(List<String> words) {
        if (words.stream().anyMatch(word -> word.matches("(?s).*[\"\\r\\n].*"))) {
            throw new IllegalArgumentException("no word may hold a quotation mark or a line end");
        }
        return String.join(
                " ",
                words.stream()
                        .map(word -> word.isEmpty() || word.contains(" ") ? "\"" + word + "\"" : word)
                        .toList());
    }

    /**
     * Sends a request and passes on the lines of its response as they arrive.
     *
     * @param silenceMs time-out between bytes of the response, in ms; 0 for no limit
     * @return true if the request succeeded
     * @throws InterruptedIOException if another thread abandons the request
     * @throws IOException if the response is incomplete; the connection is unusable afterwards
     */
    public boolean execute(String request, int silenceMs, Consumer<String> lines) throws IOException {
        IOException unsent = null;
        try {
            send(request);
        } catch (IOException e) {
            unsent = e; // At its limit of clients, a daemon reports that and closes the connection.
        }
        while (true) {
            String line;
            try {
                line = nextLine(silenceMs);
            } catch (IOException e) {
                throw unsent == null ? e : unsent;
            }
            if (line.equals(".ok") || line.equals(".error") || line.equals(".usage")) {
                wasMisused = line.equals(".usage");
                return line.equals(".ok");
            }
            lines.accept(line.startsWith(".") ? line.substring(1) : line);
        }
    }

    private String nextLine(int silenceMs) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
            if (line.size() > MAX_LINE) {
                throw new IOException("the answer has a line without end");
            }
            fill(silenceMs);
        }
    }

    /** Checks whether the daemon rejected the last request because of its form (exit code 2 of clients). */
    public boolean wasMisused() {
        return wasMisused;
    }

    /** Ends a response that continues until it is interrupted, such as followed events. Any thread. */
    public void interrupt() throws IOException {
        send("");
    }

    /**
     * Makes the request of another thread fail with {@link InterruptedIOException}. The connection is unusable
     * afterwards.
     */
    public void abandon() {
        isAbandoned = true;
        selector.wakeup();
    }

    private void send(String request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                throw new IOException("the daemon reads nothing more");
            }
        }
    }

    private void fill(int silenceMs) throws IOException {
        int ready = selector.select(silenceMs);
        if (isAbandoned) {
            throw new InterruptedIOException("the response is not awaited any longer");
        }
        if (ready == 0) {
            throw new IOException("no answer within " + silenceMs + " ms");
        }
        selector.selectedKeys().clear();
        int count = channel.read(buffer.clear());
        buffer.flip();
        if (count < 0) {
            throw new EOFException("the answer breaks off");
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
