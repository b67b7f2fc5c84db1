package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.perf.PerfCapability;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.transport.MadFrame;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The performance manager on the ring of {@link PerfHarness}: 4 switches with a host each, 8 agents with 16 ports, read
 * every 10 s by two requests for each port. The first turn also requests the capabilities of each agent.
 */
class PerformanceManagerTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final PerfHarness harness = new PerfHarness();

    private void runTurns(int count) {
        for (int i = 0; i < count; i++) {
            harness.runTurn();
        }
    }

    private long countSent(int attribute, int method) {
        return harness.sent.stream()
                .map(MadFrame::mad)
                .filter(mad -> MadHeader.attributeId(mad) == attribute && MadHeader.method(mad) == method)
                .count();
    }

    @Test
    void readsWhatEveryPortCounts() {
        harness.agent(2).set(1, Counter.XMIT_DATA, 1L << 40);
        harness.agent(2).set(1, Counter.SYMBOL_ERRORS, 12);
        harness.agent(2).set(1, Counter.XMIT_WAIT, 99);
        harness.agent(2).set(1, Counter.MULTICAST_RCV_PACKETS, 1L << 33);
        harness.bringUp();

        PortStatistics port = harness.port(2, 1);
        assertThat(port.total(Counter.XMIT_DATA)).isEqualTo(1L << 40);
        assertThat(port.total(Counter.SYMBOL_ERRORS)).isEqualTo(12);
        assertThat(port.total(Counter.XMIT_WAIT)).isEqualTo(99);
        assertThat(port.total(Counter.MULTICAST_RCV_PACKETS)).isEqualTo(1L << 33);
        assertThat(port.has(Counter.QP1_DROPPED))
                .as("CapabilityMask has no bit for it")
                .isFalse();
        assertThat(port.has(Counter.LOCAL_PHYSICAL_ERRORS)).isFalse();
        Fabric fabric = harness.fabric();
        for (int index = 0; index < fabric.portCount(); index++) {
            boolean isRead =
                    harness.store.counters(fabric.nodeGuid(fabric.nodeOf(index)), fabric.portNum(index)) != null;
            assertThat(isRead).as(fabric.portName(index)).isEqualTo(fabric.peer(index) != Fabric.NONE);
        }
        PollStatistics statistics = harness.manager.statistics();
        assertThat(statistics.turns()).isEqualTo(1);
        assertThat(statistics.agents()).isEqualTo(8);
        assertThat(statistics.ports()).isEqualTo(16);
        assertThat(statistics.mads()).isEqualTo(8 + 2 * 16).isEqualTo(harness.sent.size());
    }

    @Test
    void readsInTurnsAndSaysRates() {
        harness.bringUp();
        harness.agent(0).set(2, Counter.RCV_DATA, 1_000); // words of 4 bytes, in a turn of 10 s
        harness.runTurn();
        harness.runTurn();

        assertThat(harness.manager.statistics().turns()).isEqualTo(3);
        assertThat(harness.store.samples(harness.fabric().nodeGuid(0), 2))
                .extracting(PortSample::rcvBytesPerSecond)
                .satisfiesExactly(
                        rate -> assertThat(rate).isEqualTo(1_000 * 4 / 10, within(1.0)),
                        rate -> assertThat(rate).isZero());
    }

    @Test
    void allCountersOf64BitsCostOneRequest() {
        harness.agents.values().forEach(agent -> agent.capabilityMask2 = PerfCapability.ADDITIONAL_EXTENDED);
        harness.agent(0).set(1, Counter.SYMBOL_ERRORS, 1L << 33);
        harness.bringUp();

        assertThat(countSent(PortCounters.TYPE.id(), Method.GET)).isZero();
        assertThat(countSent(PortCountersExtended.TYPE.id(), Method.GET)).isEqualTo(16);
        assertThat(harness.port(0, 1).total(Counter.SYMBOL_ERRORS)).isEqualTo(1L << 33);
    }

    @Test
    void fallsBackToCountersOf32Bits() {
        harness.agent(0).capabilityMask = 0; // neither PortCountersExtended nor PortXmitWait
        harness.agent(1).unsupportedAttribute = PortCountersExtended.TYPE.id();
        harness.agent(0).set(1, Counter.XMIT_DATA, 5_000);
        harness.agent(1).set(1, Counter.XMIT_DATA, 6_000);
        harness.bringUp();
        harness.runTurn();

        assertThat(harness.port(0, 1).total(Counter.XMIT_DATA)).isEqualTo(5_000);
        assertThat(harness.port(0, 1).has(Counter.UNICAST_XMIT_PACKETS)).isFalse();
        assertThat(harness.port(0, 1).has(Counter.XMIT_WAIT))
                .as("CapabilityMask has no bit for it")
                .isFalse();
        assertThat(harness.port(1, 1).total(Counter.XMIT_DATA)).isEqualTo(6_000);
        assertThat(harness.port(1, 1).has(Counter.XMIT_WAIT)).isTrue();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void readsWhyPacketsWereRefusedIfThatIsWanted() {
        harness.readsDetails = true;
        harness.agent(0).set(1, Counter.MALFORMED_PACKET_ERRORS, 7);
        harness.agent(1).unsupportedAttribute = PortRcvErrorDetails.TYPE.id();
        harness.bringUp();
        harness.runTurn();

        assertThat(harness.port(0, 1).total(Counter.MALFORMED_PACKET_ERRORS)).isEqualTo(7);
        assertThat(harness.port(1, 1)).isNotNull();
        assertThat(harness.port(1, 1).has(Counter.MALFORMED_PACKET_ERRORS)).isFalse();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void hostsAreLeftOutIfThatIsWanted() {
        harness.ignoresHosts = true;
        harness.bringUp();

        assertThat(harness.manager.statistics().agents()).isEqualTo(4);
        assertThat(harness.store.counters(harness.fabric().nodeGuid(5), 1)).isNull();
        assertThat(harness.port(0, 3)).as("the other end of its cable").isNotNull();
    }

    @Test
    void clearsCountersBeforeTheySaturate() {
        harness.agent(0).capabilityMask = 0;
        harness.agent(0).set(1, Counter.XMIT_DATA, 0xC000_0001L);
        harness.agent(0).set(1, Counter.RCV_DATA, 0xB000_0000L);
        harness.bringUp();

        assertThat(countSent(PortCounters.TYPE.id(), Method.SET)).isEqualTo(1);
        assertThat(harness.agent(0).ports.get(1))
                .containsEntry(Counter.XMIT_DATA, 0L)
                .containsEntry(Counter.RCV_DATA, 0xB000_0000L);
        harness.agent(0).set(1, Counter.XMIT_DATA, 10); // counted since the clearing
        harness.runTurn();
        assertThat(harness.port(0, 1).total(Counter.XMIT_DATA)).isEqualTo(0xC000_0001L + 10);
        assertThat(harness.manager.statistics().clearings()).isZero();
    }

    @Test
    void otherReadersKeepTheir32BitCountersIf64BitCountersExist() {
        harness.agent(0).set(1, Counter.LOCAL_LINK_INTEGRITY_ERRORS, 14);
        harness.bringUp();
        assertThat(countSent(PortCounters.TYPE.id(), Method.SET)).isZero();

        harness.clearing = PerfSettings.Clearing.ALWAYS;
        harness.runTurn();
        assertThat(countSent(PortCounters.TYPE.id(), Method.SET)).isEqualTo(1);

        harness.agent(1).capabilityMask = 0;
        harness.agent(1).set(1, Counter.SYMBOL_ERRORS, 0xFFFF);
        harness.clearing = PerfSettings.Clearing.NEVER;
        harness.runTurn();
        assertThat(countSent(PortCounters.TYPE.id(), Method.SET)).isEqualTo(1);
    }

    @Test
    void noticesThatOthersClear() {
        harness.agent(0).set(1, Counter.XMIT_DATA, 5_000);
        harness.bringUp();
        harness.agent(0).set(1, Counter.XMIT_DATA, 20);
        harness.runTurn();

        assertThat(harness.port(0, 1).total(Counter.XMIT_DATA)).isEqualTo(5_020);
        assertThat(harness.manager.statistics().clearings()).isEqualTo(1);
    }

    @Test
    void aSilentDeviceCostsItselfOnly() {
        harness.agent(1).isSilent = true;
        harness.bringUp();
        assertThat(harness.isRead(1, 1)).isFalse();
        assertThat(harness.port(2, 1)).isNotNull();
        assertThat(harness.manager.statistics().turns()).isEqualTo(1);
        assertThat(harness.agent(1).requests).as("one request and one retry").isEqualTo(2);
        assertThat(log.all()).as("reported from the second failure on").isEmpty();

        runTurns(30);
        assertThat(harness.agent(1).requests)
                .as("one request and one retry in turns 0, 1, 3, 7 and 15; the next is turn 31")
                .isEqualTo(10);
        assertThat(log.only(SmEvent.PERF_AGENT_SILENT).names("sw-1", "no answer"))
                .isTrue();
        assertThat(harness.manager.statistics().silent()).isEqualTo(1);
        assertThat(harness.port(2, 1).at().getEpochSecond())
                .isEqualTo(TimeUnit.NANOSECONDS.toSeconds(harness.loop.nowNs()));

        harness.agent(1).isSilent = false;
        runTurns(32);
        assertThat(log.only(SmEvent.PERF_AGENT_ANSWERS).names("sw-1")).isTrue();
        assertThat(harness.port(1, 1)).isNotNull();
        assertThat(harness.manager.statistics().silent()).isZero();
        int requests = harness.agent(1).requests;
        harness.runTurn();
        assertThat(harness.agent(1).requests).as("asked as before").isEqualTo(requests + 6);
    }

    @Test
    void silenceIsReportedAgainOnlyAfterItsEnd() {
        harness.agent(1).isBusy = true;
        harness.bringUp();
        runTurns(30); // requests are 1, 2, 4, 8 and 16 turns apart
        assertThat(log.only(SmEvent.PERF_AGENT_SILENT).get(EventField.REASON)).contains("busy");

        harness.agent(1).isBusy = false;
        runTurns(2);
        assertThat(log.only(SmEvent.PERF_AGENT_ANSWERS).names("sw-1")).isTrue();

        harness.agent(1).isBusy = true;
        harness.runTurn();
        assertThat(log.of(SmEvent.PERF_AGENT_SILENT)).as("a single failure").hasSize(1);
        runTurns(30);
        assertThat(log.of(SmEvent.PERF_AGENT_SILENT)).hasSize(2);
    }

    @Test
    void keepsWithinItsPace() {
        harness.madsPerSecond = 10;
        harness.manager.subnetUp(harness.view());
        for (int second = 1; second <= 3; second++) {
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
            assertThat(harness.sent.size()).as("after %d s", second).isBetween(10 * second - 1, 10 * second + 1);
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(harness.sent)
                .as("capabilities of 8 agents, and two requests for each of 16 ports")
                .hasSize(8 + 2 * 16);
    }

    @Test
    void aDeviceIsAskedForLittleAtOnce() {
        harness.deviceQueries = 3;
        harness.bringUp();
        harness.runTurn();
        assertThat(harness.agent(0).maxPendingRequests).isEqualTo(3);

        harness.agent(0).maxPendingRequests = 0;
        harness.deviceQueries = 1;
        harness.runTurn();
        assertThat(harness.agent(0).maxPendingRequests).isEqualTo(1);
    }

    @Test
    void saysOnceThatATurnTakesTooLong() {
        harness.intervalS = 1;
        harness.madsPerSecond = 10;
        harness.manager.subnetUp(harness.view());
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
        assertThat(log.of(SmEvent.PERF_POLLING_SLOW)).hasSize(1);
        assertThat(harness.manager.statistics().turns()).isPositive();
        assertThat(harness.manager.statistics().late()).isGreaterThan(5);

        harness.madsPerSecond = 1_000;
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(log.of(SmEvent.PERF_POLLING_IN_TIME)).hasSize(1);
    }

    @Test
    void errorsOfAPortAreReportedAtBeginAndEnd() {
        harness.bringUp();
        harness.agent(0).set(1, Counter.LINK_DOWNED, 8);
        harness.runTurn();
        harness.runTurn();
        LoggedEvents.LoggedEvent begins = log.only(SmEvent.PORT_ERRORS);
        assertThat(begins.get(EventField.PORT)).isEqualTo("1");
        assertThat(begins.get(EventField.DESTINATION)).contains("sw-1").contains("port 2");
        assertThat(begins.get(EventField.TEXT)).contains("LinkDownedCounter 8");
        assertThat(log.of(SmEvent.PORT_ERRORS_OVER)).isEmpty();

        harness.intervalS = 3 * 3600; // the hourly rate falls below half of the limit
        harness.manager.settingsChanged();
        harness.runTurn();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(log.only(SmEvent.PORT_ERRORS_OVER).get(EventField.GUID)).isEqualTo(begins.get(EventField.GUID));
    }

    @Test
    void manyPortsWithErrorsAreANumber() {
        harness.subnet = Subnets.of(Sketch.ring(30).build()); // 60 ports with errors, 10 more than MAX_REPORTED
        for (int lid = 1; lid <= harness.subnet.topLid(); lid++) {
            harness.agents.put(lid, new PerfHarness.TestAgent());
        }
        harness.bringUp();
        for (int sw = 0; sw < 30; sw++) {
            harness.agent(sw).set(1, Counter.RCV_ERRORS, 99);
            harness.agent(sw).set(2, Counter.RCV_ERRORS, 99);
        }
        harness.runTurn();
        harness.runTurn();

        assertThat(log.of(SmEvent.PORT_ERRORS)).hasSize(PortConditions.MAX_REPORTED);
        assertThat(log.only(SmEvent.PORT_CONDITIONS_UNTOLD).get(EventField.COUNT))
                .isEqualTo("10");
    }
}
