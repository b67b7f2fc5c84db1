package io.torussm.partition;

import static io.torussm.partition.Membership.BOTH;
import static io.torussm.partition.Membership.FULL;
import static io.torussm.partition.Membership.LIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.partition.PartitionConf.NamedMember;
import io.torussm.partition.RunTimeChange.Add;
import io.torussm.partition.RunTimeChange.Delete;
import io.torussm.partition.RunTimeChange.Remove;
import io.torussm.partition.RunTimeChange.Replace;
import io.torussm.partition.RunTimeChange.SetQos;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The union of file and run-time changes, and the accepted changes. */
class RunTimePartitionsTest {
    private static final Member FULL_MEMBER = new Member(FULL, false);
    private static final Member LIMITED_MEMBER = new Member(LIMITED, false);
    private static final long HOST = 0x10_0000_0001L;

    private static PartitionConf file(String text) {
        return Objects.requireNonNull(PartitionConf.parse("p.conf", text, true).conf());
    }

    private static Add add(int pKey, Map<Long, Member> members) {
        return new Add(pKey, "", false, null, members);
    }

    private static RunTimePartitions after(PartitionConf file, RunTimeChange... changes) {
        RunTimePartitions now = RunTimePartitions.NONE;
        for (RunTimeChange change : changes) {
            RunTimeDecision decision = RunTimeDecision.of(now, change, file);
            assertThat(decision.refusal()).isNull();
            now = Objects.requireNonNull(decision.next());
        }
        return now;
    }

    private static RunTimeOutcome refusal(PartitionConf file, RunTimePartitions now, RunTimeChange change) {
        RunTimeDecision decision = RunTimeDecision.of(now, change, file);
        assertThat(decision.next()).isNull();
        return Objects.requireNonNull(decision.refusal());
    }

    private static Fabric star() {
        Sketch sketch = new Sketch().partitionCaps(8, 8);
        sketch.addSwitch("sw", 6);
        for (int host = 0; host < 4; host++) {
            sketch.addHost(0, host + 1);
        }
        return sketch.build();
    }

    /** Returns the P_Keys of the first host. */
    private static PortKeys keys(PartitionConf file, RunTimePartitions added, boolean allowsBoth) {
        Fabric fabric = star();
        PartitionSettings settings =
                new PartitionSettings(file, PartitionSettings.Enforcement.BOTH, true, allowsBoth).with(added, true);
        return PartitionPlan.of(settings, fabric, port -> PortKeys.NONE).keys(fabric.port(1, 1));
    }

    @Test
    void aPartitionOfItsOwnHasNameMembersAndSl() {
        Qos qos = new Qos(5, 7, 8);
        PartitionConf merged = after(file("A=1:;"), new Add(0x10, "jobs", true, qos, Map.of(HOST, FULL_MEMBER)))
                .combineWith(file("A=1:;"), true);
        PartitionConf.Partition jobs = Objects.requireNonNull(merged.find(0x10));
        assertThat(jobs.name()).isEqualTo("jobs");
        assertThat(jobs.sl()).isEqualTo(8);
        assertThat(jobs.namedMembers()).containsExactly(new NamedMember(HOST, FULL, false, true, 0));
        WellKnownGroup group = Objects.requireNonNull(merged.broadcast(0x8010));
        assertThat(group.mgid()).isEqualTo(new Gid(0xff12_401b_8010_0000L, 0xffff_ffffL));
        assertThat(List.of(group.mtu(), group.rate(), group.sl())).containsExactly(5, 7, 8);
        assertThat(merged.partitions())
                .extracting(PartitionConf.Partition::pKey)
                .containsExactly(1, 0x10, 0x7fff);
    }

    @Test
    void withoutQosEverySlIs0() {
        RunTimePartitions added = after(PartitionConf.NONE, new Add(0x10, "", true, new Qos(4, 3, 8), Map.of()));
        assertThat(Objects.requireNonNull(
                                added.combineWith(PartitionConf.NONE, false).find(0x10))
                        .sl())
                .isZero();
    }

