package io.torussm.discovery;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.Names;
import io.torussm.stage.Plausibility;
import io.torussm.stage.StageContext;
import io.torussm.subnet.MKeyHint;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The course of one discovery, breadth first. A whole discovery begins at the local port and crosses every cable. A
 * partial discovery visits switches of a known fabric in rounds, until their responses lead to no further switch. An
 * instance is used once. Owner thread: the loop.
 */
final class Exploration {
    /**
     * The max number of nodes: the number of unicast LIDs (IBA 4.1.3). It bounds the work if a device invents GUIDs.
     */
    private static final int MAX_NODES = 0xbfff;

    private final MKeyStore keys;
    private final MadScope scope;

    private final Consumer<Discovery.DiscoveryResult> then;
    private final FabricBuilder builder;
    private final DiscoveryFindings findings;
    private final Cables cables;
    private final DeviceReader reader;
    private final RequestRepetitions repetitions;
    private final LastReading lastReading;

    /** The rounds of a partial discovery; null in a whole discovery. */
    private final @Nullable VisitRounds rounds;

    /** Switches (with port number 0) and ports of hosts that responded in this discovery. */
    private final Set<NodePort> visitedPorts = new HashSet<>();

    /** Port GUIDs of devices that do not respond and whose location is known. Each is reported once. */
    private final Set<Long> silentPortGuids = new HashSet<>();

    private final SubnetMemory memory;
    private final DuplicateGuidArbiter duplicates;

    /** The port by port GUID. */
    private final Map<Long, NodePort> owners = new HashMap<>();

    /** Number of nodes. */
    private int nodeCount;

    /** The reason why there is no fabric; empty without one. */
    private String problem = "";

    /** True if the local port responded. */
    private boolean isOwnPortFound;

    private long ownPortGuid;

    private Exploration(
            StageContext context,
            RequestRepetitions secondLook,
            @Nullable Fabric last,
            FabricBuilder seen,
            boolean isPartial,
            Consumer<Discovery.DiscoveryResult> then) {
        this.repetitions = secondLook;
        this.memory = context.memory();
        this.keys = memory.keys();
        this.scope = context.scope();
        this.builder = seen;
        this.then = then;
        this.findings = new DiscoveryFindings(seen, memory);
        this.lastReading = new LastReading(last, findings);
        this.cables = new Cables(scope, findings, isPartial);
        this.reader = new DeviceReader(scope, findings, cables, keys, secondLook, this.lastReading, this);
        this.duplicates = new DuplicateGuidArbiter(scope, findings, cables, memory, this);
        this.rounds = isPartial
                ? new VisitRounds(context, scope, seen, cables, duplicates, secondLook, this.lastReading, this)
                : null;
    }

    /**
     * Reads the whole fabric.
     *
     * @param last the last fabric, with which responses are compared; null before the first discovery
     * @param then callback, called once, on the loop
     */
    static Exploration exploreAll(
            StageContext context,
            RequestRepetitions secondLook,
            @Nullable Fabric last,
            Names names,
            Consumer<Discovery.DiscoveryResult> then) {
        Exploration exploration = new Exploration(context, secondLook, last, new FabricBuilder(names), false, then);
        exploration.keys.beginDiscovery();
        exploration.cross(null, DrPath.LOCAL);
        exploration.scope.whenIdle(exploration::finishWhenNoDeviceIsInDoubt);
        return exploration;
    }

    /**
     * Reads some switches of a fabric again, with their neighbourhoods.
     *
     * @param changed NodeGUIDs of the switches; unknown switches are ignored
     * @param then callback, called once, on the loop
     */
    static Exploration exploreSwitches(
            StageContext context,
            RequestRepetitions secondLook,
            Fabric known,
            Collection<Long> changed,
            Consumer<Discovery.DiscoveryResult> then) {
        Exploration exploration = new Exploration(context, secondLook, known, FabricBuilder.of(known), true, then);
        exploration.isOwnPortFound = true;
        exploration.ownPortGuid = known.portGuid(known.localPort());
        exploration.nodeCount = known.nodeCount();
        for (int port = 0; port < known.portCount(); port++) {
            if (known.isEndport(port)) {
                exploration.owners.put(known.portGuid(port), known.nodePort(port));
            }
        }
        Objects.requireNonNull(exploration.rounds).begin(changed);
        return exploration;
    }

