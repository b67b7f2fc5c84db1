package io.torussm.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.perf.CountedPorts;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs may read under /api/v1/. */
@Timeout(30)
class ResourcesTest {
    private final FakeControl control = new FakeControl();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        control.rules(5);
        control.view = Views.twoSwitches();
        CountedPorts.readTwice(control.counters, control.view.subnet().fabric());
        server = HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), control);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Names and kinds of all that is served are those of the description. */
    @Test
    void allIsAsDescribed() throws Exception {
        JsonNode description = json("/api/v1/openapi.json");
        assertThat(names(description.path("paths")))
                .contains("/api/v1/systems", "/api/v1/ports", "/api/v1/links", "/api/v1/conditions", "/api/v1/health");
        for (String path : names(description.path("paths"))) {
            JsonNode schema =
                    description.path("paths").path(path).at("/get/responses/200/content/application~1json/schema");
            JsonNode page = json(path);
            conforms(description, schema, page, path);
            assertThat(names(page)).containsExactlyInAnyOrderElementsOf(names(schema.path("properties")));
        }
        assertThat(json("/api/v1/health").path("items")).isNotEmpty();
    }

    /** The moments of the list are those that the picture takes. */
    @Test
    void changesLeadToPicturesOfThePast() throws Exception {
        for (int minute = 0; minute < 3; minute++) {
            control.committed(
                    control.state(), Instant.parse("2026-11-25T09:0" + minute + ":00Z"), "condition " + minute);
        }
        JsonNode changes = json("/api/v1/changes");
        assertThat(changes.path("total").asInt()).isEqualTo(3);
        assertThat(changes.path("items").findValuesAsText("at"))
                .containsExactly("2026-11-25T09:00:00Z", "2026-11-25T09:01:00Z", "2026-11-25T09:02:00Z");
        assertThat(json("/api/v1/changes?offset=1&limit=1").path("items")).hasSize(1);
        for (String at : changes.path("items").findValuesAsText("at")) {
            JsonNode past = json("/api/torus?at=" + at);
            assertThat(past.path("at").asText()).isEqualTo(at);
            assertThat(past.path("switches")).hasSize(2);
        }
        assertThat(get("/api/torus?at=2026-11-25T08:59:59Z").statusCode()).isEqualTo(404);
        assertThat(get("/api/torus?at=soon").statusCode()).isEqualTo(400);
    }

    private void conforms(JsonNode description, JsonNode schema, JsonNode value, String where) {
        if (schema.has("$ref")) {
            conforms(description, description.at(schema.path("$ref").asText().substring(1)), value, where);
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> {
                assertThat(names(value))
                        .as(where)
                        .containsExactlyInAnyOrderElementsOf(names(schema.path("properties")));
                names(value)
                        .forEach(name -> conforms(
                                description,
                                schema.path("properties").path(name),
                                value.path(name),
                                where + "/" + name));
            }
            case "array" -> value.forEach(item -> conforms(description, schema.path("items"), item, where));
            case "integer" -> assertThat(value.isIntegralNumber()).as(where).isTrue();
            case "number" -> assertThat(value.isNumber()).as(where).isTrue();
            case "boolean" -> assertThat(value.isBoolean()).as(where).isTrue();
            case "string" -> {
                assertThat(value.isTextual()
                                || value.isNull() && schema.path("nullable").asBoolean())
                        .as(where)
                        .isTrue();
                if (schema.has("enum")) {
                    assertThat(schema.path("enum").toString()).contains(value.toString());
                }
            }
            default -> throw new AssertionError(where + ": " + schema);
        }
    }

    @Test
    void portsSayWhatTheyCount() throws Exception {
        JsonNode page = json("/api/v1/counters?offset=1&limit=2");
        assertThat(page.path("total").asInt()).as("both ends of three cables").isEqualTo(6);
        assertThat(page.path("items")).hasSize(2);
        JsonNode port = json("/api/v1/counters").at("/items/1");
        assertThat(port.path("name").asText()).isEqualTo("sw-a");
        assertThat(port.path("port").asInt()).isEqualTo(3);
        assertThat(port.path("peerPort").asInt()).isEqualTo(3);
        assertThat(port.at("/errors/linkDowned").asInt()).isEqualTo(3);
        assertThat(port.path("xmitBytesPerSecond").asDouble()).isEqualTo(4_000 * 3);
        assertThat(port.path("errorsPerHour").asDouble()).isEqualTo(3);

        JsonNode history =
                json("/api/v1/counter-history?guid=" + port.path("guid").asText() + "&port=3");
        assertThat(history.path("samples")).hasSize(1).first().satisfies(sample -> {
            assertThat(names(sample))
                    .containsExactly("at", "xmitBytesPerSecond", "rcvBytesPerSecond", "xmitWaitShare", "errors");
            assertThat(sample.path("errors").asInt()).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?guid=0x200000&port=-1", "?guid=sw-a&port=1", "?guid=0x200000&port=9999"})
    void aHistoryIsThatOfAPort(String query) throws Exception {
        assertThat(get("/api/v1/counter-history" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void aPortThatWasNotReadHasNoHistory() throws Exception {
        assertThat(get("/api/v1/counter-history?guid=0x200000&port=200").statusCode())
                .isEqualTo(404);
        assertThat(get("/api/v1/counter-history?guid=0xdead&port=1").statusCode())
                .isEqualTo(404);
    }

    @Test
    void theFabricIsThere() throws Exception {
        assertThat(json("/api/v1/systems").at("/items/0/name").asText()).isEqualTo("sw-a");
        assertThat(json("/api/v1/links").path("items")).hasSize(3).first().satisfies(link -> {
            assertThat(link.path("width").asText()).isEqualTo("4x");
            assertThat(link.path("speed").asText()).isEqualTo("10");
        });
        assertThat(json("/api/v1/hosts").at("/items/0/name").asText()).isEqualTo("host-0");
        assertThat(json("/api/v1/ports").path("items"))
                .anyMatch(port -> port.path("device").asText().equals("sw-a")
                        && port.path("number").asInt() == 3
                        && port.path("state").asText().equals("ACTIVE"));
    }

    @Test
    void listsComePageByPage() throws Exception {
        JsonNode page = json("/api/v1/ports?offset=2&limit=3");
        JsonNode whole = json("/api/v1/ports");
        assertThat(page.path("total")).isEqualTo(whole.path("total"));
        assertThat(page.path("offset").asInt()).isEqualTo(2);
        assertThat(page.path("items")).hasSize(3);
        assertThat(page.at("/items/0")).isEqualTo(whole.at("/items/2"));
        assertThat(json("/api/v1/ports?offset=9999999").path("items")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"offset=-1", "limit=10001", "limit=x", "offset=99999999", "limit=999999", "offset=1.5"})
    void senselessPagesAreRefused(String query) throws Exception {
        assertThat(get("/api/v1/ports?" + query).statusCode()).isEqualTo(400);
    }

    /** Asked for each time, sent only when it is another. */
    @Test
    void whatIsKnownIsNotSentAgain() throws Exception {
        HttpResponse<String> first = get("/api/v1/links");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(first.headers().firstValue("Cache-Control")).contains("no-cache");
        assertThat(get("/api/v1/links", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(get("/api/v1/systems", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @Test
    void unknownListsAndNoSubnetAreSaid() throws Exception {
        assertThat(get("/api/v1/secrets").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/../status").statusCode()).isEqualTo(404);
        control.view = null;
        assertThat(get("/api/v1/ports").statusCode()).isEqualTo(503);
    }
}
