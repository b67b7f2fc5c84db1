package io.torussm.daemon.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.TorusViews;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.tree.FabricTree;
import io.torussm.view.Absences;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VirtualPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The card of a device on the page. In most tests a cable or a switch of a 4x4x1 torus with a host at each switch is
 * lost at {@link #AT}.
 */
class DeviceCardTest {
    private static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");

    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();
    private VPortTable vports = VPortTable.NONE;
    private final CableHistory history = new CableHistory(StateDirectory.none(new VirtualLoop()));

    @Test
    void reportsASwitchAndItsCables() throws IOException {
        PublishedView whole = TorusViews.viewWithout(dir, "torus:4x4x1,hosts=1", List.of());
        PublishedView damaged = TorusViews.viewWithout(dir, "torus:4x4x1,hosts=1", List.of("sw-1-0-0>sw-2-0-0"));
        FabricState state = stateWithLosses(whole, damaged);
        history.record(FabricState.of(whole, AT), state, AT);
        List<Condition> conditions = List.of(
                condition("a cable of \"sw-1-0-0\" is lost", ""),
                condition("something at", "(1,0,0)"),
                condition("\"sw-1-0-0x\" is another", "(2,2,0)"));
        DeviceCard card = card(state, conditions, guid(whole, "sw-1-0-0"));
        assertThat(card.kind()).isEqualTo("switch");
        assertThat(card.isThere()).isTrue();
        assertThat(card.place()).isEqualTo("(1,0,0)");
        assertThat(card.lid()).isPositive();
        assertThat(card.vports()).isNull();
        assertThat(card.conditions()).containsExactlyElementsOf(conditions.subList(0, 2));
        DeviceCard.Port lost = card.ports().stream()
                .filter(DeviceCard.Port::isLost)
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(lost.peer()).name()).isEqualTo("sw-2-0-0");
        assertThat(lost.lostSince()).isEqualTo(AT);
        assertThat(card.history()).singleElement().satisfies(change -> {
            assertThat(change.kind()).isEqualTo("DOWN");
            assertThat(change.port()).isEqualTo(lost.number());
            assertThat(change.far()).contains("sw-2-0-0");
        });
        assertThat(card.ports())
                .filteredOn(port -> port.peer() != null && !port.isLost())
                .hasSize(4)
                .allSatisfy(port -> assertThat(port.width()).isEqualTo("4x"));
        DeviceCard far = card(state, conditions, guid(whole, "sw-2-0-0"));
        assertThat(far.history()).singleElement().satisfies(change -> assertThat(change.far())
                .contains("sw-1-0-0"));
    }

    /** The place "leaf 1" is also the begin of "leaf 10". */
    @Test
    void aPlaceInATreeIsNotThatOfASwitchWithALongerNumber() throws IOException {
        PublishedView view = TorusViews.viewOf(dir, DrawnTopology.fatTree(3, 2), "ftree");
        Fabric fabric = view.subnet().fabric();
        PlacedSubnet placed = view.placed().with(FabricTree.of(fabric));
        int sw = IntStream.range(0, fabric.switchCount())
                .filter(each -> placed.place(each).endsWith(" 1"))
                .findFirst()
                .orElseThrow();
        String place = placed.place(sw);
        List<Condition> conditions = List.of(
                condition("the cable from " + place + " to another is lost", ""),
                condition(place + ": no response", ""),
                condition("the cable from " + place + "0 to another is lost", ""),
                condition("no response", place + "0"));
        DeviceCard card = DeviceCard.of(
                        FabricState.of(view, AT), placed, vports, conditions, history, fabric.nodeGuid(sw))
                .orElseThrow();
        assertThat(card.conditions()).containsExactlyElementsOf(conditions.subList(0, 2));
    }

    /** Four cables to switches and one to a host are lost with the switch. */
    @Test
    void reportsAbsentDevices() throws IOException {
        PublishedView whole = TorusViews.viewWithout(dir, "torus:4x4x1,hosts=1", List.of());
        PublishedView damaged = TorusViews.viewWithout(dir, "torus:4x4x1,hosts=1", List.of("sw-2-2-0"));
        FabricState state = stateWithLosses(whole, damaged);
        DeviceCard card = card(state, List.of(), guid(whole, "sw-2-2-0"));
        assertThat(card.isThere()).isFalse();
        assertThat(card.since()).isEqualTo(AT);
        assertThat(card.name()).isEqualTo("sw-2-2-0");
        assertThat(card.place()).isEqualTo("(2,2,0)");
        assertThat(card.ports()).hasSize(5).allSatisfy(port -> {
            assertThat(port.isLost()).isTrue();
            assertThat(port.peer()).isNotNull();
        });
    }

    @Test
    void knowsAHostByItsPortToo() {
        PublishedView view = TorusViews.view("torus:3x3x1,hosts=1");
        Fabric fabric = view.subnet().fabric();
        int host = fabric.switchCount();
        long portGuid = fabric.portGuid(fabric.port(host, 1));
        vports = VPortTable.of(Map.of(
                portGuid,
                List.of(
                        new VirtualPort(1, 0x77, 0, 4, null).withDescription("a<b>"),
                        new VirtualPort(2, 0x78, 0, 2, null))));
        DeviceCard card = card(FabricState.of(view, AT), List.of(), portGuid);
        assertThat(card.vports())
                .isEqualTo(new VPortTable.VPortCount(2, 1, List.of(new VPortTable.NamedVPort(1, "a<b>"))));
        assertThat(card.kind()).isEqualTo("ca");
        assertThat(card.guid()).isEqualTo(Guid.format(fabric.nodeGuid(host)));
        assertThat(card.lid()).isEqualTo(view.subnet().lid(fabric.port(host, 1)));
        assertThat(card.ports()).singleElement().satisfies(port -> assertThat(port.peer())
                .isNotNull());
    }

    @Test
    void isRefusedWithoutASenseOrADevice() throws IOException {
        Picture picture = new Picture(control);
        assertThat(picture.device("0x1").status().code()).isEqualTo(503);
        control.view = TorusViews.view("torus:3x3x1,hosts=1");
        assertThat(picture.device("<b>").status().code()).isEqualTo(400);
        assertThat(picture.device("0xdeadbeef").status().code()).isEqualTo(404);
        Reply good = picture.device(Guid.format(control.view.subnet().fabric().nodeGuid(0)));
        assertThat(good.status().code()).isEqualTo(200);
        JsonNode json = new ObjectMapper().readTree(good.body());
        assertThat(json.get("ports")).isNotEmpty();
        assertThat(json.get("isThere").asBoolean()).isTrue();
    }

    private static FabricState stateWithLosses(PublishedView whole, PublishedView now) {
        FabricState state = FabricState.of(now, AT);
        return new FabricState(
                now,
                AT,
                state.found(),
                AT,
                state.routing(),
                AT,
                List.of(),
                "",
                Absences.NONE.after(whole.placed(), now.placed(), port -> false, AT));
    }

    private static long guid(PublishedView view, String name) {
        Fabric fabric = view.subnet().fabric();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (fabric.nodeName(node).equals(name)) {
                return fabric.nodeGuid(node);
            }
        }
        throw new AssertionError(name);
    }

    private DeviceCard card(FabricState state, List<Condition> conditions, long guid) {
        return DeviceCard.of(state, Objects.requireNonNull(state.visibleSubnet()), vports, conditions, history, guid)
                .orElseThrow();
    }

    private static Condition condition(String text, String place) {
        return new Condition(AT, "TSM-1", "warn", text, place, "repair it");
    }
}
