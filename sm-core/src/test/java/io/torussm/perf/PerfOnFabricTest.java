package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.SimCounters;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.PortCounter;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Seeds;
import io.torussm.transport.GsiClient;
import io.torussm.view.PublishedView;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** The counters of a torus of 4 x 3 x 2 switches with a host each, read after a sweep, compared with the devices'. */
class PerfOnFabricTest {
    private static final int INTERVAL_S = 10;

    /** Counters of devices that MADs do not change. */
    private static final Map<Counter, PortCounter> READ_ONLY_COUNTERS = Map.ofEntries(
            Map.entry(Counter.SYMBOL_ERRORS, PortCounter.SYMBOL_ERROR),
            Map.entry(Counter.LINK_ERROR_RECOVERY, PortCounter.LINK_ERROR_RECOVERY),
            Map.entry(Counter.LINK_DOWNED, PortCounter.LINK_DOWNED),
            Map.entry(Counter.RCV_ERRORS, PortCounter.RCV_ERRORS),
            Map.entry(Counter.RCV_REMOTE_PHYSICAL_ERRORS, PortCounter.RCV_REMOTE_PHYSICAL_ERRORS),
            Map.entry(Counter.RCV_SWITCH_RELAY_ERRORS, PortCounter.RCV_SWITCH_RELAY_ERRORS),
            Map.entry(Counter.XMIT_DISCARDS, PortCounter.XMIT_DISCARDS),
            Map.entry(Counter.XMIT_CONSTRAINT_ERRORS, PortCounter.XMIT_CONSTRAINT_ERRORS),
            Map.entry(Counter.RCV_CONSTRAINT_ERRORS, PortCounter.RCV_CONSTRAINT_ERRORS),
            Map.entry(Counter.LOCAL_LINK_INTEGRITY_ERRORS, PortCounter.LOCAL_LINK_INTEGRITY_ERRORS),
            Map.entry(Counter.EXCESSIVE_BUFFER_OVERRUN_ERRORS, PortCounter.EXCESSIVE_BUFFER_OVERRUN_ERRORS),
            Map.entry(Counter.QP1_DROPPED, PortCounter.QP1_DROPPED),
            Map.entry(Counter.LOCAL_PHYSICAL_ERRORS, PortCounter.LOCAL_PHYSICAL_ERRORS),
            Map.entry(Counter.MALFORMED_PACKET_ERRORS, PortCounter.MALFORMED_PKT_ERRORS),
            Map.entry(Counter.BUFFER_OVERRUN_ERRORS, PortCounter.BUFFER_OVERRUN_ERRORS),
            Map.entry(Counter.DLID_MAPPING_ERRORS, PortCounter.DLID_MAPPING_ERRORS),
            Map.entry(Counter.VL_MAPPING_ERRORS, PortCounter.VL_MAPPING_ERRORS),
            Map.entry(Counter.LOOPING_ERRORS, PortCounter.LOOPING_ERRORS));

    private final SweepHarness harness = new SweepHarness("torus:4x3x2,hosts=1");
    private final SimCounters simCounters = harness.fabric.portCounters();
    private final CounterStore store = new CounterStore();
    private PerfSettings.Clearing clearing = PerfSettings.Clearing.AUTO;
    private final PerformanceManager manager = new PerformanceManager(
            harness.loop,
            redirections -> new GsiClient(
                    harness.client, harness.loop, () -> new GsiClient.Settings(500, 100_000, 100, 2), 1, redirections),
            store,
            this::settings);

    private PerfSettings settings() {
        return new PerfSettings(
                true,
                INTERVAL_S,
                500,
                2,
                100_000,
                false,
                true,
                true,
                true,
                true,
                clearing,
                60,
                Thresholds.STANDARD,
                20);
    }

    private Fabric bringUp() {
        assertThat(harness.sweep()).startsWith("up");
        PublishedView view = Objects.requireNonNull(harness.sweeper.view());
        manager.subnetUp(view);
        runTurn();
        return view.subnet().fabric();
    }

