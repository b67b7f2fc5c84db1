package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.partition.Membership;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.partition.PortKeys;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeChange.Add;
import io.torussm.partition.RunTimeChange.Delete;
import io.torussm.partition.RunTimeChange.Remove;
import io.torussm.partition.RunTimeChange.Request;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.PublishedView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members that are added to partitions at run time, between sweeps. The file gives all ports limited membership of the
 * default partition. P_Key tables are read from the simulated devices.
 */
class RunTimeChangeTest {
    private static final Member FULL = new Member(Membership.FULL, false);

    /** A partition, and its P_Key in the table of a full member. */
    private static final int PARTITION = 0x10;

    private static final int FULL_MEMBER_KEY = 0x8000 | PARTITION;

    /** P_Key of a limited member of the default partition. */
    private static final int DEFAULT_KEY = 0x7fff;

    /** Numbers of hosts, in the order of their GUIDs; the SM is at host 0. */
    private static final int HOST = 3;

    private static final int SECOND_HOST = 7;

    /** The GUID of a port that is not in the fabric. */
    private static final long ABSENT_GUID = 77;

    @RegisterExtension
    final LoggedEvents logged = new LoggedEvents();

    @TempDir
    Path dir;

    private static SweepHarness harness(String torus) {
        SweepHarness harness = new SweepHarness(torus);
        harness.partitions = settings("Default=0x7fff:ALL=limited;");
        return bringUp(harness);
    }

    /** Returns an SM that stores what it has to remember, with the default partitions. */
    private SweepHarness harnessWithState() {
        return bringUp(new SweepHarness(
                TorusSpec.parse("torus:3x3x1,hosts=1").topology(), FaultPlan.NONE, SweepHarness.settings(), dir));
    }

    private static PublishedView view(SweepHarness harness) {
        return Objects.requireNonNull(harness.sweeper.view());
    }

    private static SweepHarness bringUp(SweepHarness harness) {
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        harness.requests.clear();
        return harness;
    }

    private static PartitionSettings settings(String text) {
        PartitionConf conf =
                Objects.requireNonNull(PartitionConf.parse("p.conf", text, true).conf());
        return new PartitionSettings(conf, Enforcement.BOTH, true, false);
    }

    private static Add add(int pKey, Long... guids) {
        return new Add(
                pKey, "", true, null, List.of(guids).stream().collect(Collectors.toMap(guid -> guid, guid -> FULL)));
    }

    /** Requests a change; the outcome is added to the list that is returned. */
    private static List<RunTimeOutcome> request(SweepHarness harness, RunTimeChange change) {
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        harness.sweeper.changePartitions(new Request(change, "a test", false), outcomes::add);
        return outcomes;
    }

    /** Makes a change, and waits for its outcome. */
    private static RunTimeOutcome change(SweepHarness harness, RunTimeChange change) {
        List<RunTimeOutcome> outcomes = request(harness, change);
        BoundedWait.until(harness.loop, "the change ends", () -> !outcomes.isEmpty(), TimeUnit.MINUTES.toNanos(1));
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    private static void assertOutcome(List<RunTimeOutcome> outcomes, ChangeStatus status) {
        assertThat(outcomes).extracting(RunTimeOutcome::kind).containsExactly(status);
    }

    private static long guid(SweepHarness harness, int host) {
        Fabric fabric = view(harness).subnet().fabric();
        return fabric.portGuid(port(fabric, host));
    }

    private static int port(Fabric fabric, int host) {
        return fabric.port(fabric.switchCount() + host, 1);
    }

    /** Returns the P_Key table of a host. */
    private static PortKeys keys(SweepHarness harness, int host) {
        Fabric fabric = view(harness).subnet().fabric();
        return keys(harness, fabric, port(fabric, host));
    }

    private static PortKeys keys(SweepHarness harness, Fabric fabric, int port) {
        return PortKeys.of(harness.fabric.pKeys(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)));
    }

