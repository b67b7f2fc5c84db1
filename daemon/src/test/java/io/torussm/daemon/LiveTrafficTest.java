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
 * All hosts send permanently, at full rate, through the tables of the embedded fabric, while cables go and
 * come back and the SM programs. No packet waits for ever, and none is lost while the SM is idle.
 */
class LiveTrafficTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:6x5x1,hosts=2");
    private static final int PLUS_X = 1;

    /**
     * A slice of the fabric's time, and the traffic's in it: SMPs are slow, and links would be full of packets
     * meanwhile.
     */
    private static final long SLICE_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long TRAFFIC_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int SLICES_PER_CHECK = 50;

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
                            devices.attach("host-0-0-0-0", 1),
                            8,
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
                    new OfferedLoad(hosts, Destinations.uniform(hosts.count()), 1, 2_048, 0.3, 1),
                    DataPlaneSettings.DEFAULT);
        }

        /** Lets the SM work and packets flow; says how many packets were lost in the last tenth of it. */
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

        /** All ports with a cable. */
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
    void flowsThroughCutsOfARingAndTheirRepair() throws Exception {
        TrafficFabric live = new TrafficFabric();
        assertThat(live.advance(100)).isZero();
        devices.unlink(live.guid("sw-1-2-0"), PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.unlink(live.guid("sw-4-2-0"), PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.relink(live.guid("sw-1-2-0"), PLUS_X);
        assertThat(live.advance(500)).isZero();
        devices.relink(live.guid("sw-4-2-0"), PLUS_X);
        assertThat(live.advance(500)).isZero();
        assertThat(live.plane.tally().packets()).isPositive();
    }

    @Test
    void countersShowTheTraffic() throws Exception {
        TrafficFabric live = new TrafficFabric();
        PortTraffic traffic = live.plane.countPorts();
        assertThat(live.advance(100)).isZero();
        Map<Integer, long[]> carried = new HashMap<>();
        for (int port : live.cabled()) {
            carried.put(port, new long[] {
                traffic.get(port, PortCounter.XMIT_DATA),
                traffic.get(port, PortCounter.RCV_DATA),
                traffic.get(port, PortCounter.XMIT_PKTS),
                traffic.get(port, PortCounter.RCV_PKTS)
            });
        }
        assertThat(carried.values()).anySatisfy(values -> assertThat(values[0]).isGreaterThan(1_000));
        traffic.moveTo(devices.portCounters());
        Map<Integer, PortCountersExtended> read = counters(live);
        assertThat(read).hasSameSizeAs(carried);
        carried.forEach((port, values) -> {
            // Beyond the traffic there are the MADs that ask, of 72 words each.
            PortCountersExtended counted = Objects.requireNonNull(read.get(port));
            long xmitMads = counted.get(PortCountersExtended.PORT_XMIT_PKTS) - values[2];
            long rcvMads = counted.get(PortCountersExtended.PORT_RCV_PKTS) - values[3];
            assertThat(counted.get(PortCountersExtended.PORT_XMIT_DATA)).isEqualTo(values[0] + 72 * xmitMads);
            assertThat(counted.get(PortCountersExtended.PORT_RCV_DATA)).isEqualTo(values[1] + 72 * rcvMads);
            assertThat(xmitMads).isBetween(0L, 2L * carried.size());
            assertThat(rcvMads).isBetween(0L, 2L * carried.size());
        });
    }

    /** The counters as a manager reads them, of all ports with a cable. */
    private Map<Integer, PortCountersExtended> counters(TrafficFabric live) {
        SimTransport port = devices.attach("host-3-2-0-1", 1);
        MadClient client = new MadClient(
                port, loop, MKeySource.fixed(0), () -> new MadClient.Settings(8, 2, 10, 2), 1, new IgnoringReceiver());
        GsiClient gsi = new GsiClient(
                client,
                loop,
                () -> new GsiClient.Settings(64, 0, 100, 3),
                1,
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
        int own = live.plan.subnet().lid(live.hostPort("host-3-2-0-1"));
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
