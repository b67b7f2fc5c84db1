package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.Notice;
import io.torussm.testing.LoggedEvents;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The begin and the end of the report of a link that flaps (TSM-4103 and TSM-4114), on the torus of {@link TrapCase}:
 * the ends that it names, and causes that have a report each.
 */
class FlappingReportsTest extends TrapCase {
    /**
     * A switch with flapping links is reported once; devices without a LID, of which there may be many, are
     * not reported.
     */
    @Test
    void aFlappingSwitchIsReportedIfItIsKnown() {
        for (int i = 0; i < 10; i++) {
            receive(generic(Notice.TRAP_LINK_STATE_CHANGE, switchLid(2)));
            receive(generic(Notice.TRAP_LINK_STATE_CHANGE, 0));
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(log.only(SmEvent.LINK_FLAPPING).get(EventField.LID)).isEqualTo("" + switchLid(2));
        assertThat(log.of(SmEvent.LINK_QUIET)).isEmpty();
        harness.loop.runFor(TrapThrottle.QUIET_NS);
        assertThat(log.only(SmEvent.LINK_QUIET).get(EventField.LID)).isEqualTo("" + switchLid(2));
    }

    /** Trap 128 names no port, and both ends of a cable send it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aFlappingCableIsOneReportThatNamesItsEndsAndOneEnd(int delay) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(fabric.port(2, 1));
        int neighbour = fabric.nodeOf(far);
        for (int i = 0; i < 10; i++) {
            receive(Notice.linkStateChange(switchLid(2)));
            if (i >= delay) {
                receive(Notice.linkStateChange(switchLid(neighbour)));
            }
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(log.of(SmEvent.LINK_FLAPPING)).hasSize(1);
        harness.loop.runFor(TrapThrottle.QUIET_NS);
        LoggedEvents.LoggedEvent quiet = log.only(SmEvent.LINK_QUIET);
        assertThat(quiet.get(EventField.GUID))
                .isEqualTo(log.only(SmEvent.LINK_FLAPPING).get(EventField.GUID));
        boolean isFirst = fabric.port(2, 1) < far;
        int near = isFirst ? fabric.port(2, 1) : far;
        assertThat(quiet.get(EventField.NAME)).endsWith(fabric.portName(near));
        assertThat(quiet.get(EventField.TEXT)).startsWith(", cabled to ").endsWith(fabric.portName(fabric.peer(near)));
        assertThat(quiet.get(EventField.STATE)).isEqualTo("UP");
        assertThat(quiet.get(EventField.COUNT)).isEqualTo("10");
        assertThat(quiet.get(EventField.SECONDS)).isEqualTo("9");
    }

    /** The events of a link have the same subject, and so the same order of ends. */
    @ParameterizedTest
    @ValueSource(ints = {9, 10})
    void aFlappingLinkIsNamedAsItsLossesAreAndHasItsStateAtTheEnd(int changes) {
        Fabric fabric = subnet.fabric();
        long guid = fabric.nodeGuid(fabric.nodeOf(fabric.peer(fabric.port(2, 1))));
        int portNum = fabric.portNum(fabric.peer(fabric.port(2, 1)));
        for (int i = 0; i < changes; i++) {
            if (i % 2 == 0) {
                harness.fabric.unlink(guid, portNum);
            } else {
                harness.fabric.relink(guid, portNum);
            }
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        harness.loop.runFor(TrapThrottle.QUIET_NS);
        LoggedEvents.LoggedEvent lost = log.of(SmEvent.CABLE_LOST).get(0);
        LoggedEvents.LoggedEvent flaps = log.only(SmEvent.LINK_FLAPPING);
        LoggedEvents.LoggedEvent quiet = log.only(SmEvent.LINK_QUIET);
        for (EventField field : List.of(EventField.GUID, EventField.PORT, EventField.NAME)) {
            assertThat(flaps.get(field)).isEqualTo(lost.get(field));
            assertThat(quiet.get(field)).isEqualTo(lost.get(field));
        }
        assertThat(flaps.get(EventField.TEXT)).isEqualTo(", cabled to " + lost.get(EventField.DESTINATION));
        assertThat(quiet.get(EventField.TEXT)).isEqualTo(flaps.get(EventField.TEXT));
        assertThat(quiet.get(EventField.STATE)).isEqualTo(changes % 2 == 0 ? "UP" : "DOWN");
        assertThat(quiet.get(EventField.ACTION))
                .matches((changes % 2 == 0 ? ", and routes use it again" : ", and no route uses it")
                        + " since \\d\\d:\\d\\d:\\d\\d");
        assertThat(flaps.get(EventField.STATE)).isIn("UP", "DOWN");
        int losses = log.of(SmEvent.CABLE_LOST).size();
        int returns = log.of(SmEvent.CABLE_BACK).size();
        assertThat(quiet.get(EventField.COUNT)).isEqualTo(Integer.toString(losses + returns));
        assertThat(quiet.get(EventField.REASON))
                .isEqualTo("sweeps found it lost " + losses + " times and back " + returns + " times");
    }

    @Test
    void aLinkThatFlapsForLongIsReportedAgainEveryTenMinutes() {
        for (int i = 0; i < 65; i++) {
            receive(Notice.linkStateChange(switchLid(2)));
            harness.loop.runFor(TrapThrottle.QUIET_NS - 1);
        }
        assertThat(log.of(SmEvent.LINK_FLAPPING)).hasSize(1 + 2);
        assertThat(log.of(SmEvent.LINK_QUIET)).isEmpty();
    }

    /** Sweeps find that the cables of two hosts flap, and not the cable between their switches. */
    @Test
    void neighboursThatFlapForTwoCausesHaveAReportEach() {
        Fabric fabric = subnet.fabric();
        int own = fabric.nodeOf(fabric.peer(fabric.localPort()));
        List<Integer> switches = IntStream.rangeClosed(1, fabric.numPorts(own))
                .map(portNum -> fabric.peer(fabric.port(own, portNum)))
                .filter(peer -> peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)))
                .map(fabric::nodeOf)
                .boxed()
                .limit(2)
                .toList();
        for (int i = 0; i < 10; i++) {
            boolean isLoss = i % 2 == 0;
            for (int sw : switches) {
                long host = hostOf(fabric, sw);
                if (isLoss) {
                    harness.fabric.unlink(host, 1);
                } else {
                    harness.fabric.relink(host, 1);
                }
            }
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(log.of(SmEvent.LINK_FLAPPING))
                .as("named by their hosts")
                .hasSize(2)
                .allSatisfy(flaps -> {
                    assertThat(flaps.get(EventField.NAME)).contains("host-").endsWith(" port 1");
                    assertThat(flaps.get(EventField.TEXT)).contains(", cabled to ", "sw-");
                });
        harness.loop.runFor(TrapThrottle.QUIET_NS);
        assertThat(log.of(SmEvent.LINK_QUIET)).hasSize(2);
    }

    /** A reboot is one change of a cable, and no cause of traps of both switches. */
    @Test
    void aRebootOfAHostDoesNotSplitTheEndsOfAFlappingCable() {
        Fabric fabric = subnet.fabric();
        int neighbour = fabric.nodeOf(fabric.peer(fabric.port(2, 1)));
        harness.fabric.unlink(hostOf(fabric, 2), 1);
        harness.loop.runFor(3 * TrapThrottle.BURST_NS);
        for (int i = 0; i < 10; i++) {
            receive(Notice.linkStateChange(switchLid(2)));
            receive(Notice.linkStateChange(switchLid(neighbour)));
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        assertThat(log.only(SmEvent.LINK_FLAPPING).get(EventField.TEXT)).matches(", cabled to .* port \\d+");
    }

    /** Returns the NodeGUID of the host at a switch. */
    private static long hostOf(Fabric fabric, int sw) {
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                .filter(peer -> peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)))
                .mapToObj(peer -> fabric.nodeGuid(fabric.nodeOf(peer)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void switchesThatAreNoNeighboursHaveAReportEach() {
        Fabric fabric = subnet.fabric();
        int far = IntStream.range(0, fabric.switchCount())
                .filter(sw -> sw != 2
                        && IntStream.rangeClosed(1, fabric.numPorts(2))
                                .map(portNum -> fabric.peer(fabric.port(2, portNum)))
                                .noneMatch(peer -> peer != Fabric.NONE && fabric.nodeOf(peer) == sw))
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < 10; i++) {
            receive(Notice.linkStateChange(switchLid(2)));
            receive(Notice.linkStateChange(switchLid(far)));
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
        harness.loop.runFor(TrapThrottle.QUIET_NS);
        assertThat(log.of(SmEvent.LINK_FLAPPING)).hasSize(2);
        assertThat(log.of(SmEvent.LINK_QUIET)).hasSize(2).allSatisfy(quiet -> assertThat(quiet.get(EventField.TEXT))
                .isEmpty());
    }

    /** The journal forgets the conditions of the subnet when the mastership ends. */
    @Test
    void aFlappingLinkOfAnEarlierMastershipDoesNotBecomeQuietInTheNext() {
        flap();
        endMastership();
        flap();
        assertThat(log.of(SmEvent.LINK_FLAPPING)).as("one in each").hasSize(2);
        harness.loop.runFor(2 * TrapThrottle.QUIET_NS);
        assertThat(log.of(SmEvent.LINK_QUIET)).hasSize(1);
        flap();
        endMastership();
        harness.loop.runFor(2 * TrapThrottle.QUIET_NS);
        assertThat(log.of(SmEvent.LINK_QUIET)).hasSize(1);
    }

    private void endMastership() {
        harness.sweeper.withdraw();
        harness.sweep();
    }

    private void flap() {
        for (int i = 0; i < 10; i++) {
            receive(generic(Notice.TRAP_LINK_STATE_CHANGE, switchLid(2)));
            harness.loop.runFor(TrapThrottle.BURST_NS);
        }
    }
}
