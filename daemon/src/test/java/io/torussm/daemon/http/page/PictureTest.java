package io.torussm.daemon.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.Views;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.TorusViews;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JSON of the picture on the page: tori, trees and graphs, now and at a moment of the past, and paths in them. A
 * {@link FakeControl} publishes fabrics that were routed without an SM.
 */
class PictureTest {
    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();
    private final Picture picture = new Picture(control);

    @Test
    void refusesUntilThereIsASubnet() throws IOException {
        for (Reply reply : List.of(picture.torus(), picture.path("1", "2", "0"))) {
            assertThat(reply.status().code()).isEqualTo(503);
            assertThat(json(reply).get("problem").asText()).contains("no subnet is up");
        }
        assertThat(json(picture.status()).get("state").asText()).isEqualTo("starting");
    }

    @Test
    void showsTheSafeSlsWhenTheyAreKnown() throws IOException {
        assertThat(json(picture.status()).has("safeSls")).isFalse();
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1, 4), List.of(), false, List.of());
        assertThat(json(picture.status()).get("safeSls").asText()).isEqualTo("0-1, 4");
    }

    @Test
    void namesMarkingPortsAndThrottledHosts() throws IOException {
        assertThat(json(picture.congestion()).get("isOn").asBoolean()).isFalse();
        control.becomeMaster(5);
        JsonNode congested = json(picture.congestion()).get("congested");
        assertThat(congested.findValuesAsText("port")).containsExactly("0", "1");
        assertThat(congested.get(0).get("ports").toString()).isEqualTo("[1,3]");
        assertThat(congested.get(1).get("sls").toString()).isEqualTo("[0]");
    }

    @Test
    void isMadeOnceForEachView() {
        control.view = Views.twoSwitches();
        assertThat(picture.torus()).isSameAs(picture.torus());
        Reply before = picture.torus();
        control.view = Views.twoSwitches();
        assertThat(picture.torus()).isNotSameAs(before);
    }

    /** The page draws the past as it draws the present. */
    @Test
    void thePastIsDrawnAsBefore() throws IOException {
        Instant at = Instant.parse("2026-11-25T09:00:00Z");
        control.view = TorusViews.viewWithout(dir, "torus:4x4x2", List.of("sw-1-0-0>sw-2-0-0", "sw-2-2-0"));
        JsonNode pastPicture = json(picture.torus());
        control.addChange(control.state(), at);
        control.view = TorusViews.view("torus:4x4x2");
        control.addChange(control.state(), at.plusSeconds(60));
        assertThat(json(picture.torus())).isNotEqualTo(pastPicture);
        for (String moment : List.of(at.toString(), "2026-11-25T09:00:59Z")) {
            ObjectNode past = (ObjectNode) json(picture.torus(moment));
            assertThat(past.remove("at").asText()).isEqualTo(at.toString());
            assertThat(past).isEqualTo(pastPicture);
        }
        assertThat(picture.torus("2026-11-25T08:59:59Z").status().code()).isEqualTo(404);
        assertThat(picture.torus("yesterday").status().code()).isEqualTo(400);
        assertThat(picture.torus("")).isSameAs(picture.torus());
    }

    @Test
    void reportsCoordinatesLinksAndTheTree() throws IOException {
        control.view = TorusViews.viewWithout(dir, "torus:4x4x1", List.of("sw-1-0-0>sw-2-0-0", "sw-2-2-0"));
        JsonNode torus = json(picture.torus());
        assertThat(torus.get("switches")).hasSize(15);
        assertThat(torus.get("links")).hasSize(32 - 1 - 4); // one is cut, and four are lost with the switch
        assertThat(torus.get("links").findValues("tree"))
                .filteredOn(JsonNode::asBoolean)
                .hasSize(14);
        JsonNode lattice = torus.get("lattice");
        assertThat(lattice.get("sizes").toString()).isEqualTo("[4,4,1]");
        assertThat(lattice.get("switches").get(10).asInt()).isEqualTo(-1); // x + 4 y of sw-2-2-0
        assertThat(lattice.get("missing")).hasSize(5);
        assertThat(lattice.get("rings").toString())
                .matches("\\[\\{\"d\":0,\"position\":0,\"state\":\"open\",\"causes\":.*},"
                        + "\\{\"d\":0,\"position\":8,\"state\":\"open\",\"causes\":.*},"
                        + "\\{\"d\":1,\"position\":2,\"state\":\"open\",\"causes\":.*}]");
    }

    @Test
    void doesWithoutATorus() throws IOException {
        control.view = Views.twoSwitches();
        JsonNode torus = json(picture.torus());
        assertThat(torus.has("lattice")).isFalse();
        assertThat(torus.get("layout").get("nodes")).hasSize(2);
        assertThat(torus.get("links").toString())
                .isEqualTo(
                        "[{\"from\":0,\"to\":1,\"cables\":1,\"ports\":[[3,3]],\"width\":\"4x\",\"speed\":\"10\",\"there\":1,\"back\":1,\"tree\":false}]");
    }

    @Test
    void drawsATreeInLevels() throws IOException {
        control.view = TorusViews.viewOf(dir, DrawnTopology.fatTree(3, 2), "ftree");
        JsonNode torus = json(picture.torus());
        assertThat(torus.has("lattice")).isFalse();
        JsonNode layout = torus.get("layout");
        assertThat(layout.get("levels").toString()).isEqualTo("[6,6,4]");
        assertThat(layout.get("missing")).isEmpty();
        assertThat(layout.get("nodes")).hasSize(16).allSatisfy(node -> {
            String name = torus.get("switches")
                    .get(node.get("switch").asInt())
                    .get("name")
                    .asText();
            assertThat(List.of("leaf", "middle", "top").indexOf(name.replaceAll("-.*", "")))
                    .as(name)
                    .isEqualTo(node.get("y").asInt());
        });
    }

    /**
     * Two uplinks of leaves in different pods with an end exchanged: both join neighbouring levels, and are wrong
     * nevertheless.
     */
    @Test
    void namesCablesThatWereExchangedInATree() throws IOException {
        DrawnTopology exchanged = DrawnTopology.fatTree(4, 3)
                .cut("leaf-0-0", "middle-0-0")
                .cut("leaf-2-1", "middle-2-1")
                .link("leaf-0-0", "middle-2-1")
                .link("leaf-2-1", "middle-0-0");
        control.view = TorusViews.viewOf(dir, exchanged, "updn");
        JsonNode torus = json(picture.torus());
        assertThat(torus.get("layout").get("isTree").asBoolean()).isTrue();
        assertThat(torus.get("layout").get("levels").toString()).isEqualTo("[12,12,9]");
        assertThat(torus.get("layout").get("wrong")).hasSize(2).allSatisfy(cable -> assertThat(
                        cable.get("text").asText())
                .matches("should go from (leaf|middle)-\\d-\\d port \\d+ to (leaf|middle)-\\d-\\d port \\d+"));
    }

    /** A lost device keeps its place, also for a viewer that opens the page later. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lostSwitchesAndCablesStayWhereTheyWere(boolean isTree) throws IOException {
        String engine = isTree ? "updn" : "dfsssp";
        PublishedView whole = TorusViews.viewOf(
                dir, isTree ? DrawnTopology.fatTree(3, 2) : withBareSwitch(DrawnTopology.irregular(20)), engine);
        control.view = whole;
        JsonNode layoutBefore = json(picture.torus()).get("layout");
        DrawnTopology damaged = isTree
                ? DrawnTopology.fatTree(3, 2).remove("top-1").cut("leaf-1-0", "middle-1-1")
                : withBareSwitch(DrawnTopology.irregular(20)).remove("spare").cut("sw-3", "sw-4");
        Instant at = Instant.parse("2026-11-23T10:00:00Z");
        control.state = stateWithLosses(whole, TorusViews.viewOf(dir, damaged, engine), at);
        for (Picture each : List.of(picture, new Picture(control))) {
            JsonNode layout = json(each.torus()).get("layout");
            assertThat(places(layout)).isEqualTo(places(layoutBefore));
            assertThat(layout.get("levels")).isEqualTo(layoutBefore.get("levels"));
            assertThat(layout.get("nodes"))
                    .filteredOn(node -> node.get("switch").asInt() < 0)
                    .hasSize(1);
            assertThat(layout.get("missing")).hasSize(isTree ? 4 : 3);
            assertThat(layout.get("missing").findValuesAsText("since")).containsOnly(at.toString());
            assertThat(layout.toString()).contains(isTree ? "leaf-1-0" : "sw-4");
        }
    }

    /** Against every path, walked by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"torus:3x4x1,hosts=2", "torus:3x3x3,links=2", "torus:2x3x4,mesh=y"})
    void countsPaths(String spec) {
        PublishedView view = TorusViews.view(spec);
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        int[] walked = new int[fabric.portCount()];
        for (int source = 0; source < fabric.portCount(); source++) {
            for (int lid = 1; isHost(fabric, source) && lid <= subnet.topLid(); lid++) {
                int destination = subnet.portOfLid(lid);
                if (destination != Fabric.NONE && isHost(fabric, destination)) {
                    countPath(view.plan(), fabric, source, lid, walked);
                }
            }
        }
        assertThat(PathStatistics.loads(view.plan())).isEqualTo(walked);
    }

    @Test
    void tellsAPathHopByHop() throws IOException {
        control.view = Views.twoSwitches();
        JsonNode path = json(picture.path("3", "4", "0"));
        assertThat(path.get("levels").get(0).get("sl").asInt()).isEqualTo(9);
        assertThat(path.get("from").get("name").asText()).isEqualTo("host-0");
        assertThat(path.get("hops").findValuesAsText("node")).containsExactly("host-0", "sw-a", "sw-b");
        assertThat(path.get("hops").findValuesAsText("guid")).endsWith("0x0000000000200000", "0x0000000000200001");
        assertThat(path.get("hops").findValuesAsText("out")).containsExactly("1", "3", "2");
        assertThat(path.get("hops").findValues("vls").toString()).isEqualTo("[[1], [3], [2]]");
        assertThat(path.get("hops").get(1).toString()).contains("\"place\":\"(1,0,0)\"", "\"in\":1", "towards LID 4");
        assertThat(path.get("isGood").asBoolean()).isTrue();
    }

    @Test
    void saysWhyThereIsNoPath() throws IOException {
        control.view = Views.twoSwitches();
        assertThat(json(picture.path("3", "4", "15")).get("notes").toString()).contains("has no path");
        assertThat(json(picture.path("3", "3", "0")).get("notes").toString()).contains("is both ends");
    }

    @ParameterizedTest
    @CsvSource({
        "'',4,0,400",
        "3,x,0,400",
        "3,4,16,400",
        "3,4,'',400",
        "3,-4,0,400",
        "3,99,0,404",
        "99999,4,0,404",
        "0,4,0,404"
    })
    void refusesWhatMakesNoSense(String src, String dst, String level, int status) {
        control.view = Views.twoSwitches();
        assertThat(picture.path(src, dst, level).status().code()).isEqualTo(status);
    }

    @Test
    void tellsNamesRacksAndLabels() throws IOException {
        control.view = Views.named(
                Views.twoSwitches(),
                "0x200000 leaf-1\n0x1000000000 login\n",
                "node 0x200000 rack=R7\nnode 0x1000000000 unit=3\ncable 0x200001/3 label=C-1\n");
        JsonNode torus = json(picture.torus());
        JsonNode leaf = torus.get("switches").get(0);
        assertThat(leaf.get("name").asText()).isEqualTo("leaf-1");
        assertThat(leaf.get("site").toString()).isEqualTo("{\"rack\":\"R7\",\"row\":\"\",\"unit\":\"\"}");
        assertThat(leaf.get("hosts").get(0).get("name").asText()).isEqualTo("login");
        assertThat(leaf.get("hosts").get(0).get("site").get("unit").asText()).isEqualTo("3");
        assertThat(torus.get("switches").get(1).has("site")).isFalse();
        assertThat(torus.get("links").get(0).get("labels").toString()).isEqualTo("[\"C-1\"]");
    }

    private static JsonNode json(Reply reply) throws IOException {
        return new ObjectMapper().readTree(reply.body());
    }

    private static FabricState stateWithLosses(PublishedView whole, PublishedView now, Instant at) {
        FabricState state = FabricState.of(now, at);
        return new FabricState(
                now,
                at,
                state.found(),
                at,
                state.routing(),
                at,
                List.of(),
                "",
                Absences.NONE.after(whole.placed(), now.placed(), port -> false, at));
    }

    /** Returns the places of switches in the picture, as {@code x,y}, by GUID. */
    private static Map<String, String> places(JsonNode layout) {
        Map<String, String> places = new TreeMap<>();
        layout.get("nodes").forEach(node -> places.put(node.get("guid").asText(), node.get("x") + "," + node.get("y")));
        return places;
    }

    /** Returns a graph with another switch, which has no hosts. */
    private static DrawnTopology withBareSwitch(DrawnTopology graph) {
        return graph.link("spare", "sw-1").link("spare", "sw-2");
    }

    private static boolean isHost(Fabric fabric, int port) {
        return fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
    }

    private static void countPath(Plan plan, Fabric fabric, int source, int lid, int[] walked) {
        int at = fabric.nodeOf(fabric.peer(source));
        while (true) {
            int out = fabric.port(at, plan.lft(at)[lid]);
            int next = fabric.nodeOf(fabric.peer(out));
            if (!fabric.isSwitch(next)) {
                return;
            }
            walked[out]++;
            at = next;
        }
    }
}
