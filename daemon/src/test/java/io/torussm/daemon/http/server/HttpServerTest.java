package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.FakeStatistics;
import io.torussm.daemon.http.RawHttp;
import io.torussm.event.SmEvent;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HTTP server without TLS, at 127.0.0.1 and under the name sm1.example.org: health, readiness, and requests that it
 * rejects. The SM is a {@link FakeControl}, which at first has neither statistics nor a subnet.
 */
@Timeout(60)
class HttpServerTest {
    private final FakeControl control = new FakeControl();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server =
                HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of("sm1.example.org"), control);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void livesAsLongAsTheLoopRunsTasks() throws IOException {
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nok\n");
    }

    @Test
    void anotherVersionOfHttpIsRefused() throws IOException {
        assertThat(exchange("GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 505 ");
        assertThat(exchange("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    /** However many ask a loop that hangs, it finds one task when it goes on. */
    @Test
    @Tag("slow")
    void isDeadWhenTheLoopHangs() throws IOException {
        ConcurrentLinkedQueue<Runnable> hung = new ConcurrentLinkedQueue<>();
        control.smLoop = hung::add;
        assertThat(get("/healthz")).startsWith("HTTP/1.1 503 ").contains("has not run a task");
        try (RawHttp client = new RawHttp(server.address())) {
            client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(client.readAll()).startsWith("HTTP/1.1 503 ");
        }
        assertThat(hung).hasSize(1);
        control.statistics = FakeStatistics.in(SmState.MASTER, null, 0);
        control.view = Views.twoSwitches();
        assertThat(get("/readyz")).as("no SM is ready that does not live").startsWith("HTTP/1.1 503 ");
        control.smLoop = Runnable::run;
        hung.remove().run();
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 ");
    }

    /** The last argument of the state is the number of polls that the master has not answered. */
    @Test
    void isReadyAsMasterOfASubnetOrStandbyOfALivingMaster() throws IOException {
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("starting");
        control.statistics = FakeStatistics.in(SmState.MASTER, null, 0);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("no subnet is up");
        control.view = Views.twoSwitches();
        assertThat(get("/readyz")).startsWith("HTTP/1.1 200 ").contains("the subnet is up");
        RemoteSm master = new RemoteSm(2, 9, SmState.MASTER, null, SmHost.UNKNOWN, true);
        control.statistics = FakeStatistics.in(SmState.STANDBY, master, 0);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 200 ").contains("standby of port GUID");
        control.statistics = FakeStatistics.in(SmState.STANDBY, master, 1);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("does not answer");
        control.statistics = FakeStatistics.in(SmState.NOT_ACTIVE, null, 0);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("NOT-ACTIVE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/systems?fields=a%2",
                "/api/path?src=%zz",
                "/metrics/ports?shard=%",
                "/api/what-if?guid=%u1",
                "/ufmRest/resources/systems?ip=%g",
                "/api/device?%=1",
                "/%2"
            })
    void aWrongEscapeIsTheErrorOfTheClient(String uri) throws IOException {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            assertThat(get(uri)).startsWith("HTTP/1.1 400 ");
            assertThat(events.of(SmEvent.HTTP_DEFECT)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readyz", "/metrics", "/api/status"})
    void saysThatThereIsADefectAndAnswersTheNext(String uri) throws IOException {
        control.hasDefect = true;
        assertThat(get(uri)).startsWith("HTTP/1.1 500 ");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 ");
        control.hasDefect = false;
        assertThat(get(uri)).doesNotContain("HTTP/1.1 500 ");
    }

    @Test
    void sendsBrowsersThePolicyOfThePage() throws IOException {
        assertThat(get("/healthz").toLowerCase(java.util.Locale.ROOT))
                .contains("content-security-policy: default-src 'none'; script-src 'self'")
                .doesNotContain("unsafe-inline")
                .contains("x-content-type-options: nosniff")
                .contains("cache-control: no-store");
    }

    /** A page elsewhere may make its own name point here. */
    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "LOCALHOST:9335,200",
        "127.0.0.1:9335,200",
        "[::1]:9335,200",
        "10.1.2.3,200",
        "SM1.example.org:9335,200",
        "evil.example.org,421",
        "localhost.evil.example.org,421",
        "127.0.0.1.evil.example.org:9335,421",
        "1.2.3.4.5,421",
        "a@localhost,421"
    })
    void answersToItsOwnNamesOnly(String host, int status) throws IOException {
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void wantsOneHost() throws IOException {
        assertThat(exchange("GET /healthz HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 421");
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"))
                .doesNotStartWith("HTTP/1.1 200");
    }

    @Test
    void onlyShows() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT")) {
            assertThat(exchange(method + " /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"))
                    .startsWith("HTTP/1.1 405");
        }
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"))
                .startsWith("HTTP/1.1 400");
        assertThat(exchange("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .contains("content-length: 3")
                .endsWith("\r\n\r\n");
    }

    @Test
    void answersOneRequestAfterTheOther() throws IOException {
        try (RawHttp client = new RawHttp(server.address())) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.readUntil("\r\n\r\nok\n")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void refusesExcessiveRequests() throws IOException {
        assertThat(exchange("GET /" + "x".repeat(HttpSession.MAX_LINE_BYTES) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414");
        assertThat(exchange("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(HttpSession.MAX_HEADER_BYTES)
                        + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
        assertThat(get("/none")).startsWith("HTTP/1.1 404");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/healthz?%zz", "/%00", "/../../etc/passwd", "//", "?", "http://evil/healthz"})
    void survivesOddAddresses(String uri) throws IOException {
        assertThat(get(uri)).containsPattern("^HTTP/1.1 (200|400|404|421) ");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void survivesGarbage(long seed) throws IOException {
        Random random = Seeds.random(seed);
        byte[] noise = new byte[random.nextInt(4096)];
        random.nextBytes(noise);
        exchange(new String(noise, java.nio.charset.StandardCharsets.ISO_8859_1) + "\r\n\r\n\r\n\r\n");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
    }

    /** Repeated half requests do not shut out other clients, least of all a check whether the SM is alive. */
    @Test
    void aNewClientTakesTheConnectionOfTheLargestOne() throws IOException {
        List<RawHttp> slow = new ArrayList<>();
        try (RawHttp other = new RawHttp(server.address(), "127.0.0.2")) {
            other.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            other.readUntil("ok\n");
            for (int i = 0; i < 3 * HttpServer.MAX_CLIENTS; i++) {
                RawHttp half = new RawHttp(server.address());
                slow.add(half);
                half.send("GET /hea");
            }
            for (int i = 0; i < 10; i++) {
                assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
            }
            assertThat(slow.get(0).readAll())
                    .as("the first of those who have most")
                    .isEmpty();
            other.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(other.readAll()).as("who has one connection keeps it").startsWith("HTTP/1.1 503");
        } finally {
            for (RawHttp client : slow) {
                client.close();
            }
        }
    }

    @Test
    void saysWhyItCannotListen() {
        assertThatThrownBy(() -> HttpServer.open(
                        InetSocketAddress.createUnresolved(
                                "127.0.0.1", server.address().getPort()),
                        Set.of(),
                        control))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + server.address().getPort())
                .hasMessageContaining("another process has the port");
        assertThatThrownBy(() -> HttpServer.open(
                        InetSocketAddress.createUnresolved("no-such-host.invalid", 1), Set.of(), control))
                .isInstanceOf(IOException.class);
    }

    private String get(String uri) throws IOException {
        return RawHttp.get(server.address(), uri);
    }

    private String exchange(String request) throws IOException {
        return RawHttp.exchange(server.address(), request);
    }
}