    @Test
    void theFileKeepsNameSlAndBroadcastGroupOfItsPartitions() {
        PartitionConf file = file("A=0x10,ipoib,mtu=5,sl=3:;B=0x11,sl=4:;");
        RunTimePartitions added = after(
                file,
                new Add(0x10, "", true, null, Map.of(HOST, FULL_MEMBER)),
                new Add(0x11, "", true, null, Map.of()));
        PartitionConf merged = added.combineWith(file, true);
        assertThat(merged.find(0x10))
                .extracting(each -> Objects.requireNonNull(each).name())
                .isEqualTo("A");
        assertThat(merged.groups()).hasSize(2);
        assertThat(Objects.requireNonNull(merged.broadcast(0x10)).mtu()).isEqualTo(5);
        assertThat(Objects.requireNonNull(merged.broadcast(0x11)).sl())
                .as("added to a partition of the file")
                .isEqualTo(4);
    }

    @Test
    void theLargerMembershipCountsBesidesRulesForManyPorts() {
        PartitionConf file = file("Default=0x7fff:ALL=limited;A=0x10:ALL_CAS=full;B=0x11:ALL_SWITCHES=full;");
        RunTimePartitions added = after(
                file,
                add(0x7fff, Map.of(HOST, FULL_MEMBER)),
                add(0x10, Map.of(HOST, LIMITED_MEMBER)),
                add(0x11, Map.of(HOST, LIMITED_MEMBER)));
        assertThat(keys(file, added, false)).isEqualTo(PortKeys.of(0xffff, 0x8010, 0x11));
        assertThat(keys(file, after(file, add(0x10, Map.of(HOST, new Member(BOTH, false)))), true))
                .isEqualTo(PortKeys.of(0x7fff, 0x8010, 0x10));
    }

    @Test
    void entriesOfTheFileForAPortCount() {
        PartitionConf before = file("A=0x10:;");
        RunTimePartitions added = after(before, add(0x10, Map.of(HOST, FULL_MEMBER)));
        PartitionConf file = file("A=0x10,indx0:0x1000000001=limited;");
        assertThat(keys(before, added, false)).isEqualTo(PortKeys.of(0x7fff, 0x8010));
        assertThat(keys(file, added, false)).as("named since").isEqualTo(PortKeys.of(0x10, 0x7fff));
        assertThat(added.combineWith(file, true).partitions().get(0).namedMembers())
                .containsExactly(new NamedMember(HOST, LIMITED, true, false, 1));
    }

    /** The last rule that fits the port is ALL, with which the membership of run time counts. */
    @Test
    void aMemberOfRunTimeIsListedIfAllPortsFollowItsOwnRule() {
        PartitionConf file = file("A=0x10:0x1000000001=limited,ALL=limited;");
        RunTimePartitions added = after(file, add(0x10, Map.of(HOST, FULL_MEMBER)));
        assertThat(keys(file, added, false)).isEqualTo(PortKeys.of(0x7fff, 0x8010));
        assertThat(added.combineWith(file, true).partitions().get(0).namedMembers())
                .containsExactly(new NamedMember(HOST, FULL, false, true, 0));
    }

    @Test
    void aKeyThatWasAddedGoesToIndex0IfAsked() {
        RunTimePartitions added = after(PartitionConf.NONE, add(0x10, Map.of(HOST, new Member(FULL, true))));
        assertThat(keys(PartitionConf.NONE, added, false)).isEqualTo(PortKeys.of(0x8010, 0xffff));
    }

