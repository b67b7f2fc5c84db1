package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The performance manager on the ring of {@link PerfHarness} when settings, the mastership, the subnet or the address
 * of an agent change.
 */
class PollingChangesTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final PerfHarness harness = new PerfHarness();

    @Test
    void whenPollingIsTurnedOffConditionsEnd() {
        harness.bringUp();
        harness.agent(0).set(1, Counter.LINK_DOWNED, 8);
        harness.runTurn();
        harness.isPolling = false;
        harness.manager.settingsChanged();
        harness.runTurn();
        int before = harness.sent.size();
        harness.runTurn();

        assertThat(harness.sent).hasSize(before);
        assertThat(log.of(SmEvent.PORT_ERRORS_OVER)).hasSize(1);
        harness.isPolling = true;
        harness.manager.settingsChanged();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(harness.sent.size()).isGreaterThan(before);
    }

    @Test
    void noDeviceIsPolledWhileAnotherSmIsMaster() {
        harness.bringUp();
        harness.manager.end();
        harness.runTurn();
        int before = harness.sent.size();
        harness.runTurn();
        assertThat(harness.sent).hasSize(before);

        harness.manager.subnetUp(harness.view());
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(harness.sent.size()).isGreaterThan(before);
    }

    @Test
    void aTurnThatIsInterruptedLeavesNothingBehind() {
        harness.manager.subnetUp(harness.view());
        harness.loop.runFor(PerfHarness.ANSWER_NS / 2);
        harness.manager.end();
        harness.manager.subnetUp(harness.view());
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(harness.manager.statistics().turns()).isEqualTo(1);
        assertThat(harness.port(3, 1)).isNotNull();
        harness.runTurn();
        assertThat(harness.manager.statistics().turns()).isEqualTo(2);
        assertThat(harness.manager.statistics().late()).isZero();
    }

    @Test
    void aPortThatComesBackContinues() {
        harness.agent(3).set(1, Counter.XMIT_DATA, 5_000);
        harness.bringUp();
        long guid = harness.fabric().nodeGuid(3);
        var ringOfFour = harness.subnet;
        harness.subnet = Subnets.of(Sketch.ring(3).build());
        harness.manager.subnetUp(harness.view());
        harness.runTurn();
        assertThat(Objects.requireNonNull(harness.store.counters(guid, 1)).total(Counter.XMIT_DATA))
                .isEqualTo(5_000);

        harness.subnet = ringOfFour;
        harness.agent(3).set(1, Counter.XMIT_DATA, 5_400);
        harness.manager.subnetUp(harness.view());
        harness.runTurn();

        assertThat(Objects.requireNonNull(harness.store.counters(guid, 1)).total(Counter.XMIT_DATA))
                .isEqualTo(5_400);
        assertThat(harness.manager.statistics().agents()).isEqualTo(8);
    }

    @Test
    void answersOfThePreviousOwnerOfALidDoNotCount() {
        Fabric ring = harness.fabric();
        int host = ring.switchCount();
        int lid = harness.subnet.lid(ring.port(host, 1));
        Objects.requireNonNull(harness.agents.get(lid)).set(1, Counter.XMIT_DATA, 5_000);
        harness.manager.subnetUp(harness.view());
        BoundedWait.until(
                harness.loop,
                "counters are requested",
                () -> harness.sent.stream()
                        .anyMatch(frame -> frame.peer().lid() == lid
                                && MadHeader.attributeId(frame.mad()) == PortCountersExtended.TYPE.id()),
                PerfHarness.ANSWER_NS * 8);
        harness.subnet = Subnets.of(Sketch.ring(3).build()); // the LIDs of hosts differ from those in the ring of four
        harness.agents.replaceAll((lidOfAgent, agent) -> new PerfHarness.TestAgent());
        harness.manager.subnetUp(harness.view());
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(harness.manager.statistics().turns()).isEqualTo(1);

        harness.runTurn();
        assertThat(harness.manager.statistics().turns()).isEqualTo(2);
        assertThat(harness.manager.statistics().agents()).isEqualTo(6);
        assertThat(harness.subnet.lid(harness.fabric().port(harness.fabric().switchCount(), 1)))
                .isNotEqualTo(lid);
        assertThat(Objects.requireNonNull(harness.store.counters(ring.nodeGuid(host), 1))
                        .total(Counter.XMIT_DATA))
                .as("an answer from the LID that the host had before")
                .isZero();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void followsRedirectionsWithinTheSubnetOnly() {
        int redirectedLid = harness.subnet.lid(harness.fabric().port(2, 0));
        harness.agent(0).redirectedTo = redirectedLid;
        harness.agent(2).set(1, Counter.XMIT_DATA, 7_000);
        harness.agent(1).redirectedTo = 0x3000; // 12288, beyond the LIDs of the subnet
        harness.bringUp();
        harness.runTurn();
        harness.runTurn();

        assertThat(harness.port(0, 1).total(Counter.XMIT_DATA))
                .as("what answers there")
                .isEqualTo(7_000);
        assertThat(harness.sent)
                .filteredOn(frame -> frame.peer().qpn() == 77)
                .isNotEmpty()
                .allSatisfy(frame -> {
                    assertThat(frame.peer().lid()).isEqualTo(redirectedLid);
                    assertThat(frame.peer().sl())
                            .as("that of the path, not the agent's 9")
                            .isZero();
                });
        assertThat(harness.isRead(1, 1)).isFalse();
        assertThat(log.only(SmEvent.PERF_REDIRECTION_REFUSED).names("sw-1", "12288"))
                .isTrue();
        assertThat(log.only(SmEvent.PERF_AGENT_SILENT).names("sw-1")).isTrue();
    }

    @Test
    void redirectionsCanBeTurnedOff() {
        harness.followsRedirection = false;
        harness.agent(0).redirectedTo = harness.subnet.lid(harness.fabric().port(2, 0));
        harness.bringUp();

        assertThat(harness.isRead(0, 1)).isFalse();
        assertThat(harness.sent).noneMatch(frame -> frame.peer().qpn() == 77);
    }
}
