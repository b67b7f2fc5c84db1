package io.torussm.daemon.http.server;

import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.RawHttps;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Requests without a valid token, with faults at random. */
final class Noise {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "G\u0000T", "");
    private static final List<String> PATHS = List.of(
            "/",
            "/api/v1/systems",
            "/api/v1/sweep",
            "/api/v1/drains",
            "/api/v1/stream",
            "/ufmRest/resources/pkeys",
            "/ufmRestV3/actions/remove_guids_from_pkey",
            "/metrics",
            "/events",
            "/%2e%2e/etc/passwd",
            "//",
            "*");
    private static final List<String> HEADERS = List.of(
            "Authorization: Bearer ",
            "Authorization: Basic ",
            "Host: localhost",
            "Host: evil",
            "Content-Length: 5",
            "Content-Length: 999999",
            "Transfer-Encoding: chunked",
            "Expect: 100-continue",
            "Connection: Upgrade",
            "Upgrade: h2c",
            "Origin: https://evil",
            "Last-Event-ID: 99999999999999999999",
            "If-None-Match: *");

    private final Random random;

    Noise(Random random) {
        this.random = random;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Bytes that mean nothing, or begin as a record of TLS does. */
    String bytes() {
        byte[] bytes = new byte[1 + random.nextInt(600)];
        random.nextBytes(bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return random.nextBoolean() ? text : "\u0016\u0003" + (char) random.nextInt(5) + text;
    }

    /** Returns a request, perhaps a malformed one. */
    String request() {
        StringBuilder text = new StringBuilder();
        text.append(pick(METHODS))
                .append(' ')
                .append(pick(PATHS))
                .append(" HTTP/1.")
                .append(random.nextInt(3));
        text.append("\r\n");
        if (random.nextInt(5) > 0) {
            text.append("Host: localhost\r\n");
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            text.append(pick(HEADERS)).append(random.nextInt(3) == 0 ? bytes().replaceAll("[\r\n]", "") : "");
            text.append("\r\n");
        }
        text.append("Connection: close\r\n\r\n").append(random.nextInt(3) == 0 ? "{\"pkey\":\"0x5\"}" : "");
        for (int i = random.nextInt(3); i > 0; i--) {
            text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
        }
        return text.toString();
    }

    /** Connects without TLS, and sends bytes, the last ones. */
    RawHttp sendPlain(InetSocketAddress server) throws IOException {
        RawHttp client = new RawHttp(server);
        try {
            client.send(bytes());
            client.endSending();
        } catch (IOException e) {
            return client; // it was ended before all was sent
        }
        return client;
    }

    /** Connects over TLS, and sends a request, the last one. */
    RawHttp send(InetSocketAddress server) throws Exception {
        RawHttp client = RawHttps.connect(server, "");
        try {
            client.send(request() + "\r\n\r\n");
            client.endSending();
        } catch (IOException e) {
            return client; // it was ended before all was sent
        }
        return client;
    }
}
