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
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MembershipMad;
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

/** More groups than switches have MLIDs: 20,000 on 1,024. */
@Tag("slow")
class ManyGroupsTest extends MulticastSweepCase {
    private static final int GROUPS = 20_000;
    private static final int MLIDS = 1024;
    private static final int BURST = 4000;
    private static final int SPREAD = 6;

    private final Random random = Seeds.random(Long.getLong("seed", 1));
    private final Map<Gid, Set<Integer>> wanted = new TreeMap<>(Comparator.comparing(Gid::toString));

    private static Gid group(int number) {
        return new Gid(0xff12_1234_0000_0000L, number);
    }

    /** Two or three random members of each group; the groups of an MLID do not cover all ports. */
    private void joinAll() {
        SubnetAdministrator sa = harness.administrator(answers::add);
        List<Integer> hosts = harness.hosts();
        for (int number = 1; number <= GROUPS; number++) {
            Set<Integer> members = new TreeSet<>();
            while (members.size() < 2 + number % 2) {
                members.add(hosts.get((number % (MLIDS - 1) + random.nextInt(SPREAD)) % hosts.size()));
            }
            wanted.put(group(number), members);
            for (int port : members) {
                ask(sa, Method.SET, group(number), port);
            }
            if (number % BURST == 0) {
                harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
            }
        }
        assertThat(answers).hasSize(wanted.values().stream().mapToInt(Set::size).sum());
        assertThat(answers).allMatch(answer -> MadHeader.status(answer.mad()) == MadStatus.OK);
    }

    private void ask(SubnetAdministrator sa, int method, Gid mgid, int port) {
        var subnet = harness.publishedView().subnet();
        Gid portGid = new Gid(subnet.gidPrefix(), subnet.fabric().portGuid(port));
        byte[] mad = MembershipMad.of(method, wanted.size(), mgid, portGid, MCMemberRecord.FULL_MEMBER, 7);
        SaMad.SM_KEY.set(mad, 0, SweepHarness.SM_KEY); // No limit for each port.
        sa.onMad(new MadFrame(new MadAddress(subnet.lid(port), 1, 0, 0), mad));
    }

    /** Returns the members of all groups of each MLID. */
    private Map<Integer, Set<Integer>> portsOfMlids() {
        Map<Integer, Set<Integer>> ports = new TreeMap<>();
        for (MulticastGroup group : harness.memberships.view().groups()) {
            Set<Integer> members = wanted.getOrDefault(group.mgid(), Set.of());
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
                    .as("its packets go to all, and so it shares with none")
                    .isEmpty();
            ports.forEach((mlid, members) -> {
                List<Integer> all = new ArrayList<>(members);
                assertThat(all).hasSizeLessThanOrEqualTo(SPREAD);
                assertDelivers(harness, mlid, all, all);
            });
            SubnetAdministrator sa = harness.administrator(answers::add);
            wanted.forEach((mgid, members) -> members.forEach(port -> ask(sa, Method.DELETE, mgid, port)));
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(60));
            assertThat(harness.memberships.view().groups()).hasSize(1);
            assertThat(log.of(SmEvent.MLIDS_SUFFICE)).hasSize(1);
        }
    }
}
