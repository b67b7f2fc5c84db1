package io.torussm.sweep;

import io.torussm.mad.Gid;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A multicast group with all hosts in it: its members at the SA, and the receivers of a member's packets. */
final class GroupTrial {
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 1);
    private static final int Q_KEY = 5;
    private static final long KEPT_NS = TimeUnit.MINUTES.toNanos(10);

    private final SweepHarness harness;
    private final Topology topology;

    /** Members, by port GUID, and the MLID as they were when all had joined. */
    private final String joinedMembers;

    /** Joins all hosts to the group. */
    GroupTrial(SweepHarness harness, Topology topology) {
        this.harness = harness;
        this.topology = topology;
        harness.memberships.keepVanished(() -> KEPT_NS);
        List<MadFrame> answers = new ArrayList<>();
        Subnet subnet = harness.publishedView().subnet();
        for (int port : harness.hosts()) {
            byte[] mad =
                    harness.membership(Method.SET, answers.size() + 1L, GROUP, port, MCMemberRecord.FULL_MEMBER, Q_KEY);
            MadAddress host = new MadAddress(subnet.lid(port), 1, 0, 0);
            harness.administrator(answers::add).onMad(new MadFrame(host, mad));
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        harness.awaitRest();
        joinedMembers = members();
    }

    private String members() {
        return harness.memberships.view().groups().stream()
                .filter(group -> group.mgid().equals(GROUP))
                .map(group -> group.mlid() + " " + group.members())
                .toList()
                .toString();
    }

    /** Adds the differences from the state after all had joined. */
    void verify(String when, List<String> violations) {
        if (!members().equals(joinedMembers)) {
            violations.add(when + ": members " + joinedMembers + " -> " + members());
        }
        int mlid = harness.memberships.view().groups().stream()
                .filter(group -> group.mgid().equals(GROUP))
                .findFirst()
                .orElseThrow()
                .mlid();
        for (Topology.Node sender : topology.nodes()) {
            if (!sender.isSwitch()) {
                verify(when, sender, mlid, violations);
            }
        }
    }

    /** Verifies that a packet reaches each host once, except its sender. */
    private void verify(String when, Topology.Node sender, int mlid, List<String> violations) {
        Map<String, Integer> arrived = new TreeMap<>();
        record At(Topology.Node sw, int in) {}
        Deque<At> border = new ArrayDeque<>();
        Topology.PortRef first = Objects.requireNonNull(sender.peer(1));
        border.add(new At(first.node(), first.portNum()));
        for (int steps = 0; !border.isEmpty() && steps < 1000; steps++) {
            At at = border.remove();
            long[] mask = harness.fabric.mft(at.sw().nodeGuid(), mlid);
            for (int out = 1; out <= at.sw().numPorts(); out++) {
                var end = harness.fabric.interventions().peer(at.sw().nodeGuid(), out);
                if (out != at.in() && (mask[out >> 6] >> out & 1) != 0 && end != null) {
                    Topology.PortRef far = Objects.requireNonNull(at.sw().peer(out));
                    if (far.node().isSwitch()) {
                        border.add(new At(far.node(), far.portNum()));
                    } else {
                        arrived.merge(far.node().description(), 1, Integer::sum);
                    }
                }
            }
        }
        for (Topology.Node host : topology.nodes()) {
            int wanted = host.isSwitch() || host.equals(sender) ? 0 : 1;
            int got = arrived.getOrDefault(host.description(), 0);
            if (got != wanted) {
                violations.add(when + ": " + host.description() + " gets " + got + " of 1 packet to the group from "
                        + sender.description());
            }
        }
    }
}
