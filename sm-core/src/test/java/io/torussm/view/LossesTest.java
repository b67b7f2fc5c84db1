package io.torussm.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.names.Names;
import io.torussm.names.NodeNames;
import io.torussm.names.SiteMap;
import io.torussm.testing.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each lost switch and cable is in one event, and so is each that returned. */
class LossesTest {
    private LossFabric fabric = LossFabric.tree(4, 3);
    private PlacedSubnet before = fabric.found();
    private Absences absences = Absences.NONE;
    private Instant now = Instant.EPOCH;

    /** Cables that are excluded from the subnet. */
    private final Set<LossFabric.Cable> excluded = new HashSet<>();

    private void begin(LossFabric other) {
        fabric = other;
        before = other.found();
        absences = Absences.NONE;
    }

    private List<Finding> update() {
        now = now.plusSeconds(1);
        PlacedSubnet found = fabric.found();
        Absences then = absences;
        absences = then.after(before, found, this::isExcluded, now);
        before = found;
        return LossEvents.between(then, absences, found, now);
    }

    private boolean isExcluded(LostCable.LostEnd end) {
        long guid = end.port().portGuid();
        int portNum = end.port().portNum();
        return excluded.stream()
                .anyMatch(cable -> LossFabric.guid(cable.a()) == guid && cable.portA() == portNum
                        || LossFabric.guid(cable.b()) == guid && cable.portB() == portNum);
    }

    /** Excludes a cable, and takes it down. */
    private void exclude(int a, int b) {
        excluded.add(fabric.cable(a, b));
        fabric.down.add(fabric.cable(a, b));
    }

    private static List<SmEvent> codes(List<Finding> findings) {
        return findings.stream().map(Finding::event).toList();
    }

    private static String text(List<Finding> findings) {
        return findings.get(0).text();
    }

    private static SiteMap racks(int... rackOf) {
        Map<Long, SiteMap.Site> sites = new HashMap<>();
        for (int sw = 0; sw < rackOf.length; sw++) {
            sites.put(LossFabric.guid(sw), new SiteMap.Site("R" + rackOf[sw], "B", Integer.toString(sw)));
        }
        return new SiteMap("sites", sites, Map.of(), Map.of(new SiteMap.CableEnd(LossFabric.guid(0), 1), "C17"));
    }

    @Test
    void aCableIsNamedWithBothEndsPortsRacksAndLabel() {
        fabric.names = new Names(NodeNames.NONE, racks(0, 1, 2, 3, 4, 5, 6));
        begin(fabric);
        LossFabric.Cable cable = fabric.cable(0, 4);
        fabric.down.add(cable);
        List<Finding> lost = update();
        assertThat(codes(lost)).containsExactly(SmEvent.CABLE_LOST);
        assertThat(text(lost))
                .isEqualTo("0x0000000000200000 \"sw-0\" port 1 has lost its link to 0x0000000000200004 \"sw-4\" port 1"
                        + " (cable C17; row B, rack R0, unit 0 - row B, rack R4, unit 4)");
        assertThat(lost.get(0).values().stream().map(EventField.Value::field))
                .contains(EventField.GUID, EventField.PORT, EventField.SITE, EventField.CABLE, EventField.LID);
        assertThat(update()).isEmpty();
        now = now.plusSeconds(164);
        fabric.down.clear();
        assertThat(text(update()))
                .isEqualTo("the link of 0x0000000000200000 \"sw-0\" port 1 to 0x0000000000200004 \"sw-4\" port 1 is"
                        + " back after 2 min 46 s");
        assertThat(absences.losses()).isEmpty();
    }

    @Test
    void aSwitchIsOneEventWithItsCablesAndHosts() {
        fabric.down.add(3);
        List<Finding> lost = update();
        assertThat(codes(lost)).containsExactly(SmEvent.SWITCH_LOST);
        assertThat(text(lost))
                .isEqualTo("switch 0x0000000000200003 \"sw-3\" is gone, with 1 host (\"host-3\") and 3 cables to"
                        + " switches: port 1 - \"sw-4\" port 4, port 2 - \"sw-5\" port 4, port 3 - \"sw-6\" port 4");
        fabric.down.clear();
        assertThat(text(update()))
                .isEqualTo("switch 0x0000000000200003 \"sw-3\" is back after 1 s, with 1 host (\"host-3\") and all 3"
                        + " cables to switches");
    }

