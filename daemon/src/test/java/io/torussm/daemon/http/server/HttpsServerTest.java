package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.FailedLogins;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.access.Users;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.FakeStatistics;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.RawHttps;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mastership.SmState;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users over HTTPS, and their permissions. The users are those of {@link TestFiles}: bob may read, olga operates, root
 * is the administrator, and alice has a certificate. The SM is a {@link FakeControl}, master of two switches.
 */
@Timeout(60)
class HttpsServerTest {
    private static final InetSocketAddress ANY_PORT = InetSocketAddress.createUnresolved("127.0.0.1", 0);

    /** An operation, which a POST starts. */
    private static final String SWEEP = "/api/v1/sweep";

    @TempDir
    Path dir;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final FakeControl control = new FakeControl();
    private final HttpCounts counts = new HttpCounts();
    private TestFiles files;
    private AccessFiles access;
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        files = new TestFiles(dir);
        access = AccessFiles.open(files.paths());
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        server = HttpServer.openSecure(ANY_PORT, Set.of(), control, access, counts);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void pagesOfTheHttpServerAreServedToUsersAlone() throws Exception {
        for (String uri : new String[] {"/", "/healthz", "/metrics", "/api/status", "/api/v1/ports", "/nothing"}) {
            assertThat(exchange("GET", uri, ""))
                    .as(uri)
                    .startsWith("HTTP/1.1 401 ")
                    .contains("www-authenticate: Basic");
            assertThat(exchange("GET", uri, TestFiles.READ)).as(uri).doesNotContain("HTTP/1.1 401 ");
        }
        assertThat(exchange("GET", "/healthz", TestFiles.READ))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("ok\n");
    }

    @ParameterizedTest
    @CsvSource({"bob,403", "olga,202", "root,202"})
    void aRoleDecidesWhoMayChangeSomething(String name, int status) throws Exception {
        String token = name.equals("bob") ? TestFiles.READ : name.equals("olga") ? TestFiles.OPERATE : TestFiles.ADMIN;
        assertThat(exchange("POST", SWEEP, token)).startsWith("HTTP/1.1 " + status);
        assertThat(control.requests).hasSize(status == 202 ? 1 : 0);
        SmEvent event = status == 202 ? SmEvent.CHANGE_ASKED : SmEvent.CHANGE_REFUSED;
        assertThat(log.only(event).get(EventField.USER)).startsWith(name + " (");
        assertThat(log.only(event).get(EventField.ADDRESS)).isEqualTo("127.0.0.1");
        assertThat(log.only(event).get(EventField.ACTION)).isEqualTo("POST " + SWEEP);
        assertThat(log.all().toString()).doesNotContain(token);
    }

    @Test
    void aTokenMayBeGivenAsPassword() throws Exception {
        String pair =
                Base64.getEncoder().encodeToString(("olga:" + TestFiles.OPERATE).getBytes(StandardCharsets.UTF_8));
        assertThat(RawHttps.exchange(server.address(), "POST", SWEEP, "Authorization: Basic " + pair + "\r\n", "{}"))
                .startsWith("HTTP/1.1 202 ");
    }

    @Test
    void anOperationOfAStandbyIsAConflict() throws Exception {
        control.statistics = FakeStatistics.in(SmState.STANDBY, null, 0);
        assertThat(exchange("POST", SWEEP, TestFiles.OPERATE)).startsWith("HTTP/1.1 409 ");
        assertThat(log.only(SmEvent.CHANGE_ASKED).get(EventField.TEXT)).startsWith("409 ");
        assertThat(control.requests).isEmpty();
    }

    @Test
    void aClientCertificateIdentifiesAUser() throws Exception {
        assertThat(exchangeAs("alice", RawHttps.request("POST", SWEEP, "", ""))).startsWith("HTTP/1.1 202 ");
        assertThat(log.only(SmEvent.CHANGE_ASKED).get(EventField.USER)).isEqualTo("alice (operate)");
    }