    @Test
    void aMembershipThatTheFileGivesIsChangedThereOnly() {
        PartitionConf file = file("A=0x10:\n0x1000000001=limited;");
        RunTimePartitions none = RunTimePartitions.NONE;
        RunTimeOutcome other = refusal(file, none, add(0x10, Map.of(HOST, FULL_MEMBER)));
        assertThat(other.kind()).isEqualTo(ChangeStatus.GIVEN_BY_FILE);
        assertThat(other.text()).contains("p.conf:2", "0x0000001000000001");
        assertThat(refusal(file, none, new Remove(0x10, Set.of(HOST))).text()).contains("p.conf:2");
        assertThat(refusal(file, none, new Replace(0x10, "", false, null, Map.of(2L, FULL_MEMBER)))
                        .text())
                .contains("p.conf:2");
        assertThat(refusal(file, none, new SetQos(0x10, Qos.DEFAULT)).kind()).isEqualTo(ChangeStatus.GIVEN_BY_FILE);
        assertThat(refusal(file, none, new Delete(0x10)).kind()).isEqualTo(ChangeStatus.GIVEN_BY_FILE);
        assertThat(refusal(file, none, new Add(0x10, "B", false, null, Map.of()))
                        .text())
                .contains("p.conf");
        RunTimePartitions same = after(file, add(0x10, Map.of(HOST, LIMITED_MEMBER)));
        RunTimeDecision removed = RunTimeDecision.of(same, new Remove(0x10, Set.of(HOST)), file);
        assertThat(removed.next()).isEqualTo(RunTimePartitions.NONE);
        assertThat(removed.remark()).contains("p.conf", "0x0000001000000001");
    }

    @Test
    void removalOfAMemberReportsTheManyOfTheFile() {
        RunTimeChange remove = new Remove(0x10, Set.of(HOST));
        assertThat(RunTimeDecision.of(RunTimePartitions.NONE, remove, file("A=0x10:ALL_CAS;"))
                        .remark())
                .contains("p.conf", "ALL");
        assertThat(RunTimeDecision.of(RunTimePartitions.NONE, remove, file("A=0x10:SELF;"))
                        .remark())
                .isEmpty();
    }

    @Test
    void membersComeAndGoAndTheLastTakesThePartitionWithIt() {
        PartitionConf file = PartitionConf.NONE;
        RunTimePartitions two =
                after(file, add(0x10, Map.of(1L, FULL_MEMBER, 2L, LIMITED_MEMBER)), add(0x10, Map.of(2L, FULL_MEMBER)));
        assertThat(Objects.requireNonNull(two.find(0x10)).members())
                .isEqualTo(Map.of(1L, FULL_MEMBER, 2L, FULL_MEMBER));
        RunTimePartitions one = Objects.requireNonNull(
                RunTimeDecision.of(two, new Remove(0x10, Set.of(1L, 77L)), file).next());
        assertThat(one.members()).isEqualTo(1);
        assertThat(RunTimeDecision.of(one, new Remove(0x10, Set.of(2L)), file).next())
                .isEqualTo(RunTimePartitions.NONE);
        RunTimePartitions replaced = Objects.requireNonNull(
                RunTimeDecision.of(two, new Replace(0x10, "n", true, null, Map.of(3L, FULL_MEMBER)), file)
                        .next());
        assertThat(replaced.all())
                .containsExactly(new RunTimePartition(0x10, "n", true, Qos.DEFAULT, Map.of(3L, FULL_MEMBER)));
        assertThat(RunTimeDecision.of(replaced, new Delete(0x10), file).next()).isEqualTo(RunTimePartitions.NONE);
    }

