package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.event.SmEvent;
import io.torussm.testing.KeptInputs;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes to the HTTP server: it reports no defect, and answers the next request. */
class RequestsFuzzTest {
    private static final HttpServer SERVER = server();
    private static final LoggedEvents EVENTS = new LoggedEvents().listen();

    /** The entry point of the fuzzer: what a client sends before it closes its side. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        try (RawHttp client = new RawHttp(SERVER.address())) {
            client.send(new String(data, StandardCharsets.ISO_8859_1));
            client.endSending();
            client.readAll();
        }
        assertThat(RawHttp.get(SERVER.address(), "/api/status"))
                .as("its thread has answered what was asked before")
                .startsWith("HTTP/1.1 200 ");
        assertThat(EVENTS.take()).noneMatch(each -> each.event() == SmEvent.HTTP_DEFECT);
    }

    static List<byte[]> inputs() {
        return KeptInputs.of(RequestsFuzzTest.class);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void noRequestIsADefect(byte[] data) throws IOException {
        fuzzerTestOneInput(data);
    }

    private static HttpServer server() {
        FakeControl control = new FakeControl();
        control.view = Views.twoSwitches();
        try {
            return HttpServer.open(
                    InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of("sm1.example.org"), control);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