    /**
     * Checks whether the discovery is partial, so that devices which were not visited are from an earlier discovery.
     */
    boolean isPartial() {
        return rounds != null;
    }

    /** Returns the port GUID of the local port. */
    long ownPortGuid() {
        return ownPortGuid;
    }

    /** Records a reason for which the discovery ends without a fabric. */
    void fail(String reason) {
        problem = reason;
    }

    /**
     * Handles the report of a switch that one of its ports changed.
     *
     * @return whether this discovery will include the change, because it has not yet read the switch
     */
    boolean onPortChange(long guid) {
        if (hasVisited(guid)) {
            return false;
        }
        if (rounds != null) {
            rounds.onPortChange(guid);
        }
        return true;
    }

    /** Checks whether a switch responded in this discovery. */
    boolean hasVisited(long guid) {
        return visitedPorts.contains(new NodePort(guid, 0));
    }

    /** Handles the loss of a cable to a switch, by NodeGUID, of a known fabric. */
    void onCableLost(long switchGuid) {
        if (rounds != null) {
            rounds.onCableLost(switchGuid);
        }
    }

    /** Checks whether a device is unknown, or can be the known device with its NodeGUID. */
    boolean isAdmissible(NodeInfo info) {
        return !builder.knows(info.nodeGuid()) || isSameNode(info);
    }

    /**
     * Reads a switch of a known fabric that responded, unless it was removed with its last link. If a removed switch
     * returns, its neighbours report new links.
     *
     * @return whether its reading begins
     */
    boolean visit(NodeInfo info, DrPath path) {
        boolean isRead = builder.knows(info.nodeGuid()) && visitedPorts.add(new NodePort(info.nodeGuid(), 0));
        if (isRead) {
            keys.recordRoute(path, info.portGuid());
            reader.read(info, path);
        }
        return isRead;
    }

    private void finishWhenNoDeviceIsInDoubt() {
        if (duplicates.decideHeld() || repetitions.repeatPending()) {
            scope.whenIdle(this::finishWhenNoDeviceIsInDoubt);
        } else {
            finish();
        }
    }

    /** Ends the discovery. */
    void finish() {
        findings.addAnomaliesToFabric();
        Fabric fabric = isOwnPortFound && problem.isEmpty() ? builder.build() : null;
        if (fabric != null) {
            keys.endDiscovery(fabric);
        }
        then.accept(new Discovery.DiscoveryResult(
                fabric, reader.remoteSms(), reader.silentSms(), findings.unansweredRequests(), reader.read(), problem));
    }

    /**
     * Returns the route across a cable. From the first switch, the cable of the local port leads back to the local
     * port. Its device is then read by the empty route, because an SMP over the cable could be lost, and so the whole
     * fabric.
     *
     * @param path route to the device at the far end
     * @param isBack whether the cable is that of the local port
     */
    DrPath across(DrPath path, boolean isBack) {
        NodePort self = isBack ? owners.get(ownPortGuid) : null;
        boolean isHost = self != null
                && builder.knows(self.nodeGuid())
                && !builder.info(self.nodeGuid()).isSwitch();
        return isHost ? DrPath.LOCAL : path;
    }

    /**
     * Crosses a cable: reads the NodeInfo of the device at its far end.
     *
     * @param from near end of the cable; null to read the device of the local port
     * @param path route to the device
     */
    void cross(@Nullable NodePort from, DrPath path) {
        SmpRequest<NodeInfo> question =
                SmpRequest.get(NodeInfo.TYPE, path, 0, outcome -> onNodeInfo(from, path, outcome));
        NodeInfo expected = lastReading.farNodeInfo(from);
        repetitions.cross(
                scope,
                from,
                expected == null
                        ? question
                        : lastReading.withVerification(scope, question, info -> info.equals(expected)));
    }

