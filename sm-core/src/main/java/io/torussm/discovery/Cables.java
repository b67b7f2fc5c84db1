package io.torussm.discovery;

import io.torussm.event.DeviceText;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cables of a discovery. Each cable is crossed once. If two ports claim a cable to the same third port, the third
 * port itself is crossed to decide. Owner thread: the loop.
 */
final class Cables {
    private final MadScope scope;
    private final DiscoveryFindings survey;
    private final FabricBuilder seen;

    /** True if the discovery is partial, so that cables which were not crossed are from an earlier discovery. */
    private final boolean isPartial;

    /** Ends of cables that were crossed in this discovery. */
    private final Set<NodePort> crossed = new HashSet<>();

    /** NodeGUIDs of switches that lost a link to a visited switch. */
    private final Set<Long> bereft = new LinkedHashSet<>();

    Cables(MadScope scope, DiscoveryFindings survey, boolean isPartial) {
        this.scope = scope;
        this.survey = survey;
        this.seen = survey.seen();
        this.isPartial = isPartial;
    }

    /**
     * Returns the NodeGUIDs of switches that lost a link to a visited switch. The caller removes each that it visits.
     */
    Set<Long> bereft() {
        return bereft;
    }

    /**
     * Records a cable that was crossed. Returns false if the response contradicts other cables or is a loop-back, so
     * that the device must be left out.
     *
     * @param from near end
     * @param info NodeInfo of the device at the far end, with the port number there
     */
    boolean link(NodePort from, NodeInfo info) {
        NodePort far = new NodePort(info.nodeGuid(), info.localPortNum());
        if (far.equals(from)) {
            survey.report(
                    () -> DeviceText.of(survey.where(from), " is connected to itself (loopback plug); it is left out"));
            return false;
        }
        NodePort claimed = seen.peer(far.nodeGuid(), far.portNum());
        boolean isOther = claimed != null && !claimed.equals(from);
        if (isOther && isPartial && !crossed.contains(far)) {
            loosen(far.nodeGuid(), far.portNum());
        } else if (claimed != null && isOther) {
            settle(from, info, claimed);
            return false;
        }
        NodePort own = seen.peer(from.nodeGuid(), from.portNum());
        if (own != null && !own.equals(far)) {
            seen.unlink(from.nodeGuid(), from.portNum());
        }
        seen.link(from.nodeGuid(), from.portNum(), far.nodeGuid(), far.portNum());
        crossed.add(from);
        crossed.add(far);
        return true;
    }

    /**
     * Settles a conflict of two ports that claim a cable to the same third port. The third port is crossed; the port at
     * its far end is right.
     *
     * @param from the port that was crossed last
     * @param info NodeInfo of the device of the third port
     * @param claimed the port that claimed the cable first
     */
    private void settle(NodePort from, NodeInfo info, NodePort claimed) {
        long guid = info.nodeGuid();
        int portNum = info.localPortNum();
        survey.report(() -> DeviceText.of(
                "duplicate NodeGUID " + Guid.format(guid) + " or a cable that was moved just now: ",
                survey.where(from),
                " and " + survey.where(claimed) + " both lead to port " + portNum + " of " + survey.device(guid)
                        + "; one of them is left out; " + Discovery.REMEDY));
        if (!seen.info(guid).isSwitch() || seen.path(guid).hops() == DrPath.MAX_HOPS) {
            return;
        }
        DrPath beyond = seen.path(guid).then(portNum);
        scope.get(NodeInfo.TYPE, beyond, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply) {
                NodeInfo far = reply.value();
                boolean isClaimant = far.nodeGuid() == from.nodeGuid() && far.localPortNum() == from.portNum();
                if (isClaimant && seen.knows(far.nodeGuid())) {
                    seen.unlink(guid, portNum);
                    seen.link(from.nodeGuid(), from.portNum(), guid, portNum);
                    survey.noteBelieved(across(from));
                    if (seen.knows(claimed.nodeGuid())
                            && seen.info(claimed.nodeGuid()).isSwitch()) {
                        survey.noteDoubted(across(claimed), info);
                    }
                }
            }
        });
    }

    private DrPath across(NodePort port) {
        return seen.path(port.nodeGuid()).then(port.portNum());
    }

    /** Checks whether a known link is unchanged: it was crossed in this discovery, or never went down. */
    boolean isAsBefore(long guid, int portNum, PortInfo port) {
        return port.portState() > PortInfo.STATE_INITIALIZE
                || (port.isLinkUp() && crossed.contains(new NodePort(guid, portNum)));
    }

    /**
     * Removes a cable. A switch at its far end is added to {@link #bereft}.
     *
     * @return NodeGUID of the switch at the far end; null without a cable, or if it led to a host
     */
    @Nullable
    Long loosen(long guid, int portNum) {
        NodePort far = seen.peer(guid, portNum);
        seen.unlink(guid, portNum);
        if (far == null || !seen.info(far.nodeGuid()).isSwitch()) {
            return null;
        }
        bereft.add(far.nodeGuid());
        return far.nodeGuid();
    }
}
