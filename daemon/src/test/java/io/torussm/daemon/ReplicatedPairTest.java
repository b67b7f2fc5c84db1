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
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.replica.ReplicaKeys;
import io.torussm.daemon.replica.ReplicaMessages;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.Notice;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.Topology;
import io.torussm.sim.TorusSpec;
import io.torussm.testing.MembershipMad;
import io.torussm.testing.WatchedTransport;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
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
 * Two whole subnet managers on one embedded fabric, with real channels between them: the master dies without a word, and the
 * other one knows what only the master was told. The same without replication shows what would be lost.
 */
@Tag("slow")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class ReplicatedPairTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String HIGH = "host-0-0-0-0";
    private static final String LOW = "host-2-1-0-0";
    private static final String MEMBER = "host-1-1-0-0";
    private static final String AWAY = "host-3-2-0-0";
    private static final String NEWCOMER = "host-3-0-0-0";
    private static final Gid SHORT_LIVED = new Gid(0xff12_1234_0000_0000L, 1);
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 2);
    private static final long ALIAS = 0x1234_5678_9abc_def0L;
    private static final int ALIAS_INDEX = 3;
    private static final long PATIENCE_S = 60;

    @TempDir
    Path dir;

    private final Topology topology = TorusSpec.parse(TORUS).topology();
    private final NettyLoop fabricLoop = new NettyLoop("fabric", defect -> {
        throw new AssertionError(defect);
    });
    private final SimFabric fabric = new SimFabric(topology, fabricLoop, FaultPlan.NONE);
    private final BlockingQueue<String> replicaLog = new LinkedBlockingQueue<>();
    private final Logger replicaLogger = (Logger) LoggerFactory.getLogger("io.torussm.daemon.replica");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            replicaLog.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    private @Nullable Sm high;
    private @Nullable Sm low;

    @BeforeEach
    void listen() {
        appender.start();
        replicaLogger.setLevel(Level.DEBUG);
        replicaLogger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        for (Sm sm : new Sm[] {low, high}) {
            if (sm != null) {
                sm.harness.close();
            }
        }
        replicaLogger.detachAppender(appender);
        replicaLogger.setLevel(null);
        fabricLoop.close();
    }

    /** One subnet manager, that can die, and its port, at which SA requests of others can be handed in. */
    private final class Sm implements SubnetManager.Surroundings {
        final String host;
        final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
        final BlockingQueue<byte[]> reports = new LinkedBlockingQueue<>();
        final Set<String> withGroup = ConcurrentHashMap.newKeySet();
        final ServiceHarness harness;
        private volatile boolean isDead;
        private MadTransport.@Nullable Receiver receiver;
        private @Nullable MadTransport port;

        Sm(String host, int priority, Map<Setting<?>, String> replication) throws Exception {
            this.host = host;
            Map<Setting<?>, String> settings = new TreeMap<>(replication);
            Path conf = Files.writeString(
                    dir.resolve("torus-2QoS.conf"), TorusSpec.parse(TORUS).torus2QosConf());
            settings.put(Settings.TORUS_CONFIG, conf.toString());
            settings.put(Settings.SM_PRIORITY, Integer.toString(priority));
            settings.put(Settings.SMINFO_POLLING_TIMEOUT, "200");
            harness = new ServiceHarness(dir.resolve("state-" + host), settings, this);
        }

        /** Neither a port that goes down in order nor a word to the peers. */
        void die() {
            isDead = true;
            Objects.requireNonNull(port).close();
        }

        @Override
        public MadTransport port(SmOptions options, NettyLoop simulation) {
            MadTransport inner = fabric.attach(host, 1);
            port = inner;
            return new WatchedTransport(inner) {
                @Override
                public void start(Receiver newReceiver) {
                    receiver = newReceiver;
                    super.start(newReceiver);
                }

                @Override
                public boolean send(MadFrame frame, int responseTimeoutMs) {
                    if (MadHeader.mgmtClass(frame.mad()) != MgmtClass.SUBN_ADM) {
                        return super.send(frame, responseTimeoutMs);
                    }
                    boolean isReport = MadHeader.method(frame.mad()) == Method.REPORT;
                    return (isReport ? reports : answers).add(frame.mad());
                }
            };
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            PeerChannel inner = new JGroupsChannel(settings, key, loop);
            return new PeerChannel() {
                @Override
                public void start(Listener listener) {
                    inner.start(new Listener() {
                        @Override
                        public void joined(String peer) {
                            listener.joined(peer);
                        }

                        @Override
                        public void left(String peer) {
                            listener.left(peer);
                        }

                        @Override
                        public void received(String peer, byte[] message) {
                            if (!isDead) {
                                withGroup.add(ReplicaMessages.containing(GROUP.toString(), message));
                                listener.received(peer, message);
                            }
                        }
                    });
                }

                @Override
                public void send(String slot, Supplier<byte[]> message, Runnable sent) {
                    if (!isDead) {
                        inner.send(slot, message, sent);
                    }
                }

                @Override
                public List<String> peers() {
                    return inner.peers();
                }

                @Override
                public void close() {
                    inner.close();
                }
            };
        }

        void awaitUp() throws InterruptedException {
            for (String end = harness.end(); !end.equals("up"); end = harness.end()) {
                assertThat(end).doesNotContain("refused", "failed");
            }
        }

        /** Sweeps until the fabric is as wanted. */
        void sweepUntil(Supplier<Boolean> isDone) throws InterruptedException {
            do {
                harness.control().requestSweep(true);
                awaitUp();
            } while (!isDone.get());
        }

        /** A request of a host about a group; the answer. */
        MCMemberRecord ask(int method, String name, Gid mgid) throws Exception {
            byte[] answer = answer(name, request(method, name, mgid));
            assertThat(MadHeader.STATUS.get(answer, 0)).isEqualTo(MadStatus.OK);
            return MCMemberRecord.TYPE.read(answer, SaMad.DATA);
        }

        /** The status of a request of a host about its service. */
        int askForService(int method, String name) throws Exception {
            return MadHeader.status(answer(name, serviceRequest(method, name)));
        }

        /** A request of a host about its alias GUID; that which it has then, 0 for none. */
        long askForAlias(int method, String name) throws Exception {
            byte[] answer = answer(name, aliasRequest(method, name));
            assertThat(MadHeader.status(answer)).isZero();
            return GuidInfoRecord.guid(ALIAS_INDEX).get(answer, SaMad.DATA);
        }

        /** The status of a request of a host to be told of ports that appear. */
        int subscribe(int subscribe, String name) throws Exception {
            byte[] request = EventLines.informInfo(subscribe, Notice.TRAP_GID_IN_SERVICE);
            return MadHeader.status(answer(name, request));
        }

        /** What the next Report tells. */
        String report() throws InterruptedException {
            return EventLines.told(Objects.requireNonNull(reports.poll(PATIENCE_S, TimeUnit.SECONDS)));
        }

        private byte[] answer(String name, byte[] request) throws InterruptedException {
            MadAddress from = new MadAddress(lid(name), 1, 0, 0);
            Objects.requireNonNull(receiver).received(new MadFrame(from, request));
            return Objects.requireNonNull(answers.poll(PATIENCE_S, TimeUnit.SECONDS));
        }

        Optional<MulticastGroup> group(Gid mgid) {
            return harness.control().multicast().groups().stream()
                    .filter(group -> group.mgid().equals(mgid))
                    .findFirst();
        }
    }

    private byte[] request(int method, String name, Gid mgid) {
        return MembershipMad.of(method, 1, mgid, gid(name), MCMemberRecord.FULL_MEMBER, 0xb1b);
    }

    private byte[] serviceRequest(int method, String name) {
        long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
        byte[] mad = SaMad.request(method, 2, ServiceRecord.TYPE.id(), 0, mask);
        ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, 7)
                .with(ServiceRecord.SERVICE_GID, gid(name))
                .write(mad, SaMad.DATA);
        return mad;
    }

    private byte[] aliasRequest(int method, String name) {
        long mask = GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM)
                | (method == Method.SET ? GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(ALIAS_INDEX)) : 0);
        byte[] mad = SaMad.request(method, 3, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, lid(name))
                .with(GuidInfoRecord.guid(ALIAS_INDEX), ALIAS)
                .write(mad, SaMad.DATA);
        return mad;
    }

    private Topology.Node node(String name) {
        return topology.nodes().stream()
                .filter(node -> node.id().equals(name) || node.description().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Gid gid(String name) {
        return new Gid(Gid.DEFAULT_PREFIX, node(name).portGuid(1));
    }

    private <T> T onFabric(Function<SimFabric, T> question) {
        return CompletableFuture.supplyAsync(() -> question.apply(fabric), fabricLoop::execute)
                .join();
    }

    private int lid(String name) {
        return onFabric(seen -> seen.portInfo(node(name).nodeGuid(), 1).lid());
    }

    private void unplug(String name) {
        onFabric(seen -> {
            seen.unlink(node(name).nodeGuid(), 1);
            return true;
        });
    }

    private void plugIn(String name) {
        onFabric(seen -> {
            seen.relink(node(name).nodeGuid(), 1);
            return true;
        });
    }

    private long[] entries(int mlid) {
        Topology.PortRef leaf = Objects.requireNonNull(node(MEMBER).peer(1));
        return onFabric(seen -> seen.mft(leaf.node().nodeGuid(), mlid));
    }

    private String logged(String pattern) throws InterruptedException {
        for (String line = replicaLog.poll(PATIENCE_S, TimeUnit.SECONDS);
                line != null;
                line = replicaLog.poll(PATIENCE_S, TimeUnit.SECONDS)) {
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

    private static final List<Map<Setting<?>, String>> NO_REPLICATION =
            List.of(Map.of(Settings.REPLICATION_LISTEN, ""), Map.of(Settings.REPLICATION_LISTEN, ""));

    /** A pair whose master knows of a group with one member, and of a host that is not there. */
    private void pair(List<Map<Setting<?>, String>> settings, boolean isConnected) throws Exception {
        unplug(NEWCOMER);
        Sm master = new Sm(HIGH, 8, settings.get(0));
        high = master;
        master.awaitUp();
        Sm standby = new Sm(LOW, 3, settings.get(1));
        low = standby;
        assertThat(standby.harness.end()).contains("other master");
        if (isConnected) {
            logged("INFO " + SmEvent.COPY_TAKEN.code() + " .* term 1 .*127.0.0.1:.*");
        }
        assertThat(master.askForService(Method.SET, MEMBER)).isZero();
        if (isConnected) {
            logged("DEBUG replication: sa-services [0-9.]+ taken from .*");
        }
        assertThat(master.askForAlias(Method.SET, MEMBER)).isEqualTo(ALIAS);
        if (isConnected) {
            logged("DEBUG replication: sa-guids [0-9.]+ taken from .*");
        }
        assertThat(master.subscribe(1, MEMBER)).isZero();
        if (isConnected) {
            logged("DEBUG replication: sa-informs [0-9.]+ taken from .*");
        }
        assertThat(master.ask(Method.SET, MEMBER, SHORT_LIVED).mlid()).isEqualTo(0xc001);
        assertThat(master.ask(Method.SET, MEMBER, GROUP).mlid()).isEqualTo(0xc002);
        master.ask(Method.DELETE, MEMBER, SHORT_LIVED);
        if (isConnected) {
            String taken = logged("DEBUG replication: sa-state [0-9.]+ taken from .*");
            while (standby.withGroup.stream().noneMatch(letter -> !letter.isEmpty() && taken.contains(letter + " "))) {
                logged("DEBUG replication: sa-state [0-9.]+ taken from .*");
            }
        }
    }

    /** The standby rules, the host that no SM has seen yet is there, and then the one that was away. */
    private int lidOfTheNewcomer() throws Exception {
        Sm master = Objects.requireNonNull(low);
        plugIn(NEWCOMER);
        master.sweepUntil(() -> lid(NEWCOMER) != 0);
        int lid = lid(NEWCOMER);
        plugIn(AWAY);
        long guid = node(AWAY).portGuid(1);
        master.sweepUntil(() -> {
            var fabricNow = Objects.requireNonNull(master.harness.control().view())
                    .subnet()
                    .fabric();
            for (int port = 0; port < fabricNow.portCount(); port++) {
                if (fabricNow.portGuid(port) == guid) {
                    return true;
                }
            }
            return false;
        });
        return lid;
    }

    private void killTheMaster() throws Exception {
        unplug(AWAY);
        Objects.requireNonNull(high).die();
        Objects.requireNonNull(low).awaitUp();
    }

    private void assertInherited(int lidOfAway) throws Exception {
        Sm master = Objects.requireNonNull(low);
        assertThat(master.group(GROUP)).hasValueSatisfying(group -> {
            assertThat(group.mlid()).isEqualTo(0xc002);
            assertThat(group.members())
                    .containsExactly(new MulticastGroup.Member(gid(MEMBER), MCMemberRecord.FULL_MEMBER, false));
        });
        assertThat(LongStream.of(entries(0xc002)).anyMatch(ports -> ports != 0)).isTrue();
        assertThat(master.askForService(Method.GET, MEMBER)).isZero();
        assertThat(master.askForAlias(Method.GET, MEMBER)).isEqualTo(ALIAS);
        assertThat(lidOfTheNewcomer()).isNotEqualTo(lidOfAway);
        assertThat(lid(AWAY)).isEqualTo(lidOfAway);
        assertThat(master.report())
                .isEqualTo("64 " + Long.toHexString(node(NEWCOMER).portGuid(1)));
        assertThat(master.subscribe(0, MEMBER)).isZero();
    }

    private void assertLost(int lidOfAway) throws Exception {
        Sm master = Objects.requireNonNull(low);
        assertThat(master.group(GROUP)).isEmpty();
        assertThat(master.askForService(Method.GET, MEMBER)).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(master.askForAlias(Method.GET, MEMBER)).isZero();
        assertThat(lidOfTheNewcomer()).isEqualTo(lidOfAway);
        assertThat(master.reports).isEmpty();
        assertThat(master.subscribe(0, MEMBER)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(lid(AWAY)).isNotEqualTo(lidOfAway);
    }

    @Test
    void theStandbyKnowsWhatOnlyTheMasterWasTold() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        pair(replication(key, key), true);
        assertThat(Objects.requireNonNull(high).harness.statusLines())
                .contains("Reports: sent 0, resent 0, answered 0, lost 0, dropped 0, late 0")
                .anyMatch(line -> line.startsWith("replication: connected to 127.0.0.1:"))
                .anyMatch(line -> line.matches("replication, last state sent: .* [0-9]+ s ago"));
        assertThat(Objects.requireNonNull(low).harness.statusLines())
                .anyMatch(line -> line.matches("replication, last state taken: .* from 127.0.0.1:.*, [0-9]+ s ago"));
        int lid = lid(AWAY);
        killTheMaster();
        assertInherited(lid);
    }

    @Test
    void withoutReplicationItIsLost() throws Exception {
        pair(NO_REPLICATION, false);
        assertThat(Objects.requireNonNull(high).harness.statusLines()).contains("replication: off");
        int lid = lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    @Test
    void aPairWithDifferentKeysStillFailsOverWithNothingTaken() throws Exception {
        pair(replication(ReplicaKeys.make(dir, "key"), ReplicaKeys.make(dir, "other")), false);
        logged("ERROR " + SmEvent.REPLICATION_OTHER_KEY.code() + " .*");
        int lid = lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    @Test
    void aPairWhosePeerIsNotThereStillFailsOver() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        Map<Setting<?>, String> alone = replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key);
        Map<Setting<?>, String> aloneToo = replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key);
        pair(List.of(alone, aloneToo), false);
        assertThat(Objects.requireNonNull(high).harness.statusLines())
                .contains("replication: on, no peer is there", "replication, last state sent: none");
        int lid = lid(AWAY);
        killTheMaster();
        assertLost(lid);
    }

    /** Whether its peer is found before or after it has become master again is left to chance. */
    @Test
    void aMasterThatReturnsIsGivenWhatHappenedMeanwhile() throws Exception {
        Path key = ReplicaKeys.make(dir, "key");
        List<Map<Setting<?>, String>> settings = replication(key, key);
        pair(settings, true);
        killTheMaster();
        Objects.requireNonNull(high).harness.close();
        assertThat(Objects.requireNonNull(low)
                        .ask(Method.SET, MEMBER, SHORT_LIVED)
                        .mlid())
                .isEqualTo(0xc001);
        replicaLog.clear();
        Sm again = new Sm(HIGH, 8, settings.get(0));
        high = again;
        again.awaitUp();
        while (again.group(SHORT_LIVED).isEmpty()) {
            logged("(DEBUG replication: sa-state .* taken from|INFO " + SmEvent.COPY_MERGED.code() + " .*sa-state).*");
        }
        assertThat(again.group(SHORT_LIVED))
                .hasValueSatisfying(group -> assertThat(group.mlid()).isEqualTo(0xc001));
        assertThat(again.group(GROUP)).isPresent();
    }

    @Test
    void aKeyFileThatOthersMayReadIsRefusedAtTheStart() throws Exception {
        Path key = Files.createFile(dir.resolve("key"));
        Files.setPosixFilePermissions(key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Map<Setting<?>, String> settings = replication(ReplicaKeys.freeAddress(), ReplicaKeys.freeAddress(), key);
        assertThatThrownBy(() -> new Sm(HIGH, 8, settings))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("replication_key_file: ", key.toString(), "chmod 600");
    }
}
