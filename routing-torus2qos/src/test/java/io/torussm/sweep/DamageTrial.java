package io.torussm.sweep;

import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.stage.Consistency;
import io.torussm.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Random damage of the responses of all devices for twelve seconds, as in a field report: two bits of the
 * attribute are inverted in a part of them. Two light sweeps later all devices must have their previous
 * contents, and the SM must have read them correctly.
 */
final class DamageTrial {
    private static final Topology TOPOLOGY = LieTrial.TOPOLOGY;
    private static final int FALSE_BITS = 2;
    private static final int LIGHT_SWEEPS = 2;

    /** Counters are no settings: they are written back as they were read. */
    private static final List<Field> COUNTERS =
            List.of(PortInfo.M_KEY_VIOLATIONS, PortInfo.P_KEY_VIOLATIONS, PortInfo.Q_KEY_VIOLATIONS);

    /** The event while responses are damaged. */
    enum TrialEvent {
        WHOLE_SWEEP,
        LOST_CABLE,
        TAKEOVER
    }

    private final SweepHarness harness;
    private final TrialEvent event;
    private final Random random;
    private final double damagedShare;
    private final List<String> violations = new ArrayList<>();
    private int damaged;

    private DamageTrial(String engine, TrialEvent meanwhile, long seed, double share, Path stateDir) {
        this.harness = new SweepHarness(TOPOLOGY, FaultPlan.NONE, SweepHarness.settings(), stateDir);
        this.event = meanwhile;
        this.random = Seeds.random(seed);
        this.damagedShare = share;
        harness.keepsRequests = false;
        harness.policy = new ChainPolicy(true, OnCreditLoop.WARN);
        harness.engine = Objects.requireNonNull(LieTrial.ENGINES.get(engine)).get();
    }

    /**
     * Runs a trial.
     *
     * @param share share of the responses that is damaged
     * @return the differences from the state before; empty if there are none, although responses were damaged
     */
    static List<String> run(String engine, TrialEvent meanwhile, long seed, double share, Path stateDir) {
        DamageTrial trial = new DamageTrial(engine, meanwhile, seed, share, stateDir);
        trial.run();
        return trial.violations;
    }

    private void run() {
        harness.sweep();
        runSeconds(2);
        harness.awaitRest();
        GroupTrial group = new GroupTrial(harness, TOPOLOGY);
        Map<String, String> before = deviceContents();
        harness.changeResponse = this::damage;
        if (event == TrialEvent.TAKEOVER) {
            harness.restart();
        }
        harness.sweeper.sweepHeavy();
        runSeconds(3);
        changeCable(false);
        runSeconds(3);
        changeCable(true);
        runSeconds(4);
        harness.sweeper.sweepLight();
        runSeconds(2);
        harness.changeResponse = mad -> {};
        check(damaged > 0, "no response was damaged");
        for (int i = 0; i < LIGHT_SWEEPS; i++) {
            runSeconds(8);
            harness.sweeper.sweepLight();
        }
        runSeconds(8);
        harness.awaitRest();
        verify(before);
        if (hasMemory()) {
            group.verify("after it", violations);
        }
    }

    private boolean hasMemory() {
        return event != TrialEvent.TAKEOVER;
    }

    private void changeCable(boolean isBack) {
        long sw = harness.node("sw-0-1-0").nodeGuid();
        if (event == TrialEvent.LOST_CABLE && isBack) {
            harness.fabric.relink(sw, 1);
        } else if (event == TrialEvent.LOST_CABLE) {
            harness.fabric.unlink(sw, 1);
        }
    }

    private void runSeconds(int seconds) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private void damage(byte[] mad) {
        if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE && random.nextDouble() < damagedShare) {
            damaged++;
            for (int i = 0; i < FALSE_BITS; i++) {
                int bit = random.nextInt(Smp.DATA_SIZE * Byte.SIZE);
                mad[Smp.DATA_OFFSET + bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            }
        }
    }

