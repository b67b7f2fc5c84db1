package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.OfferedLoad;
import io.torussm.dataplane.PortTraffic;
import io.torussm.dataplane.ProgrammedTables;
import io.torussm.fabric.Fabric;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.routing.Plan;
import io.torussm.sim.IgnoringReceiver;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.state.StateDirectory;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.GsiClient;
import io.torussm.transport.GsiRequest;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All hosts send permanently, through the tables of the embedded fabric, while cables are lost and return and the SM
 * programs. No credit loop stops packets, and no packet is lost while the SM is idle. The packets are those of a
 * simulated data plane, which reads the tables of the switches after each slice of time.
 */
class LiveTrafficTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:6x5x1,hosts=2");
    private static final String SM_HOST = "host-0-0-0-0";
    private static final int SM_PRIORITY = 8;
    private static final String MANAGER_HOST = "host-3-2-0-1";
    private static final int PLUS_X = 1;
    private static final int PACKET_BYTES = 2_048;

    /** Share of the rate of its link at which a host sends. */
    private static final double LOAD = 0.3;

    /**
     * A slice of the fabric's time, and the time of the traffic in it. SMPs are slow: in the same time, packets would
     * fill all links.
     */
    private static final long SLICE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long TRAFFIC_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int SLICES_PER_CHECK = 50;

    /** PortXmitData and PortRcvData of a MAD: its 256 bytes and 32 of headers, in words of 4 bytes. */
    private static final long WORDS_OF_MAD = 72;

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric devices = new SimFabric(TORUS.topology(), loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    /** A fabric that an SM has brought up, under traffic. */
    private final class TrafficFabric {
        private final Plan plan;
        private final Fabric fabric;
        private final ProgrammedTables tables;
        private final DataPlane plane;

        TrafficFabric() throws Exception {
            FabricSm sm = new FabricSm(
                            new MortalLoop(loop),
                            devices.attach(SM_HOST, 1),
                            SM_PRIORITY,
                            ServiceHarness.torusOptions(dir, TORUS),
                            StateDirectory.open(dir.resolve("state"), loop),
                            1)
                    .start();
            BoundedWait.until(
                    loop,
                    "the subnet is up",
                    () -> sm.sweeper.view() != null && sm.sweeper.isResting(),
                    TimeUnit.SECONDS.toNanos(60));
            plan = Objects.requireNonNull(sm.sweeper.view()).plan();
            fabric = plan.subnet().fabric();
            Hosts hosts = new Hosts(plan.subnet());
            tables = new ProgrammedTables(devices, fabric);
            plane = new DataPlane(
                    hosts,
                    tables,
                    (from, dlid, level) -> plan.pathSl(hosts.lid(from), dlid, 8 * level),
                    new OfferedLoad(hosts, Destinations.uniform(hosts.count()), 1, PACKET_BYTES, LOAD, 1),
                    DataPlaneSettings.DEFAULT);
        }

        /** Lets the SM work and packets flow; returns the number of packets that were lost in the last tenth. */
        long advance(int milliseconds) {
            int slices = (int) (TimeUnit.MILLISECONDS.toNanos(milliseconds) / SLICE_NS);
            for (int slice = 0; slice < slices; slice++) {
                loop.runFor(SLICE_NS);
                tables.readTables();
                IntStream.of(cabled()).forEach(port -> plane.setUp(port, tables.isUp(port)));
                plane.run(plane.nowNs() + TRAFFIC_NS);
                if (slice % SLICES_PER_CHECK == 0) {
                    assertThat(plane.deadlock()).isEmpty();
                }
                if (slice == slices * 9 / 10) {
                    plane.resetCounters();
                }
            }
            assertThat(plane.deadlock()).isEmpty();
            return plane.tally().drops();
        }

        /** Returns all ports with a cable. */
        int[] cabled() {
            return IntStream.range(0, fabric.portCount())
                    .filter(port -> fabric.peer(port) != Fabric.NONE)
                    .toArray();
        }

        int hostPort(String name) {
            return IntStream.range(fabric.switchCount(), fabric.nodeCount())
                    .filter(node -> fabric.name(node).contains(name))
                    .map(node -> fabric.port(node, 1))
                    .findFirst()
                    .orElseThrow();
        }

        long guid(String name) {
            return fabric.nodeGuid(IntStream.range(0, fabric.switchCount())
                    .filter(sw -> fabric.name(sw).contains(name))
                    .findFirst()
                    .orElseThrow());
        }
    }

    @Test
    void trafficFlowsAgainAfterEachCutOfARingAndEachRepair() throws Exception {
        TrafficFabric live = new TrafficFabric();
        long oneSwitch = live.guid("sw-1-2-0");
        long otherSwitch = live.guid("sw-4-2-0");
        assertThat(live.advance(100)).isZero();
        devices.unlink(oneSwitch, PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.unlink(otherSwitch, PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.relink(oneSwitch, PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.relink(otherSwitch, PLUS_X);
        assertThat(live.advance(500)).isZero();
        assertThat(live.plane.tally().packets()).isPositive();
    }

    /** The traffic that the data plane counted at a port: data in words of 4 bytes, and packets. */
    private record Carried(long xmitWords, long rcvWords, long xmitPackets, long rcvPackets) {
        static Carried at(PortTraffic traffic, int port) {
            return new Carried(
                    traffic.get(port, PortCounter.XMIT_DATA),
                    traffic.get(port, PortCounter.RCV_DATA),
                    traffic.get(port, PortCounter.XMIT_PKTS),
                    traffic.get(port, PortCounter.RCV_PKTS));
        }
    }

    @Test
    void countersOfPortsShowTheTrafficAndTheMadsThatReadThem() throws Exception {
        TrafficFabric live = new TrafficFabric();
        PortTraffic traffic = live.plane.countPorts();
        assertThat(live.advance(100)).isZero();
        Map<Integer, Carried> carriedByPort = new HashMap<>();
        for (int port : live.cabled()) {
            carriedByPort.put(port, Carried.at(traffic, port));
        }
        assertThat(carriedByPort.values()).anyMatch(carried -> carried.xmitWords() > 1_000);
        traffic.moveTo(devices.portCounters());
        Map<Integer, PortCountersExtended> countersByPort = readCounters(live);
        assertThat(countersByPort).hasSameSizeAs(carriedByPort);
        long maxMads = 2L * carriedByPort.size();
        carriedByPort.forEach((port, carried) -> {
            PortCountersExtended counters = Objects.requireNonNull(countersByPort.get(port));
            long xmitMads = counters.get(PortCountersExtended.PORT_XMIT_PKTS) - carried.xmitPackets();
            long rcvMads = counters.get(PortCountersExtended.PORT_RCV_PKTS) - carried.rcvPackets();
            assertThat(counters.get(PortCountersExtended.PORT_XMIT_DATA))
                    .isEqualTo(carried.xmitWords() + WORDS_OF_MAD * xmitMads);
            assertThat(counters.get(PortCountersExtended.PORT_RCV_DATA))
                    .isEqualTo(carried.rcvWords() + WORDS_OF_MAD * rcvMads);
            assertThat(xmitMads).isBetween(0L, maxMads);
            assertThat(rcvMads).isBetween(0L, maxMads);
        });
    }

    /** Returns the counters of all ports with a cable, as a performance manager reads them. */
    private Map<Integer, PortCountersExtended> readCounters(TrafficFabric live) {
        SimTransport port = devices.attach(MANAGER_HOST, 1);
        MadClient client = new MadClient(
                port, loop, MKeySource.fixed(0), () -> new MadClient.Settings(8, 2, 10, 2), 1, new IgnoringReceiver());
        GsiClient gsi = new GsiClient(
                client,
                loop,
                () -> new GsiClient.Settings(64, 0, 100, 3),
                1,
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
        int own = live.plan.subnet().lid(live.hostPort(MANAGER_HOST));
        Map<Integer, PortCountersExtended> read = new HashMap<>();
        for (int each : live.cabled()) {
            int end = live.fabric.isSwitch(live.fabric.nodeOf(each))
                    ? live.fabric.port(live.fabric.nodeOf(each), 0)
                    : each;
            int lid = live.plan.subnet().lid(end);
            MadAddress to = new MadAddress(lid, 1, live.plan.pathSl(own, lid, 0), 0);
            gsi.send(GsiRequest.perfGet(
                    to, PortCountersExtended.COUNTERS.readRequest(live.fabric.portNum(each)), (outcome, atNs) -> {
                        assertThat(outcome).isInstanceOf(Outcome.Reply.class);
                        read.put(each, ((Outcome.Reply<PortCountersExtended>) outcome).value());
                    }));
        }
        BoundedWait.until(loop, "all counters are read", () -> gsi.outstanding() == 0, TimeUnit.SECONDS.toNanos(60));
        gsi.close();
        port.close();
        return read;
    }
}
