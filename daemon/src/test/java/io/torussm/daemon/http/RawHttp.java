package io.torussm.daemon.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of HTTP that sends any bytes, also those that no library would send. */
public final class RawHttp implements AutoCloseable {
    private static final int TIMEOUT_MS = 20_000;

    private final Socket socket;

    public RawHttp(InetSocketAddress server) throws IOException {
        this(server, "127.0.0.1");
    }

    /** Connects from another address. */
    public RawHttp(InetSocketAddress server, String from) throws IOException {
        this(new Socket(server.getAddress(), server.getPort(), InetAddress.getByName(from), 0));
    }

    /** Uses a connected socket. */
    public RawHttp(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(TIMEOUT_MS);
    }

    /** Returns the response of a server to some text until the end of the connection. */
    public static String exchange(InetSocketAddress server, String request) throws IOException {
        try (RawHttp client = new RawHttp(server)) {
            client.send(request);
            return client.readAll();
        }
    }

    /** Returns the response of a server to a GET. */
    public static String get(InetSocketAddress server, String uri) throws IOException {
        return exchange(server, "GET " + uri + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Announces that nothing more is sent. */
    public void endSending() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads to the end of the connection, be it an orderly one or not. */
    public String readAll() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        try {
            for (int size = socket.getInputStream().read(buffer);
                    size >= 0;
                    size = socket.getInputStream().read(buffer)) {
                read.write(buffer, 0, size);
            }
        } catch (java.net.SocketException e) {
            return read.toString(StandardCharsets.UTF_8);
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    /** Reads until a text has come. */
    public String readUntil(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the connection ended before \"" + end + "\": " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