    /**
     * Returns the contents of devices, without multicast tables, since trees may change. An SM that takes
     * over has no earlier reading for a comparison. It writes back values that it does not determine, and may
     * choose other routes.
     */
    private Map<String, String> deviceContents() {
        Map<String, String> all = new TreeMap<>();
        for (Topology.Node node : TOPOLOGY.nodes()) {
            long guid = node.nodeGuid();
            String name = node.description();
            int first = node.isSwitch() ? 0 : 1;
            if (node.isSwitch()) {
                if (hasMemory()) {
                    all.put(name + " LFT", Arrays.toString(harness.fabric.lft(guid)));
                }
                SwitchInfo info = harness.fabric.switchInfo(guid);
                all.put(name + " SwitchInfo", hasMemory() ? info.toString() : "top " + info.linearFdbTop());
            }
            for (int portNum = first; portNum <= node.numPorts(); portNum++) {
                String port = name + " port " + portNum;
                PortInfo info = harness.fabric.portInfo(guid, portNum);
                for (Field counter : COUNTERS) {
                    info = info.with(counter, 0);
                }
                all.put(port + " PortInfo", hasMemory() ? info.toString() : info.lid() + " " + info.portState());
                all.put(port + " P_Keys", Arrays.toString(harness.fabric.pKeys(guid, portNum)));
                all.put(port + " low VLArb", String.valueOf(harness.fabric.vlArbitration(guid, portNum, 1)));
                all.put(port + " high VLArb", String.valueOf(harness.fabric.vlArbitration(guid, portNum, 3)));
                for (int in = first; in <= node.numPorts(); in++) {
                    all.put(port + " SL2VL from " + in, Long.toHexString(harness.fabric.sl2vl(guid, in, portNum)));
                }
            }
        }
        return all;
    }

    private void verify(Map<String, String> before) {
        Map<String, String> after = deviceContents();
        before.forEach(
                (fault, was) -> check(was.equals(after.get(fault)), fault + " " + was + " -> " + after.get(fault)));
        Fabric fabric = harness.publishedView().subnet().fabric();
        check(fabric.nodeCount() == TOPOLOGY.nodes().size(), fabric.nodeCount() + " nodes are known");
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byte[] wanted = harness.publishedView().plan().lft(sw);
            byte[] held = Arrays.copyOf(harness.fabric.lft(fabric.nodeGuid(sw)), wanted.length);
            check(Arrays.equals(held, wanted), fabric.name(sw) + " LFT " + Arrays.toString(held));
            for (int lid = 1; lid < wanted.length; lid++) {
                boolean isMissing = harness.publishedView().subnet().portOfLid(lid) != Fabric.NONE
                        && (wanted[lid] & 0xff) == LinearForwardingTable.NO_PATH;
                check(!isMissing, fabric.name(sw) + " has no way to LID " + lid);
            }
        }
        for (Topology.Node node : TOPOLOGY.nodes()) {
            int known = fabric.nodeByGuid(node.nodeGuid());
            if (known == Fabric.NONE) {
                violations.add(node.description() + " is not known");
                continue;
            }
            check(
                    fabric.node(known).description().equals(node.description()),
                    node.description() + " is known as " + fabric.node(known).description());
            for (int portNum = node.isSwitch() ? 0 : 1; portNum <= node.numPorts(); portNum++) {
                PortInfo seen = fabric.portInfo(fabric.port(known, portNum));
                PortInfo is = harness.fabric.portInfo(node.nodeGuid(), portNum);
                check(
                        seen != null && Consistency.agrees(seen, is),
                        node.description() + " port " + portNum + " is known as " + seen + ", and is " + is);
                check(
                        node.peer(portNum) == null == (fabric.peer(fabric.port(known, portNum)) == Fabric.NONE),
                        node.description() + " port " + portNum + " has another cable");
            }
        }
    }

    private void check(boolean isSo, String otherwise) {
        if (!isSo) {
            violations.add(otherwise);
        }
    }
}
