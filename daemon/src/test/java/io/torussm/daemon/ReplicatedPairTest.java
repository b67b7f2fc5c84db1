package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.replica.ReplicaKeys;
import io.torussm.daemon.replica.ReplicaMessages;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.partition.Membership;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartition.Member;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Two whole subnet managers on one embedded fabric, with real channels between them. The master, at the host with the
 * higher priority, dies without notice, and the standby has the state that only the master received: a group, a
 * service, an alias GUID, a subscription, and the LID of a host that is away. The same without replication shows the
 * loss.
 */
@Tag("slow")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ReplicatedPairTest {
    private static final String HIGH = "host-0-0-0-0";
    private static final int HIGH_PRIORITY = 8;
    private static final String LOW = "host-2-1-0-0";
    private static final int LOW_PRIORITY = 3;

    /** A host that registers at the SA. */
    private static final String MEMBER = "host-1-1-0-0";

    /** A host that is absent when the master dies, and one that no SM has seen before. */
    private static final String AWAY = "host-3-2-0-0";

    private static final String NEW_HOST = "host-3-0-0-0";

    /** A group that stays, and one that its only member leaves; the broadcast group has the first MLID. */
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 2);

    private static final int GROUP_MLID = 0xc002;
    private static final Gid SHORT_LIVED = new Gid(0xff12_1234_0000_0000L, 1);
    private static final int SHORT_LIVED_MLID = 0xc001;

    /** A partition whose members are added at run time, and the P_Key of a full member. */
    private static final int PARTITION = 0x10;

    private static final int FULL_MEMBER_KEY = 0x8000 | PARTITION;
    private static final long TIMEOUT_S = 60;

    @TempDir
    Path dir;

    private final LoopedFabric fabric = new LoopedFabric(LoopedFabric.TORUS);
    /** Level and text of each line of the log of replication. */
    private final BlockingQueue<String> replicaLog = new LinkedBlockingQueue<>();

    private final Logger replicaLogger = (Logger) LoggerFactory.getLogger("io.torussm.daemon.replica");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            replicaLog.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    private final MortalHost highHost = new MortalHost(fabric, HIGH);
    private final MortalHost lowHost = new MortalHost(fabric, LOW);
    private final SaRegistrations saOfHigh = new SaRegistrations(highHost);
    private final SaRegistrations saOfLow = new SaRegistrations(lowHost);
    private @Nullable ServiceHarness high;
    private @Nullable ServiceHarness low;

    /** Files with the group that the peer sent to the lower SM, as replication logs them; "" for another file. */
    private final Set<String> filesWithGroup = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void listen() {
        appender.start();
        replicaLogger.setLevel(Level.DEBUG);
        replicaLogger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        for (ServiceHarness sm : new ServiceHarness[] {low, high}) {
            if (sm != null) {
                sm.close();
            }
        }
        replicaLogger.detachAppender(appender);
        replicaLogger.setLevel(null);
        fabric.close();
    }

    private static final List<Map<Setting<?>, String>> NO_REPLICATION =
            List.of(Map.of(Settings.REPLICATION_LISTEN, ""), Map.of(Settings.REPLICATION_LISTEN, ""));

    @Test
    void theStandbyKnowsRegistrationsThatOnlyTheMasterReceived() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        startPair(replication(key, key), true);
        assertThat(Objects.requireNonNull(high).statusLines())
                .noneMatch(line -> line.startsWith("Reports: "))
                .anyMatch(line -> line.startsWith("replication: connected to 127.0.0.1:"))
                .anyMatch(line -> line.matches("replication: .*; last state sent: .* [0-9]+ s ago;.*"));
        assertThat(Objects.requireNonNull(low).statusLines())
                .anyMatch(
                        line -> line.matches("replication: .*; last state taken: .* from 127.0.0.1:.*, [0-9]+ s ago"));
        int lid = fabric.lid(AWAY);
        killTheMaster();
        assertInherited(lid);
    }

    @Test
    void theStandbyHasTheKeysThatTheMasterDrew() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        startPair(replication(key, key), true);
        fabric.plugIn(NEW_HOST);
        ServiceHarness master = Objects.requireNonNull(high);
        assertThat(master.control().changeKeys(true).get(TIMEOUT_S, TimeUnit.SECONDS))
                .isEmpty();
        awaitLogLine("DEBUG replication: keys [0-9.]+ taken from .*");
        master.sweepUntil(() -> !fabric.mKeys().contains(0L));
        Set<Long> mKeys = fabric.mKeys();
        assertThat(mKeys).doesNotContain(0L);
        assertThat(Objects.requireNonNull(low).control().keys())
                .isEqualTo(master.control().keys());
        killTheMaster();
        assertThat(fabric.mKeys()).isEqualTo(mKeys);
    }

    /** The host that is away keeps its key of the dead master, which the successor has to know. */
    @Test
    void aSuccessorChangesTheKeysThatTheDeadMasterDrew() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        startPair(replication(key, key), true);
        fabric.plugIn(NEW_HOST);
        ServiceHarness master = Objects.requireNonNull(high);
        assertThat(master.control().changeKeys(true).get(TIMEOUT_S, TimeUnit.SECONDS))
                .isEmpty();
        awaitLogLine("DEBUG replication: keys [0-9.]+ taken from .*");
        master.sweepUntil(() -> !fabric.mKeys().contains(0L));
        Set<Long> oldKeys = fabric.mKeys();
        killTheMaster();
        ServiceHarness successor = Objects.requireNonNull(low);
        assertThat(successor.control().changeKeys(true).get(TIMEOUT_S, TimeUnit.SECONDS))
                .isEmpty();
        int oldAndNewKey = 2;
        successor.sweepUntil(() -> fabric.mKeys().size() == oldAndNewKey);
        fabric.plugIn(AWAY);
        successor.sweepUntil(() -> fabric.mKeys().size() == 1);
        assertThat(fabric.mKeys()).doesNotContainAnyElementsOf(oldKeys);
    }

    @Test
    void theStandbyHasTheMembersThatWereAddedToPartitions() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        startPair(replication(key, key), true);
        ServiceHarness master = Objects.requireNonNull(high);
        RunTimeChange add = new RunTimeChange.Add(
                PARTITION, "jobs", true, null, Map.of(fabric.portGuid(MEMBER), new Member(Membership.FULL, false)));
        RunTimeOutcome outcome = master.control()
                .changePartitions(new RunTimeChange.Request(add, "a test", false))
                .get(TIMEOUT_S, TimeUnit.SECONDS);
        assertThat(outcome.kind()).as(outcome.text()).isEqualTo(RunTimeOutcome.ChangeStatus.DONE);
        assertThat(fabric.pKeys(MEMBER)).contains(FULL_MEMBER_KEY);
        awaitLogLine("DEBUG replication: partition-members [0-9.]+ taken from .*");
        killTheMaster();
        ServiceHarness successor = Objects.requireNonNull(low);
        assertThat(successor.control().runTimePartitions())
                .isEqualTo(master.control().runTimePartitions());
        assertThat(fabric.pKeys(MEMBER)).contains(FULL_MEMBER_KEY);
        RunTimeChange remove = new RunTimeChange.Remove(PARTITION, Set.of(fabric.portGuid(MEMBER)));
        assertThat(successor
                        .control()
                        .changePartitions(new RunTimeChange.Request(remove, "a test", false))
                        .get(TIMEOUT_S, TimeUnit.SECONDS)
                        .isDone())
                .isTrue();
        assertThat(fabric.pKeys(MEMBER)).doesNotContain(FULL_MEMBER_KEY);
    }

    @Test
    void withoutReplicationTheStateOfTheMasterIsLost() throws Exception {
        startPair(NO_REPLICATION, false);
        assertThat(Objects.requireNonNull(high).statusLines()).noneMatch(line -> line.startsWith("replication: "));
        int lid = fabric.lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    @Test
    void aPairWithDifferentKeysFailsOverWithoutTheStateOfTheMaster() throws Exception {
        startPair(replication(ReplicaKeys.make(dir, "key"), ReplicaKeys.make(dir, "other")), false);
        awaitLogLine("ERROR " + SmEvent.REPLICATION_OTHER_KEY.code() + " .*");
        int lid = fabric.lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    @Test
    void aPairWithoutAConnectionFailsOverWithoutTheStateOfTheMaster() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        startPair(
                List.of(
                        replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key),
                        replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key)),
                false);
        assertThat(Objects.requireNonNull(high).statusLines())
                .anyMatch(line -> line.startsWith("replication: on, no peer is there; last state sent: none; "));
        int lid = fabric.lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    /** It sweeps when it has the files of its peer, keys of ports among them. */
    @Test
    void aReturningMasterReceivesTheChangesOfItsAbsence() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        List<Map<Setting<?>, String>> settings = replication(key, key);
        startPair(settings, true);
        killTheMaster();
        Objects.requireNonNull(high).close();
        ServiceHarness successor = Objects.requireNonNull(low);
        assertThat(saOfLow.member(Method.SET, MEMBER, SHORT_LIVED).mlid()).isEqualTo(SHORT_LIVED_MLID);
        assertThat(successor.control().changeKeys(true).get(TIMEOUT_S, TimeUnit.SECONDS))
                .isEmpty();
        successor.sweepUntil(() -> fabric.mKeys().size() == 2); // hosts that are away have none
        replicaLog.clear();
        ServiceHarness again = new ServiceHarness(
                new MortalHost(fabric, HIGH), dir, HIGH_PRIORITY, withReplicationWait(60, settings.get(0)));
        high = again;
        again.awaitUp();
        assertThat(again.control().keys()).isEqualTo(successor.control().keys());
        awaitLogLine("INFO " + SmEvent.PEERS_HEARD.code() + " .*");
        assertThat(group(again, SHORT_LIVED))
                .hasValueSatisfying(group -> assertThat(group.mlid()).isEqualTo(SHORT_LIVED_MLID));
        assertThat(group(again, GROUP)).isPresent();
    }

    @Test
    void aKeyFileThatOthersMayReadIsRefusedAtTheStart() throws Exception {
        Path key = Files.createFile(dir.resolve("key"));
        Files.setPosixFilePermissions(key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Map<Setting<?>, String> settings = replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key);
        assertThatThrownBy(() -> new ServiceHarness(highHost, dir, HIGH_PRIORITY, settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("replication_key_file: ", key.toString(), "chmod 600");
    }

    private String awaitLogLine(String pattern) throws InterruptedException {
        for (String line = replicaLog.poll(TIMEOUT_S, TimeUnit.SECONDS);
                line != null;
                line = replicaLog.poll(TIMEOUT_S, TimeUnit.SECONDS)) {
            if (line.matches(pattern)) {
                return line;
            }
        }
        throw new AssertionError("no line like " + pattern);
    }

    /** Settings of both, with their own keys, which may be the same. */
    private List<Map<Setting<?>, String>> replication(Path highKey, Path lowKey) throws Exception {
        InetSocketAddress one = ReplicaKeys.freeAddress();
        InetSocketAddress other = ReplicaKeys.freeAddress();
        return List.of(replication(one, other, highKey), replication(other, one, lowKey));
    }

    private static Map<Setting<?>, String> replication(InetSocketAddress own, InetSocketAddress peer, Path key) {
        return Map.of(
                Settings.REPLICATION_LISTEN, "127.0.0.1:" + own.getPort(),
                Settings.REPLICATION_PEERS, "127.0.0.1:" + peer.getPort(),
                Settings.REPLICATION_KEY_FILE, key.toString());
    }

    /** Waits as many seconds for what peers know before it begins. */
    private static Map<Setting<?>, String> withReplicationWait(int seconds, Map<Setting<?>, String> settings) {
        Map<Setting<?>, String> all = new TreeMap<>(settings);
        all.put(Settings.REPLICATION_WAIT, Integer.toString(seconds));
        return all;
    }

    /**
     * Starts a master and a standby, and registers at the master what {@link #assertInherited} expects.
     *
     * @param isConnected whether the standby receives the state of the master
     */
    private void startPair(List<Map<Setting<?>, String>> settings, boolean isConnected) throws Exception {
        fabric.unplug(NEW_HOST);
        startMaster(settings.get(0), isConnected);
        startStandby(settings.get(1), isConnected);
        assertThat(saOfHigh.service(Method.SET, MEMBER)).isZero();
        awaitTaken("sa-services", isConnected);
        assertThat(saOfHigh.alias(Method.SET, MEMBER)).isEqualTo(SaRegistrations.ALIAS);
        awaitTaken("sa-guids", isConnected);
        assertThat(saOfHigh.subscribe(1, MEMBER)).isZero();
        awaitTaken("sa-informs", isConnected);
        assertThat(saOfHigh.member(Method.SET, MEMBER, SHORT_LIVED).mlid()).isEqualTo(SHORT_LIVED_MLID);
        assertThat(saOfHigh.member(Method.SET, MEMBER, GROUP).mlid()).isEqualTo(GROUP_MLID);
        saOfHigh.member(Method.DELETE, MEMBER, SHORT_LIVED);
        if (isConnected) {
            awaitFileWithGroup();
        }
    }

    /** Waits until the standby has a file of the master, if it is connected. */
    private void awaitTaken(String file, boolean isConnected) throws InterruptedException {
        if (isConnected) {
            awaitLogLine("DEBUG replication: " + file + " [0-9.]+ taken from .*");
        }
    }

    private void awaitFileWithGroup() throws InterruptedException {
        String taken = awaitLogLine("DEBUG replication: sa-state [0-9.]+ taken from .*");
        while (filesWithGroup.stream().noneMatch(file -> !file.isEmpty() && taken.contains(file + " "))) {
            awaitLogLine("DEBUG replication: sa-state [0-9.]+ taken from .*");
        }
    }

    /** Starts the SM of the higher priority. It waits for a peer in vain, for at most three seconds. */
    private void startMaster(Map<Setting<?>, String> settings, boolean isConnected) throws Exception {
        ServiceHarness master =
                new ServiceHarness(highHost, dir, HIGH_PRIORITY, withReplicationWait(isConnected ? 3 : 0, settings));
        high = master;
        master.awaitUp();
    }

    private void startStandby(Map<Setting<?>, String> settings, boolean isConnected) throws Exception {
        lowHost.peerMessageListener =
                message -> filesWithGroup.add(ReplicaMessages.containing(GROUP.toString(), message));
        ServiceHarness standby = new ServiceHarness(
                lowHost, dir, LOW_PRIORITY, isConnected ? settings : withReplicationWait(0, settings));
        low = standby;
        assertThat(standby.end()).contains("other master");
        if (isConnected) {
            awaitLogLine("INFO " + SmEvent.COPY_TAKEN.code() + " .* term 1 .*127.0.0.1:.*");
        }
    }

    private static Optional<MulticastGroup> group(ServiceHarness sm, Gid mgid) {
        return sm.control().multicast().groups().stream()
                .filter(group -> group.mgid().equals(mgid))
                .findFirst();
    }

    /** Plugs in the new host, and then the one that was away; returns the LID that the new one got before. */
    private int lidOfNewHost() throws Exception {
        ServiceHarness master = Objects.requireNonNull(low);
        fabric.plugIn(NEW_HOST);
        master.sweepUntil(() -> fabric.lid(NEW_HOST) != 0);
        int lid = fabric.lid(NEW_HOST);
        fabric.plugIn(AWAY);
        long guid = fabric.portGuid(AWAY);
        master.sweepUntil(() -> {
            Fabric found =
                    Objects.requireNonNull(master.control().view()).subnet().fabric();
            return IntStream.range(0, found.portCount()).anyMatch(port -> found.portGuid(port) == guid);
        });
        return lid;
    }

    private void killTheMaster() throws Exception {
        fabric.unplug(AWAY);
        highHost.kill();
        Objects.requireNonNull(low).awaitUp();
    }

    /** Asserts that the successor has the registrations, and gives the LID of the absent host to no other port. */
    private void assertInherited(int lidOfAway) throws Exception {
        ServiceHarness master = Objects.requireNonNull(low);
        assertThat(group(master, GROUP)).hasValueSatisfying(group -> {
            assertThat(group.mlid()).isEqualTo(GROUP_MLID);
            assertThat(group.members())
                    .containsExactly(new MulticastGroup.Member(fabric.gid(MEMBER), MCMemberRecord.FULL_MEMBER, false));
        });
        assertThat(LongStream.of(fabric.entries(MEMBER, GROUP_MLID)).anyMatch(ports -> ports != 0))
                .isTrue();
        assertThat(saOfLow.service(Method.GET, MEMBER)).isZero();
        assertThat(saOfLow.alias(Method.GET, MEMBER)).isEqualTo(SaRegistrations.ALIAS);
        assertThat(lidOfNewHost()).isNotEqualTo(lidOfAway);
        assertThat(fabric.lid(AWAY)).isEqualTo(lidOfAway);
        assertThat(lowHost.report()).isEqualTo("64 " + Long.toHexString(fabric.portGuid(NEW_HOST)));
        assertThat(saOfLow.subscribe(0, MEMBER)).isZero();
    }

    /** Asserts that the successor has no registrations. It saw the LID of the absent host itself, and keeps it. */
    private void assertLost(int lidOfAway) throws Exception {
        ServiceHarness master = Objects.requireNonNull(low);
        assertThat(group(master, GROUP)).isEmpty();
        assertThat(saOfLow.service(Method.GET, MEMBER)).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(saOfLow.alias(Method.GET, MEMBER)).isZero();
        assertThat(lidOfNewHost()).isNotEqualTo(lidOfAway);
        assertThat(lowHost.reports).isEmpty();
        assertThat(saOfLow.subscribe(0, MEMBER)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(fabric.lid(AWAY)).isEqualTo(lidOfAway);
    }
}
