package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.GsiClient;
import io.torussm.transport.GsiRequest;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The counters that ports of the embedded fabric increment automatically. */
class CountingTest {
    /** LRH, BTH, DETH, MAD and ICRC. */
    private static final int MAD_WORDS = 72;

    private final RowFabric row = new RowFabric(FaultPlan.NONE).configure();
    private final SimFabric fabric = row.fabric;
    private final SimCounters counters = fabric.portCounters();

    private long count(long guid, int port, PortCounter counter) {
        return counters.get(guid, port, counter);
    }

    @Test
    void noCounterCountsBeforeARequest() {
        row.sm.get(NodeInfo.TYPE, 0, RowFabric.toSwitch(2));
        assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.XMIT_PKTS))
                .isZero();
        row.sm.send(new MadAddress(1, 1, 0, 0), PerfMad.request(Method.GET, 77, PortCounters.COUNTERS.readRequest(1)));
        row.sm.get(NodeInfo.TYPE, 0, RowFabric.toSwitch(2));
        assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.XMIT_PKTS))
                .isOne();
    }

    @Test
    void anSmpCountsAtEachPortThatItPasses() {
        counters.countMads();
        row.sm.get(NodeInfo.TYPE, 0, RowFabric.toSwitch(1));
        for (long guid : new long[] {RowFabric.switchGuid(0), RowFabric.switchGuid(1)}) {
            int port = guid == RowFabric.switchGuid(0) ? RowFabric.EAST : RowFabric.WEST;
            for (PortCounter packets : List.of(
                    PortCounter.XMIT_PKTS,
                    PortCounter.RCV_PKTS,
                    PortCounter.UNICAST_XMIT_PKTS,
                    PortCounter.UNICAST_RCV_PKTS)) {
                assertThat(count(guid, port, packets))
                        .as("%x %s", guid, packets)
                        .isOne();
            }
            assertThat(count(guid, port, PortCounter.XMIT_DATA)).isEqualTo(MAD_WORDS);
            assertThat(count(guid, port, PortCounter.RCV_DATA)).isEqualTo(MAD_WORDS);
        }
        assertThat(count(RowFabric.switchGuid(1), RowFabric.EAST, PortCounter.XMIT_PKTS))
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void packetsThatLeaveOneEndOfACableArriveAtTheOther(long seed) {
        VirtualLoop loop = new VirtualLoop();
        Topology torus = TorusSpec.parse("torus:3x3x2,hosts=1").topology();
        SimFabric busy = new SimFabric(torus, loop, new FaultPlan(seed, 0.05, 0.05, 500, 1_000));
        busy.portCounters().countMads();
        Probe probe = new Probe(busy, loop, "host-0-0-0-0", 1);
        int[] path = {1, 1, 3, 5, 2};
        for (int i = 0; i < 300; i++) {
            probe.getStatus(NodeInfo.TYPE, 0, Arrays.copyOf(path, 1 + i % path.length));
        }
        long sum = 0;
        for (Topology.Node node : torus.nodes()) {
            for (int port = 1; port <= node.numPorts(); port++) {
                Topology.PortRef peer = node.peer(port);
                if (peer != null) {
                    long sent = busy.portCounters().get(node.nodeGuid(), port, PortCounter.XMIT_PKTS);
                    assertThat(busy.portCounters().get(peer.node().nodeGuid(), peer.portNum(), PortCounter.RCV_PKTS))
                            .as("%s port %d", node, port)
                            .isEqualTo(sent);
                    sum += sent;
                }
            }
        }
        assertThat(sum).isEqualTo(busy.counters().hops()).isPositive();
    }

    @Test
    void aLossyCableShowsErrorsAtTheEndThatReceives() {
        fabric.setLoss(RowFabric.switchGuid(0), RowFabric.EAST, 1);
        for (int i = 0; i < 5; i++) {
            assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(1)))
                    .isEqualTo(-1);
        }
        long far = RowFabric.switchGuid(1);
        for (PortCounter error :
                List.of(PortCounter.SYMBOL_ERROR, PortCounter.RCV_ERRORS, PortCounter.LOCAL_PHYSICAL_ERRORS)) {
            assertThat(count(far, RowFabric.WEST, error)).as("%s", error).isEqualTo(5);
            assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, error))
                    .as("%s", error)
                    .isZero();
        }
        assertThat(count(far, RowFabric.WEST, PortCounter.RCV_PKTS)).isZero();
    }

    @Test
    void aLinkThatGoesDownCountsAtBothEnds() {
        fabric.unlink(RowFabric.switchGuid(0), RowFabric.EAST);
        fabric.relink(RowFabric.switchGuid(0), RowFabric.EAST);
        fabric.unlink(RowFabric.switchGuid(1), RowFabric.WEST);
        assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.LINK_DOWNED))
                .isEqualTo(2);
        assertThat(count(RowFabric.switchGuid(1), RowFabric.WEST, PortCounter.LINK_DOWNED))
                .isEqualTo(2);
        assertThat(count(RowFabric.switchGuid(1), RowFabric.EAST, PortCounter.LINK_DOWNED))
                .isZero();
    }

    @Test
    void aLinkTakenDownByASetCountsAtTheOtherEnd() {
        PortInfo down = PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, PortInfo.STATE_DOWN);
        row.sm.set(down, RowFabric.EAST, RowFabric.toSwitch(0));
        assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.LINK_DOWNED))
                .isZero();
        assertThat(count(RowFabric.switchGuid(1), RowFabric.WEST, PortCounter.LINK_DOWNED))
                .isOne();
    }

    @Test
    void aSwitchThatWasOffHasCountedNothing() {
        counters.set(RowFabric.switchGuid(1), 1, PortCounter.SYMBOL_ERROR, 5);
        fabric.failSwitch(RowFabric.switchGuid(1));
        fabric.restoreSwitch(RowFabric.switchGuid(1));
        assertThat(count(RowFabric.switchGuid(1), 1, PortCounter.SYMBOL_ERROR)).isZero();
        assertThat(count(RowFabric.switchGuid(1), RowFabric.WEST, PortCounter.LINK_DOWNED))
                .isZero();
        assertThat(count(RowFabric.switchGuid(0), RowFabric.EAST, PortCounter.LINK_DOWNED))
                .isOne();
    }

    private void send(int lid) {
        row.sm.send(new MadAddress(lid, 1, 0, 0), MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, lid, 0x35, 0));
    }

    @Test
    void droppedPacketsOfASwitchCountAtTheInput() {
        counters.countMads();
        send(40);
        long first = RowFabric.switchGuid(0);
        assertThat(count(first, RowFabric.HOST_PORT, PortCounter.RCV_SWITCH_RELAY_ERRORS))
                .isOne();
        assertThat(count(first, RowFabric.HOST_PORT, PortCounter.DLID_MAPPING_ERRORS))
                .isOne();
    }

    @Test
    void unsendablePacketsOfAPortCountAsDiscarded() {
        counters.countMads();
        fabric.unlink(RowFabric.switchGuid(0), RowFabric.EAST);
        send(3);
        long first = RowFabric.switchGuid(0);
        assertThat(count(first, RowFabric.EAST, PortCounter.XMIT_DISCARDS)).isOne();
        assertThat(count(first, RowFabric.EAST, PortCounter.INACTIVE_DISCARDS)).isOne();
        assertThat(count(first, RowFabric.EAST, PortCounter.XMIT_PKTS)).isZero();
    }

    @Test
    void smpsThatFindAQueueFullCountAsDropped() {
        fabric.limitQueues(new SimFabric.Vl15(1, 1_000_000));
        for (int i = 0; i < 3; i++) {
            row.sm.transport.send(
                    new MadFrame(
                            MadAddress.DIRECTED,
                            row.sm.request(Method.GET, NodeInfo.TYPE, 0, DrPath.of(RowFabric.toSwitch(1)))),
                    0);
        }
        row.loop.runFor(100_000_000);
        assertThat(count(RowFabric.hostGuid(0), 1, PortCounter.VL15_DROPPED)).isEqualTo(2);
        assertThat(fabric.counters().overflowed()).isEqualTo(2);
    }

    /** The client of the SM, from a host to all ports of the fabric, through losses and redirections. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void aClientReadsAllCountersThroughLossesAndRedirections(long seed) {
        RowFabric lossy = new RowFabric(FaultPlan.NONE).configure();
        lossy.fabric
                .portCounters()
                .setProfile(
                        RowFabric.switchGuid(2),
                        CounterProfile.DEFAULT.redirectedTo(
                                new CounterProfile.Redirection(RowFabric.hostGuid(1), 1, 0x48)));
        lossy.fabric.setLoss(RowFabric.switchGuid(1), RowFabric.EAST, 0.2);
        MadClient client = new MadClient(
                lossy.fabric.attach("host-0-0-2-0", 1),
                lossy.loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(8, 2, 10, 2),
                (int) seed,
                new IgnoringReceiver());
        GsiClient gsi = new GsiClient(
                client,
                lossy.loop,
                () -> new GsiClient.Settings(8, 10_000, 10, 20),
                3,
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
        Map<Integer, Long> read = new HashMap<>();
        List<Object> failures = new ArrayList<>();
        for (int lid = 1; lid <= 3; lid++) {
            for (int port = 1; port <= 4; port++) {
                int key = 100 * lid + port;
                lossy.fabric.portCounters().set(RowFabric.switchGuid(lid - 1), port, PortCounter.SYMBOL_ERROR, key);
                gsi.send(GsiRequest.perfGet(
                        new MadAddress(lid, 1, 0, 0), PortCounters.COUNTERS.readRequest(port), (outcome, atNs) -> {
                            if (outcome instanceof Outcome.Reply<PortCounters> reply) {
                                read.put(key, reply.value().get(PortCounters.SYMBOL_ERROR_COUNTER));
                            } else {
                                failures.add(outcome);
                            }
                        }));
            }
        }
        assertThat(lossy.loop.runUntil(() -> gsi.outstanding() == 0, TimeUnit.MINUTES.toNanos(10)))
                .isTrue();
        assertThat(failures).isEmpty();
        assertThat(read).hasSize(12).allSatisfy((key, value) -> assertThat(value)
                .isEqualTo((long) key));
        assertThat(gsi.stats().redirected()).isPositive();
        assertThat(client.stats().unsolicited()).isZero();
    }
}
