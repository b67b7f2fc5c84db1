package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.model.PortCounter;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The port counters of packets in the data plane. */
class PortTrafficTest {
    private static final long US = 1_000;

    private static long sum(Fabric fabric, PortTraffic traffic, PortCounter counter) {
        return IntStream.range(0, fabric.portCount())
                .mapToLong(port -> traffic.get(port, counter))
                .sum();
    }

    /** Runs a list of messages, alone or together; all arrive. */
    private static DataPlane run(TestTraffic torus, List<Trace.TimedMessage> messages, DataPlaneSettings settings) {
        DataPlane plane = torus.plane(new Trace(torus.hosts.count(), messages), settings);
        plane.countPorts();
        plane.run(Long.MAX_VALUE);
        assertThat(plane.inFlight()).isZero();
        return plane;
    }

    @Test
    void packetsSentByOneEndOfACableAreReceivedByTheOther() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(4, 3, 2, 1, 2), true);
        List<Trace.TimedMessage> messages = IntStream.range(0, 400)
                .mapToObj(i -> new Trace.TimedMessage(
                        i % torus.hosts.count(), (i * 7 + 1) % torus.hosts.count(), 1 + 37 * i % 9_001, 10L * i))
                .filter(sent -> sent.from() != sent.to())
                .toList();
        DataPlane plane = run(torus, messages, DataPlaneSettings.DEFAULT);
        PortTraffic traffic = plane.countPorts();
        Fabric fabric = torus.plan.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer != Fabric.NONE) {
                assertThat(traffic.get(peer, PortCounter.RCV_PKTS)).isEqualTo(traffic.get(port, PortCounter.XMIT_PKTS));
                assertThat(traffic.get(peer, PortCounter.RCV_DATA)).isEqualTo(traffic.get(port, PortCounter.XMIT_DATA));
                assertThat(traffic.get(peer, PortCounter.UNICAST_RCV_PKTS))
                        .isEqualTo(traffic.get(port, PortCounter.UNICAST_XMIT_PKTS))
                        .isEqualTo(traffic.get(port, PortCounter.XMIT_PKTS));
            }
        }
        long delivered = IntStream.range(0, torus.hosts.count())
                .mapToLong(host -> traffic.get(torus.hosts.port(host), PortCounter.RCV_PKTS))
                .sum();
        assertThat(delivered).isEqualTo(plane.tally().packets()).isPositive();
        assertThat(sum(fabric, traffic, PortCounter.XMIT_PKTS))
                .isEqualTo(plane.tally().hops());
        for (PortCounter error : List.of(
                PortCounter.XMIT_DISCARDS, PortCounter.RCV_SWITCH_RELAY_ERRORS, PortCounter.MULTICAST_RCV_PKTS)) {
            assertThat(sum(fabric, traffic, error)).as("%s", error).isZero();
        }
    }

    @Test
    void dataIsCountedInUnitsOfFourOctets() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(3, 1, 1, 1, 1), true);
        PortTraffic traffic = run(torus, List.of(new Trace.TimedMessage(0, 1, 2_048 + 5, 0)), DataPlaneSettings.DEFAULT)
                .countPorts();
        int host = torus.hosts.port(0);
        assertThat(traffic.get(host, PortCounter.XMIT_PKTS)).isEqualTo(2);
        assertThat(traffic.get(host, PortCounter.XMIT_DATA)).isEqualTo(512 + 2);
        assertThat(traffic.get(torus.hosts.port(1), PortCounter.RCV_DATA)).isEqualTo(512 + 2);
        assertThat(traffic.get(host, PortCounter.XMIT_WAIT)).isZero();
    }

    /** Two hosts send to a third; while one of them sends, the other's switch waits for credits. */
    @Test
    void aPortWithPacketsAndNoCreditsWaits() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(3, 1, 1, 1, 1), true);
        List<Trace.TimedMessage> messages =
                List.of(new Trace.TimedMessage(0, 2, 200_000, 0), new Trace.TimedMessage(1, 2, 200_000, 0));
        DataPlane plane = run(torus, messages, DataPlaneSettings.DEFAULT.withBuffers(4_096));
        PortTraffic traffic = plane.countPorts();
        Fabric fabric = torus.plan.subnet().fabric();
        long words = traffic.get(torus.hosts.port(2), PortCounter.RCV_DATA);
        assertThat(words).isEqualTo(100_000);
        long busiest = traffic.get(fabric.peer(torus.hosts.port(2)), PortCounter.XMIT_WAIT);
        assertThat(busiest).as("the port that all wait for").isLessThan(words / 50);
        long waits = traffic.get(torus.hosts.port(0), PortCounter.XMIT_WAIT)
                + traffic.get(torus.hosts.port(1), PortCounter.XMIT_WAIT);
        assertThat(waits).as("each sends half of the time").isBetween(words * 8 / 10, words * 11 / 10);
    }

    @Test
    void aBlockedPortCountsItsWait() {
        TestTraffic ring = TestTraffic.of(TorusSketch.of(6, 1, 1, 1, 3), false);
        DataPlane plane = ring.plane(ring.load(Destinations.uniform(ring.hosts.count()), 1), DataPlaneSettings.DEFAULT);
        PortTraffic traffic = plane.countPorts();
        plane.run(10_000 * US);
        assertThat(plane.deadlock()).isPresent();
        int stuck = ring.hosts.port(0);
        long before = traffic.get(stuck, PortCounter.XMIT_WAIT);
        long sent = traffic.get(stuck, PortCounter.XMIT_PKTS);
        plane.run(11_000 * US);
        long ticks = 1_000 * US * 1_000 / (4L * ring.hosts.psPerByte(0));
        assertThat(traffic.get(stuck, PortCounter.XMIT_WAIT) - before).isBetween(ticks - 10, ticks + 10);
        assertThat(traffic.get(stuck, PortCounter.XMIT_PKTS)).isEqualTo(sent);
    }

    @Test
    void packetsThatAreDroppedCountWhereTheyAre() {
        TestTraffic ring = TestTraffic.of(TorusSketch.of(6, 1, 1, 1, 3), false);
        DataPlane plane = ring.plane(
                ring.load(Destinations.uniform(ring.hosts.count()), 1),
                DataPlaneSettings.DEFAULT.withLifetimes(50 * US, DataPlaneSettings.FOREVER));
        PortTraffic traffic = plane.countPorts();
        plane.run(3_000 * US);
        Fabric fabric = ring.plan.subnet().fabric();
        assertThat(sum(fabric, traffic, PortCounter.XMIT_DISCARDS))
                .isEqualTo(plane.tally().drops(Drop.EXPIRED))
                .isEqualTo(sum(fabric, traffic, PortCounter.SW_HOQ_LIFETIME_LIMIT_DISCARDS))
                .isPositive();
        assertThat(plane.tally().drops()).isEqualTo(plane.tally().drops(Drop.EXPIRED));
        int cut = fabric.peer(ring.hosts.port(0));
        plane.setUp(cut, false);
        plane.resetCounters();
        plane.run(4_000 * US);
        assertThat(traffic.get(cut, PortCounter.INACTIVE_DISCARDS)).isPositive();
    }

    @Test
    void noTrafficIsCountedUnlessRequested() {
        TestTraffic torus = TestTraffic.of(TorusSketch.of(3, 1, 1, 1, 1), true);
        DataPlane plane = torus.plane(
                new Trace(torus.hosts.count(), List.of(new Trace.TimedMessage(0, 1, 100, 0))),
                DataPlaneSettings.DEFAULT);
        plane.run(Long.MAX_VALUE);
        assertThat(plane.tally().packets()).isOne();
        assertThat(plane.countPorts().get(torus.hosts.port(0), PortCounter.XMIT_PKTS))
                .isZero();
    }
}
