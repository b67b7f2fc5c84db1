package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The arrivals and departures of virtual ports. */
class VPortHistoryTest extends VPortCase {
    private static final long GUID = 0x0200_0000_0000_0a01L;

    private final VPortHistory history = new VPortHistory();

    private static VirtualPort vport(int index, long guid) {
        return new VirtualPort(index, guid, 1, 4, null);
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void aVPortThatComesAndGoesHasOneEntry() {
        VirtualPort stays = vport(1, 1);
        for (int i = 0; i < 10; i++) {
            history.update(7, List.of(stays), List.of(stays, vport(3, GUID)), true, at(2L * i));
            history.update(7, List.of(stays, vport(3, GUID)), List.of(stays), true, at(2L * i + 1));
        }
        assertThat(history.entries()).containsExactly(new VPortHistory.Entry(7, GUID, 3, false, 20, at(0), at(19), ""));
    }

    @Test
    void aPortDisplacesOnlyItsOwnEntries() {
        history.update(7, List.of(), List.of(vport(1, GUID)), true, at(0));
        for (int guid = 1; guid <= 1000; guid++) {
            history.update(8, List.of(), List.of(vport(1, guid)), true, at(guid));
        }
        assertThat(history.entries()).hasSize(1 + VPortHistory.MAX_OF_PORT);
        assertThat(history.entries().get(0).guid()).isEqualTo(1000);
        assertThat(history.entries()).last().satisfies(entry -> assertThat(entry.guid())
                .isEqualTo(GUID));
    }

    @Test
    void theEntriesOfAllPortsAreLimited() {
        for (int port = 1; port <= 10_000; port++) {
            history.update(port, List.of(), List.of(vport(1, port << 8)), true, at(port));
        }
        assertThat(history.entries()).hasSize(VPortHistory.MAX_ENTRIES);
        assertThat(history.entries().get(0).portGuid()).isEqualTo(10_000);
        history.clear();
        assertThat(history.entries()).isEmpty();
    }

    /** A device that did not respond in time shows all its vports at the next reading, in two parts here. */
    @Test
    void aReadingAfterAFailedOneShowsNoChanges() {
        history.onReadFailure(7);
        history.update(7, List.of(), List.of(vport(1, GUID)), false, at(0));
        history.update(7, List.of(vport(1, GUID)), List.of(vport(1, GUID), vport(2, 2)), true, at(1));
        assertThat(history.entries()).isEmpty();
        history.update(7, List.of(vport(1, GUID), vport(2, 2)), List.of(vport(2, 2)), true, at(2));
        assertThat(history.entries()).hasSize(1);
    }

    @Test
    void theVPortOfAPhysicalFunctionHasNoEntry() {
        history.update(7, List.of(), List.of(vport(0, 9), vport(1, 7)), true, at(0));
        assertThat(history.entries()).isEmpty();
    }

    private List<Long> guidsAt(long portGuid, List<VirtualPort> current, long second) {
        return Objects.requireNonNull(history.at(portGuid, current, at(second))).stream()
                .filter(VPortHistory.PastVPort::isCertain)
                .map(VPortHistory.PastVPort::guid)
                .toList();
    }

    @Test
    void theVPortsOfAMomentFollowFromTheChangesAfterIt() {
        VirtualPort stays = vport(1, 1);
        VirtualPort comes = vport(2, 2);
        VirtualPort goes = vport(3, 3);
        VirtualPort visits = vport(4, 4);
        history.begin(7, at(10));
        history.update(7, List.of(stays, goes), List.of(stays, goes, visits), true, at(20));
        history.update(7, List.of(stays, goes, visits), List.of(stays, comes), true, at(30));
        List<VirtualPort> current = List.of(stays, comes);
        assertThat(history.at(7, current, at(9))).as("before the first visit").isNull();
        assertThat(guidsAt(7, current, 10)).containsExactly(1L, 3L);
        assertThat(guidsAt(7, current, 25)).containsExactly(1L, 3L, 4L);
        assertThat(guidsAt(7, current, 30)).containsExactly(1L, 2L);
        history.update(7, current, List.of(stays), true, at(40));
        history.update(7, List.of(stays), current, true, at(50));
        assertThat(guidsAt(7, current, 29)).containsExactly(1L, 3L, 4L);
        assertThat(guidsAt(7, current, 45)).containsExactly(1L);
        assertThat(history.at(7, current, at(45))).contains(new VPortHistory.PastVPort(2, 2, false, ""));
        history.onReadFailure(7);
        assertThat(history.at(7, current, at(60))).as("not read").isNull();
        history.update(7, current, current, true, at(70));
        assertThat(history.at(7, current, at(60))).isNull();
        assertThat(guidsAt(7, current, 70)).containsExactly(1L, 2L);
    }

    @Test
    void theMomentsBeforeADisplacedChangeAreNotKnown() {
        history.begin(7, at(0));
        for (int guid = 1; guid <= VPortHistory.MAX_OF_PORT + 10; guid++) {
            history.update(7, List.of(), List.of(vport(1, guid)), true, at(guid));
        }
        assertThat(history.at(7, List.of(), at(9))).isNull();
        assertThat(history.at(7, List.of(), at(10))).isNotNull();
    }

    /** A vport is gone without a departure if its host restarts, and may be back after a visit without a response. */
    @Test
    void entriesBeforeAGapSayNothingAboutLaterMoments() {
        history.begin(7, at(0));
        history.update(7, List.of(), List.of(vport(1, GUID)), true, at(1));
        history.remove(7);
        history.begin(7, at(10));
        assertThat(guidsAt(7, List.of(), 11)).isEmpty();

        history.update(7, List.of(), List.of(vport(1, GUID)), true, at(20));
        history.update(7, List.of(vport(1, GUID)), List.of(), true, at(21));
        history.onReadFailure(7);
        List<VirtualPort> current = List.of(vport(1, GUID));
        history.update(7, List.of(), current, true, at(30));
        assertThat(guidsAt(7, current, 31)).containsExactly(GUID);
    }

    @Test
    void arrivalsAfterTheFirstVisitAreNoted() {
        sweep();
        assertThat(manager.table().history().entries()).isEmpty();
        agent(GOOD).plug(9, GUID);
        settle();
        assertThat(manager.table().history().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.guid()).isEqualTo(GUID);
            assertThat(entry.portGuid()).isEqualTo(portGuid(GOOD));
            assertThat(entry.isArrival()).isTrue();
        });
        agent(GOOD).unplug(9);
        settle();
        assertThat(manager.table().history().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.isArrival()).isFalse();
            assertThat(entry.changes()).isEqualTo(2);
        });
        harness.fabric.interventions().powerOff(OTHER);
        sweep();
        assertThat(manager.table().history().entries())
                .as("of a host that is off")
                .hasSize(1);
        manager.forget();
        assertThat(manager.table().history().entries()).isEmpty();
    }
}