    @Test
    void theLossOfAReturnedSwitchEndsWithItsLastCable() {
        fabric.down.add(5);
        update();
        fabric.down.clear();
        fabric.down.add(fabric.cable(1, 5));
        List<Finding> part = update();
        assertThat(codes(part)).containsExactly(SmEvent.PARTLY_BACK);
        assertThat(text(part)).endsWith("still gone: 1 cable between switches: port 2 - \"sw-1\" port 2");
        assertThat(LossEvents.openLoss(absences.losses().get(0), before).text())
                .isEqualTo(
                        "switch 0x0000000000200005 \"sw-5\": of 1 switch and 4 cables between switches that were lost,"
                                + " still gone: 1 cable between switches: port 2 - \"sw-1\" port 2");
        fabric.down.clear();
        List<Finding> whole = update();
        assertThat(codes(whole)).containsExactly(SmEvent.SWITCH_BACK);
        assertThat(text(whole))
                .endsWith("\"sw-5\" is back after 2 s, with 1 host (\"host-5\") and all 4 cables to switches");
    }

    @Test
    void twoLossesAtTheSameTimeAreTwoEvents() {
        fabric.down.add(fabric.cable(0, 4));
        fabric.down.add(fabric.cable(3, 6));
        assertThat(codes(update())).containsExactly(SmEvent.CABLE_LOST, SmEvent.CABLE_LOST);
        fabric.down.remove(fabric.cable(0, 4));
        assertThat(codes(update())).containsExactly(SmEvent.CABLE_BACK);
        assertThat(absences.losses()).hasSize(1);
    }

    @Test
    void aRackIsOneEvent() {
        begin(LossFabric.tree(6, 3));
        fabric.names = new Names(NodeNames.NONE, racks(0, 1, 1, 1, 2, 3, 4, 5, 6));
        fabric.down.addAll(Set.of(1, 2, 3, 5));
        List<Finding> lost = update();
        assertThat(codes(lost)).containsExactly(SmEvent.MANY_LOST, SmEvent.SWITCH_LOST);
        assertThat(text(lost))
                .isEqualTo("row B, rack R1: 3 switches and 9 cables between switches are gone, with 3 hosts"
                        + " (\"host-1\", \"host-2\", \"host-3\"): \"sw-1\", \"sw-2\", \"sw-3\"");
        fabric.down.remove(2);
        assertThat(codes(update())).containsExactly(SmEvent.PARTLY_BACK);
        fabric.down.clear();
        assertThat(codes(update())).containsExactlyInAnyOrder(SmEvent.MANY_BACK, SmEvent.SWITCH_BACK);
    }

    @Test
    void aMassLossWithoutRacksIsOneEventOfBoundedLength() {
        begin(LossFabric.tree(30, 2));
        for (int leaf = 1; leaf < 30; leaf++) {
            fabric.down.add(leaf);
        }
        List<Finding> lost = update();
        assertThat(codes(lost)).containsExactly(SmEvent.MANY_LOST);
        assertThat(text(lost)).hasSizeLessThan(400).contains("29 switches", "58 cables", "29 hosts", "and 21 more");
        fabric.down.clear();
        for (int leaf = 1; leaf < 30; leaf++) {
            fabric.down.add(fabric.cable(leaf, 31));
        }
        update();
        fabric.down.clear();
        assertThat(codes(update())).containsExactly(SmEvent.MANY_BACK);
        for (int leaf = 1; leaf < 30; leaf++) {
            fabric.down.add(fabric.cable(leaf, 31));
        }
        assertThat(codes(update())).containsExactly(SmEvent.MANY_LOST);
    }