    @Test
    void aCertificateOfNoUserIsRejected() throws Exception {
        assertThat(exchangeAs("mallory", RawHttps.request("GET", "/healthz", "", "")))
                .as("signed by the authority, but not in the list")
                .startsWith("HTTP/1.1 401 ");
    }

    @Test
    void aTokenPrecedesTheCertificate() throws Exception {
        assertThat(exchangeAs("alice", RawHttps.request("POST", SWEEP, RawHttps.token(TestFiles.READ), "")))
                .startsWith("HTTP/1.1 403 ");
    }

    /** The certificate is for the name alice as well, and its authority has the name of the right one. */
    @Test
    void aCertificateOfAnotherAuthorityIsRejected() throws Exception {
        String answer;
        try {
            answer = exchangeAs("stranger", RawHttps.request("GET", "/healthz", "", ""));
        } catch (IOException e) {
            answer = "";
        }
        assertThat(answer).doesNotContain("HTTP/1.1 200");
        assertThat(exchange("GET", "/healthz", TestFiles.READ)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void renewedFilesAreEffectiveForNewConnections() throws Exception {
        try (RawHttp before = RawHttps.connect(server.address(), "")) {
            before.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + RawHttps.token(TestFiles.READ) + "\r\n");
            before.readUntil("ok\n");
            files.write("cert.pem", TestFiles.resource("renewed.pem"), "rw-r--r--");
            files.write("key.pem", TestFiles.resource("renewed-key.pem"), "rw-------");
            files.writeUsers(Users.tokenLine("read", "new", "another"));
            access.reload();
            server.endStreams();
            before.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + RawHttps.token(TestFiles.READ) + "\r\n");
            assertThat(before.readAll()).as("the user is gone").startsWith("HTTP/1.1 401 ");
        }
        assertThat(exchange("GET", "/healthz", "another")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void streamsOfEventsEndWhenUsersAreReadAgain() throws Exception {
        try (RawHttp stream = RawHttps.connect(server.address(), "")) {
            stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n" + RawHttps.token(TestFiles.READ) + "\r\n");
            stream.readUntil("\r\n\r\n");
            access.reload();
            server.endStreams();
            assertThat(stream.readAll()).doesNotContain("HTTP/1.1");
        }
    }

    /** Sends as many wrong tokens as an address may send at a time. */
    private void exhaustLogins() throws Exception {
        for (int i = 0; i < FailedLogins.MAX_BURST; i++) {
            assertThat(exchange("GET", "/healthz", "wrong" + i)).startsWith("HTTP/1.1 401 ");
        }
    }

    @Test
    void wrongTokensBeyondABurstArePaced() throws Exception {
        exhaustLogins();
        assertThat(exchange("GET", "/healthz", "wrong"))
                .startsWith("HTTP/1.1 429 ")
                .contains("Retry-After: ");
        assertThat(exchange("GET", "/healthz", TestFiles.READ))
                .as("a right token from the same address")
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void wrongTokensAreLoggedOnceAMinuteWithTheirAddress() throws Exception {
        exhaustLogins();
        assertThat(log.only(SmEvent.HTTPS_LOGIN_FAILED).names("127.0.0.1")).isTrue();
        assertThat(log.all().toString()).doesNotContain("wrong0");
    }

    @Test
    void pacedTokensAreCountedAndDoNotConcernOtherAddresses() throws Exception {
        exhaustLogins();
        exchange("GET", "/healthz", "wrong");
        try (RawHttp other = RawHttps.from(server.address(), "127.0.0.2")) {
            other.send(RawHttps.request("GET", "/metrics", RawHttps.token(TestFiles.READ), ""));
            assertThat(other.readAll())
                    .startsWith("HTTP/1.1 200 ")
                    .containsPattern("torussm_https_requests_total\\{outcome=\"unauthorized\",.*} "
                            + FailedLogins.MAX_BURST + ".0")
                    .containsPattern("torussm_https_requests_total\\{outcome=\"paced\",.*} 1.0")
                    .containsPattern("torussm_https_certificate_end_seconds\\{.*} 4.9");
        }
    }

    @Test
    void handshakesThatFailDoNotCountAsWrongTokens() throws Exception {
        for (int i = 0; i <= FailedLogins.MAX_BURST; i++) {
            try (Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                byte[] alertOfAnUnknownCa = {21, 3, 3, 0, 2, 2, 48};
                socket.getOutputStream().write(alertOfAnUnknownCa);
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            }
        }
        assertThat(exchange("GET", "/healthz", "wrong")).startsWith("HTTP/1.1 401 ");
        assertThat(exchange("GET", "/healthz", TestFiles.READ)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aClientWithoutATokenIsNotPaced() throws Exception {
        for (int i = 0; i <= FailedLogins.MAX_BURST; i++) {
            assertThat(exchange("GET", "/", "")).startsWith("HTTP/1.1 401 ");
        }
        assertThat(exchange("GET", "/healthz", TestFiles.READ)).startsWith("HTTP/1.1 200 ");
        assertThat(log.of(SmEvent.HTTPS_LOGIN_FAILED)).isEmpty();
    }

    /** A browser that has the password sends it with requests of pages from elsewhere. */
    @ParameterizedTest
    @CsvSource({"https://localhost,202", "https://evil.example.org,403", "null,403", "https://localhost.evil.org,403"})
    void aPageFromAnotherOriginChangesNothing(String origin, int status) throws Exception {
        assertThat(RawHttps.exchange(
                        server.address(),
                        "POST",
                        SWEEP,
                        RawHttps.token(TestFiles.OPERATE) + "Origin: " + origin + "\r\n",
                        ""))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void onlyTls12And13WithForwardSecrecyAreAccepted() throws Exception {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            try (var socket = (SSLSocket) TestFiles.clientContext("")
                    .getSocketFactory()
                    .createSocket(
                            server.address().getAddress(), server.address().getPort())) {
                socket.setEnabledProtocols(new String[] {protocol});
                socket.startHandshake();
                assertThat(socket.getSession().getCipherSuite()).matches("TLS_AES.*|TLS_ECDHE.*GCM.*");
            }
        }
        assertThat(access.active().engine().getEnabledProtocols()).containsExactlyInAnyOrder("TLSv1.3", "TLSv1.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u0016\u0003\u0001\u0000\u0005abcde"})
    void aConnectionWithoutTlsIsDropped(String noise) throws Exception {
        assertThat(RawHttp.exchange(server.address(), noise)).doesNotContain("HTTP/1.1 200");
        assertThat(exchange("GET", "/healthz", TestFiles.READ)).startsWith("HTTP/1.1 200 ");
        assertThat(log.of(SmEvent.HTTP_DEFECT)).isEmpty();
    }

    @Test
    void aClientThatExpectsToContinueMaySendItsBody() throws Exception {
        try (RawHttp client = RawHttps.connect(server.address(), "")) {
            client.send(
                    "POST " + SWEEP + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 2\r\n" + RawHttps.token(TestFiles.OPERATE) + "\r\n");
            assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
            client.send("{}");
            assertThat(client.readAll()).startsWith("HTTP/1.1 202 ");
        }
    }

    @Test
    void aBodyWithAnUnknownFieldOrTooManyBytesIsRejected() throws Exception {
        String olga = RawHttps.token(TestFiles.OPERATE);
        assertThat(RawHttps.exchange(server.address(), "POST", SWEEP, olga, "{\"x\":1}"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(RawHttps.exchange(server.address(), "POST", SWEEP, olga, " ".repeat(Operations.MAX_BODY_BYTES + 1)))
                .startsWith("HTTP/1.1 413 ");
        assertThat(control.requests).isEmpty();
    }

    private String exchange(String method, String uri, String token) throws Exception {
        return RawHttps.exchange(server.address(), method, uri, RawHttps.token(token), "");
    }

    private String exchangeAs(String certificate, String request) throws Exception {
        try (RawHttp client = RawHttps.connect(server.address(), certificate)) {
            client.send(request);
            return client.readAll();
        }
    }
}
