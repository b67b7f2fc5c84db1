package io.torussm.daemon.http.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.RawHttps;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.sim.fault.FaultConsole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HTTP server of {@code torus-sm fabric}: it shows the simulated fabric, and causes faults for users with the role.
 * A {@link RecordingControl} takes the place of the fabric.
 */
@Timeout(60)
class LabServerTest {
    private static final InetSocketAddress ANY = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    private static final String LINE = "{\"line\": \"Unlink \\\"S-1\\\"[2]\"}";
    private static final String JSON = "Content-Type: application/json\r\n";

    private final List<String> executedLines = new ArrayList<>();

    @TempDir
    Path dir;

    private HttpServer server;

    /** A control that records requests. */
    private final class RecordingControl implements LabControl {
        @Override
        public CompletionStage<State> state() {
            return CompletableFuture.completedFuture(new State(
                    1,
                    2,
                    3,
                    List.of(new Broken("Unlink", "\"S-1\"[2]", "", 5)),
                    List.of(),
                    List.of(),
                    List.of(),
                    new Traffic(10, 7, 5, 1, Map.of("link_down", 2L), List.of()),
                    Map.of("sent", 11L),
                    Map.of("attached", 1L)));
        }

        @Override
        public CompletionStage<Response> execute(String line, String user) {
            executedLines.add(user + ": " + line);
            return CompletableFuture.completedFuture(new Response(List.of("said " + line), !line.contains("bad")));
        }

        @Override
        public CompletionStage<Response> begin(String name, String text, String user) {
            executedLines.add(user + " begins " + name + ": " + text);
            return CompletableFuture.completedFuture(new Response(List.of("begun"), true));
        }

        @Override
        public boolean isReadOnly(String line) {
            return FaultConsole.isQuery(line);
        }
    }

    @BeforeEach
    void open() throws Exception {
        server = HttpServer.openLab(ANY, new RecordingControl(), null);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void showsTheStateAndMetrics() throws Exception {
        assertThat(RawHttp.get(server.address(), "/api/v1/lab"))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"kind\":\"Unlink\"", "\"subject\":\"\\\"S-1\\\"[2]\"", "\"link_down\":2");
        assertThat(RawHttp.get(server.address(), "/metrics"))
                .contains("torussm_fabric_broken 1", "torussm_fabric_packets_lost_total{reason=\"link_down\"} 2")
                .contains("torussm_fabric_mads_total{what=\"sent\"} 11");
        assertThat(RawHttp.get(server.address(), "/healthz")).endsWith("ok\n");
        assertThat(RawHttp.get(server.address(), "/api/torus")).startsWith("HTTP/1.1 404 ");
        assertThat(RawHttp.get(server.address(), "/events")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void aGetOnlyLooks() throws Exception {
        assertThat(RawHttp.get(server.address(), "/api/v1/console?line=Dump")).contains("said Dump");
        assertThat(RawHttp.get(server.address(), "/api/v1/console?line=Unlink%20%22S-1%22"))
                .startsWith("HTTP/1.1 405 ");
        assertThat(executedLines).containsExactly("http: Dump");
    }

    @Test
    void aLocalUserMayChangeSomething() throws Exception {
        assertThat(post("/api/v1/console", JSON, LINE)).startsWith("HTTP/1.1 200 ");
        assertThat(post("/api/v1/console", JSON, "{\"line\": \"bad\"}"))
                .startsWith("HTTP/1.1 400 ")
                .endsWith("said bad\n");
        assertThat(post("/api/v1/scripts", JSON, "{\"name\": \"a.faults\", \"text\": \"1 s Heal\"}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(executedLines)
                .containsExactly("somebody: Unlink \"S-1\"[2]", "somebody: bad", "somebody begins a.faults: 1 s Heal");
    }

    @Test
    void pagesFromElsewhereMayNot() throws Exception {
        assertThat(post("/api/v1/console", JSON + "Origin: http://elsewhere.example\r\n", LINE))
                .startsWith("HTTP/1.1 403 ");
        assertThat(post("/api/v1/console", "Content-Type: text/plain\r\n", LINE))
                .startsWith("HTTP/1.1 415 ");
        assertThat(RawHttp.exchange(
                        server.address(),
                        "POST /api/v1/console HTTP/1.1\r\nHost: elsewhere.example\r\n" + JSON + "Content-Length: "
                                + LINE.length() + "\r\nConnection: close\r\n\r\n" + LINE))
                .startsWith("HTTP/1.1 421 ");
        assertThat(executedLines).isEmpty();
    }

    @Test
    void badRequestsNameMissingParts() throws Exception {
        assertThat(post("/api/v1/console", JSON, "{}"))
                .startsWith("HTTP/1.1 400 ")
                .contains("line");
        assertThat(post("/api/v1/console", JSON, "no JSON")).startsWith("HTTP/1.1 400 ");
        assertThat(post("/api/v1/scripts", JSON, "{\"name\": \"../a\", \"text\": \"\"}"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(post("/api/v1/nothing", JSON, LINE)).startsWith("HTTP/1.1 404 ");
        assertThat(executedLines).isEmpty();
    }

    @Test
    void listensWithoutTlsOnThisHostOnly() {
        InetSocketAddress all = InetSocketAddress.createUnresolved("0.0.0.0", 0);
        assertThatThrownBy(() -> HttpServer.openLab(all, new RecordingControl(), null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--https-listen");
    }

    @Test
    void overTlsARoleDecides() throws Exception {
        AccessFiles access = AccessFiles.open(new TestFiles(dir).paths());
        try (HttpServer secure = HttpServer.openLab(ANY, new RecordingControl(), access)) {
            InetSocketAddress at = secure.address();
            assertThat(RawHttps.exchange(at, "GET", "/api/v1/lab", "", "")).startsWith("HTTP/1.1 401 ");
            assertThat(RawHttps.exchange(at, "GET", "/api/v1/lab", RawHttps.token(TestFiles.READ), ""))
                    .startsWith("HTTP/1.1 200 ");
            assertThat(RawHttps.exchange(at, "POST", "/api/v1/console", RawHttps.token(TestFiles.READ), LINE))
                    .startsWith("HTTP/1.1 403 ");
            assertThat(executedLines).isEmpty();
            assertThat(RawHttps.exchange(at, "POST", "/api/v1/console", RawHttps.token(TestFiles.OPERATE), LINE))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(executedLines).containsExactly("olga: Unlink \"S-1\"[2]");
    }

    private String post(String uri, String headers, String body) throws IOException {
        return RawHttp.exchange(server.address(), RawHttps.request("POST", uri, headers, body));
    }
}
