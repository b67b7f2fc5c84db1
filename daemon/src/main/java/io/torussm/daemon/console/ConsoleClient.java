package io.torussm.daemon.console;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Asks a running daemon one thing. */
public final class ConsoleClient {
    private static final int MAX_LINE = 1 << 16;

    private ConsoleClient() {}

    /**
     * Sends a request and hands over the lines of its answer as they come.
     *
     * @param silenceMs how long the daemon may say nothing before this gives up
     * @return whether the daemon did what was asked
     * @throws IOException if nobody listens, or the answer breaks off
     */
    public static boolean ask(Path socket, String request, int silenceMs, Consumer<String> lines) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            while (true) {
                if (selector.select(silenceMs) == 0) {
                    throw new IOException("no answer within " + silenceMs + " ms");
                }
                selector.selectedKeys().clear();
                if (channel.read(buffer.clear()) < 0) {
                    throw new EOFException("the answer breaks off");
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    byte next = buffer.get();
                    if (next != '\n') {
                        line.write(next);
                    } else {
                        String text = line.toString(StandardCharsets.UTF_8);
                        line.reset();
                        if (text.equals(".ok") || text.equals(".error")) {
                            return text.equals(".ok");
                        }
                        lines.accept(text.startsWith(".") ? text.substring(1) : text);
                    }
                    if (line.size() > MAX_LINE) {
                        throw new IOException("the answer has a line without end");
                    }
                }
            }
        }
    }
}
