package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More groups than switches have MLIDs: 20,000 on 1,024. Groups whose members are near each other share an MLID, so
 * that packets reach few ports that did not join.
 */
@Tag("slow")
class ManyGroupsTest extends MulticastSweepCase {
    private static final int GROUPS = 20_000;
    private static final int MLIDS = 1024;
    /** Groups whose members join before the SM has time to program them. */
    private static final int GROUPS_OF_BURST = 4000;

    /** Max number of ports that are members of the groups of one MLID. */
    private static final int PORTS_OF_MLID = 6;

    private static final int Q_KEY = 7;

    private final Random random = Seeds.random(Long.getLong("seed", 1));
    /** Port indexes of the members of each group, the broadcast group apart. */
    private final Map<Gid, Set<Integer>> membersByGroup = new TreeMap<>(Comparator.comparing(Gid::toString));

    private static Gid group(int number) {
        return new Gid(0xff12_1234_0000_0000L, number);
    }

    /**
     * Lets two or three random members join each group. Groups with the same number modulo 1,023, the MLIDs besides
     * that of the broadcast group, have members among the same six ports.
     */
    private void joinAll() {
        SubnetAdministrator sa = harness.administrator(answers::add);
        List<Integer> hosts = harness.hosts();
        for (int number = 1; number <= GROUPS; number++) {
            Set<Integer> members = new TreeSet<>();
            while (members.size() < 2 + number % 2) {
                members.add(hosts.get((number % (MLIDS - 1) + random.nextInt(PORTS_OF_MLID)) % hosts.size()));
            }
            membersByGroup.put(group(number), members);
            for (int port : members) {
                sendRequest(sa, Method.SET, group(number), port);
            }
            if (number % GROUPS_OF_BURST == 0) {
                harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
            }
        }
        assertThat(answers)
                .hasSize(membersByGroup.values().stream().mapToInt(Set::size).sum());
        assertThat(answers).allMatch(answer -> MadHeader.status(answer.mad()) == MadStatus.OK);
    }

    private void leaveAll() {
        SubnetAdministrator sa = harness.administrator(answers::add);
        membersByGroup.forEach((mgid, members) -> members.forEach(port -> sendRequest(sa, Method.DELETE, mgid, port)));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(60));
    }

    private void sendRequest(SubnetAdministrator sa, int method, Gid mgid, int port) {
        Subnet subnet = harness.publishedView().subnet();
        byte[] mad = harness.membership(method, membersByGroup.size(), mgid, port, MCMemberRecord.FULL_MEMBER, Q_KEY);
        SaMad.SM_KEY.set(mad, 0, SweepHarness.SM_KEY); // A trusted request is not limited by port.
        sa.onMad(new MadFrame(new MadAddress(subnet.lid(port), 1, 0, 0), mad));
    }

    /** Returns the members of all groups of each MLID, and verifies the number of members of each group. */
    private Map<Integer, Set<Integer>> portsOfMlids() {
        Map<Integer, Set<Integer>> ports = new TreeMap<>();
        for (MulticastGroup group : harness.memberships.view().groups()) {
            Set<Integer> members = membersByGroup.getOrDefault(group.mgid(), Set.of());
            assertThat(group.members()).as("members of %s", group.mgid()).hasSameSizeAs(members);
            ports.computeIfAbsent(group.mlid(), mlid -> new TreeSet<>()).addAll(members);
        }
        return ports;
    }

    @Test
    void groupsShareMlidsAndEachMemberGetsOneCopy() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            bringUp();
            joinAll();
            assertThat(log.of(SmEvent.MLIDS_SHARED)).hasSize(1);
            Map<Integer, Set<Integer>> ports = portsOfMlids();
            assertThat(ports).hasSize(MLIDS);
            assertThat(ports.keySet()).allMatch(mlid -> mlid < MulticastView.FIRST_MLID + MLIDS);
            assertThat(ports.get(BROADCAST_MLID))
                    .as("the broadcast group, whose packets go to all ports, shares its MLID with no other")
                    .isEmpty();
            ports.forEach((mlid, members) -> {
                List<Integer> all = new ArrayList<>(members);
                assertThat(all).hasSizeLessThanOrEqualTo(PORTS_OF_MLID);
                assertDelivers(harness, mlid, all, all);
            });
            leaveAll();
            assertThat(harness.memberships.view().groups())
                    .as("the broadcast group")
                    .hasSize(1);
            assertThat(log.of(SmEvent.MLIDS_SUFFICE)).hasSize(1);
        }
    }
}
