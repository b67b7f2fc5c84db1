package io.torussm.daemon.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.StaticFiles;
import io.torussm.daemon.http.server.EventStreams;
import io.torussm.daemon.http.server.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The files of the page, and the events that the page follows. The SM is a {@link FakeControl}, whose journal has the
 * events.
 */
@Timeout(60)
class PageTest {
    private static final String FOLLOW = "GET /events HTTP/1.1\r\nHost: localhost\r\n";

    private final FakeControl control = new FakeControl();
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), control);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void hasAllFilesThatItNames() throws IOException {
        String page = RawHttp.get(server.address(), "/");
        assertThat(page).startsWith("HTTP/1.1 200").contains("text/html").doesNotContainPattern("<script[^>]*>[^<]");
        for (String file : List.of("torus.css", "app.js", "icon.svg")) {
            assertThat(page).contains("\"" + file + "\"");
            assertThat(RawHttp.get(server.address(), "/" + file)).startsWith("HTTP/1.1 200");
        }
        for (String script :
                StaticFiles.NAMES.stream().filter(name -> name.endsWith(".js")).toList()) {
            java.util.regex.Pattern.compile("from '\\./([a-z]+\\.js)'")
                    .matcher(RawHttp.get(server.address(), "/" + script))
                    .results()
                    .forEach(used -> assertThat(new StaticFiles().find("/" + used.group(1)))
                            .isNotNull());
        }
    }

    @Test
    void sparesAClientItsOwnData() throws IOException {
        String first = RawHttp.get(server.address(), "/app.js");
        assertThat(first).contains("cache-control: max-age=");
        String tag = first.replaceFirst("(?s).*\r\netag: (\"[0-9a-f]+\")\r\n.*", "$1");
        String again = RawHttp.exchange(
                server.address(),
                "GET /app.js HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + tag + "\r\nConnection: close\r\n\r\n");
        assertThat(again).startsWith("HTTP/1.1 304").endsWith("\r\n\r\n");
    }

    @Test
    void reportsTheJournal() throws IOException {
        log("before a client listened");
        try (RawHttp client = new RawHttp(server.address())) {
            client.send(FOLLOW + "\r\n");
            assertThat(client.readUntil("before a client listened"))
                    .startsWith("HTTP/1.1 200")
                    .contains("text/event-stream", "event: line\ndata: {", "\"level\":\"warn\"");
            log("a cable of \"sw-1\" is lost\nnow");
            assertThat(client.readUntil("\n\n")).doesNotContain("a cable");
            assertThat(client.readUntil("\n\n")).contains("a cable of \\\"sw-1\\\" is lost | now");
            control.view = Views.twoSwitches();
            assertThat(client.readUntil("\n\n")).contains("event: view\ndata: 1\n");
        }
    }

    @Test
    void goesOnWhereAClientWas() throws IOException {
        log("the first line");
        log("the second line");
        try (RawHttp client = new RawHttp(server.address())) {
            client.send(FOLLOW + "\r\n");
            String id = client.readUntil("the first line").replaceFirst("(?s).*id: (\\d+)\n.*", "$1");
            try (RawHttp later = new RawHttp(server.address())) {
                later.send(FOLLOW + "Last-Event-ID: " + id + "\r\n\r\n");
                assertThat(later.readUntil("the second line")).doesNotContain("the first line");
            }
        }
    }

    @Test
    @Tag("slow")
    void aNewClientTakesAStreamOfTheAddressThatHasMost() throws IOException {
        List<RawHttp> clients = new ArrayList<>();
        log("a line");
        try {
            for (int i = 0; i < EventStreams.MAX_CLIENTS; i++) {
                RawHttp client = new RawHttp(server.address());
                clients.add(client);
                client.send(FOLLOW + "\r\n");
                client.readUntil("a line");
            }
            try (RawHttp other = new RawHttp(server.address(), "127.0.0.2")) {
                other.send(FOLLOW + "\r\n");
                assertThat(other.readUntil("a line")).startsWith("HTTP/1.1 200");
                assertThat(clients.remove(0).readAll())
                        .as("the first of the others")
                        .doesNotContain("HTTP/1.1");
            }
        } finally {
            for (RawHttp client : clients) {
                client.close();
            }
        }
    }

    private void log(String text) {
        control.journal.add(Instant.now(), "warn", "", text, Map.of());
    }
}