    /** Checks that devices have the members of file and run time together, and that these are published. */
    private static void assertKeysOfFileAndRunTime(SweepHarness harness) {
        PublishedView view = view(harness);
        Fabric fabric = view.subnet().fabric();
        PartitionSettings wanted = harness.partitions.with(harness.added.current(), true);
        assertThat(view.partitions().settings().equals(wanted)).as("settings").isTrue();
        PartitionPlan plan = PartitionPlan.of(wanted, fabric, port -> keys(harness, fabric, port));
        for (int port = 0; port < fabric.portCount(); port++) {
            PortKeys keys = plan.table(port);
            assertThat(view.partitions().table(port)).as(fabric.portName(port)).isEqualTo(keys);
            if (keys != null) {
                assertThat(keys(harness, fabric, port))
                        .as(fabric.portName(port))
                        .isEqualTo(keys);
            }
        }
    }

    @Test
    void aChangeWritesOnlyThePortsOfItsMembersWithoutASweep() {
        SweepHarness harness = harness("torus:3x3x1,hosts=2");
        RunTimeOutcome outcome = change(harness, add(PARTITION, guid(harness, HOST), guid(harness, SECOND_HOST)));
        assertThat(outcome.kind()).isEqualTo(ChangeStatus.DONE);
        assertThat(outcome.text()).contains("0x0010");
        assertThat(keys(harness, HOST)).isEqualTo(PortKeys.of(DEFAULT_KEY, FULL_MEMBER_KEY));
        assertKeysOfFileAndRunTime(harness);
        assertThat(harness.requests)
                .as("two hosts, each with its switch port")
                .hasSize(4)
                .allMatch(mad ->
                        MadHeader.attributeId(mad) == PKeyTable.TYPE.id() && MadHeader.method(mad) == Method.SET);
        assertThat(harness.ends).hasSize(1);
        assertThat(harness.memberships.view().groups())
                .as("its broadcast group")
                .extracting(group -> group.record().pKey())
                .containsExactly(FULL_MEMBER_KEY);
        assertThat(logged.of(SmEvent.RUN_TIME_CHANGE))
                .singleElement()
                .satisfies(event -> assertThat(event.get(EventField.NAME)).isEqualTo("a test"));
    }

