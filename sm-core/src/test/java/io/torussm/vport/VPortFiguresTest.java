package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures of very many virtual ports, most of them in virtual time; they are written to {@code target/vports.txt}. */
@Tag("campaign")
class VPortFiguresTest {
    /** Devices that respond in 1.6 ms, which is much for an adapter. */
    private static final FaultPlan SLOW = new FaultPlan(1, 0, 0, 200, 1_600_000, 0);

    private static final long STEP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int TRAPS = 1000;
    private static final int MOVES = 10_000;
    private static final int TOGGLES = 252;

    private SweepHarness harness = new SweepHarness("torus:2x2x1,mesh=xy");
    private VPortManager manager = manager();
    private List<Topology.Node> hosts = List.of();
    private long reprograms;

    private void open(Topology topology, int vports) {
        hosts = topology.nodes().stream()
                .filter(node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST))
                .toList();
        DeviceModels models = DeviceModels.PERFECT.with(
                hosts::contains, model -> model.vendor(vendor -> vendor.with(VPortModel.of(vports))));
        harness = new SweepHarness(topology, models, SLOW);
        harness.keepsRequests = false;
        manager = manager();
    }

    private VPortManager manager() {
        VPortManager made = new VPortManager(harness.client, harness.loop, () -> 2);
        harness.sweeper.traps().whenVPortsChange(made::onVPortTrap);
        return made;
    }

    /** Returns the time from the publication until all virtual ports are ACTIVE, in ms. */
    private long bringUp(int vports) {
        harness.sweep();
        long begin = harness.loop.nowNs();
        manager.visitPorts(
                harness.publishedView().subnet(),
                PartitionPlan.withoutConf(harness.publishedView().subnet().fabric()));
        while (manager.table().countActive() < (long) hosts.size() * vports) {
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
            assertThat(harness.loop.nowNs() - begin).isLessThan(TimeUnit.MINUTES.toNanos(5));
        }
        return TimeUnit.NANOSECONDS.toMillis(harness.loop.nowNs() - begin);
    }

    private VPortAgent agent(Topology.Node host) {
        return harness.fabric.interventions().vports(host.nodeGuid(), 1);
    }

    private static void writeFigure(String text) throws IOException {
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("vports.txt"),
                text + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @Test
    void aVPortIsActiveMillisecondsAfterItsTrap() throws IOException {
        open(TopologySpec.of("torus:8x8x4,hosts=4").topology(), 16);
        long upMs = bringUp(16);
        Random random = Seeds.unmixed(1);
        long[] us = new long[TRAPS];
        for (int i = 0; i < TRAPS; i++) {
            VPortAgent agent = agent(hosts.get(random.nextInt(hosts.size())));
            int vport = IntStream.range(16, 127)
                    .filter(index -> !agent.hasVPort(index))
                    .findFirst()
                    .orElseThrow();
            long begin = harness.loop.nowNs();
            agent.plug(vport, 0x0300_0000_0000_0000L + i);
            while (agent.info(vport).state() != PortInfo.STATE_ACTIVE) {
                harness.loop.runFor(STEP_NS);
            }
            us[i] = TimeUnit.NANOSECONDS.toMicros(harness.loop.nowNs() - begin);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
        }
        Arrays.sort(us);
        writeFigure(hosts.size() + " x 16: all ACTIVE after " + upMs + " ms; trap to ACTIVE p50 " + us[TRAPS / 2]
                + " us, p99 " + us[TRAPS * 99 / 100] + " us, at most " + us[TRAPS - 1] + " us");
        assertThat(us[TRAPS / 2]).isLessThan(20_000);
        assertThat(us[TRAPS * 99 / 100]).isLessThan(50_000);
    }

    @Test
    void aMoveCostsSmpsOfTwoPorts() throws IOException {
        open(TopologySpec.of("torus:4x4x1,hosts=4").topology(), 8);
        bringUp(8);
        Map<DrPath, Topology.Node> ends = new HashMap<>();
        hosts.forEach(host -> {
            Fabric fabric = harness.publishedView().subnet().fabric();
            int node = IntStream.range(0, fabric.nodeCount())
                    .filter(each -> fabric.nodeGuid(each) == host.nodeGuid())
                    .findFirst()
                    .orElseThrow();
            ends.put(fabric.pathTo(fabric.port(node, 1)), host);
        });
        harness.keepsRequests = true;
        Random random = Seeds.unmixed(1);
        long smps = 0;
        long others = 0;
        Map<String, Integer> besides = new TreeMap<>();
        int moves = 0;
        while (moves < MOVES) {
            Topology.Node from = hosts.get(random.nextInt(hosts.size()));
            Topology.Node to = hosts.get(random.nextInt(hosts.size()));
            int vport = IntStream.range(1, 127)
                    .filter(agent(from)::hasVPort)
                    .findFirst()
                    .orElse(0);
            if (vport == 0 || from.equals(to)) {
                continue;
            }
            int free = IntStream.range(8, 127)
                    .filter(index -> !agent(to).hasVPort(index))
                    .findFirst()
                    .orElseThrow();
            long guid = agent(from).info(vport).portGuid();
            harness.requests.clear();
            agent(from).unplug(vport);
            agent(to).plug(free, guid);
            while (agent(to).info(free).state() != PortInfo.STATE_ACTIVE) {
                harness.loop.runFor(STEP_NS);
            }
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
            for (byte[] mad : harness.requests) {
                boolean isOfVPorts = MadHeader.method(mad) == Method.TRAP_REPRESS
                        || Arrays.stream(VPortCase.VENDOR).anyMatch(id -> id == MadHeader.attributeId(mad));
                if (!isOfVPorts) {
                    besides.merge(String.format("0x%04x", MadHeader.attributeId(mad)), 1, Integer::sum);
                } else {
                    smps++;
                    others += MadHeader.method(mad) == Method.TRAP_REPRESS
                                    || List.of(from, to).contains(ends.get(Smp.path(mad)))
                            ? 0
                            : 1;
                }
            }
            moves++;
        }
        assertThat(manager.table().countActive()).isEqualTo(hosts.size() * 8L);
        writeFigure(moves + " moves: " + smps + " SMPs, " + others
                + " of them not to the two ports of the move; besides, of sweeps, by attribute: " + besides);
        assertThat(others).isZero();
    }

    @Test
    void aTreeHasManyVPortsOfEachHost() throws IOException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(TopologySpec.of("tree:leaves=16,spines=8,hosts=4").topology(), text);
        open(SweepHarness.topology(text.toString().replace("\"host-0-0\"", '"' + SweepHarness.HOST + '"')), 127);
        writeFigure("tree of 24 switches, " + hosts.size() + " x 127: all ACTIVE after " + bringUp(127) + " ms");
    }

    /** Measures the processor time of a virtual port that comes or goes with a P_Key, at any of many hosts. */
    @ParameterizedTest
    @ValueSource(strings = {"torus:4x4x1,hosts=4", "torus:8x8x4,hosts=4"})
    void aToggleCostsTheSameAmongManyVPorts(String torus) throws IOException {
        open(TopologySpec.of(torus).topology(), 127);
        StringBuilder conf = new StringBuilder("Default=0x7fff: ALL=full;\nP=5:");
        hosts.forEach(host ->
                conf.append(String.format(" 0x%x=full,", agent(host).info(126).portGuid())));
        conf.setCharAt(conf.length() - 1, ';');
        harness.partitions = new PartitionSettings(
                        Objects.requireNonNull(
                                PartitionConf.parse("test", conf + "\n", true).conf()),
                        PartitionSettings.Enforcement.BOTH,
                        true,
                        false)
                .with(manager.table());
        manager.programSwitchesBy((ports, then) -> harness.sweeper.changePartitions(
                new RunTimeChange.Request(new RunTimeChange.Reprogram(ports), "virtual ports", true), outcome -> {
                    reprograms++;
                    manager.repartitioned(
                            Objects.requireNonNull(harness.sweeper.view()).partitions());
                    then.accept(outcome.kind() == RunTimeOutcome.ChangeStatus.DONE);
                }));
        harness.sweep();
        manager.visitPorts(
                harness.publishedView().subnet(), harness.publishedView().partitions());
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(3));
        assertThat(manager.table().countActive()).isEqualTo(hosts.size() * 127L);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] us = new long[TOGGLES];
        reprograms = 0;
        for (int i = 0; i < TOGGLES; i++) {
            VPortAgent agent = agent(hosts.get(i % hosts.size()));
            long guid = agent.defaultGuid(126);
            long begin = threads.getCurrentThreadCpuTime();
            if (agent.hasVPort(126)) {
                agent.unplug(126);
            } else {
                agent.plug(126, guid);
            }
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
            us[i] = TimeUnit.NANOSECONDS.toMicros(threads.getCurrentThreadCpuTime() - begin);
        }
        Arrays.sort(us);
        writeFigure(hosts.size() + " x 127: a virtual port that comes or goes takes " + us[TOGGLES / 2]
                + " us of the processor (p50; p90 " + us[TOGGLES * 9 / 10] + " us), the embedded fabric included; "
                + reprograms + " writes at switches for " + TOGGLES);
        assertThat(reprograms).isBetween((long) TOGGLES, 2L * TOGGLES);
    }

    @Test
    void aVPortTakesLittleMemory() throws IOException {
        int ports = 1000;
        int each = 127;
        PortKeys keys = PortKeys.of(0xffff);
        long before = usedBytes();
        VPortTable table = new VPortTable(() -> true);
        for (long port = 1; port <= ports; port++) {
            List<VirtualPort> vports = new ArrayList<>();
            for (int index = 0; index < each; index++) {
                vports.add(new VirtualPort(
                        index, port << 32 | index << 8 | 1, port << 32 | index << 8, PortInfo.STATE_ACTIVE, keys));
            }
            table.put(port, vports);
        }
        long bytes = (usedBytes() - before) / table.vports();
        assertThat(Objects.requireNonNull(table.keysOf(1L << 32 | 257))).isEqualTo(keys);
        writeFigure("memory: " + bytes + " bytes for each of " + table.vports() + " vports");
        assertThat(bytes).isLessThan(400);
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
