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
    private final DiscoveryFindings findings;
    private final FabricBuilder builder;

    /** True if the discovery is partial, so that cables which were not crossed are from an earlier discovery. */
    private final boolean isPartial;

    /** Ends of cables that were crossed in this discovery. */
    private final Set<NodePort> crossedPorts = new HashSet<>();

    /** NodeGUIDs of switches that lost a link to a visited switch. */
    private final Set<Long> switchesWithLostLinks = new LinkedHashSet<>();

    Cables(MadScope scope, DiscoveryFindings survey, boolean isPartial) {
        this.scope = scope;
        this.findings = survey;
        this.builder = survey.builder();
        this.isPartial = isPartial;
    }

    /**
     * Returns the NodeGUIDs of switches that lost a link to a visited switch. The caller removes each that it visits.
     */
    Set<Long> switchesWithLostLinks() {
        return switchesWithLostLinks;
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
            findings.report(() -> DeviceText.of(
                    findings.devicePort(from), " is connected to itself (loopback plug); it is left out"));
            return false;
        }
        NodePort claimed = builder.peer(far.nodeGuid(), far.portNum());
        boolean isOther = claimed != null && !claimed.equals(from);
        if (isOther && isPartial && !crossedPorts.contains(far)) {
            removeCable(far.nodeGuid(), far.portNum());
        } else if (claimed != null && isOther) {
            resolveConflict(from, info, claimed);
            return false;
        }
        NodePort own = builder.peer(from.nodeGuid(), from.portNum());
        if (own != null && !own.equals(far)) {
            builder.unlink(from.nodeGuid(), from.portNum());
        }
        builder.link(from.nodeGuid(), from.portNum(), far.nodeGuid(), far.portNum());
        crossedPorts.add(from);
        crossedPorts.add(far);
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
    private void resolveConflict(NodePort from, NodeInfo info, NodePort claimed) {
        long guid = info.nodeGuid();
        int portNum = info.localPortNum();
        findings.report(() -> DeviceText.of(
                "duplicate NodeGUID " + Guid.format(guid) + " or a cable that was moved just now: ",
                findings.devicePort(from),
                " and " + findings.devicePort(claimed) + " both lead to port " + portNum + " of "
                        + findings.device(guid) + "; one of them is left out; " + Discovery.REMEDY));
        if (!builder.info(guid).isSwitch() || builder.path(guid).hops() == DrPath.MAX_HOPS) {
            return;
        }
        DrPath beyond = builder.path(guid).withHop(portNum);
        scope.get(NodeInfo.TYPE, beyond, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply) {
                NodeInfo far = reply.value();
                boolean isClaimant = far.nodeGuid() == from.nodeGuid() && far.localPortNum() == from.portNum();
                if (isClaimant && builder.knows(far.nodeGuid())) {
                    builder.unlink(guid, portNum);
                    builder.link(from.nodeGuid(), from.portNum(), guid, portNum);
                    findings.removeDoubtful(across(from));
                    if (builder.knows(claimed.nodeGuid())
                            && builder.info(claimed.nodeGuid()).isSwitch()) {
                        findings.addDoubtful(across(claimed), info);
                    }
                }
            }
        });
    }

    private DrPath across(NodePort port) {
        return builder.path(port.nodeGuid()).withHop(port.portNum());
    }

    /** Checks whether a known link is unchanged: it was crossed in this discovery, or never went down. */
    boolean isLinkUnchanged(long guid, int portNum, PortInfo port) {
        return port.isArmedOrActive() || (port.isLinkUp() && crossedPorts.contains(new NodePort(guid, portNum)));
    }

    /**
     * Removes a cable. A switch at its far end is added to {@link #switchesWithLostLinks}.
     *
     * @return NodeGUID of the switch at the far end; null without a cable, or if it led to a host
     */
    @Nullable
    Long removeCable(long guid, int portNum) {
        NodePort far = builder.peer(guid, portNum);
        builder.unlink(guid, portNum);
        if (far == null || !builder.info(far.nodeGuid()).isSwitch()) {
            return null;
        }
        switchesWithLostLinks.add(far.nodeGuid());
        return far.nodeGuid();
    }
}
