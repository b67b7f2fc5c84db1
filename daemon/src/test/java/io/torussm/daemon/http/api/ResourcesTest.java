package io.torussm.daemon.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.TorusViews;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.daemon.journal.Journal;
import io.torussm.partition.Membership;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartitions;
import io.torussm.perf.CountedPorts;
import io.torussm.view.PublishedView;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The resources for programs under /api/v1/. The SM is a {@link FakeControl}, master of the fabric of {@link
 * Views#twoSwitches}, whose counters were read twice ({@link CountedPorts#readTwice}).
 */
@Timeout(120)
class ResourcesTest {
    private final FakeControl control = new FakeControl();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        CountedPorts.readTwice(control.counters, control.view.subnet().fabric());
        server = HttpServer.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), control);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Names and types of all responses are those of the description. */
    @Test
    void allIsAsDescribed() throws Exception {
        JsonNode description = json("/api/v1/openapi.json");
        assertThat(names(description.path("paths")))
                .contains("/api/v1/systems", "/api/v1/ports", "/api/v1/links", "/api/v1/conditions", "/api/v1/health");
        for (String path : names(description.path("paths"))) {
            JsonNode get = description.path("paths").path(path).path("get");
            JsonNode schema = get.at("/responses/200/content/application~1json/schema");
            assertConforms(description, schema, json(path + requiredParameters(get)), path);
        }
        assertThat(json("/api/v1/health").path("items")).isNotEmpty();
    }

    /** The picture accepts the times of the list. */
    @Test
    void changesLeadToPicturesOfThePast() throws Exception {
        for (int minute = 0; minute < 3; minute++) {
            control.addChange(
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

    @Test
    void portsReportTheirCounters() throws Exception {
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
    @CsvSource({
        "systems?name=sw-*,2",
        "systems?type=ca&name=host-0,1",
        "systems?guid=0x200000,1",
        "systems?guid=0000000000200000,1",
        "systems?guid=S-0000000000200000,1",
        "links?guid=0x200000,2",
        "links?name=host-0,1",
        "ports?state=active&device=sw-a,2",
        "systems?name=SW-A,1",
        "systems?name=sw-,0",
        "systems?name=s%2Ew-a,0"
    })
    void listsAreChosenFrom(String query, int count) throws Exception {
        assertThat(json("/api/v1/" + query.replace("*", "%2A")).path("total").asInt())
                .as(query)
                .isEqualTo(count);
    }

    /** A slice of a torus: one coordinate is given, and any will do for the others. */
    @Test
    void aSliceOfATorusIsAFilter() throws Exception {
        control.view = TorusViews.view("torus:3x4x1");
        assertThat(json("/api/v1/systems?type=switch&place=2,*,*").path("total").asInt())
                .isEqualTo(4);
        assertThat(json("/api/v1/systems?type=switch&place=(*,1,0)")
                        .path("total")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void unknownFiltersAreNotPassedOver() throws Exception {
        HttpResponse<String> answer = get("/api/v1/systems?colour=red");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("name", "place", "guid");
        assertThat(get("/api/v1/systems?name=" + "x".repeat(300)).statusCode()).isEqualTo(400);
    }

    @Test
    void eventsAreThereWithoutASubnet() throws Exception {
        control.view = null;
        control.journal.add(Instant.parse("2026-11-25T09:00:00Z"), "warn", "TSM-1229", "a text", Map.of("count", "3"));
        control.journal.add(Instant.parse("2026-11-25T09:00:01Z"), "info", "TSM-1230", "another", Map.of());
        JsonNode events = json("/api/v1/events?level=warn");
        assertThat(events.path("total").asInt()).isEqualTo(1);
        assertThat(events.at("/items/0/fields/count").asText()).isEqualTo("3");
        assertThat(get("/api/v1/plan").statusCode()).isEqualTo(503);
        assertThat(json("/api/v1/drains").path("total").asInt()).isZero();
    }

    @Test
    void theRoutesInForceAndPathsAreThere() throws Exception {
        JsonNode plan = json("/api/v1/plan");
        PublishedView view = Objects.requireNonNull(control.view);
        assertThat(plan.path("engine").asText()).isEqualTo(view.plan().engine());
        assertThat(plan.path("sweep").asLong()).isEqualTo(view.sweep());
        assertThat(json("/api/v1/ports").path("sweep").asLong()).isEqualTo(view.sweep());
        assertThat(json("/api/v1/paths?src=3&dst=4&level=0").path("isGood").asBoolean())
                .isTrue();
        assertThat(get("/api/v1/paths?src=3").statusCode()).isEqualTo(400);
    }

    @Test
    void partitionsHaveTheirMembers() throws Exception {
        control.runTimePartitions = RunTimePartitions.of(List.of(new RunTimePartition(
                0x5,
                "tenant",
                true,
                RunTimePartition.Qos.DEFAULT,
                Map.of(0x10L, new Member(Membership.LIMITED, false)))));
        JsonNode tenant = json("/api/v1/partitions?name=tenant").at("/items/0");
        assertThat(tenant.path("pKey").asText()).isEqualTo("0x0005");
        assertThat(tenant.path("mtu").asInt()).isEqualTo(2048);
        assertThat(tenant.at("/members/0/portGuid").asText()).isEqualTo("0x0000000000000010");
        assertThat(tenant.at("/members/0/addedAtRunTime").asBoolean()).isTrue();
    }

    @Test
    void eventsAndSweepsComeAsTheyHappen() throws Exception {
        event("before");
        try (RawHttp client = stream("")) {
            event("after");
            assertThat(client.readUntil("\n\n"))
                    .contains("id: 2\nevent: event\ndata: {\"number\":2,", "\"text\":\"after\"")
                    .doesNotContain("before");
            control.view = null;
            assertThat(client.readUntil("\n\n")).contains("event: sweep\ndata: {\"sweep\":0,");
        }
    }

    @Test
    void aStreamGoesOnWhereItEnded() throws Exception {
        event("one");
        event("two");
        try (RawHttp client = stream("Last-Event-ID: 1\r\n")) {
            assertThat(client.readUntil("\n\n")).contains("\"text\":\"two\"").doesNotContain("one");
        }
        for (int i = 0; i < Journal.CAPACITY; i++) {
            event("later " + i);
        }
        try (RawHttp client = stream("Last-Event-ID: 1\r\n")) {
            assertThat(client.readUntil("\"text\":\"later 0\""))
                    .as("what is forgotten is said")
                    .contains("event: lost\ndata: {\"lost\":1}\n\n");
        }
        try (RawHttp client = stream("Last-Event-ID: 999999\r\n")) {
            assertThat(client.readUntil("\n\n")).as("of another run").contains("id: 3\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"offset=-1", "limit=10001", "limit=x", "offset=99999999", "limit=999999", "offset=1.5"})
    void senselessPagesAreRefused(String query) throws Exception {
        assertThat(get("/api/v1/ports?" + query).statusCode()).isEqualTo(400);
    }

    /** Asked for each time, sent only when it is another. */
    @Test
    void knownContentIsNotSentAgain() throws Exception {
        HttpResponse<String> first = get("/api/v1/links");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(first.headers().firstValue("Cache-Control")).contains("no-cache");
        assertThat(get("/api/v1/links", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(get("/api/v1/systems", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @Test
    void unknownListsAndNoSubnetAreReported() throws Exception {
        assertThat(get("/api/v1/secrets").statusCode()).isEqualTo(404);
        assertThat(get("/api/v1/../status").statusCode()).isEqualTo(404);
        control.view = null;
        assertThat(get("/api/v1/ports").statusCode()).isEqualTo(503);
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

    /** Values for the parameters that must be there. */
    private String requiredParameters(JsonNode get) {
        Map<String, String> values = Map.of("src", "3", "dst", "4", "level", "0", "guid", "0x200000", "port", "1");
        List<String> words = new ArrayList<>();
        get.path("parameters").forEach(parameter -> {
            if (parameter.path("required").asBoolean()) {
                words.add(parameter.path("name").asText() + "="
                        + values.get(parameter.path("name").asText()));
            }
        });
        return words.isEmpty() ? "" : "?" + String.join("&", words);
    }

    private void assertConforms(JsonNode description, JsonNode schema, JsonNode value, String where) {
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        if (schema.has("allOf")) {
            assertConforms(description, schema.at("/allOf/0"), value, where);
            return;
        }
        if (schema.has("$ref")) {
            assertConforms(
                    description, description.at(schema.path("$ref").asText().substring(1)), value, where);
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> {
                if (schema.has("additionalProperties")) {
                    value.forEach(
                            each -> assertConforms(description, schema.path("additionalProperties"), each, where));
                    return;
                }
                assertThat(names(value))
                        .as(where)
                        .containsExactlyInAnyOrderElementsOf(names(schema.path("properties")));
                names(value)
                        .forEach(name -> assertConforms(
                                description,
                                schema.path("properties").path(name),
                                value.path(name),
                                where + "/" + name));
            }
            case "array" -> value.forEach(item -> assertConforms(description, schema.path("items"), item, where));
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

    private void event(String text) {
        control.journal.add(Instant.parse("2026-11-25T09:00:00Z"), "info", "TSM-1230", text, Map.of());
    }

    private RawHttp stream(String headers) throws Exception {
        RawHttp client = new RawHttp(server.address());
        client.send("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
        client.readUntil("\r\n\r\n");
        return client;
    }
}
