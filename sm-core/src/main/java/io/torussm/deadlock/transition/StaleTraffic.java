package io.torussm.deadlock.transition;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.growth.GrowingOrder;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of a plan together with switches that are not part of it but continue to forward by old tables
 * until their links are down. New tables bypass them, so only their own end ports send packets into them. The
 * check adds the dependencies of these packets to those of the plan, path by path. Pure.
 *
 * <p>Dependencies among such switches are not checked: their tables had a proof of their own.
 */
public final class StaleTraffic {
    private final Plan plan;
    private final Plan before;
    private final Map<Integer, byte[]> held;
    private final Channels channels;
    private final GrowingOrder order;

    private StaleTraffic(
            Plan plan, Certificate certificate, RoutingOptions options, Plan previousPlan, Map<Integer, byte[]> held) {
        this.plan = plan;
        this.before = previousPlan;
        this.held = held;
        this.channels = new Channels(plan, options);
        this.order = new GrowingOrder(certificate.graph(), certificate.numbering());
    }

    /**
     * Returns the limits of the proof of a plan, and credit loops beyond them. They do not reject the plan.
     *
     * @param verdict the verdict on the plan
     * @param previousPlan the plan by which those switches forward
     * @param held by switch of that plan: its known forwarding table, egress port by LID
     */
    public static List<Finding> findings(
            Plan plan,
            @Nullable Verdict verdict,
            RoutingOptions options,
            Plan previousPlan,
            Map<Integer, byte[]> held) {
        List<Finding> findings = new ArrayList<>();
        held.keySet()
                .forEach(sw -> findings.add(SmEvent.PROOF_LIMITED.says(
                        "the proof does not cover ",
                        previousPlan.device(sw),
                        ", which no longer answers but keeps forwarding until the links to it are down")));
        if (verdict instanceof Certificate certificate && !held.isEmpty()) {
            StaleTraffic traffic = new StaleTraffic(plan, certificate, options, previousPlan, held);
            held.keySet().forEach(sw -> {
                Finding loop = traffic.judge(sw);
                if (loop != null) {
                    findings.add(loop);
                }
            });
        }
        return findings;
    }

    /** Checks the packets that a switch sends into the plan; null if they close no credit loop. */
    private @Nullable Finding judge(int sw) {
        for (int dlid = 1; dlid <= before.subnet().topLid(); dlid++) {
            boolean isAnybody = before.subnet().portOfLid(dlid) != Fabric.NONE;
            int sls = isAnybody ? before.slMask(sw, dlid) & 0xffff : 0;
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                if (!isHarmless(sw, dlid, sl)) {
                    return SmEvent.STALE_CREDIT_LOOP.says(
                            "packets of SL " + sl + " to LID " + dlid + " that ",
                            before.device(sw),
                            " still forwards by its old table can close a credit loop with the new routes");
                }
            }
        }
        return null;
    }

    private boolean isHarmless(int from, int dlid, int sl) {
        Fabric old = before.subnet().fabric();
        int at = from;
        for (int hop = 0; hop < old.switchCount(); hop++) {
            byte[] lft = held.get(at);
            int out = lft == null || dlid >= lft.length ? 0xff : lft[dlid] & 0xff;
            int far = out == 0 || out > old.numPorts(at) ? Fabric.NONE : old.peer(old.port(at, out));
            if (far == Fabric.NONE || !old.isSwitch(old.nodeOf(far))) {
                return true;
            }
            at = old.nodeOf(far);
            if (!held.containsKey(at)) {
                int entry = plan.subnet().fabric().nodeByGuid(old.nodeGuid(at));
                return entry == Fabric.NONE || isUpward(entry, old.portNum(far), dlid, sl);
            }
        }
        return true;
    }

    /** Follows the new tables from a switch that packets enter by a port. Returns false if they close a cycle. */
    private boolean isUpward(int entry, int inPort, int dlid, int sl) {
        int sw = entry;
        int in = inPort;
        int waiting = 0;
        int waitingLink = Fabric.NONE;
        for (int hop = 0; hop < channels.switchCount; hop++) {
            byte[] lft = plan.lft(sw);
            int link = dlid < lft.length ? channels.link(sw, lft[dlid] & 0xff) : Fabric.NONE;
            if (link == Fabric.NONE) {
                return true;
            }
            int vls = channels.vlsFrom(sw, in, link - channels.firstLink[sw], sl) & 0x7fff;
            if (!isAdded(waitingLink, waiting, link, vls)) {
                return false;
            }
            waitingLink = link;
            waiting = vls;
            Fabric fabric = plan.subnet().fabric();
            int far = fabric.peer(channels.linkPort(link));
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        return true;
    }

    private boolean isAdded(int link, int vls, int nextLink, int nextVls) {
        for (int held = vls; held != 0; held &= held - 1) {
            for (int wanted = nextVls; wanted != 0; wanted &= wanted - 1) {
                int from = link * Channels.VLS + Integer.numberOfTrailingZeros(held);
                int to = nextLink * Channels.VLS + Integer.numberOfTrailingZeros(wanted);
                if (!order.add(from, to)) {
                    return false;
                }
            }
        }
        return true;
    }
}