    @Test
    void theBroadcastGroupOfAPartitionEndsWithThePartition() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        change(harness, add(PARTITION, guid(harness, HOST)));
        assertThat(harness.memberships.view().groups()).hasSize(1);
        assertThat(change(harness, new Delete(PARTITION)).kind()).isEqualTo(ChangeStatus.DONE);
        assertKeysOfFileAndRunTime(harness);
        assertThat(harness.memberships.view().groups()).isEmpty();
    }

    @Test
    void aSweepAfterAChangeWritesNoPKey() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        change(harness, add(PARTITION, guid(harness, HOST)));
        harness.sweep();
        assertThat(harness.countSets(PKeyTable.TYPE.id())).isZero();
        assertKeysOfFileAndRunTime(harness);
    }

    @Test
    void aLocalSweepProgramsMembersThatWereAddedAtRunTime() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        change(harness, add(PARTITION, guid(harness, HOST)));
        Fabric fabric = view(harness).subnet().fabric();
        int sw = fabric.nodeOf(fabric.peer(port(fabric, HOST)));
        harness.fabric.unlink(fabric.nodeGuid(sw), fabric.portNum(fabric.peer(port(fabric, HOST))));
        harness.awaitRest();
        harness.fabric.relink(fabric.nodeGuid(sw), fabric.portNum(fabric.peer(port(fabric, HOST))));
        harness.sweeper.sweepNeighbourhood(view(harness).subnet().lid(fabric.port(sw, 0)));
        harness.awaitRest();
        assertThat(harness.sweeper.counts().counts())
                .anyMatch(each -> each.kind() == SweepCounts.SweepScope.LOCAL && each.count() > 0);
        assertKeysOfFileAndRunTime(harness);
        assertThat(keys(harness, HOST)).isEqualTo(PortKeys.of(DEFAULT_KEY, FULL_MEMBER_KEY));
    }

    @Test
    void anAbsentPortThatWasAddedIsProgrammedWhenItComes() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        Fabric fabric = view(harness).subnet().fabric();
        long guid = guid(harness, HOST);
        long host = fabric.nodeGuid(fabric.nodeOf(port(fabric, HOST)));
        harness.fabric.unlink(host, 1);
        harness.sweep();
        RunTimeOutcome outcome = change(harness, add(PARTITION, guid, ABSENT_GUID));
        assertThat(outcome.kind()).isEqualTo(ChangeStatus.DONE);
        assertThat(outcome.text()).contains("2 not in the fabric");
        harness.fabric.relink(host, 1);
        harness.sweep();
        assertKeysOfFileAndRunTime(harness);
        assertThat(keys(harness, HOST).indexOf(FULL_MEMBER_KEY)).isNotNegative();
    }

    @Test
    void aChangeWaitsForTheSweepThatRuns() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        harness.sweeper.sweepHeavy();
        List<RunTimeOutcome> outcomes = request(harness, add(PARTITION, guid(harness, HOST)));
        harness.await(2);
        assertThat(outcomes).as("before the sweep ended nothing was written").isEmpty();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertOutcome(outcomes, ChangeStatus.DONE);
        assertKeysOfFileAndRunTime(harness);
    }

    /** A sweep does not wait for a device that does not answer a change; the change continues after it. */
    @Test
    void aSweepThatBecomesDueInterruptsAChangeOnce() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        boolean[] isSilent = {true};
        harness.isRequestLost = mad -> isSilent[0] && isSet(mad);
        List<RunTimeOutcome> outcomes = request(harness, add(PARTITION, guid(harness, HOST)));
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(harness.requests).as("it has begun").anyMatch(RunTimeChangeTest::isSet);
        harness.sweeper.sweepHeavy();
        assertThat(outcomes).isEmpty();
        harness.loop.runFor(0);
        assertThat(harness.requests)
                .as("the sweep has begun at once")
                .anyMatch(mad -> MadHeader.attributeId(mad) == NodeInfo.TYPE.id());
        isSilent[0] = false;
        harness.await(2);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertOutcome(outcomes, ChangeStatus.DONE);
        assertKeysOfFileAndRunTime(harness);
    }

    @Test
    void changesAreMadeAlthoughSweepsAreAlwaysDue() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        int[] writes = {0};
        harness.isRequestLost = mad -> {
            if (isSet(mad)) {
                writes[0]++;
                harness.loop.execute(harness.sweeper::sweepHeavy);
            }
            return false;
        };
        List<List<RunTimeOutcome>> all = new ArrayList<>();
        for (int pKey = 1; pKey <= 8; pKey++) {
            all.add(request(harness, add(pKey, guid(harness, 1))));
        }
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(writes[0]).isPositive();
        assertThat(all).allSatisfy(outcomes -> assertOutcome(outcomes, ChangeStatus.DONE));
        harness.isRequestLost = mad -> false;
        harness.awaitRest();
        assertKeysOfFileAndRunTime(harness);
    }

    private static boolean isSet(byte[] mad) {
        return MadHeader.attributeId(mad) == PKeyTable.TYPE.id() && MadHeader.method(mad) == Method.SET;
    }

    @Test
    void aDeviceThatDoesNotAnswerIsNamedAndTriedAgain() {
        SweepHarness harness = harness("torus:3x3x1,hosts=1");
        harness.isRequestLost = RunTimeChangeTest::isSet;
        RunTimeOutcome outcome = change(harness, add(PARTITION, guid(harness, HOST)));
        assertThat(outcome.kind()).isEqualTo(ChangeStatus.UNCONFIRMED);
        Fabric fabric = view(harness).subnet().fabric();
        assertThat(outcome.text()).contains(fabric.portName(port(fabric, HOST)));
        assertThat(logged.of(SmEvent.RUN_TIME_CHANGE_UNCONFIRMED)).hasSize(1);
        assertThat(change(harness, add(PARTITION, guid(harness, HOST))).kind())
                .as("the same again is no success before it is confirmed")
                .isEqualTo(ChangeStatus.UNCONFIRMED);
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        harness.awaitRest();
        assertKeysOfFileAndRunTime(harness);
        assertThat(logged.of(SmEvent.RUN_TIME_CHANGE_CONFIRMED)).hasSize(1);
        assertThat(change(harness, add(PARTITION, guid(harness, HOST))).kind()).isEqualTo(ChangeStatus.DONE);
    }

    @Test
    void membersOutliveARestart() throws Exception {
        SweepHarness harness = harnessWithState();
        change(harness, add(PARTITION, guid(harness, HOST)));
        assertThat(Files.readString(dir.resolve("partition-members"))).contains("partition 0x0010 ipoib");
        harness.restart();
        harness.sweep();
        assertKeysOfFileAndRunTime(harness);
        assertThat(harness.countSets(PKeyTable.TYPE.id())).isZero();
    }

    /** The process is killed when the file is written but no port is. */
    @Test
    void aRecordedChangeIsProgrammedByTheNextRun() throws Exception {
        SweepHarness harness = harnessWithState();
        long guid = guid(harness, HOST);
        harness.isRequestLost = RunTimeChangeTest::isSet;
        List<RunTimeOutcome> outcomes = request(harness, add(PARTITION, guid));
        BoundedWait.until(
                harness.loop,
                "a table is written",
                () -> harness.requests.stream().anyMatch(RunTimeChangeTest::isSet),
                TimeUnit.SECONDS.toNanos(1));
        harness.restart();
        assertOutcome(outcomes, ChangeStatus.ENDED);
        harness.isRequestLost = mad -> false;
        harness.sweep();
        assertKeysOfFileAndRunTime(harness);
        assertThat(keys(harness, HOST).indexOf(FULL_MEMBER_KEY)).isNotNegative();
    }

    @Test
    void aChangeThatCannotBeRecordedIsNotProgrammed() throws Exception {
        SweepHarness harness = harnessWithState();
        Files.createDirectories(dir.resolve("partition-members.tmp/x"));
        assertThat(change(harness, add(PARTITION, guid(harness, HOST))).kind()).isEqualTo(ChangeStatus.NOT_KEPT);
        assertThat(harness.requests).isEmpty();
        assertKeysOfFileAndRunTime(harness);
    }

    @Test
    void aTableWithoutRoomRefusesAnotherKey() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        Fabric fabric = view(harness).subnet().fabric();
        int room = PartitionPlan.capacity(fabric, port(fabric, 1));
        int pKey = 1;
        RunTimeOutcome outcome = change(harness, add(pKey, guid(harness, 1)));
        while (outcome.isDone() && pKey <= room) {
            outcome = change(harness, add(++pKey, guid(harness, 1)));
        }
        assertThat(outcome.kind()).isEqualTo(ChangeStatus.NO_ROOM);
        assertThat(outcome.text()).contains("has room for");
        assertThat(harness.added.current().find(pKey)).isNull();
        assertKeysOfFileAndRunTime(harness);
        assertThat(change(harness, new Remove(1, Set.of(guid(harness, 1)))).kind())
                .isEqualTo(ChangeStatus.DONE);
        assertThat(change(harness, add(pKey, guid(harness, 1))).kind()).isEqualTo(ChangeStatus.DONE);
        assertKeysOfFileAndRunTime(harness);
    }

    @Test
    void aChangeThatTakesKeysFromManyPortsHasToBeConfirmed() {
        SweepHarness harness = harness("torus:3x3x1,hosts=2");
        Long[] all = new Long[12];
        for (int host = 0; host < all.length; host++) {
            all[host] = guid(harness, host);
        }
        assertThat(change(harness, add(PARTITION, all)).kind())
                .as("adding takes nothing away")
                .isEqualTo(ChangeStatus.DONE);
        RunTimeOutcome outcome = change(harness, new Delete(PARTITION));
        assertThat(outcome.kind()).isEqualTo(ChangeStatus.TOO_LARGE);
        assertThat(outcome.text()).contains("max_partition_change = 25");
        List<RunTimeOutcome> meant = new ArrayList<>();
        harness.sweeper.changePartitions(new Request(new Delete(PARTITION), "a test", true), meant::add);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertOutcome(meant, ChangeStatus.DONE);
        assertKeysOfFileAndRunTime(harness);
    }

    @Test
    void changesBeyondTheMaxNumberOfWaitingOnesAreRefused() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        harness.isRequestLost = RunTimeChangeTest::isSet;
        List<RunTimeOutcome> outcomes = new ArrayList<>();
        int requesters = 6;
        int requestsOfEach = RunTimeChanges.MAX_WAITING_OF_REQUESTER + 1;
        for (int requester = 0; requester < requesters; requester++) {
            for (int i = 0; i < requestsOfEach; i++) {
                Request request = new Request(add(1, guid(harness, 1)), "requester " + requester, false);
                harness.sweeper.changePartitions(request, outcomes::add);
            }
        }
        assertThat(outcomes).isNotEmpty().allMatch(each -> each.kind() == ChangeStatus.BUSY);
        assertThat(outcomes.get(0).text()).contains("requester 1");
        assertThat(outcomes)
                .as("all but the waiting ones and the one that is being made")
                .hasSize(requesters * requestsOfEach - RunTimeChanges.MAX_WAITING - 1);
        harness.isRequestLost = mad -> false;
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(outcomes).hasSize(requesters * requestsOfEach);
    }

    @Test
    void aRefusedChangeSendsNoRequest() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        assertThat(change(harness, add(0, 1L)).kind()).isEqualTo(ChangeStatus.INVALID);
        assertThat(change(harness, new Delete(0x77)).kind()).isEqualTo(ChangeStatus.ABSENT);
        assertThat(harness.requests).isEmpty();
    }

    @Test
    void aChangeBeforeTheFirstSweepIsRefused() {
        SweepHarness harness = new SweepHarness("torus:2x2x1,hosts=1");
        assertThat(change(harness, add(PARTITION, ABSENT_GUID)).kind()).isEqualTo(ChangeStatus.NO_SUBNET);
    }

    @Test
    void anSmThatIsPreemptedEndsWaitingRequests() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        harness.isRequestLost = RunTimeChangeTest::isSet;
        List<RunTimeOutcome> first = request(harness, add(1, guid(harness, 1)));
        List<RunTimeOutcome> second = request(harness, add(2, guid(harness, 1)));
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
        harness.sweeper.withdraw();
        assertOutcome(first, ChangeStatus.NOT_MASTER);
        assertOutcome(second, ChangeStatus.NOT_MASTER);
    }

    @Test
    void aMemberOfTwoPartitionsLosesNoKeyDuringAChange() {
        SweepHarness harness = harness("torus:2x2x1,hosts=1");
        change(harness, add(1, guid(harness, 1)));
        change(harness, add(2, guid(harness, 1)));
        int[] responses = {0};
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PKeyTable.TYPE.id()) {
                responses[0]++;
                assertThat(keys(harness, 1).indexOf(0x8002)).isNotNegative();
                assertThat(keys(harness, 1).isIn(DEFAULT_KEY)).isTrue();
            }
        };
        Member first = new Member(Membership.FULL, true);
        change(harness, new Add(2, "", false, null, Map.of(guid(harness, 1), first)));
        change(harness, new Remove(1, Set.of(guid(harness, 1))));
        assertThat(responses[0]).as("moments at which the table was inspected").isPositive();
        assertThat(keys(harness, 1)).isEqualTo(PortKeys.of(0x8002, 0, 0, DEFAULT_KEY));
        assertKeysOfFileAndRunTime(harness);
    }
}