    /** Another event reports that the switch does not respond. */
    @Test
    void aSilentSwitchWithActiveCablesIsNotLost() {
        fabric.silent.add(5);
        assertThat(update()).isEmpty();
        fabric.silent.clear();
        assertThat(update()).isEmpty();
        fabric.silent.add(5);
        update();
        fabric.down.add(5);
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_LOST);
        fabric.down.clear();
        assertThat(update()).as("it starts, and does not answer yet").isEmpty();
        fabric.silent.clear();
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_BACK);
    }

    @Test
    void aSwitchWhosePresentNeighboursExcludeItIsNoLoss() {
        fabric.down.add(1);
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_LOST);
        List.of(0, 2, 3).forEach(leaf -> exclude(leaf, 5));
        assertThat(update())
                .as("its cable to the lost leaf says nothing about it")
                .isEmpty();
        assertThat(absences.losses()).hasSize(1);
        excluded.clear();
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_LOST);
        fabric.down.clear();
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_BACK, SmEvent.SWITCH_BACK);
    }

    @Test
    void aSwitchWithAnExcludedCableIsLostWithItsOtherCables() {
        exclude(0, 5);
        assertThat(update()).isEmpty();
        fabric.down.add(5);
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_LOST);
        fabric.down.remove(5);
        assertThat(codes(update())).containsExactly(SmEvent.SWITCH_BACK);
    }

    @Test
    void aLostLeafIsNamedByTheSpineThatItWasCabledTo() {
        fabric.down.add(3);
        update();
        assertThat(absences.devices(before.fabric()))
                .filteredOn(device -> device.end().isSwitch())
                .singleElement()
                .satisfies(device -> assertThat(device.peerEnd().name()).isEqualTo("sw-4"));
    }

    @Test
    void anotherCableInItsPortEndsALossAndIsNamed() {
        fabric.down.add(fabric.cable(0, 4));
        update();
        LossFabric.Cable old = fabric.cable(0, 4);
        fabric.cables.add(new LossFabric.Cable(0, old.portA(), 1, 10));
        List<Finding> over = update();
        assertThat(codes(over)).containsExactly(SmEvent.CABLE_BACK);
        assertThat(text(over))
                .endsWith("is not missed any more, since \"sw-0\" port 1 is cabled to \"sw-1\" port 10 now");
    }

    /**
     * Random faults and repairs: the open losses are the lost parts, once each. Each event begins or ends
     * exactly one.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void openLossesAreWhatIsLost(int seed) {
        Random random = Seeds.random(seed);
        begin(LossFabric.random(random, 4 + random.nextInt(20)));
        Set<String> open = new TreeSet<>();
        for (int step = 0; step < 60; step++) {
            for (int i = random.nextInt(4); i > 0; i--) {
                Object any = random.nextInt(3) == 0
                        ? 1 + random.nextInt(fabric.switches - 1)
                        : fabric.cables.get(random.nextInt(fabric.cables.size()));
                if (!fabric.down.remove(any)) {
                    fabric.down.add(any);
                }
            }
            if (random.nextInt(10) == 0) {
                fabric.down.clear();
            }
            Set<Object> lostBefore = members();
            for (Finding event : update()) {
                String end = event.event().endCode();
                if (!end.isEmpty()) {
                    open.add(end + subject(event)); // it may begin again
                } else if (event.event() != SmEvent.PARTLY_BACK) {
                    assertThat(open.remove(event.event().code() + subject(event)))
                            .as("%s", event)
                            .isTrue();
                }
            }
            Set<Object> lost = fabric.lostParts();
            assertThat(members()).as("step %s", step).isEqualTo(lost);
            Set<Object> lostNow = new HashSet<>(lost);
            lostNow.removeAll(lostBefore);
            Set<String> standing = new TreeSet<>();
            for (Loss loss : absences.losses()) {
                Finding condition = LossEvents.openLoss(loss, before);
                assertThat(standing.add(condition.event().endCode() + subject(condition)))
                        .isTrue();
                if (now.equals(loss.id().since())) {
                    assertThat(members(loss)).as("a loss begins with something").anyMatch(lostNow::contains);
                    members(loss).forEach(lostNow::remove);
                }
            }
            assertThat(lostNow).as("what is lost begins a loss").isEmpty();
            assertThat(open).isEqualTo(standing);
        }
    }

    private static String subject(Finding event) {
        return event.values().stream()
                .filter(value -> value.field() == EventField.GUID || value.field() == EventField.PORT)
                .map(value -> " " + value.text())
                .sorted()
                .reduce("", String::concat);
    }

    /** Returns all parts of losses, each once. */
    private Set<Object> members() {
        List<Object> all = new ArrayList<>();
        absences.losses().forEach(loss -> all.addAll(members(loss)));
        Set<Object> once = new HashSet<>(all);
        assertThat(all).hasSameSizeAs(once);
        return once;
    }

    private static List<Object> members(Loss loss) {
        List<Object> all = new ArrayList<>();
        loss.switches().forEach(end -> all.add((int) (end.nodeGuid() - LossFabric.guid(0))));
        loss.cables().forEach(cable -> all.add(cable(cable)));
        return all;
    }

    private static LossFabric.Cable cable(LostCable cable) {
        return new LossFabric.Cable(
                (int) (cable.near().nodeGuid() - LossFabric.guid(0)),
                cable.near().port().portNum(),
                (int) (cable.far().nodeGuid() - LossFabric.guid(0)),
                cable.far().port().portNum());
    }
}
