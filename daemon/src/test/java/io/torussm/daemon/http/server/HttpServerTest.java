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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * The HTTP server without TLS, at 127.0.0.1 and under the name sm1.example.org: health (the loop of the SM runs tasks),
 * readiness (the SM is master of a subnet, or standby of a living master), and requests that it rejects. The SM is a
 * {@link FakeControl}, which at first has neither statistics nor a subnet.
 */
@Timeout(60)
class HttpServerTest {
    private static final String HEALTH_REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String LAST_HEALTH_REQUEST =
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

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
    void theSmIsHealthyWhileItsLoopRunsTasks() throws IOException {
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nok\n");
    }

    @Test
    void anotherVersionOfHttpIsRefused() throws IOException {
        assertThat(exchange("GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 505 ");
        assertThat(exchange("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    private void becomeMasterOfASubnet() {
        control.statistics = FakeStatistics.in(SmState.MASTER, null, 0);
        control.view = Views.twoSwitches();
    }

    private void becomeStandby(int unansweredPolls) {
        RemoteSm master = new RemoteSm(2, 9, SmState.MASTER, null, SmHost.UNKNOWN, true);
        control.statistics = FakeStatistics.in(SmState.STANDBY, master, unansweredPolls);
    }

    @Test
    @Tag("slow")
    void anSmWhoseLoopHangsIsNeitherHealthyNorReady() throws IOException {
        becomeMasterOfASubnet();
        control.smLoop = task -> {};
        assertThat(get("/healthz")).startsWith("HTTP/1.1 503 ").contains("has not run a task");
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ");
    }

    /** Each question would otherwise leave a task for the loop. */
    @Test
    @Tag("slow")
    void manyRequestsToAHangingLoopLeaveOneTask() throws IOException {
        ConcurrentLinkedQueue<Runnable> waitingTasks = new ConcurrentLinkedQueue<>();
        control.smLoop = waitingTasks::add;
        assertThat(get("/healthz")).startsWith("HTTP/1.1 503 ");
        try (RawHttp client = new RawHttp(server.address())) {
            client.send(LAST_HEALTH_REQUEST);
            assertThat(client.readAll()).startsWith("HTTP/1.1 503 ");
        }
        assertThat(waitingTasks).hasSize(1);
        control.smLoop = Runnable::run;
        waitingTasks.remove().run();
        assertThat(get("/healthz")).as("after the loop continued").startsWith("HTTP/1.1 200 ");
    }

    @Test
    void anSmThatStartsIsNotReady() throws IOException {
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("starting");
    }

    @Test
    void aMasterIsReadyOnceItsSubnetIsUp() throws IOException {
        control.statistics = FakeStatistics.in(SmState.MASTER, null, 0);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("no subnet is up");
        becomeMasterOfASubnet();
        assertThat(get("/readyz")).startsWith("HTTP/1.1 200 ").contains("the subnet is up");
    }

    @Test
    void aStandbyIsReadyWhileItsMasterAnswersPolls() throws IOException {
        becomeStandby(0);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 200 ").contains("standby of port GUID");
        becomeStandby(1);
        assertThat(get("/readyz")).startsWith("HTTP/1.1 503 ").contains("does not answer");
    }

    @Test
    void anSmInNotActiveIsNotReady() throws IOException {
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
    void aWrongEscapeIsAnErrorOfTheClient(String uri) throws IOException {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            assertThat(get(uri)).startsWith("HTTP/1.1 400 ");
            assertThat(events.of(SmEvent.HTTP_DEFECT)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readyz", "/metrics", "/api/status"})
    void aDefectIsAnsweredWith500AndTheNextRequestIsServed(String uri) throws IOException {
        control.hasDefect = true;
        assertThat(get(uri)).startsWith("HTTP/1.1 500 ");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200 ");
        control.hasDefect = false;
        assertThat(get(uri)).doesNotContain("HTTP/1.1 500 ");
    }

    @Test
    void responsesCarryTheSecurityPolicyForBrowsers() throws IOException {
        assertThat(get("/healthz").toLowerCase(Locale.ROOT))
                .contains("content-security-policy: default-src 'none'; script-src 'self'")
                .doesNotContain("unsafe-inline")
                .contains("x-content-type-options: nosniff")
                .contains("cache-control: no-store");
    }

    /** A page from elsewhere may let its own name resolve to this address (DNS rebinding). 421: Misdirected Request. */
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
    void aRequestForAnotherNameIsRejected(String host, int status) throws IOException {
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void aRequestNeedsOneHostField() throws IOException {
        assertThat(exchange("GET /healthz HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 421");
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"))
                .doesNotStartWith("HTTP/1.1 200");
    }

    @Test
    void methodsOtherThanGetAndHeadAreRejected() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT")) {
            assertThat(exchange(method + " /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"))
                    .startsWith("HTTP/1.1 405");
        }
    }

    @Test
    void aGetWithABodyIsRejected() throws IOException {
        assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void aHeadIsAnsweredWithoutTheBody() throws IOException {
        assertThat(exchange("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .contains("content-length: 3")
                .endsWith("\r\n\r\n");
    }

    @Test
    void severalRequestsOfOneConnectionAreAnswered() throws IOException {
        try (RawHttp client = new RawHttp(server.address())) {
            for (int i = 0; i < 3; i++) {
                client.send(HEALTH_REQUEST);
                assertThat(client.readUntil("\r\n\r\nok\n")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void tooLongLinesAndHeadersAreRejected() throws IOException {
        assertThat(exchange("GET /" + "x".repeat(HttpSession.MAX_LINE_BYTES) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414");
        assertThat(exchange("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(HttpSession.MAX_HEADER_BYTES)
                        + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void anUnknownPathIsNotFound() throws IOException {
        assertThat(get("/none")).startsWith("HTTP/1.1 404");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/healthz?%zz", "/%00", "/../../etc/passwd", "//", "?", "http://evil/healthz"})
    void anOddAddressHasAnOrdinaryResponse(String uri) throws IOException {
        assertThat(get(uri)).containsPattern("^HTTP/1.1 (200|400|404|421) ");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void theServerAnswersAfterRandomBytes(long seed) throws IOException {
        Random random = Seeds.random(seed);
        byte[] noise = new byte[random.nextInt(4096)];
        random.nextBytes(noise);
        exchange(new String(noise, StandardCharsets.ISO_8859_1) + "\r\n\r\n\r\n\r\n");
        assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
    }

    /** Repeated half requests do not shut out other clients, least of all a check whether the SM is alive. */
    @Test
    void aNewClientGetsTheOldestConnectionOfTheAddressWithMost() throws IOException {
        List<RawHttp> halfRequests = new ArrayList<>();
        try (RawHttp otherAddress = new RawHttp(server.address(), "127.0.0.2")) {
            otherAddress.send(HEALTH_REQUEST);
            otherAddress.readUntil("ok\n");
            for (int i = 0; i < 3 * HttpServer.MAX_CLIENTS; i++) {
                RawHttp client = new RawHttp(server.address());
                halfRequests.add(client);
                client.send("GET /hea");
            }
            for (int i = 0; i < 10; i++) {
                assertThat(get("/healthz")).startsWith("HTTP/1.1 200");
            }
            assertThat(halfRequests.get(0).readAll())
                    .as("the oldest connection, which was closed")
                    .isEmpty();
            otherAddress.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(otherAddress.readAll())
                    .as("the only connection of its address")
                    .startsWith("HTTP/1.1 503");
        } finally {
            for (RawHttp client : halfRequests) {
                client.close();
            }
        }
    }

    @Test
    void theErrorOfAPortInUseNamesTheReason() {
        assertThatThrownBy(() -> HttpServer.open(
                        InetSocketAddress.createUnresolved(
                                "127.0.0.1", server.address().getPort()),
                        Set.of(),
                        control))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + server.address().getPort())
                .hasMessageContaining("another process has the port");
    }

    @Test
    void anAddressThatCannotBeResolvedIsAnError() {
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
