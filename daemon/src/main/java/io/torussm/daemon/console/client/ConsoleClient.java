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

/** A connection to a running daemon for successive requests. */
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
     * Connects.
     *
     * @param address a UNIX domain socket, or a TCP port
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
     * @param silenceMs time without a line after which this ends
     * @return true if the request succeeded
     * @throws IOException if no daemon listens, or the response is incomplete
     */
    public static boolean ask(Path socket, String request, int silenceMs, Consumer<String> lines) throws IOException {
        try (ConsoleClient client = connect(UnixDomainSocketAddress.of(socket))) {
            return client.ask(request, silenceMs, lines);
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
     * @param silenceMs time without a line after which this ends; 0 for no limit
     * @return true if the request succeeded
     * @throws InterruptedIOException if another thread abandons the request
     * @throws IOException if the response is incomplete; the connection is unusable afterwards
     */
    public boolean ask(String request, int silenceMs, Consumer<String> lines) throws IOException {
        IOException unsent = null;
        try {
            send(request);
        } catch (IOException e) {
            unsent = e; // A daemon at its limit of clients reports that and closes the connection.
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next != '\n') {
                    line.write(next);
                    continue;
                }
                String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                if (text.equals(".ok") || text.equals(".error") || text.equals(".usage")) {
                    wasMisused = text.equals(".usage");
                    return text.equals(".ok");
                }
                lines.accept(text.startsWith(".") ? text.substring(1) : text);
            }
            if (line.size() > MAX_LINE) {
                throw new IOException("the answer has a line without end");
            }
            try {
                fill(silenceMs);
            } catch (IOException e) {
                throw unsent == null ? e : unsent;
            }
        }
    }

    /** Checks whether the daemon rejected the last request as invalid. */
    public boolean wasMisused() {
        return wasMisused;
    }

    /** Ends a response without an end; from any thread. */
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
