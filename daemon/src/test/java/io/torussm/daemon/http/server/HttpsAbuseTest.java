package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.RawHttps;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.daemon.http.ufm.UfmPaths;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attacks over HTTPS without a token, or with too low a role. The operations are those that the server has. Its users
 * are those of {@link TestFiles}, and the SM is a {@link FakeControl}, master of two switches.
 */
@Timeout(120)
class HttpsAbuseTest {
    private static final Map<Role, String> TOKENS =
            Map.of(Role.READ, TestFiles.READ, Role.OPERATE, TestFiles.OPERATE, Role.ADMIN, TestFiles.ADMIN);
    private static final int BATCH = 20;

    @TempDir
    Path dir;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final FakeControl control = new FakeControl();
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        AccessFiles access = AccessFiles.open(new TestFiles(dir).paths());
        server = HttpServer.openSecure(
                InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), control, access, new HttpCounts());
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(log.of(SmEvent.HTTP_DEFECT)).isEmpty();
    }

    /** Each operation that there is, with each role and with none. */
    @Test
    void noRoleDoesMoreThanItsOwn() throws Exception {
        for (Change change : changes()) {
            assertThat(status(exchange(change.method(), change.path(), "", change.body())))
                    .as(change + " without a token")
                    .isEqualTo(401);
            for (Role role : Role.values()) {
                int status = status(exchange(
                        change.method(), change.path(), RawHttps.token(TOKENS.getOrDefault(role, "")), change.body()));
                if (role.covers(change.role())) {
                    assertThat(status).as(change + " by " + role).isNotIn(401, 403, 405);
                } else {
                    assertThat(status).as(change + " by " + role).isEqualTo(403);
                    assertThat(control.requests).as(change + " by " + role).isEmpty();
                }
                control.requests.clear();
            }
        }
    }

    /** Methods and addresses outside of the table change nothing, for any client. */
    @Test
    void undescribedOperationsAreNotPerformed() throws Exception {
        List<String> paths = changes().stream().map(Change::path).distinct().toList();
        String admin = RawHttps.token(TestFiles.ADMIN);
        for (String path : paths) {
            for (String method : List.of("PATCH", "TRACE", "OPTIONS", "CONNECT", "post", "DELETEX")) {
                assertThat(status(exchange(method, path, admin, "")))
                        .as(method + " " + path)
                        .isGreaterThanOrEqualTo(400);
            }
            for (String twisted : List.of(
                    path.replaceFirst("/", "//"),
                    path + "/",
                    path + "/.",
                    path.replace("api", "%61pi"),
                    path.toUpperCase(java.util.Locale.ROOT),
                    "/x/.." + path)) {
                if (UfmPaths.canonical(twisted).equals(path)) {
                    continue; // UFM's addresses may end in a slash
                }
                assertThat(status(exchange("POST", twisted, admin, "")))
                        .as(twisted)
                        .isIn(400, 404, 405);
            }
        }
        assertThat(control.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-HTTP-Method-Override: POST",
                "X-Original-URL: /healthz",
                "X-Forwarded-For: 127.0.0.1",
                "X-Remote-User: root",
                "X-SSL-Client-CN: alice",
                "Authorization:",
                "Authorization: Bearer",
                "Authorization: Bearer null",
                "Authorization: Basic cm9vdDo=",
                "Authorization: Negotiate x",
                "Cookie: session=root",
                "Proxy-Authorization: Basic cm9vdDpyb290"
            })
    void noHeaderButATokenLetsAnybodyIn(String header) throws Exception {
        for (String uri : List.of("/", "/api/v1/systems", "/metrics", "/ufmRest/resources/pkeys")) {
            assertThat(status(exchange("GET", uri, header + "\r\n", "")))
                    .as(uri)
                    .isIn(400, 401);
        }
        assertThat(status(exchange("POST", "/api/v1/sweep", header + "\r\n", "")))
                .isIn(400, 401);
        assertThat(control.requests).isEmpty();
    }

    @Test
    void theSecondOfTwoTokensIsNotLookedAt() throws Exception {
        String two = RawHttps.token("wrong") + RawHttps.token(TestFiles.ADMIN);
        assertThat(status(exchange("GET", "/api/v1/systems", two, ""))).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/systems",
                "/api//v1/systems",
                "/api/v1/systems/",
                "/API/V1/SYSTEMS",
                "/%61pi/v1/systems",
                "/healthz/../api/v1/systems",
                "/healthz/%2e%2e/api/v1/systems",
                "/healthz;/api/v1/systems",
                "/healthz%00/api/v1/systems",
                "https://localhost/api/v1/systems",
                "http://localhost/api/v1/systems",
                "/api/v1/systems?/healthz",
                "/api/v1/systems#/healthz",
                "*",
                "/../../../../etc/passwd",
                "/..%2f..%2fetc/passwd",
                "/%c0%ae%c0%ae/etc/passwd",
                "/web/../HttpServer.class",
                "\\..\\..\\etc\\passwd"
            })
    void noAddressGoesAroundTheDoor(String uri) throws Exception {
        for (String method : List.of("GET", "HEAD", "POST", "OPTIONS")) {
            String answer = exchange(method, uri, "", "");
            assertThat(status(answer)).as(method + " " + uri).isIn(400, 401, 404);
            assertThat(answer).doesNotContain("sw-a").doesNotContain("root:");
        }
        String known = exchange("GET", uri, RawHttps.token(TestFiles.READ), "");
        assertThat(known).as("with a token").doesNotContain("root:x").doesNotContain("CAFEBABE");
    }

    @Test
    void foreignHostsAreRefusedBeforeTokensAreLookedAt() throws Exception {
        for (String host : List.of("evil.example.org", "localhost.evil.example.org", "sm1.example.org.evil")) {
            String request = "GET /api/v1/systems HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                    + RawHttps.token(TestFiles.ADMIN) + "\r\n";
            assertThat(status(RawHttps.exchange(server.address(), request))).isEqualTo(421);
        }
        String own = "GET /api/v1/systems HTTP/1.1\r\nHost: sm1.example.org:9443\r\nConnection: close\r\n"
                + RawHttps.token(TestFiles.ADMIN) + "\r\n";
        assertThat(status(RawHttps.exchange(server.address(), own)))
                .as("the certificate's")
                .isEqualTo(200);
    }

    /**
     * Two lengths, or a length and chunks. If a server and the proxy before it read them differently, the server takes
     * one request for two.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\nContent-Length: 40\r\n",
                "Content-Length: 2, 40\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Transfer-Encoding: chunked, identity\r\n",
                "Transfer-Encoding : chunked\r\n"
            })
    void requestsThatCanBeReadInTwoWaysAreNotDone(String headers) throws Exception {
        String request = "POST /api/v1/sweep HTTP/1.1\r\nHost: localhost\r\n" + headers
                + RawHttps.token(TestFiles.OPERATE) + "\r\n{}POST /api/v1/reroute HTTP/1.1\r\nHost: localhost\r\n"
                + RawHttps.token(TestFiles.OPERATE) + "\r\n";
        RawHttps.exchange(server.address(), request);
        assertThat(control.requests).doesNotContain("reroute");
        assertStillServes();
    }

    @Test
    void endlessBodiesAndHeadersEnd() throws Exception {
        String olga = RawHttps.token(TestFiles.OPERATE);
        try (RawHttp client = RawHttps.connect(server.address(), "")) {
            client.send("POST /api/v1/drains HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n" + olga
                    + "\r\n");
            String chunk = "1000\r\n" + " ".repeat(4096) + "\r\n";
            String answer = sendUntilClosed(client, chunk, 2 * Operations.MAX_BODY_BYTES / 4096);
            assertThat(answer).containsPattern("^(HTTP/1.1 413 .*)?(?s).*$");
        }
        assertThat(exchange("GET", "/" + "x".repeat(4096), olga, "")).startsWith("HTTP/1.1 414");
        assertThat(exchange("GET", "/", olga + "X: " + "x".repeat(9000) + "\r\n", ""))
                .startsWith("HTTP/1.1 431");
        assertThat(exchange("GET", "/", olga + "X: y\r\n".repeat(3000), "")).startsWith("HTTP/1.1 431");
        assertThat(control.requests).isEmpty();
        assertStillServes();
    }

    /**
     * A client that connects and sends nothing, before or after TLS, uses up only the connections of its own
     * address.
     */
    @Test
    @Tag("slow")
    void silentClientsShutNoOtherOut() throws Exception {
        List<RawHttp> silent = new ArrayList<>();
        int connections = Integer.getInteger("connections", 200);
        long worstNs = 0;
        try {
            for (int i = 0; i < connections; i++) {
                silent.add(
                        i % 4 == 0
                                ? RawHttps.connect(server.address(), "")
                                : new RawHttp(server.address(), "127.0.0.1"));
                if (i % 50 == 49) {
                    long startNs = System.nanoTime();
                    try (RawHttp other = RawHttps.from(server.address(), "127.0.0.2")) {
                        other.send(RawHttps.request("GET", "/healthz", RawHttps.token(TestFiles.READ), ""));
                        assertThat(other.readAll()).as("beside " + i).startsWith("HTTP/1.1 200 ");
                    }
                    worstNs = Math.max(worstNs, System.nanoTime() - startNs);
                }
            }
        } finally {
            for (RawHttp client : silent) {
                client.close();
            }
        }
        System.out.println(connections + " silent connections, others answered within " + worstNs / 1_000_000 + " ms");
        assertStillServes();
    }

    /**
     * Noise in place of TLS, noise in place of HTTP within TLS, and requests with random faults: no access,
     * and no failure.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void noiseLetsNobodyIn(long seed) throws Exception {
        Random random = Seeds.random(seed);
        Noise noise = new Noise(random);
        int in = 0;
        for (int i = 0; i < BATCH; i++) {
            try (RawHttp client =
                    random.nextInt(4) == 0 ? noise.sendPlain(server.address()) : noise.send(server.address())) {
                in += RawHttps.rest(client).startsWith("HTTP/1.1 2") ? 1 : 0;
            }
        }
        assertThat(in).isZero();
        assertThat(control.requests).isEmpty();
        isStillFineAfterNoise();
    }

    /** Something that changes the subnet. */
    private record Change(String method, String path, Role role, String body) {}

    private String exchange(String method, String uri, String headers, String body) throws Exception {
        return RawHttps.exchange(server.address(), method, uri, headers, body);
    }

    private static int status(String answer) {
        return answer.length() < 12 ? 0 : Integer.parseInt(answer.substring(9, 12));
    }

    private void assertStillServes() throws Exception {
        assertThat(exchange("GET", "/healthz", RawHttps.token(TestFiles.READ), ""))
                .startsWith("HTTP/1.1 200 ");
    }

    /** Returns all operations of the description that require a role. */
    private List<Change> changes() throws Exception {
        String answer = exchange("GET", "/api/v1/openapi.json", RawHttps.token(TestFiles.READ), "");
        JsonNode paths = new ObjectMapper()
                .readTree(answer.substring(answer.indexOf("\r\n\r\n")))
                .path("paths");
        List<Change> changes = new ArrayList<>();
        paths.fieldNames()
                .forEachRemaining(path -> paths.path(path).fieldNames().forEachRemaining(method -> {
                    JsonNode operation = paths.path(path).path(method);
                    if (operation.has("x-role")) {
                        changes.add(new Change(
                                method.toUpperCase(java.util.Locale.ROOT),
                                path.replace("{pkey}", "0x5")
                                        .replace("{guids}", "02000000000000aa")
                                        .replace("{guid}", "0x200000")
                                        .replace("{port}", "3"),
                                Role.of(operation.path("x-role").asText()).orElseThrow(),
                                operation.has("requestBody")
                                        ? "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"]}"
                                        : ""));
                    }
                }));
        assertThat(changes).hasSizeGreaterThan(15);
        return changes;
    }

    private static String sendUntilClosed(RawHttp client, String part, int times) {
        try {
            for (int i = 0; i < times; i++) {
                client.send(part);
            }
            return client.readAll();
        } catch (IOException e) {
            return RawHttps.rest(client); // it was ended before all was sent
        }
    }

    /** Asserts that the server still answers. Noise may have had wrong tokens, after which its address has to wait. */
    private void isStillFineAfterNoise() throws Exception {
        try (RawHttp other = RawHttps.from(server.address(), "127.0.0.3")) {
            other.send(RawHttps.request("GET", "/healthz", RawHttps.token(TestFiles.READ), ""));
            assertThat(other.readAll()).startsWith("HTTP/1.1 200 ");
        }
    }
}
