package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
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
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidBook;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.sweep.SweepHarness;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadClient;
import io.torussm.vport.VPortManager.RoutingStart;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures of very many virtual ports, most of them in virtual time; they are written to {@code target/vports.txt}. */
@Tag("campaign")
class VPortFiguresTest {
    /** Devices that respond in 1.6 ms, which is much for an adapter. */
    private static final FaultPlan SLOW = new FaultPlan(1, 0, 0, 200, 1_600_000, 0);

    /** The default settings of the daemon, with a window that adapts to the fabric. */
    private static final MadClient.Settings MADS = new MadClient.Settings(0, 4, 200, 3);

    private static final long STEP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int TRAPS = 1000;

    /** With separate LIDs: each is a run of the engine. */
    private static final int TRAPS_OWN = 20;

    private static final int MOVES = 10_000;
    private static final int MOVES_OWN = 1000;
    private static final int TOGGLES = 252;

    private SweepHarness harness = new SweepHarness("torus:2x2x1,mesh=xy");
    private VPortManager manager = manager();
    private List<Topology.Node> hosts = List.of();
    private long reprograms;

    private void open(Topology topology, int vports) {
        open(topology, VPortModel.of(vports));
    }

    private void open(Topology topology, VPortModel vports) {
        hosts = topology.nodes().stream()
                .filter(node -> !node.isSwitch() && !node.description().equals(SweepHarness.HOST))
                .toList();
        DeviceModels models =
                DeviceModels.PERFECT.with(hosts::contains, model -> model.vendor(vendor -> vendor.with(vports)));
        harness = new SweepHarness(topology, models, SLOW);
        harness.mads = MADS;
        harness.restart();
        harness.keepsRequests = false;
        manager = manager();
        manager.assignLids(harness.memory.lids(), harness.memory.vportLids(), this::routeIfResting);
    }

    private VPortManager manager() {
        VPortManager made = new VPortManager(harness.client, harness.loop, () -> 2);
        harness.sweeper.traps().whenVPortsChange(made::onVPortTrap);
        harness.sweeper.traps().whenVPortNamesChange(made::onVPortNameTrap);
        return made;
    }

    private RoutingStart routeIfResting() {
        if (!harness.sweeper.isResting()) {
            return RoutingStart.BUSY;
        }
        harness.sweeper.reroute();
        return RoutingStart.BEGUN;
    }

    /** Visits the ports as the daemon does when a subnet is up. */
    private void visitPorts(SweepEvent.SubnetUp up) {
        Subnet published = up.view().subnet();
        PartitionPlan plan = PartitionPlan.withoutConf(published.fabric());
        if (up.report().hasReadDevices()) {
            manager.visitPorts(published, plan);
        } else {
            manager.visitChangedPorts(published, plan);
        }
    }

    /** Returns the time from the publication until all virtual ports are ACTIVE, in ms. */
    private long bringUp(int vports) {
        harness.onUp = this::visitPorts;
        harness.sweep();
        long begin = harness.loop.nowNs();
        while (manager.table().countActive() < (long) hosts.size() * vports) {
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
            assertThat(harness.loop.nowNs() - begin).isLessThan(TimeUnit.MINUTES.toNanos(5));
        }
        return TimeUnit.NANOSECONDS.toMillis(harness.loop.nowNs() - begin);
    }

    private VPortAgent agent(Topology.Node host) {
        return harness.fabric.interventions().vports(host.nodeGuid(), 1);
    }

    private int freeVPort(Topology.Node host, int first) {
        return IntStream.range(first, 127)
                .filter(index -> !agent(host).hasVPort(index))
                .findFirst()
                .orElseThrow();
    }