    private void runTurn() {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(INTERVAL_S));
    }

    private static void forEachLink(Fabric fabric, ObjLongConsumer<Integer> action) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                action.accept(fabric.portNum(port), fabric.nodeGuid(fabric.nodeOf(port)));
            }
        }
    }

    @Test
    void readsInjectedCounters() {
        Fabric fabric = bringUp();
        Random random = Seeds.random(7);
        forEachLink(fabric, (portNum, guid) -> {
            if (random.nextInt(3) == 0) {
                simCounters.setProfile(guid, CounterProfile.DEFAULT.extended(CounterProfile.Extended.ALL));
            }
            for (PortCounter counter : PortCounter.values()) {
                simCounters.add(guid, portNum, counter, 1 + random.nextInt(12));
            }
        });
        runTurn();
        runTurn();

        int[] compared = {0};
        forEachLink(fabric, (portNum, guid) -> {
            PortStatistics port = Objects.requireNonNull(store.counters(guid, portNum));
            for (Counter counter : Counter.all()) {
                PortCounter there = READ_ONLY_COUNTERS.get(counter);
                if (port.has(counter) && there != null) {
                    compared[0]++;
                    assertThat(port.total(counter))
                            .as(counter + " of port " + portNum + " of " + Long.toHexString(guid))
                            .isEqualTo(simCounters.get(guid, portNum, there));
                }
            }
            assertThat(port.total(Counter.XMIT_DATA))
                    .as("MADs go on being counted")
                    .isPositive()
                    .isLessThanOrEqualTo(simCounters.get(guid, portNum, PortCounter.XMIT_DATA));
        });
        assertThat(compared[0]).isGreaterThan(2_000);
    }

    @Test
    void countersThatRunOverOrAreClearedAreAddedUp() {
        Fabric fabric = bringUp();
        long guid = fabric.nodeGuid(0);
        simCounters.setProfile(
                guid,
                CounterProfile.DEFAULT.extended(CounterProfile.Extended.NONE).wrapping(true));
        long other = fabric.nodeGuid(1);
        runTurn();
        long before = total(guid, Counter.XMIT_WAIT);
        for (int i = 0; i < 20; i++) {
            simCounters.add(guid, 1, PortCounter.XMIT_WAIT, 1L << 29);
            simCounters.add(other, 1, PortCounter.LINK_DOWNED, 3);
            if (i % 5 == 4) {
                runTurn();
                simCounters.reset(other);
            }
            runTurn();
        }

        assertThat(total(guid, Counter.XMIT_WAIT) - before).isEqualTo(20L << 29);
        assertThat(total(other, Counter.LINK_DOWNED)).isEqualTo(60);
        assertThat(manager.statistics().clearings()).isPositive();
    }

    private long total(long guid, Counter counter) {
        return Objects.requireNonNull(store.counters(guid, 1)).total(counter);
    }

    @Test
    void countersThatStandStillAreClearedInTime() {
        clearing = PerfSettings.Clearing.ALWAYS;
        Fabric fabric = bringUp();
        long guid = fabric.nodeGuid(2);
        long before = total(guid, Counter.LOCAL_LINK_INTEGRITY_ERRORS);
        for (int i = 0; i < 12; i++) {
            simCounters.add(guid, 1, PortCounter.LOCAL_LINK_INTEGRITY_ERRORS, 3); // of 4 bits
            runTurn();
        }

        assertThat(total(guid, Counter.LOCAL_LINK_INTEGRITY_ERRORS) - before).isEqualTo(36);
    }

    @Test
    void deafAndStubbornAgentsCostThemselvesOnly() {
        Fabric fabric = bringUp();
        simCounters.setProfile(
                fabric.nodeGuid(0), CounterProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.droppingAll()));
        long turns = manager.statistics().turns();
        for (int i = 0; i < 6; i++) {
            runTurn();
        }
        assertThat(manager.statistics().silent()).isEqualTo(1);
        assertThat(manager.statistics().turns()).isEqualTo(turns + 6);
        assertThat(manager.statistics().late()).isZero();
    }
}