    private void onNodeInfo(@Nullable NodePort from, DrPath path, Outcome<NodeInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<NodeInfo> reply)) {
            repetitions.onNoResponse(
                    new UnansweredRequest(path, NodeInfo.TYPE, 0),
                    outcome,
                    () -> crossAgain(from, path),
                    () -> reportSilentDevice(from, path, outcome));
            return;
        }
        NodeInfo info = reply.value();
        keys.recordRoute(path, info.portGuid());
        String nonsense = Plausibility.fault(info, from != null);
        if (!nonsense.isEmpty()) {
            findings.addUnanswered(path, NodeInfo.TYPE, 0); // it may recover, and no device would report that
            findings.report(() ->
                    DeviceText.of(findings.devicePort(from), " leads to a device that cannot be used: " + nonsense));
            return;
        }
        if (from == null) {
            isOwnPortFound = true;
            ownPortGuid = info.portGuid();
        }
        if (from == null || !duplicates.hold(new DuplicateGuidArbiter.Found(from, info, path))) {
            admit(from, info, path);
        }
    }

    /** Crosses a cable again, by another route, unless its switch was removed meanwhile. */
    private void crossAgain(@Nullable NodePort from, DrPath path) {
        if (from != null && !builder.knows(from.nodeGuid())) {
            return;
        }
        DrPath way = from != null && path.hops() > 0
                ? alternativeRoute(builder.info(from.nodeGuid()), path.parent()).withHop(from.portNum())
                : path;
        scope.get(
                NodeInfo.TYPE,
                way,
                0,
                outcome -> onNodeInfo(from, outcome instanceof Outcome.Reply<NodeInfo> ? way : path, outcome));
    }

    /**
     * Returns another route to a device, which ends with another switch; {@code path} without such a route.
     */
    DrPath alternativeRoute(NodeInfo info, DrPath path) {
        DrPath detour = builder.knows(info.nodeGuid()) ? builder.detour(info.nodeGuid()) : null;
        if (detour == null || detour.hops() == DrPath.MAX_HOPS) {
            return path;
        }
        keys.recordRoute(detour, info.portGuid());
        return detour;
    }

    /** Adds a device to the fabric and reads it. A device that contradicts known devices is reported and left out. */
    void admit(@Nullable NodePort from, NodeInfo info, DrPath path) {
        NodePort self = new NodePort(info.nodeGuid(), info.isSwitch() ? 0 : info.localPortNum());
        NodePort owner = owners.putIfAbsent(info.portGuid(), self);
        if (owner != null && !owner.equals(self) && builder.knows(owner.nodeGuid())) {
            findings.addDoubtful(path, info);
            findings.report(() -> DeviceText.of(
                    "duplicate port GUID " + Guid.format(info.portGuid()) + ": ",
                    findings.devicePort(owner),
                    " has it, and so has " + Guid.format(info.nodeGuid()) + " behind " + findings.devicePort(from)
                            + ", which is left out; " + Discovery.REMEDY));
            return;
        }
        owners.put(info.portGuid(), self);
        boolean isNew = !builder.knows(info.nodeGuid());
        if (isNew) {
            if (!countNode()) {
                return;
            }
            builder.addNode(info, path);
        } else if (!isSameNode(info)) {
            findings.addDoubtful(path, info);
            findings.report(() -> DeviceText.of(
                    "duplicate NodeGUID " + Guid.format(info.nodeGuid()) + ": ",
                    findings.devicePort(from),
                    " leads to another device than " + location(info) + "; it is left out; " + Discovery.REMEDY));
            return;
        }
        if (from != null && !cables.link(from, info)) {
            findings.addDoubtful(path, info);
            return;
        }
        boolean isFirstVisit = visitedPorts.add(self);
        if (isNew || (isFirstVisit && isPartial())) {
            builder.addNode(info, path);
            reader.read(info, path);
        } else if (isFirstVisit) {
            builder.addNode(info, path);
            reader.readPort(info, info.localPortNum(), path);
        }
    }

    /** Returns the location of a node that was found before and may have been removed meanwhile, for the operator. */
    private String location(NodeInfo info) {
        if (!builder.knows(info.nodeGuid())) {
            return "the one found first, which is no longer reached";
        }
        NodePort place = info.isSwitch() ? null : builder.peer(info.nodeGuid(), info.localPortNum());
        return place == null
                ? "route " + builder.path(info.nodeGuid())
                : findings.devicePort(place).text();
    }

    /** Reports that the device at the far end of a cable does not respond. */
    private void reportSilentDevice(@Nullable NodePort from, DrPath path, Outcome<NodeInfo> outcome) {
        if (from != null && !builder.knows(from.nodeGuid())) {
            return;
        }
        if (from == null) {
            problem = "the local port does not answer (" + outcome + ")" + MKeyHint.ofSilence(outcome);
        } else {
            findings.addUnanswered(path, NodeInfo.TYPE, 0);
            String reason = " (" + outcome + ")" + (keys.isInUse() ? MKeyHint.ofSilence(outcome) : "");
            Neighbors.CableEnd cabled =
                    memory.neighbors().far(builder.info(from.nodeGuid()).portGuid(), from.portNum());
            if (cabled == null) {
                findings.report(() ->
                        DeviceText.of(findings.devicePort(from), " is up, but nothing behind it answers" + reason));
            } else if (silentPortGuids.add(cabled.portGuid())) {
                findings.report(() -> DeviceText.of(
                        findings.absentDevice(cabled),
                        " does not answer, although ",
                        findings.devicePort(nearEnd(cabled, from)),
                        ", which is cabled to it, is up" + reason));
            }
        }
    }

    /**
     * Returns the near end of the cable with the lowest port number at a silent device, among near ends whose link is
     * up. So the report does not depend on the port that missed a response first.
     *
     * @param asked the port that missed a response, as a default
     */
    private NodePort nearEnd(Neighbors.CableEnd device, NodePort asked) {
        for (int portNum = 1; portNum <= NodeInfo.MAX_PORT_NUM; portNum++) {
            Neighbors.CableEnd near = memory.neighbors().far(device.portGuid(), portNum);
            NodePort owner = near == null ? null : owners.get(near.portGuid());
            if (near != null && owner != null && isUp(owner.nodeGuid(), near.portNum())) {
                return new NodePort(owner.nodeGuid(), near.portNum());
            }
        }
        return asked;
    }

    private boolean isUp(long guid, int portNum) {
        boolean isThere = builder.knows(guid) && portNum <= builder.info(guid).numPorts();
        PortInfo port = isThere ? builder.portInfo(guid, portNum) : null;
        return port != null && port.isLinkUp();
    }

    private boolean countNode() {
        nodeCount++;
        if (nodeCount == MAX_NODES + 1) {
            builder.report("more than " + MAX_NODES + " nodes; the others are left out");
        }
        return nodeCount <= MAX_NODES;
    }

    private boolean isSameNode(NodeInfo info) {
        NodeInfo known = builder.info(info.nodeGuid());
        return known.nodeType() == info.nodeType()
                && known.numPorts() == info.numPorts()
                && (!info.isSwitch() || known.portGuid() == info.portGuid());
    }

    /** Records a new cable between two switches that have not moved. */
    void connect(DuplicateGuidArbiter.Found found) {
        boolean isKnown = builder.knows(found.from().nodeGuid())
                && builder.knows(found.info().nodeGuid());
        if (isKnown && isSameNode(found.info()) && cables.link(found.from(), found.info()) && rounds != null) {
            rounds.visitLater(found.info().nodeGuid());
        }
    }
}
