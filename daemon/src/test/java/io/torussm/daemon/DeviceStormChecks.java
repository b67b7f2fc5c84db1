package io.torussm.daemon;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.GroupClient;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The checks of healthy hosts that are connected to the SM by healthy switches, under faults of other
 * devices.
 */
final class DeviceStormChecks implements StormHost.SweepObserver {
    /** Of paths over links whose speed a device may misstate. */
    static final int ANY_RATE = -1;

    private final StormStory story;
    private final StormFabric fabric;
    private final StormDevices devices;
    private final int rate;
    private final int[] lids;

    /** Sweeps since faults ended. */
    int sweeps;

    /** @param rate rate of every path */
    DeviceStormChecks(StormStory story, StormFabric fabric, StormDevices devices, int rate) {
        this.story = story;
        this.fabric = fabric;
        this.devices = devices;
        this.rate = rate;
        lids = new int[fabric.topology.nodes().size()];
    }

    @Override
    public void sweepEnded(FabricSm of, String outcome) {
        sweeps++;
        if (outcome.equals("up")) {
            story.tally.sweeps++;
        } else if (outcome.startsWith("refused")) {
            story.tally.refusals++;
        } else {
            story.tally.failedSweeps++;
        }
        story.check(!outcome.contains("internal error"), outcome);
    }

    @Override
    public void madSent(byte[] mad) {}

    @Override
    public void smEnded() {}

    /** Nodes that are well, and that trained links between such lead to from the SM. */
    private List<Topology.Node> healthy() {
        Set<Long> seen = new TreeSet<>(Set.of(fabric.smHosts.get(0).nodeGuid()));
        List<Topology.Node> healthy = new ArrayList<>();
        ArrayDeque<Topology.Node> open = new ArrayDeque<>(List.of(fabric.smHosts.get(0)));
        while (!open.isEmpty()) {
            Topology.Node at = open.poll();
            healthy.add(at);
            for (int portNum = 1; portNum <= at.numPorts(); portNum++) {
                Topology.PortRef far = at.peer(portNum);
                boolean isNews = far != null
                        && fabric.devices.portInfo(at.nodeGuid(), portNum).isLinkUp()
                        && !devices.isBad(far.node())
                        && seen.add(far.node().nodeGuid());
                if (far != null && isNews) {
                    open.add(far.node());
                }
            }
        }
        return healthy;
    }

    List<Topology.Node> healthyHosts() {
        return healthy().stream().filter(node -> !node.isSwitch()).toList();
    }

    /** Checks that no LID has changed. */
    void checkLids() {
        story.tally.looks++;
        String changed = new FabricJudge(fabric.topology, fabric.devices).changedLid(lids);
        story.check(changed.isEmpty(), changed);
    }

    /** Returns a shortcoming of a healthy host; empty if there is none. */
    String shortcoming(FabricSm now) {
        if (!now.isUp()) {
            return "no subnet is up: " + now.mastership.state();
        }
        FabricJudge judge = new FabricJudge(fabric.topology, fabric.devices);
        List<Topology.Node> hosts = healthyHosts();
        for (Topology.Node host : hosts) {
            if (judge.lids[host.index()] == 0) {
                return host.description() + " has no LID";
            }
        }
        String routes = routeShortcoming(now, judge, hosts);
        return routes.isEmpty() ? groupShortcoming(now, judge, hosts) : routes;
    }

    private String routeShortcoming(FabricSm now, FabricJudge judge, List<Topology.Node> hosts) {
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        for (Topology.Node from : hosts) {
            for (Topology.Node to : hosts) {
                if (from.equals(to)) {
                    continue;
                }
                String pair = " from " + from.description() + " to " + to.description();
                int dlid = judge.lids[to.index()];
                PathRecord path = path(asked, answers, judge.lids[from.index()], dlid);
                if (path == null) {
                    return "the SA grants no path" + pair;
                }
                String lost = judge.send(from.index(), to.index(), dlid, (int) path.get(PathRecord.SL));
                if (!lost.isEmpty()) {
                    return "a packet" + pair + " " + lost;
                }
                if (rate != ANY_RATE && path.get(PathRecord.RATE) != rate) {
                    return "the rate" + pair + " is " + path.get(PathRecord.RATE) + " instead of " + rate;
                }
            }
        }
        return judge.creditLoop();
    }

    /** Returns the path that the SA answers to a host, whose answers are added to a list; null if it has none. */
    static @Nullable PathRecord path(SubnetAdministrator asked, List<MadFrame> answers, int slid, int dlid) {
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] request = SaMad.request(Method.GET, 7, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, slid)
                .with(PathRecord.DLID, dlid)
                .write(request, SaMad.DATA_OFFSET);
        answers.clear();
        asked.onMad(new MadFrame(new MadAddress(slid, 1, 0, 0), request));
        return answers.isEmpty() || MadHeader.status(answers.get(0).mad()) != MadStatus.OK
                ? null
                : PathRecord.TYPE.read(answers.get(0).mad(), SaMad.DATA_OFFSET);
    }

    private String groupShortcoming(FabricSm now, FabricJudge judge, List<Topology.Node> hosts) {
        for (Topology.Node host : hosts) {
            GroupClient client = fabric.devices.groups(host.nodeGuid(), 1);
            for (Gid mgid : client.wantedGroups()) {
                MulticastGroup group = now.memberships.view().groups().stream()
                        .filter(each -> each.mgid().equals(mgid))
                        .findFirst()
                        .orElse(null);
                if (group == null || !isMember(group, host)) {
                    return host.description() + " is no member of " + mgid
                            + (client.joinedGroups().contains(mgid)
                                    ? ", which it does not know"
                                    : ", which it waits for")
                            + " (" + client + ")";
                }
                String lost = copyShortcoming(judge, group, host, hosts);
                if (!lost.isEmpty()) {
                    return lost;
                }
            }
        }
        return "";
    }

    private static boolean isMember(MulticastGroup group, Topology.Node host) {
        return group.members().stream().anyMatch(member -> member.portGid().guid() == host.portGuid(1));
    }

    /**
     * Returns the healthy member that does not get one copy of a packet of another healthy member; empty if there is
     * none.
     */
    private static String copyShortcoming(
            FabricJudge judge, MulticastGroup group, Topology.Node source, List<Topology.Node> hosts) {
        Map<Long, Integer> copies = judge.sendToGroup(source.index(), group.mlid(), 0);
        for (Topology.Node host : hosts) {
            int expected = !host.equals(source) && isMember(group, host) ? 1 : 0;
            if (isMember(group, host) && copies.getOrDefault(host.portGuid(1), 0) != expected) {
                return host.description() + " gets " + copies.getOrDefault(host.portGuid(1), 0)
                        + " copies of a packet of " + source.description() + " to group "
                        + Integer.toHexString(group.mlid());
            }
        }
        return "";
    }
}
