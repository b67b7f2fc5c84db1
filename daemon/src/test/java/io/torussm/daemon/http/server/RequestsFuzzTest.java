package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes to the HTTP server: it reports no defect, and answers the next request. */
class RequestsFuzzTest {
    private static final FakeControl CONTROL = new FakeControl();
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

    /** Without a defect, the list of events of the other test is empty: this test proves that one is seen. */
    @Test
    void aDefectOfThePageIsDetected() {
        CONTROL.hasDefect = true;
        try {
            byte[] request = "GET /api/status HTTP/1.1\r\nHost: sm1.example.org\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> fuzzerTestOneInput(request)).isInstanceOf(AssertionError.class);
            assertThat(EVENTS.take()).extracting(each -> each.event()).contains(SmEvent.HTTP_DEFECT);
        } finally {
            CONTROL.hasDefect = false;
        }
    }

    private static HttpServer server() {
        CONTROL.view = Views.twoSwitches();
        try {
            return HttpServer.open(
                    InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of("sm1.example.org"), CONTROL);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