    @Test
    void aPartitionThatWasMadeEmptyStays() {
        RunTimePartitions empty = after(PartitionConf.NONE, new Add(0x10, "jobs", false, null, Map.of()));
        assertThat(RunTimeDecision.of(empty, new Remove(0x10, Set.of(1L)), PartitionConf.NONE)
                        .next())
                .isEqualTo(empty);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 0x8000, 0x8010})
    void aPKeyHas15Bits(int pKey) {
        assertThat(refusal(PartitionConf.NONE, RunTimePartitions.NONE, add(pKey, Map.of()))
                        .kind())
                .isEqualTo(ChangeStatus.INVALID);
    }

    @Test
    void nonsenseIsRefused() {
        PartitionConf file = file("A=1:;");
        RunTimePartitions jobs = after(file, new Add(0x10, "jobs", false, null, Map.of()));
        List<RunTimeChange> faults = List.of(
                add(0x11, Map.of(0L, FULL_MEMBER)),
                new Add(0x11, "a b", false, null, Map.of()),
                new Add(0x11, "1st", false, null, Map.of()),
                new Add(0x11, "x".repeat(RunTimePartition.MAX_NAME_CHARS + 1), false, null, Map.of()),
                new Add(0x11, "A", false, null, Map.of()),
                new Add(0x11, "jobs", false, null, Map.of()),
                new Add(0x11, "", false, new Qos(6, 3, 0), Map.of()),
                new Add(0x11, "", false, new Qos(4, 63, 0), Map.of()),
                new Add(0x11, "", false, new Qos(4, 3, 16), Map.of()));
        assertThat(faults)
                .allSatisfy(
                        change -> assertThat(refusal(file, jobs, change).kind()).isEqualTo(ChangeStatus.INVALID));
        assertThat(refusal(file, jobs, new Remove(0x12, Set.of(1L))).kind()).isEqualTo(ChangeStatus.ABSENT);
        assertThat(refusal(file, jobs, new Delete(0x12)).kind()).isEqualTo(ChangeStatus.ABSENT);
    }

    @Test
    void noMoreIsAddedThanMayBe() {
        List<RunTimePartition> most = new ArrayList<>();
        for (int pKey = 1; pKey <= RunTimePartitions.MAX_PARTITIONS; pKey++) {
            most.add(new RunTimePartition(pKey, "", false, Qos.DEFAULT, Map.of()));
        }
        RunTimePartitions all = RunTimePartitions.of(most);
        assertThat(refusal(PartitionConf.NONE, all, add(0x5000, Map.of())).kind())
                .isEqualTo(ChangeStatus.INVALID);
        Map<Long, Member> many = new TreeMap<>();
        for (long guid = 1; guid <= RunTimePartitions.MAX_MEMBERS + 1L; guid++) {
            many.put(guid, FULL_MEMBER);
        }
        assertThat(refusal(PartitionConf.NONE, RunTimePartitions.NONE, add(1, many))
                        .kind())
                .isEqualTo(ChangeStatus.INVALID);
    }

    /** A plan for the ports concerned is the plan for all. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void planningAPartIsPlanningAll(long seed) {
        Random random = Seeds.random(seed);
        Fabric fabric = star();
        PartitionConf file = file("Default=0x7fff:ALL=limited;A=1:ALL_CAS;B=2,indx0:0x1000000101=full;");
        PartitionSettings settings = new PartitionSettings(
                file, List.of(PartitionSettings.Enforcement.values()).get(random.nextInt(4)), true, true);
        PartitionPlan plan = PartitionPlan.of(settings, fabric, port -> PortKeys.NONE);
        RunTimePartitions added = RunTimePartitions.NONE;
        for (int round = 0; round < 12; round++) {
            int host = random.nextInt(4);
            long guid = HOST + ((long) host << 8);
            int pKey = 1 + random.nextInt(9);
            Member member = new Member(List.of(Membership.values()).get(random.nextInt(3)), random.nextInt(4) == 0);
            RunTimeChange change =
                    random.nextInt(3) > 0 ? add(pKey, Map.of(guid, member)) : new Remove(pKey, Set.of(guid));
            RunTimePartitions next = RunTimeDecision.of(added, change, file).next();
            if (next != null) {
                added = next;
                BitSet concerned = new BitSet();
                concerned.set(fabric.port(1 + host, 1));
                PartitionPlan before = plan;
                PartitionSettings now = settings.with(added, true);
                plan = before.changedFor(now, fabric, concerned, port -> table(before, port));
                PartitionPlan whole = PartitionPlan.of(now, fabric, port -> table(before, port));
                for (int port = 0; port < fabric.portCount(); port++) {
                    assertThat(plan.table(port))
                            .as("%s, %s", fabric.portName(port), change)
                            .isEqualTo(whole.table(port));
                }
            }
        }
    }

    private static PortKeys table(PartitionPlan plan, int port) {
        PortKeys keys = plan.table(port);
        return keys == null ? PortKeys.NONE : keys;
    }
}
