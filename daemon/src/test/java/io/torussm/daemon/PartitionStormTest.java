package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.Replication;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.partition.Membership;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeChange.Request;
import io.torussm.partition.RunTimeDecision;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartitions;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two SMs that replicate, on an embedded torus in virtual time. Members change at run time, partitions.conf
 * changes, SMs die at any moment and return. Whenever the master is idle, devices have the P_Keys of file and run
 * time together, no confirmed change is lost, and a P_Key that a port had before and after was never missing
 * in between. A failure prints the seed and all events.
 */
@Tag("slow")
class PartitionStormTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final List<String> HOSTS = List.of("host-0-0-0-0", "host-2-1-0-0");
    private static final int ROUNDS = 10;

    /** Max time until an SM that has started is connected to its peers; less than it waits for them. */
    private static final int MAX_CONNECT_MS = 4000;

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, new FaultPlan(1, 0, 0, 1000, 200_000));
    private final StormWire wire = new StormWire();

    /** The running SMs by host. */
    private final Map<String, FabricSm> sms = new TreeMap<>();

    /** The P_Keys of all ports when the master was idle last, and at each write since then. */
    private final Map<String, PortKeys> keysBefore = new LinkedHashMap<>();

    private final List<Map<String, PortKeys>> intermediateKeys = new ArrayList<>();

    /** All events of the seed, a line each. */
    private final StringBuilder story = new StringBuilder();

    private PartitionConf file = PartitionConf.NONE;

    /** The members that were added at run time and confirmed. */
    private RunTimePartitions expected = RunTimePartitions.NONE;

    /** Number of the SM that started last. */
    private int generation;

    /** Returns the P_Keys of all ports, by node and port number. */
    private Map<String, PortKeys> programmedKeys() {
        Map<String, PortKeys> all = new LinkedHashMap<>();
        for (Topology.Node node : topology.nodes()) {
            for (int port = node.isSwitch() ? 0 : 1; port <= node.numPorts(); port++) {
                all.put(node.description() + "/" + port, PortKeys.of(fabric.pKeys(node.nodeGuid(), port)));
            }
        }
        return all;
    }

    private RunTimeChange randomChange(Random random) {
        int pKey = 1 + random.nextInt(6);
        List<Topology.Node> hosts =
                topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
        Map<Long, Member> members = new TreeMap<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            long guid = random.nextInt(8) == 0
                    ? 77
                    : hosts.get(random.nextInt(hosts.size())).portGuid(1);
            members.put(
                    guid,
                    new Member(random.nextBoolean() ? Membership.LIMITED : Membership.FULL, random.nextInt(6) == 0));
        }
        return switch (random.nextInt(8)) {
            case 0 -> new RunTimeChange.Delete(pKey);
            case 1 -> new RunTimeChange.Replace(pKey, "", random.nextBoolean(), null, members);
            case 2, 3 -> new RunTimeChange.Remove(pKey, members.keySet());
            default -> new RunTimeChange.Add(pKey, "", random.nextBoolean(), null, members);
        };
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void tablesOfDevicesMatchFileAndRunTimeMembersAfterRandomEvents(long seed) throws Exception {
        Random random = Seeds.random(seed);
        for (String host : HOSTS) {
            start(random, host);
        }
        awaitIdleMaster();
        for (int round = 0; round < ROUNDS; round++) {
            injectChange(random, awaitIdleMaster());
            FabricSm master = awaitIdleMaster();
            assertThat(Set.of(master.addedMembers.current()))
                    .as(story.toString())
                    .containsExactly(expected);
            assertKeysProgrammed(master);
        }
    }

    /** Starts an SM whose peers may be connected long after it could have become master. */
    private void start(Random random, String host) throws IOException, ConfigurationException {
        MortalLoop life = new MortalLoop(loop);
        Path state = Files.createDirectories(dir.resolve("state-" + host));
        StateDirectory directory = StateDirectory.open(state, life);
        SmOptions options =
                ServiceHarness.options(state, Map.of(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS)));
        Eavesdropper port = new Eavesdropper(fabric.attach(host, 1));
        port.sendListener = this::recordKeys;
        int priority = HOSTS.get(0).equals(host) ? 8 : 3;
        Replication replication = new Replication(
                directory,
                life,
                life,
                wire.end(host, life, connectNs(random), 1),
                options.sweep().gidPrefix(),
                port.localPort().portGuid());
        FabricSm sm = new FabricSm(life, port, priority, options, directory, ++generation, replication);
        sm.settings.partitionFile = () -> file;
        sms.put(host, sm);
        sm.start();
    }

    private static long connectNs(Random random) {
        return random.nextInt(3) == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(MAX_CONNECT_MS));
    }

    private void kill(String host) {
        Objects.requireNonNull(sms.remove(host)).kill();
        wire.left(host);
    }

    private @Nullable FabricSm master() {
        return sms.values().stream().filter(FabricSm::isUp).findFirst().orElse(null);
    }

    /** Waits until one SM is master and has nothing to do, and checks the P_Keys since the last call. */
    private FabricSm awaitIdleMaster() {
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        boolean isUp = loop.runUntil(
                () -> {
                    FabricSm now = master();
                    return now != null && now.sweeper.isResting();
                },
                TimeUnit.MINUTES.toNanos(5));
        assertThat(isUp).as("a master and a subnet: %s", story).isTrue();
        loop.runFor(TimeUnit.SECONDS.toNanos(25));
        assertNoKeyMissing();
        return Objects.requireNonNull(master());
    }

    private void recordKeys(byte[] mad) {
        boolean isTable = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == PKeyTable.TYPE.id();
        if (isTable) {
            intermediateKeys.add(programmedKeys());
        }
    }

    /** Asserts that a P_Key of a port before and now was there at each write in between. */
    private void assertNoKeyMissing() {
        Map<String, PortKeys> after = programmedKeys();
        intermediateKeys.add(after);
        for (Map<String, PortKeys> moment : intermediateKeys) {
            keysBefore.forEach((port, keys) -> keys.stream()
                    .filter(key -> after.getOrDefault(port, PortKeys.NONE).indexOf(key) >= 0)
                    .forEach(key -> assertThat(
                                    moment.getOrDefault(port, PortKeys.NONE).indexOf(key))
                            .as("0x%04x of %s: %s", key, port, story)
                            .isNotNegative()));
        }
        intermediateKeys.clear();
        keysBefore.clear();
        keysBefore.putAll(after);
    }

    private void assertKeysProgrammed(FabricSm master) {
        PublishedView view = Objects.requireNonNull(master.sweeper.view());
        Fabric seen = view.subnet().fabric();
        PartitionSettings wanted =
                new PartitionSettings(file, PartitionSettings.Enforcement.BOTH, true, false).with(expected, true);
        PartitionPlan plan = PartitionPlan.of(wanted, seen, port -> programmedKeys(seen, port));
        for (int port = 0; port < seen.portCount(); port++) {
            PortKeys keys = plan.table(port);
            if (keys != null) {
                assertThat(programmedKeys(seen, port))
                        .as("%s: %s", seen.portName(port), story)
                        .isEqualTo(keys);
                assertThat(view.partitions().table(port))
                        .as("%s: %s", seen.portName(port), story)
                        .isEqualTo(keys);
            }
        }
    }

    private PortKeys programmedKeys(Fabric seen, int port) {
        return PortKeys.of(fabric.pKeys(seen.nodeGuid(seen.nodeOf(port)), seen.portNum(port)));
    }

    private PartitionConf randomFile(Random random) {
        StringBuilder text = new StringBuilder("Default=0x7fff:ALL=limited;\n");
        for (int pKey = 1; pKey < 6; pKey++) {
            if (random.nextInt(3) == 0) {
                String guid = topology.nodes().stream()
                        .filter(node -> !node.isSwitch())
                        .skip(random.nextInt(9))
                        .findFirst()
                        .map(node -> "0x" + Long.toHexString(node.portGuid(1)))
                        .orElseThrow();
                text.append(pKey).append(random.nextInt(4) == 0 ? ":ALL_CAS=limited," : ":");
                text.append(guid).append(random.nextBoolean() ? "=full;\n" : "=limited;\n");
            }
        }
        return Objects.requireNonNull(
                PartitionConf.parse("p.conf", text.toString(), true).conf());
    }

    /** Makes a change; in some cases the master dies before its outcome is known. */
    private void change(Random random, FabricSm master) throws Exception {
        RunTimeChange change = randomChange(random);
        story.append('\n').append(change);
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        RunTimeDecision decision = RunTimeDecision.of(expected, change, file);
        master.sweeper.changePartitions(new Request(change, "storm", random.nextBoolean()), outcomes::add);
        if (random.nextInt(5) == 0) {
            loop.runFor(random.nextInt(1_000_000));
            String host = sms.entrySet().stream()
                    .filter(each -> each.getValue() == master)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.joining());
            kill(host);
            story.append(" and ").append(host).append(" dies, ").append(outcomes);
            if (sms.isEmpty()) {
                start(random, host);
            }
        } else {
            BoundedWait.until(
                    loop, "the change ends, " + story, () -> !outcomes.isEmpty(), TimeUnit.MINUTES.toNanos(2));
        }
        boolean isKnown = !outcomes.isEmpty() && outcomes.get(0).kind() != ChangeStatus.ENDED;
        if (isKnown) {
            story.append(' ').append(outcomes);
            assertThat(outcomes.get(0).kind())
                    .as(story.toString())
                    .isIn(
                            ChangeStatus.DONE,
                            ChangeStatus.ABSENT,
                            ChangeStatus.GIVEN_BY_FILE,
                            ChangeStatus.TOO_LARGE,
                            ChangeStatus.NO_ROOM);
        }
        RunTimePartitions next = decision.next();
        if (next != null && isKnown && outcomes.get(0).isDone()) {
            expected = next;
        } else if (next != null && !isKnown) {
            RunTimePartitions now = awaitIdleMaster().addedMembers.current();
            assertThat(now).as(story.toString()).isIn(expected, next);
            expected = now;
        }
    }

    private void injectChange(Random random, FabricSm master) throws Exception {
        String host = HOSTS.get(random.nextInt(2));
        switch (random.nextInt(6)) {
            case 0 -> {
                file = randomFile(random);
                story.append("\nthe file changes: ").append(file.partitions());
                master.mastership.sweepHeavy();
            }
            case 1 -> {
                if (sms.size() == 2) {
                    story.append('\n').append(host).append(" dies");
                    kill(host);
                }
            }
            default -> change(random, master);
        }
        awaitIdleMaster();
        if (sms.size() < 2 && random.nextBoolean()) {
            String missing = HOSTS.stream()
                    .filter(each -> !sms.containsKey(each))
                    .findFirst()
                    .orElseThrow();
            story.append('\n').append(missing).append(" starts");
            start(random, missing);
        }
    }
}
