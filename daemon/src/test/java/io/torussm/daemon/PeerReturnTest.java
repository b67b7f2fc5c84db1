package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.Replication;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.SmState;
import io.torussm.partition.Membership;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains.Drain;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MembershipMad;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The return of an SM with outdated files, in virtual time. While it was down, its peer was master and
 * received changes of members, groups, aliases and drains. After each write of either SM the fabric must
 * still have these changes.
 */
@Tag("slow")
class PeerReturnTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:5x4x1,hosts=1");
    private static final String HIGH = "host-0-0-0-0";
    private static final String LOW = "host-3-3-0-0";
    private static final String MEMBER = "host-1-1-0-0";
    private static final String DRAINED = "sw-2-2-0";
    private static final int PLUS_Y = 3;
    private static final int P_KEY = 0x10;
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 7);
    private static final int FIRST = 2;
    private static final int SECOND = 3;
    private static final long ALIAS = 0x1234_5678_9abc_0000L;
    private static final int FIRST_MLID = 0xc000;
    private static final int DELAY_MS = 300;
    private static final long PREFIX = Gid.DEFAULT_PREFIX;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    @TempDir
    Path dir;

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private final StormWire wire = new StormWire();

    /** Changes that were missing at some time since the last check. */
    private final TreeSet<String> missing = new TreeSet<>();

    /** Changes that an SM received. */
    private final Set<String> receivedChanges = new TreeSet<>();

    private int mlid = FIRST_MLID;
    private int generation;

    // --- changes for an SM ---

    private byte[] request(FabricSm sm, byte[] mad) {
        List<MadFrame> answers = new ArrayList<>();
        sm.administrator(answers::add).onMad(new MadFrame(new MadAddress(lid(MEMBER), 1, 0, 0), mad));
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(5));
        assertThat(answers).hasSize(1);
        assertThat(MadHeader.status(answers.get(0).mad())).isEqualTo(MadStatus.OK);
        return answers.get(0).mad();
    }

    // --- their effect in the fabric ---

    private void findMissing() {
        Topology.Node member = node(MEMBER);
        Topology.PortRef leaf = Objects.requireNonNull(member.peer(1));
        Map<String, Boolean> has = new TreeMap<>();
        has.put("P_Key", Arrays.stream(fabric.pKeys(member.nodeGuid(), 1)).anyMatch(pKey -> pKey == (0x8000 | P_KEY)));
        has.put(
                "group",
                Arrays.stream(fabric.mft(leaf.node().nodeGuid(), mlid))
                        .anyMatch(ports -> (ports & 1L << leaf.portNum()) != 0));
        has.put("alias", Arrays.stream(fabric.guids(member.nodeGuid(), 1)).anyMatch(guid -> guid == ALIAS + SECOND));
        has.put("drain", fabric.portInfo(node(DRAINED).nodeGuid(), PLUS_Y).portState() != PortInfo.STATE_ACTIVE);
        has.forEach((fault, isThere) -> {
            if (receivedChanges.contains(fault) && !isThere) {
                missing.add(fault);
            }
        });
    }

    @Test
    void noStateOfThePeerIsMissingForAMoment() throws Exception {
        FabricSm low = highSmAfterLowMastership(5);
        FabricSm high = start(HIGH, 8, 4000, 5);
        advance(60);
        findMissing();
        assertThat(high.isUp()).isTrue();
        assertThat(low.state()).isEqualTo(SmState.STANDBY);
        assertThat(missing).isEmpty();
    }

    @Test
    void noMoreIfBothReturn() throws Exception {
        FabricSm low = highSmAfterLowMastership(5);
        kill(low, LOW);
        advance(5);
        FabricSm high = start(HIGH, 8, 0, 5);
        loop.runFor(TimeUnit.SECONDS.toNanos(3));
        start(LOW, 3, 500, 5);
        advance(60);
        findMissing();
        assertThat(high.isUp()).isTrue();
        assertThat(missing).isEmpty();
    }

    /** Shows that the wait is necessary. */
    @Test
    void withoutTheWaitItIsMissingUntilThePeerIsHeard() throws Exception {
        highSmAfterLowMastership(0);
        FabricSm high = start(HIGH, 8, 4000, 0);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(3500));
        assertThat(high.isUp()).isTrue();
        findMissing();
        assertThat(missing).contains("P_Key", "drain");
        advance(60);
        missing.clear();
        findMissing();
        assertThat(missing).as("once the peer was heard").isEmpty();
        assertThat(events.of(SmEvent.PEERS_AWAITED)).isEmpty();
    }

    @Test
    void lateStateOfAPeerIsAdded() throws Exception {
        highSmAfterLowMastership(5);
        start(HIGH, 8, 12_000, 5);
        advance(60);
        assertThat(events.of(SmEvent.PEERS_NOT_HEARD)).hasSize(1);
        missing.clear();
        findMissing();
        assertThat(missing).isEmpty();
    }

    /** The changes are on their way to the successor when it becomes master. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100, 299, 301, 500})
    void whatAMasterIsToldJustBeforeItHandsOverIsKept(int beforeMs) throws Exception {
        wire.delayNs = TimeUnit.MILLISECONDS.toNanos(DELAY_MS);
        FabricSm low = start(LOW, 3, 0, 5);
        advance(30);
        FabricSm high = start(HIGH, 8, 0, 5);
        // it is ready for the subnet when it has received both the position of its peer and the state up to
        // there
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(2 * DELAY_MS - beforeMs));
        assertThat(high.state()).isEqualTo(SmState.NOT_ACTIVE);
        List<RunTimeOutcome> outcomes = add(low);
        loop.runFor(1);
        assertThat(outcomes).singleElement().matches(RunTimeOutcome::isDone);
        receivedChanges.add("P_Key");
        advance(60);
        findMissing();
        assertThat(high.isUp()).isTrue();
        assertThat(missing).isEmpty();
        assertThat(high.addedMembers.current()).isEqualTo(low.addedMembers.current());
        assertThat(high.addedMembers.current().members()).isEqualTo(1);
    }

    @Test
    void anSmLogsThatItWaitsForItsPeerOnlyUntilTheLimit() throws Exception {
        FabricSm high = start(HIGH, 8, 0, 5);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(4990));
        assertThat(high.state()).isEqualTo(SmState.NOT_ACTIVE);
        assertThat(events.of(SmEvent.PEERS_AWAITED)).hasSize(1);
        advance(1);
        assertThat(high.isUp()).isTrue();
        assertThat(events.of(SmEvent.PEERS_NOT_HEARD)).hasSize(1);
    }

    /** The subnet has lost its master, and there is no peer to wait for. */
    @Test
    void aStandbyTakesOverFromADeadMasterWithoutWaiting() throws Exception {
        FabricSm high = start(HIGH, 8, 0, 5);
        FabricSm low = start(LOW, 3, 0, 5);
        advance(30);
        int waits = events.of(SmEvent.PEERS_AWAITED).size();
        kill(high, HIGH);
        advance(30);
        assertThat(low.isUp()).isTrue();
        assertThat(events.of(SmEvent.PEERS_AWAITED)).hasSize(waits);
    }

    @Test
    void anSmThatEndsWhileItWaitsDoesNotBeginAfterwards() throws Exception {
        FabricSm high = start(HIGH, 8, 0, 5);
        advance(1);
        high.end();
        advance(30);
        assertThat(high.isDead()).isTrue();
        assertThat(events.of(SmEvent.STARTED_ON_PORT)).isEmpty();
    }

    private FabricSm start(String host, int priority, long connectMs, int waitS) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        StateDirectory state = StateDirectory.open(dir.resolve("state of " + host), life);
        Eavesdropper port = new Eavesdropper(fabric.attach(host, 1));
        port.sendListener = mad -> findMissing();
        SmOptions options = ServiceHarness.options(
                dir,
                Map.of(
                        Settings.TORUS_CONFIG,
                        ServiceHarness.torusConf(dir, TORUS),
                        Settings.REPLICATION_WAIT,
                        Integer.toString(waitS)));
        Replication replication = new Replication(
                state,
                life,
                life,
                wire.end(host, life, TimeUnit.MILLISECONDS.toNanos(connectMs), 1),
                PREFIX,
                port.localPort().portGuid());
        FabricSm sm = new FabricSm(life, port, priority, options, state, ++generation, replication);
        sm.start();
        return sm;
    }

    private void kill(FabricSm sm, String host) {
        sm.kill();
        wire.left(host);
    }

    private void advance(long seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private Topology.Node node(String name) {
        return topology.node(name).orElseThrow();
    }

    private int lid(String host) {
        return fabric.portInfo(node(host).nodeGuid(), 1).lid();
    }

    private void alias(FabricSm sm, int index) {
        long mask = GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(index));
        byte[] mad = SaMad.request(Method.SET, 3, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, lid(MEMBER))
                .with(GuidInfoRecord.guid(index), ALIAS + index)
                .write(mad, SaMad.DATA_OFFSET);
        request(sm, mad);
    }

    private void join(FabricSm sm) {
        Gid port = new Gid(PREFIX, node(MEMBER).portGuid(1));
        byte[] answer = request(sm, MembershipMad.of(Method.SET, 1, GROUP, port, MCMemberRecord.FULL_MEMBER, 0xb1b));
        mlid = MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET).mlid();
    }

    private List<RunTimeOutcome> add(FabricSm sm) {
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        RunTimeChange change = new RunTimeChange.Add(
                P_KEY, "jobs", false, null, Map.of(node(MEMBER).portGuid(1), new Member(Membership.FULL, false)));
        sm.sweeper.changePartitions(new RunTimeChange.Request(change, "a test", false), outcomes::add);
        return outcomes;
    }

    private void applyChanges(FabricSm sm) {
        assertThat(sm.isUp()).isTrue();
        List<RunTimeOutcome> outcomes = add(sm);
        join(sm);
        alias(sm, SECOND);
        sm.memory.drains().drain(new Drain(node(DRAINED).nodeGuid(), PLUS_Y, "a cable to work on", Instant.EPOCH));
        sm.mastership.sweepHeavy();
        advance(5);
        assertThat(outcomes).singleElement().matches(RunTimeOutcome::isDone);
        receivedChanges.addAll(List.of("P_Key", "group", "alias", "drain"));
        findMissing();
        assertThat(missing).as("in place").isEmpty();
    }

    /** Starts the high SM after the low one was master and received changes. */
    private FabricSm highSmAfterLowMastership(int waitS) throws Exception {
        FabricSm high = start(HIGH, 8, 0, waitS);
        FabricSm low = start(LOW, 3, 0, waitS);
        advance(30);
        alias(high, FIRST);
        advance(5);
        kill(high, HIGH);
        advance(30);
        applyChanges(low);
        return low;
    }
}