    private static void writeFigure(String text) throws IOException {
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("vports.txt"),
                text + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "OWN"})
    void aVPortIsActiveMillisecondsAfterItsTrap(VPortModel.VPortLids lids) throws IOException {
        open(
                TopologySpec.of("torus:8x8x4,hosts=4").topology(),
                VPortModel.of(16).with(lids));
        long upMs = bringUp(16);
        writeFigure(hosts.size() + " x 16, LIDs " + lids + ": all ACTIVE after " + upMs + " ms");
        Random random = Seeds.unmixed(1);
        int traps = lids == VPortModel.VPortLids.OWN ? TRAPS_OWN : TRAPS;
        long[] us = new long[traps];
        for (int i = 0; i < traps; i++) {
            Topology.Node host = hosts.get(random.nextInt(hosts.size()));
            VPortAgent agent = agent(host);
            int vport = freeVPort(host, 16);
            long begin = harness.loop.nowNs();
            agent.plug(vport, 0x0300_0000_0000_0000L + i);
            while (agent.info(vport).state() != PortInfo.STATE_ACTIVE) {
                harness.loop.runFor(STEP_NS);
            }
            us[i] = TimeUnit.NANOSECONDS.toMicros(harness.loop.nowNs() - begin);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(20)));
        }
        Arrays.sort(us);
        writeFigure(hosts.size() + " x 16, LIDs " + lids + ": trap to ACTIVE p50 " + us[traps / 2] + " us, p99 "
                + us[traps * 99 / 100] + " us, at most " + us[traps - 1] + " us");
        assertThat(upMs).isLessThanOrEqualTo(3000);
        assertThat(us[traps / 2]).isLessThan(20_000);
        assertThat(us[traps * 99 / 100]).isLessThan(50_000);
    }

    /** With separate LIDs a move writes one block of each switch that has another egress port for the new port. */
    @ParameterizedTest
    @EnumSource(names = {"SHARED", "OWN"})
    void aMoveCostsSmpsOfTwoPorts(VPortModel.VPortLids lids) throws IOException {
        open(TopologySpec.of("torus:4x4x1,hosts=4").topology(), VPortModel.of(8).with(lids));
        bringUp(8);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10)); // for the descriptions
        Map<DrPath, Long> nodes = nodesByPath();
        harness.keepsRequests = true;
        Random random = Seeds.unmixed(1);
        long smps = 0;
        long others = 0;
        long blocks = 0;
        Map<String, Integer> besides = new TreeMap<>();
        int moves = 0;
        while (moves < (lids == VPortModel.VPortLids.OWN ? MOVES_OWN : MOVES)) {
            Topology.Node from = hosts.get(random.nextInt(hosts.size()));
            Topology.Node to = hosts.get(random.nextInt(hosts.size()));
            int vport = IntStream.range(1, 127)
                    .filter(agent(from)::hasVPort)
                    .findFirst()
                    .orElse(0);
            if (vport == 0 || from.equals(to)) {
                continue;
            }
            int free = freeVPort(to, 8);
            long guid = agent(from).info(vport).portGuid();
            int lid = agent(from).info(vport).lid();
            List<String> expected = lids == VPortModel.VPortLids.OWN ? blocksOfMove(lid, from, to) : List.of();
            harness.requests.clear();
            agent(from).unplug(vport);
            agent(to).plug(free, guid);
            while (agent(to).info(free).state() != PortInfo.STATE_ACTIVE) {
                harness.loop.runFor(STEP_NS);
            }
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
            assertThat(agent(to).info(free).lid()).isEqualTo(lid);
            List<String> written = new ArrayList<>();
            for (byte[] mad : harness.requests) {
                long node = nodes.getOrDefault(Smp.path(mad), 0L);
                if (MadHeader.method(mad) == Method.TRAP_REPRESS) {
                    smps++;
                } else if (Arrays.stream(VPortCase.VENDOR).anyMatch(id -> id == MadHeader.attributeId(mad))) {
                    smps++;
                    others += List.of(from.nodeGuid(), to.nodeGuid()).contains(node) ? 0 : 1;
                } else if (isLftSet(mad)) {
                    written.add(block(node, MadHeader.attributeModifier(mad)));
                } else {
                    besides.merge(String.format("0x%04x", MadHeader.attributeId(mad)), 1, Integer::sum);
                }
            }
            assertThat(written).containsExactlyInAnyOrderElementsOf(expected);
            blocks += written.size();
            moves++;
        }
        assertThat(manager.table().countActive()).isEqualTo(hosts.size() * 8L);
        writeFigure(moves + " moves, LIDs " + lids + ": " + smps + " SMPs, " + others
                + " of them not to the two ports of the move; " + blocks
                + " blocks of switches; besides, by attribute: " + besides);
        assertThat(others).isZero();
        assertThat(besides).isEmpty();
    }

    /** Returns the GUIDs of switches and hosts by the route to them. */
    private Map<DrPath, Long> nodesByPath() {
        Fabric fabric = harness.publishedView().subnet().fabric();
        Map<DrPath, Long> nodes = new HashMap<>();
        IntStream.range(0, fabric.nodeCount())
                .forEach(node -> nodes.put(
                        fabric.pathTo(fabric.port(node, fabric.isSwitch(node) ? 0 : 1)), fabric.nodeGuid(node)));
        return nodes;
    }

    private static boolean isLftSet(byte[] mad) {
        return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id();
    }

    private static String block(long switchGuid, long block) {
        return Guid.format(switchGuid) + ' ' + block;
    }

    /** Returns the blocks with a LID of those switches that forward to two hosts through different ports. */
    private List<String> blocksOfMove(int lid, Topology.Node from, Topology.Node to) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        int oldLid = subnet.lid(fabric.endport(from.portGuid(1)));
        int newLid = subnet.lid(fabric.endport(to.portGuid(1)));
        return IntStream.range(0, fabric.switchCount())
                .mapToLong(fabric::nodeGuid)
                .filter(sw -> harness.fabric.lft(sw)[oldLid] != harness.fabric.lft(sw)[newLid])
                .mapToObj(sw -> block(sw, lid / LinearForwardingTable.LIDS_PER_BLOCK))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "OWN"})
    void aTreeHasManyVPortsOfEachHost(VPortModel.VPortLids lids) throws IOException {
        StringBuilder text = new StringBuilder();
        TopologyText.write(TopologySpec.of("tree:leaves=16,spines=8,hosts=4").topology(), text);
        open(
                SweepHarness.topology(text.toString().replace("\"host-0-0\"", '"' + SweepHarness.HOST + '"')),
                VPortModel.of(127).with(lids));
        writeFigure("tree of 24 switches, " + hosts.size() + " x 127, LIDs " + lids + ": all ACTIVE after "
                + bringUp(127) + " ms");
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

    /** Descriptions are included; with separate LIDs also the claimed and the published LIDs, but no tables. */
    @ParameterizedTest
    @EnumSource(names = {"SHARED", "OWN"})
    void aVPortTakesLittleMemory(VPortModel.VPortLids lids) throws IOException {
        boolean isOwn = lids == VPortModel.VPortLids.OWN;
        int ports = isOwn ? 190 : 1000;
        int each = 127;
        PortKeys keys = PortKeys.of(0xffff);
        long before = usedBytes();
        VPortLidBook book = new VPortLidBook();
        VPortTable table = new VPortTable(() -> true);
        for (long port = 1; port <= ports; port++) {
            List<VirtualPort> vports = new ArrayList<>();
            for (int index = 0; index < each; index++) {
                int lid = isOwn ? (int) port * each + index : 0;
                if (isOwn) {
                    book.put(port << 32 | index << 8 | 1, new VPortLid(lid, port, true));
                }
                vports.add(new VirtualPort(
                        index,
                        port << 32 | index << 8 | 1,
                        port << 32 | index << 8,
                        PortInfo.STATE_ACTIVE,
                        lid,
                        keys,
                        "node-" + port + " mlx5_" + index));
            }
            table.put(port, vports);
        }
        VPortLids published = book.value();
        long bytes = (usedBytes() - before) / table.vports();
        assertThat(published.isEmpty()).isEqualTo(!isOwn);
        assertThat(Objects.requireNonNull(table.keysOf(1L << 32 | 257))).isEqualTo(keys);
        writeFigure("memory, LIDs " + lids + ": " + bytes + " bytes for each of " + table.vports() + " vports");
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
