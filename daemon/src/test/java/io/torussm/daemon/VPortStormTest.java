package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortKeys;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two SMs on an embedded torus in virtual time, whose wires lose MADs. Virtual ports come, go and move between hosts,
 * partitions change, devices reject requests or drop them, and SMs die and return. Whenever it is quiet, each virtual
 * port of a good device is ACTIVE with its P_Keys, which its switch lets pass, and each switch has its LID. A new
 * master writes nothing to them.
 */
@Tag("slow")
class VPortStormTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final List<String> SM_HOSTS = List.of("host-0-0-0-0", "host-2-1-0-0");
    private static final int ROUNDS = 8;
    private static final int MAX_VPORTS = 8;
    private static final int ENTRIES = VPortAgent.PARTITION_CAP;
    private static final long FIRST_GUID = 0x0200_0000_0000_0000L;
    private static final int MAX_SETTLE_STEPS = 60;
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(5);

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final List<Topology.Node> hosts = topology.nodes().stream()
            .filter(node -> !node.isSwitch() && !SM_HOSTS.contains(node.description()))
            .toList();
    private final VirtualLoop loop = new VirtualLoop();
    private final Map<String, FabricSm> sms = new TreeMap<>();
    private final Set<Long> badNodes = new HashSet<>();
    private final List<byte[]> sent = new ArrayList<>();
    private final StringBuilder story = new StringBuilder();
    private SimFabric fabric;
    private VPortLids lids = VPortLids.SHARED;
    private PartitionConf file = PartitionConf.NONE;
    private int generation;
    private long lastGuid = FIRST_GUID;

    // --- what is right ---

    private VPortAgent agent(Topology.Node host) {
        return fabric.interventions().vports(host.nodeGuid(), 1);
    }

    // --- what happens ---

    private Topology.Node any(Random random) {
        return hosts.get(random.nextInt(hosts.size()));
    }

    static LongStream few() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, 20);
    }

    static LongStream many() {
        return LongStream.range(0, Long.getLong("seeds", 1000)).map(seed -> seed + Long.getLong("first", 1000));
    }

    @ParameterizedTest
    @MethodSource("few")
    void vportsAreCorrectAfterRandomEvents(long seed) throws Exception {
        storm(seed);
    }

    @Tag("campaign")
    @ParameterizedTest
    @MethodSource("many")
    void campaign(long seed) throws Exception {
        storm(seed);
    }

    private void open(Random random) throws Exception {
        DeviceModels models = DeviceModels.PERFECT.with(
                hosts::contains,
                model -> model.vendor(vendor -> vendor.with(VPortModel.of(3).with(lids))));
        FaultPlan faults = new FaultPlan(random.nextLong(), random.nextInt(3) * 0.01, 0, 1000, 200_000);
        fabric = new SimFabric(topology, models, loop, faults);
        for (String host : SM_HOSTS) {
            start(host);
        }
    }

    private void start(String host) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        Path state = Files.createDirectories(dir.resolve("state-" + host));
        SmOptions options = ServiceHarness.options(
                state, Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS), Settings.VIRT_ENABLED, "2"));
        Eavesdropper port = new Eavesdropper(fabric.attach(host, 1));
        port.sendListener = sent::add;
        int priority = SM_HOSTS.get(0).equals(host) ? 8 : 3;
        FabricSm sm = new FabricSm(life, port, priority, options, StateDirectory.open(state, life), ++generation);
        sm.settings.partitionFile = () -> file;
        sms.put(host, sm);
        sm.start();
    }

    private List<Integer> vports(Topology.Node host) {
        return IntStream.range(0, MAX_VPORTS)
                .filter(agent(host)::hasVPort)
                .boxed()
                .toList();
    }

    private @Nullable FabricSm master() {
        return sms.values().stream().filter(FabricSm::isUp).findFirst().orElse(null);
    }

    /** Returns what is not as it should be. */
    private List<String> faults() {
        FabricSm master = master();
        if (master == null || !master.sweeper.isResting()) {
            return List.of("no SM is master and rests");
        }
        VPortKeys keys = new VPortKeys(new PartitionSettings(file, PartitionSettings.Enforcement.BOTH, true, false));
        List<String> faults = new ArrayList<>();
        hosts.stream().filter(host -> !badNodes.contains(host.nodeGuid())).forEach(host -> faults(host, keys, faults));
        return faults;
    }

    private void faults(Topology.Node host, VPortKeys keys, List<String> faults) {
        VPortAgent agent = agent(host);
        // A host with vports 0 and 1 only cannot prove to a new master how its tables are addressed.
        boolean canProve = vports(host).stream().anyMatch(vport -> vport > 1);
        for (int vport : vports(host)) {
            long guid = agent.info(vport).portGuid();
            if (agent.info(vport).state() != PortInfo.STATE_ACTIVE) {
                faults.add("vport " + vport + " of " + host + " has state "
                        + agent.info(vport).state());
            }
            if (vport != 0 && lids == VPortLids.OWN) {
                verifyLid(host, vport, faults);
            }
            Set<Integer> wanted =
                    set(keys.wantedTable(guid, ENTRIES, PortKeys.NONE).keys());
            if (vport != 0 && canProve && !set(PortKeys.of(agent.pKeys(vport))).equals(wanted)) {
                faults.add("vport " + vport + " of " + host + " has " + PortKeys.of(agent.pKeys(vport)) + ", not "
                        + wanted);
            }
        }
        List<Long> guids = vports(host).stream()
                .filter(vport -> vport != 0)
                .map(vport -> agent.info(vport).portGuid())
                .toList();
        Topology.PortRef leaf = Objects.requireNonNull(host.peer(1));
        PortKeys passes = PortKeys.of(fabric.pKeys(leaf.node().nodeGuid(), leaf.portNum()));
        PortKeys own = PortKeys.of(fabric.pKeys(host.nodeGuid(), 1));
        Set<Integer> needed = IntStream.of(keys.passingKeys(own, guids, Integer.MAX_VALUE))
                .boxed()
                .collect(Collectors.toSet());
        if (!set(passes).equals(needed)) {
            faults.add("the switch at " + host + " lets pass " + passes + ", not " + needed);
        }
    }

    /** Verifies that each switch forwards the LID of a vport as that of its port. */
    private void verifyLid(Topology.Node host, int vport, List<String> faults) {
        Subnet subnet = Objects.requireNonNull(master()).view().subnet();
        int port = subnet.fabric().endport(host.portGuid(1));
        int lid = agent(host).info(vport).lid();
        boolean isOwn = port != Fabric.NONE && subnet.portOfLid(lid) == port && subnet.lid(port) != lid;
        boolean isForwarded = isOwn
                && topology.nodes().stream()
                        .filter(Topology.Node::isSwitch)
                        .map(node -> fabric.lft(node.nodeGuid()))
                        .allMatch(lft -> lid < lft.length && lft[lid] == lft[subnet.lid(port)]);
        if (!isForwarded) {
            faults.add("vport " + vport + " of " + host + " has LID " + lid);
        }
    }

    private static Set<Integer> set(PortKeys keys) {
        return keys.stream().boxed().collect(Collectors.toSet());
    }

    private void settle() {
        for (int i = 0; i < MAX_SETTLE_STEPS; i++) {
            loop.runFor(STEP_NS);
            if (faults().isEmpty()) {
                break;
            }
        }
        List<String> faults = faults();
        assertThat(faults).as("%s after%s", faults, story).isEmpty();
    }

    private List<String> sets(IntPredicate attribute) {
        return sent.stream()
                .filter(mad -> MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM
                        && MadHeader.method(mad) == Method.SET
                        && attribute.test(MadHeader.attributeId(mad)))
                .map(mad -> String.format(
                        "0x%04x, modifier 0x%08x, to %s",
                        MadHeader.attributeId(mad), MadHeader.attributeModifier(mad), Smp.path(mad)))
                .toList();
    }

    private long anyGuid(Random random) {
        return FIRST_GUID + random.nextInt((int) (lastGuid - FIRST_GUID) + 2);
    }

    private void newFile(Random random) {
        StringBuilder text = new StringBuilder("Default=0x7fff: ALL=full;\n");
        for (int pKey = 1; pKey < 6; pKey++) {
            List<String> members = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                members.add(String.format("0x%016x=%s", anyGuid(random), random.nextBoolean() ? "full" : "limited"));
            }
            text.append(String.format("P%d=0x%x: %s;%n", pKey, pKey, String.join(", ", members)));
        }
        file = Objects.requireNonNull(
                PartitionConf.parse("p.conf", text.toString(), true).conf());
    }

    private AgentProfile badAgent(Random random) {
        int[] attributes = {
            VirtualizationInfo.TYPE.id(),
            VPortInfo.TYPE.id(),
            VPortPKeyTable.TYPE.id(),
            VPortStateTable.TYPE.id(),
            0xffb5
        };
        int attribute = attributes[random.nextInt(attributes.length)];
        int method = random.nextBoolean() ? Method.GET : Method.SET;
        AgentProfile good = AgentProfile.CONFORMING;
        return switch (random.nextInt(3)) {
            case 0 -> good.refusing(attribute, method, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 1);
            case 1 -> good.dropping(attribute, method, 1);
            default -> good.ignoringSets(attribute);
        };
    }

    private void plug(Random random, Topology.Node host, long guid) {
        int vport = 1 + random.nextInt(MAX_VPORTS - 1);
        if (!agent(host).hasVPort(vport)) {
            agent(host).plug(vport, guid);
            story.append("\nvport ")
                    .append(vport)
                    .append(" at ")
                    .append(host)
                    .append(' ')
                    .append(Long.toHexString(guid));
        }
    }

    /** Moves a vport: it leaves its host before it is at the other one, or after that. */
    private void move(Random random) {
        Topology.Node from = any(random);
        Topology.Node to = any(random);
        List<Integer> there = vports(from).stream().filter(vport -> vport != 0).toList();
        if (there.isEmpty() || from.equals(to)) {
            return;
        }
        int vport = there.get(random.nextInt(there.size()));
        long guid = agent(from).info(vport).portGuid();
        story.append("\nvport ").append(vport).append(" leaves ").append(from);
        if (random.nextBoolean()) {
            agent(from).unplug(vport);
            loop.runFor(random.nextInt(20_000_000));
            plug(random, to, guid);
        } else {
            plug(random, to, guid);
            loop.runFor(random.nextInt(20_000_000));
            agent(from).unplug(vport);
        }
    }

    private void injectEvent(Random random) {
        Topology.Node host = any(random);
        switch (random.nextInt(8)) {
            case 0, 1 -> plug(random, host, ++lastGuid);
            case 2 ->
                vports(host).stream().filter(vport -> vport != 0).findAny().ifPresent(vport -> {
                    story.append("\nvport ").append(vport).append(" goes from ").append(host);
                    agent(host).unplug(vport);
                });
            case 3, 4 -> move(random);
            case 5 ->
                vports(host).stream().filter(vport -> vport > 1).findAny().ifPresent(vport -> {
                    story.append("\nanother GUID for vport ")
                            .append(vport)
                            .append(" of ")
                            .append(host);
                    agent(host).changeGuid(vport, ++lastGuid);
                });
            case 6 -> {
                story.append("\nthe file changes");
                newFile(random);
            }
            default -> {
                boolean isBad = badNodes.add(host.nodeGuid());
                story.append('\n').append(host).append(isBad ? " is bad" : " is good");
                fabric.setAgent(host.nodeGuid(), isBad ? badAgent(random) : AgentProfile.CONFORMING);
                if (!isBad) {
                    badNodes.remove(host.nodeGuid());
                }
            }
        }
        loop.runFor(random.nextInt(5_000_000));
    }

    private void kill(Random random) throws Exception {
        if (sms.size() == 2) {
            String host = SM_HOSTS.get(random.nextInt(2));
            story.append('\n').append(host).append(" dies");
            Objects.requireNonNull(sms.remove(host)).kill();
        } else {
            for (String host : SM_HOSTS) {
                if (!sms.containsKey(host)) {
                    story.append('\n').append(host).append(" starts");
                    start(host);
                }
            }
        }
    }

    private void sweep() {
        FabricSm master = master();
        if (master != null) {
            master.mastership.sweepHeavy();
        }
    }

    /** Kills the master while all devices are programmed. */
    private void takeOver() throws Exception {
        badNodes.forEach(guid -> fabric.setAgent(guid, AgentProfile.CONFORMING));
        badNodes.clear();
        for (String host : SM_HOSTS) {
            if (!sms.containsKey(host)) {
                start(host);
            }
        }
        sweep();
        settle();
        story.append("\nthe master dies when it is quiet");
        String host = sms.entrySet().stream()
                .filter(each -> each.getValue().isUp())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        sent.clear();
        Objects.requireNonNull(sms.remove(host)).kill();
        settle();
        List<String> changes = sets(id -> id == VPortInfo.TYPE.id()
                || id == VPortPKeyTable.TYPE.id()
                || id == 0xffb5
                || id == PKeyTable.TYPE.id());
        assertThat(changes).as("Sets of the new master: %s%s", changes, story).isEmpty();
    }

    private void storm(long seed) throws Exception {
        Random random = Seeds.random(seed);
        lids = seed % 2 == 0 ? VPortLids.SHARED : VPortLids.OWN;
        open(random);
        settle();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = random.nextInt(6); i >= 0; i--) {
                injectEvent(random);
            }
            if (random.nextInt(3) == 0) {
                kill(random);
            }
            sweep();
            settle();
            sent.clear();
        }
        takeOver();
    }
}
