package io.torussm.daemon;

import io.torussm.mad.Gid;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.sim.SimTransport;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The wishes of hosts for multicast groups in a storm, and their requests. */
final class StormGroups {
    private static final int GROUPS = 3;
    private static final int Q_KEY = 0x0b1b;

    private final StormStory story;
    private final StormFabric fabric;
    private final long gidPrefix;
    private final Map<Long, SimTransport> clients = new HashMap<>();
    /** Wanted groups, by node GUID. */
    private final Map<Long, Set<Integer>> wantedGroups = new TreeMap<>();

    /** A host that is in an unwanted group, or not in a wanted one. */
    private interface DifferenceHandler {
        void handle(Topology.Node host, int number, boolean isWanted);
    }

    /** A client that ignores responses: the SM's view and the tables show the effect. */
    private static final class IgnoringClient implements MadTransport.Receiver {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String reason) {
            throw new AssertionError(reason);
        }
    }

    StormGroups(StormStory story, StormFabric fabric, long gidPrefix) {
        this.story = story;
        this.fabric = fabric;
        this.gidPrefix = gidPrefix;
        for (Topology.Node host : fabric.clientHosts) {
            SimTransport client = fabric.devices.attach(host.description(), 1);
            client.start(new IgnoringClient());
            clients.put(host.nodeGuid(), client);
        }
    }

    /** Removes the wishes of a host. */
    void forget(Topology.Node host) {
        wantedGroups.remove(host.nodeGuid());
    }

    /** Makes the wishes and memberships of hosts equal, as clients do that try again. */
    void reconcile(FabricSm now, Set<Long> there) {
        forEachDifference(now, there, this::request);
        story.advance(TimeUnit.SECONDS.toNanos(1));
        forEachDifference(now, there, (host, number, isWanted) -> {
            throw story.violation(
                    host.description() + (isWanted ? " cannot join" : " cannot leave") + " group " + number);
        });
    }

    private void forEachDifference(FabricSm now, Set<Long> there, DifferenceHandler then) {
        for (Topology.Node host : fabric.clientHosts) {
            for (int number = 0; number < GROUPS && there.contains(host.portGuid(1)); number++) {
                boolean isWanted =
                        wantedGroups.getOrDefault(host.nodeGuid(), Set.of()).contains(number);
                if (isWanted != isMember(now, host, number)) {
                    then.handle(host, number, isWanted);
                }
            }
        }
    }

    private static Gid group(int number) {
        return new Gid(0xff12_401b_ffff_0000L, 0x100 + number);
    }

    void toggleMembership() {
        Topology.Node host = story.pick(fabric.clientHosts);
        if (fabric.isAbsent(host)) {
            return;
        }
        int number = story.random.nextInt(GROUPS);
        Set<Integer> own = wantedGroups.computeIfAbsent(host.nodeGuid(), guid -> new TreeSet<>());
        boolean isJoin = own.add(number);
        if (!isJoin) {
            own.remove(number);
        }
        story.log(host.description() + (isJoin ? " joins" : " leaves") + " group " + number);
        request(host, number, isJoin);
    }

    /** Sends a request over the fabric to the SM LID that the host has. */
    private void request(Topology.Node host, int number, boolean isJoin) {
        byte[] mad = MembershipMad.of(
                isJoin ? Method.SET : Method.DELETE,
                story.random.nextInt(),
                group(number),
                new Gid(gidPrefix, host.portGuid(1)),
                MCMemberRecord.FULL_MEMBER,
                Q_KEY);
        int smLid = fabric.devices.portInfo(host.nodeGuid(), 1).masterSmLid();
        Objects.requireNonNull(clients.get(host.nodeGuid())).send(new MadFrame(new MadAddress(smLid, 1, 0, 0), mad), 0);
    }

    private static boolean isMember(FabricSm now, Topology.Node host, int number) {
        return now.memberships.view().groups().stream()
                .filter(each -> each.mgid().equals(group(number)))
                .flatMap(each -> each.members().stream())
                .anyMatch(member -> member.portGid().guid() == host.portGuid(1));
    }
}
