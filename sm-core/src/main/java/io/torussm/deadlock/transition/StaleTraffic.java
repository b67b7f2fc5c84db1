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
 * A check of a plan together with stale switches: switches that are not part of the plan but forward by old tables
 * until their links are down. New tables bypass them, so they forward only packets of their own end ports. The check
 * adds the dependencies of these packets to those of the plan, path by path. Pure.
 *
 * <p>Dependencies among stale switches are not checked, because their tables had a proof of their own.
 */
public final class StaleTraffic {
    private final Plan plan;

    /** The plan by which the stale switches forward. */
    private final Plan previousPlan;

    /** By stale switch, as an index of {@link #previousPlan}: [LID] egress port number. */
    private final Map<Integer, byte[]> oldLfts;

    private final Channels channels;
    private final GrowingOrder order;

    private StaleTraffic(
            Plan plan, Certificate certificate, RoutingOptions options, Plan previousPlan, Map<Integer, byte[]> held) {
        this.plan = plan;
        this.previousPlan = previousPlan;
        this.oldLfts = held;
        this.channels = new Channels(plan, options);
        this.order = new GrowingOrder(certificate.graph(), certificate.numbering());
    }

    /**
     * Returns a finding for each stale switch, which the proof does not cover, and for each credit loop that its
     * packets can close. The findings do not reject the plan.
     *
     * @param verdict the verdict on the plan; without a certificate, credit loops are not searched for
     * @param previousPlan the plan by which the stale switches forward
     * @param held by stale switch, as an index of {@code previousPlan}: its known forwarding table, [LID] egress port
     *     number
     */
    public static List<Finding> findings(
            Plan plan,
            @Nullable Verdict verdict,
            RoutingOptions options,
            Plan previousPlan,
            Map<Integer, byte[]> held) {
        List<Finding> findings = new ArrayList<>();
        held.keySet()
                .forEach(sw -> findings.add(SmEvent.PROOF_LIMITED.finding(
                        "the proof does not cover ",
                        previousPlan.device(sw),
                        ", which no longer answers but keeps forwarding until the links to it are down")));
        if (verdict instanceof Certificate certificate && !held.isEmpty()) {
            StaleTraffic traffic = new StaleTraffic(plan, certificate, options, previousPlan, held);
            held.keySet().forEach(sw -> {
                Finding loop = traffic.firstCreditLoop(sw);
                if (loop != null) {
                    findings.add(loop);
                }
            });
        }
        return findings;
    }

    /** Checks the packets of a stale switch. Returns the first credit loop that they can close; null without one. */
    private @Nullable Finding firstCreditLoop(int sw) {
        for (int dlid = 1; dlid <= previousPlan.subnet().topLid(); dlid++) {
            boolean hasPort = previousPlan.subnet().portOfLid(dlid) != Fabric.NONE;
            int sls = hasPort ? previousPlan.slMask(sw, dlid) & 0xffff : 0;
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                if (!isHarmless(sw, dlid, sl)) {
                    return SmEvent.STALE_CREDIT_LOOP.finding(
                            "packets of SL " + sl + " to LID " + dlid + " that ",
                            previousPlan.device(sw),
                            " still forwards by its old table can close a credit loop with the new routes");
                }
            }
        }
        return null;
    }

    /** Follows old tables from a stale switch to the first switch of the plan. Returns false if a cycle closes. */
    private boolean isHarmless(int from, int dlid, int sl) {
        Fabric old = previousPlan.subnet().fabric();
        int sw = from;
        for (int hop = 0; hop < old.switchCount(); hop++) {
            byte[] lft = oldLfts.get(sw);
            int out = lft == null || dlid >= lft.length ? 0xff : lft[dlid] & 0xff;
            int far = out == 0 || out > old.numPorts(sw) ? Fabric.NONE : old.peer(old.port(sw, out));
            if (far == Fabric.NONE || !old.isSwitch(old.nodeOf(far))) {
                return true;
            }
            sw = old.nodeOf(far);
            if (!oldLfts.containsKey(sw)) {
                int entry = plan.subnet().fabric().nodeByGuid(old.nodeGuid(sw));
                return entry == Fabric.NONE || isUpward(entry, old.portNum(far), dlid, sl);
            }
        }
        return true;
    }

    /**
     * Follows the new tables from a switch of the plan, and adds the dependencies of the packets. Returns false if they
     * close a cycle.
     *
     * @param inPort port number by which packets enter the switch
     */
    private boolean isUpward(int entry, int inPort, int dlid, int sl) {
        int sw = entry;
        int in = inPort;
        int heldVls = 0;
        int heldLink = Fabric.NONE;
        for (int hop = 0; hop < channels.switchCount; hop++) {
            byte[] lft = plan.lft(sw);
            int link = dlid < lft.length ? channels.link(sw, lft[dlid] & 0xff) : Fabric.NONE;
            if (link == Fabric.NONE) {
                return true;
            }
            int vls = channels.vlsFrom(sw, in, link - channels.firstLink[sw], sl) & 0x7fff;
            if (!isAdded(heldLink, heldVls, link, vls)) {
                return false;
            }
            heldLink = link;
            heldVls = vls;
            Fabric fabric = plan.subnet().fabric();
            int far = fabric.peer(channels.linkPort(link));
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        return true;
    }

    /** Adds the dependencies of VLs of a link on VLs of the next link. Returns false if they close a cycle. */
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
