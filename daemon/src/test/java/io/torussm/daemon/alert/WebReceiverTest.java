package io.torussm.daemon.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The delivery of an alert to a web server, which here answers with the status that a test sets. */
@Timeout(60)
class WebReceiverTest {
    private static final int NO_CONTENT = 204;
    private static final int NONE_FORGOTTEN = 0;
    private static final Alert ALERT =
            new Alert("node1", 7, Instant.EPOCH, "warn", "TSM-1215", "begins", "text", Map.of(), NONE_FORGOTTEN);

    /** The requests that the server received: method, type and the code of the event. */
    private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();

    private HttpServer server;

    /** The status of the next response. */
    private volatile int status = NO_CONTENT;

    @BeforeEach
    void listen() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/secret", exchange -> {
            posted.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new ObjectMapper()
                            .readTree(exchange.getRequestBody())
                            .at("/code")
                            .asText());
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void anAlertIsPostedAsJson() throws Exception {
        receiver().deliver(ALERT);
        assertThat(posted).containsExactly("POST application/json TSM-1215");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 503})
    void anAlertIsSentAgainAfterATemporaryError(int troubled) {
        status = troubled;
        assertThatThrownBy(() -> receiver().deliver(ALERT))
                .isInstanceOf(Receiver.Unavailable.class)
                .hasMessageContaining(Integer.toString(troubled));
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 401, 404})
    void anAlertIsNotSentAgainAfterARefusalOrRedirection(int refusal) {
        status = refusal;
        assertThatThrownBy(() -> receiver().deliver(ALERT))
                .isInstanceOf(Receiver.Refused.class)
                .hasMessageContaining(Integer.toString(refusal));
        assertThat(posted).hasSize(1);
    }

    @Test
    void anAlertIsSentAgainIfTheServerIsAbsent() {
        Receiver receiver = receiver();
        server.stop(0);
        assertThatThrownBy(() -> receiver.deliver(ALERT)).isInstanceOf(Receiver.Unavailable.class);
    }

    @Test
    void theNameOfAReceiverHasNoPathWhichMayBeSecret() {
        assertThat(receiver().name()).startsWith("127.0.0.1:").doesNotContain("secret");
        assertThat(new WebReceiver(URI.create("https://hooks.example/T0/x")).name())
                .isEqualTo("hooks.example");
    }

    private Receiver receiver() {
        return new WebReceiver(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/secret"));
    }
}
