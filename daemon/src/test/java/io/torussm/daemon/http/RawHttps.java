package io.torussm.daemon.http;

import io.torussm.daemon.access.TestFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client of HTTP over TLS that sends any bytes, also those that no library would send. */
public final class RawHttps {
    private RawHttps() {}

    /** Connects, with a certificate of {@link TestFiles} unless its name is empty. */
    public static RawHttp connect(InetSocketAddress server, String certificate) throws Exception {
        return new RawHttp(TestFiles.tlsSocket(new Socket(server.getAddress(), server.getPort()), certificate));
    }

    /** Connects from another address over TLS. */
    public static RawHttp from(InetSocketAddress server, String address) throws Exception {
        return new RawHttp(TestFiles.tlsSocket(
                new Socket(server.getAddress(), server.getPort(), InetAddress.getByName(address), 0), ""));
    }

    /** Returns the response of a server to some text until the end of the connection. */
    public static String exchange(InetSocketAddress server, String request) throws Exception {
        try (RawHttp client = connect(server, "")) {
            client.send(request);
            return client.readAll();
        }
    }

    /** Returns the response to a request with further header lines, such as a token. */
    public static String exchange(InetSocketAddress server, String method, String uri, String headers, String body)
            throws Exception {
        return exchange(server, request(method, uri, headers, body));
    }

    /** Returns a request after which the connection ends. */
    public static String request(String method, String uri, String headers, String body) {
        return method + " " + uri + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n") + headers + "\r\n" + body;
    }

    /** Returns the header line of a token; an empty text for no token. */
    public static String token(String token) {
        return token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    }

    /** Returns the rest of a response, even if the connection was not ended in order. */
    public static String rest(RawHttp client) {
        try {
            return client.readAll();
        } catch (IOException e) {
            return "";
        }
    }
}
