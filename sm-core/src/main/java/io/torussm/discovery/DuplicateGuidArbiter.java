package io.torussm.discovery;

import io.torussm.event.DeviceText;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.DeviceNames;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The decision about devices that a {@link Discovery} finds at an unexpected port. They wait until all other devices
 * are known. Then the previous port of a host is read, to check whether the host moved; a switch is checked for a new
 * cable. A device whose GUID another device has is left out and reported with both locations. Owner thread: the loop.
 */
final class DuplicateGuidArbiter {
    private final MadScope scope;
    private final DiscoveryFindings findings;
    private final FabricBuilder builder;
    private final Cables cables;
    private final Neighbors neighbors;
    private final DeviceNames hosts;
    private final Exploration exploration;

    /** The waiting devices. */
    private final List<Found> heldDevices = new ArrayList<>();

    /**
     * A device at the far end of a cable.
     *
     * @param from near end of the cable
     * @param path directed route to the device
     */
    record Found(NodePort from, NodeInfo info, DrPath path) {}

    /**
     * Creates an arbiter without devices.
     *
     * @param scope scope of the discovery
     * @param survey findings of the discovery so far
     * @param memory previous locations of devices
     */
    DuplicateGuidArbiter(
            MadScope scope, DiscoveryFindings survey, Cables cables, SubnetMemory memory, Exploration exploration) {
        this.scope = scope;
        this.findings = survey;
        this.builder = survey.builder();
        this.cables = cables;
        this.neighbors = memory.neighbors();
        this.hosts = memory.hosts();
        this.exploration = exploration;
    }

    /**
     * Checks whether a device was at another cable in the last known fabric, or had another NodeGUID.
     */
    private boolean isUnexpected(NodePort from, NodeInfo info) {
        if (hasOtherName(info)) {
            return true;
        }
        Neighbors.CableEnd previous = neighbors.far(info.portGuid(), info.localPortNum());
        boolean isKnown = info.isSwitch() ? neighbors.knows(info.portGuid()) : previous != null;
        return isKnown && !new Neighbors.CableEnd(portGuid(from), from.portNum()).equals(previous);
    }

    /**
     * Checks whether the port GUID of a device had another NodeGUID before. For a switch whose NodeGUID differs from
     * its port GUID: whether the NodeGUID was the port GUID of a device.
     */
    private boolean hasOtherName(NodeInfo info) {
        if (info.isSwitch()) {
            return info.nodeGuid() != info.portGuid() && neighbors.knows(info.nodeGuid());
        }
        DeviceNames.Name previous = hosts.name(info.portGuid());
        return previous != null && previous.nodeGuid() != info.nodeGuid();
    }

    private long portGuid(NodePort port) {
        return builder.portGuid(port.nodeGuid(), builder.info(port.nodeGuid()).isSwitch() ? 0 : port.portNum());
    }

    /** Holds an unexpected device until all other devices are known. Returns false if the device is expected. */
    boolean hold(Found found) {
        boolean isHeld = isUnexpected(found.from(), found.info());
        if (isHeld) {
            heldDevices.add(found);
        }
        return isHeld;
    }

    /**
     * Decides about the waiting devices. Returns true if there were any. A device that is absent from its previous port
     * has moved, and is admitted.
     */
    boolean decideHeld() {
        List<Found> due = List.copyOf(heldDevices);
        heldDevices.clear();
        Set<Long> admitted = new HashSet<>();
        for (Found found : due) {
            long guid = found.info().nodeGuid();
            if (!builder.knows(found.from().nodeGuid())
                    || admitted.contains(found.from().nodeGuid())) {
                continue;
            }
            if (admitted.contains(guid)) {
                heldDevices.add(found);
            } else if (!builder.knows(guid) || !exploration.isAdmissible(found.info())) {
                exploration.admit(found.from(), found.info(), found.path());
                admitted.add(guid);
            } else if (found.info().isSwitch()) {
                checkSwitchCable(found);
            } else {
                checkPreviousHostPort(found);
            }
        }
        return !due.isEmpty();
    }

    /** Reads the device at the previous port of a host. If the host is still there, the found device is a duplicate. */
    private void checkPreviousHostPort(Found found) {
        long guid = found.info().nodeGuid();
        int portNum = found.info().localPortNum();
        NodePort place = builder.peer(guid, portNum);
        if (place == null
                || place.equals(found.from())
                || !builder.info(place.nodeGuid()).isSwitch()
                || isTooFar(place.nodeGuid())) {
            exploration.admit(found.from(), found.info(), found.path());
            return;
        }
        scope.get(NodeInfo.TYPE, builder.path(place.nodeGuid()).withHop(place.portNum()), 0, outcome -> {
            if (isAnswerOf(guid, portNum, outcome)) {
                reportDuplicate(found, findings.devicePort(place).text());
            } else {
                cables.removeCable(guid, portNum);
                exploration.admit(found.from(), found.info(), found.path());
            }
        });
    }

    /** Checks whether a switch has a new cable: its own port must lead back to the other end of the cable. */
    private void checkSwitchCable(Found found) {
        long guid = found.info().nodeGuid();
        int portNum = found.info().localPortNum();
        DrPath path = builder.path(guid);
        scope.get(PortInfo.TYPE, path, portNum, outcome -> {
            if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
                exploration.admit(found.from(), found.info(), found.path());
            } else if (!reply.value().isLinkUp() || isTooFar(guid)) {
                reportDuplicate(found, "route " + path);
            } else {
                scope.get(NodeInfo.TYPE, path.withHop(portNum), 0, back -> {
                    if (isAnswerOf(found.from().nodeGuid(), found.from().portNum(), back)) {
                        exploration.connect(found);
                    } else {
                        reportDuplicate(found, "route " + path);
                    }
                });
            }
        });
    }

    private boolean isTooFar(long nodeGuid) {
        return builder.path(nodeGuid).hops() == DrPath.MAX_HOPS;
    }

    private static boolean isAnswerOf(long nodeGuid, int portNum, Outcome<NodeInfo> outcome) {
        return outcome instanceof Outcome.Reply<NodeInfo> reply
                && reply.value().nodeGuid() == nodeGuid
                && reply.value().localPortNum() == portNum;
    }

    private void reportDuplicate(Found found, String place) {
        findings.addDoubtful(found.path(), found.info());
        findings.report(() -> DeviceText.of(
                "duplicate NodeGUID " + Guid.format(found.info().nodeGuid()) + ": ",
                findings.device(found.info().nodeGuid()),
                " is at " + place
                        + " as before, and a device with the same GUID is at "
                        + findings.devicePort(found.from()) + "; the latter is left out; " + Discovery.REMEDY));
    }
}
