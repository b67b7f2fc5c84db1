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
    private final FabricBuilder seen;
    private final DiscoveryFindings survey;
    private final Cables cables;
    private final DeviceReader reader;
    private final SecondLook secondLook;
    private final LastReading last;

    /** The rounds of a partial discovery; null in a whole discovery. */
    private final @Nullable VisitRounds rounds;

    /** Switches (with port number 0) and ports of hosts that responded in this discovery. */
    private final Set<NodePort> visited = new HashSet<>();

    /** Port GUIDs of devices that do not respond and whose location is known. Each is reported once. */
    private final Set<Long> silent = new HashSet<>();

    private final SubnetMemory memory;
    private final DuplicateGuidArbiter duplicates;

    /** The port by port GUID. */
    private final Map<Long, NodePort> owners = new HashMap<>();

    /** Number of nodes. */
    private int nodes;

    /** The reason why there is no fabric; empty without one. */
    private String problem = "";

    /** True if the local port responded. */
    private boolean foundSelf;

    private long ownPortGuid;

    private Exploration(
            StageContext context,
            SecondLook secondLook,
            @Nullable Fabric last,
            FabricBuilder seen,
            boolean isPartial,
            Consumer<Discovery.DiscoveryResult> then) {
        this.secondLook = secondLook;
        this.memory = context.memory();
        this.keys = memory.keys();
        this.scope = context.scope();
        this.seen = seen;
        this.then = then;
        this.survey = new DiscoveryFindings(seen, memory);
        this.last = new LastReading(last, survey);
        this.cables = new Cables(scope, survey, isPartial);
        this.reader = new DeviceReader(scope, survey, cables, keys, secondLook, this.last, this);
        this.duplicates = new DuplicateGuidArbiter(scope, survey, cables, memory, this);
        this.rounds = isPartial
                ? new VisitRounds(context, scope, seen, cables, duplicates, secondLook, this.last, this)
                : null;
    }

    /**
     * Reads the whole fabric.
     *
     * @param last the last fabric, with which responses are compared; null before the first discovery
     * @param then callback, called once, on the loop
     */
    static Exploration ofAll(
            StageContext context,
            SecondLook secondLook,
            @Nullable Fabric last,
            Names names,
            Consumer<Discovery.DiscoveryResult> then) {
        Exploration exploration = new Exploration(context, secondLook, last, new FabricBuilder(names), false, then);
        exploration.keys.beginDiscovery();
        exploration.cross(null, DrPath.LOCAL);
        exploration.scope.whenIdle(exploration::finishWhenNobodyIsInDoubt);
        return exploration;
    }

    /**
     * Reads some switches of a fabric again, with their neighbourhoods.
     *
     * @param changed NodeGUIDs of the switches; unknown switches are ignored
     * @param then callback, called once, on the loop
     */
    static Exploration around(
            StageContext context,
            SecondLook secondLook,
            Fabric known,
            Collection<Long> changed,
            Consumer<Discovery.DiscoveryResult> then) {
        Exploration exploration = new Exploration(context, secondLook, known, FabricBuilder.of(known), true, then);
        exploration.foundSelf = true;
        exploration.ownPortGuid = known.portGuid(known.localPort());
        exploration.nodes = known.nodeCount();
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
    boolean notice(long guid) {
        if (hasVisited(guid)) {
            return false;
        }
        if (rounds != null) {
            rounds.notice(guid);
        }
        return true;
    }

    /** Checks whether a switch responded in this discovery. */
    boolean hasVisited(long guid) {
        return visited.contains(new NodePort(guid, 0));
    }

    /** Handles the loss of a cable to a switch, by NodeGUID, of a known fabric. */
    void lost(long switchGuid) {
        if (rounds != null) {
            rounds.lost(switchGuid);
        }
    }

    /** Checks whether a device is unknown, or can be the known device with its NodeGUID. */
    boolean isAdmissible(NodeInfo info) {
        return !seen.knows(info.nodeGuid()) || isSameNode(info);
    }

    /**
     * Reads a switch of a known fabric that responded, unless it was removed with its last link. If a removed switch
     * returns, its neighbours report new links.
     *
     * @return whether its reading begins
     */
    boolean visit(NodeInfo info, DrPath path) {
        boolean isRead = seen.knows(info.nodeGuid()) && visited.add(new NodePort(info.nodeGuid(), 0));
        if (isRead) {
            keys.reached(path, info.portGuid());
            reader.read(info, path);
        }
        return isRead;
    }

    private void finishWhenNobodyIsInDoubt() {
        if (duplicates.judge() || secondLook.begin()) {
            scope.whenIdle(this::finishWhenNobodyIsInDoubt);
        } else {
            finish();
        }
    }

    /** Ends the discovery. */
    void finish() {
        survey.reportOddities();
        Fabric fabric = foundSelf && problem.isEmpty() ? seen.build() : null;
        if (fabric != null) {
            keys.endDiscovery(fabric);
        }
        then.accept(new Discovery.DiscoveryResult(
                fabric, reader.remoteSms(), reader.silentSms(), survey.silent(), reader.read(), problem));
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
                && seen.knows(self.nodeGuid())
                && !seen.info(self.nodeGuid()).isSwitch();
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
        NodeInfo expected = last.behind(from);
        secondLook.cross(
                scope,
                from,
                expected == null ? question : last.verified(scope, question, info -> info.equals(expected)));
    }

    private void onNodeInfo(@Nullable NodePort from, DrPath path, Outcome<NodeInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<NodeInfo> reply)) {
            secondLook.missed(
                    new Unanswered(path, NodeInfo.TYPE, 0),
                    outcome,
                    () -> crossAgain(from, path),
                    () -> noteSilence(from, path, outcome));
            return;
        }
        NodeInfo info = reply.value();
        keys.reached(path, info.portGuid());
        String nonsense = Plausibility.objection(info, from != null);
        if (!nonsense.isEmpty()) {
            survey.noteSilent(path, NodeInfo.TYPE, 0); // it may recover, and no device would report that
            survey.report(
                    () -> DeviceText.of(survey.where(from), " leads to a device that cannot be used: " + nonsense));
            return;
        }
        if (from == null) {
            foundSelf = true;
            ownPortGuid = info.portGuid();
        }
        if (from == null || !duplicates.hold(new DuplicateGuidArbiter.Found(from, info, path))) {
            admit(from, info, path);
        }
    }

    /** Crosses a cable again, by another route, unless its switch was removed meanwhile. */
    private void crossAgain(@Nullable NodePort from, DrPath path) {
        if (from != null && !seen.knows(from.nodeGuid())) {
            return;
        }
        DrPath way = from != null && path.hops() > 0
                ? otherWay(seen.info(from.nodeGuid()), path.parent()).then(from.portNum())
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
    DrPath otherWay(NodeInfo info, DrPath path) {
        DrPath detour = seen.knows(info.nodeGuid()) ? seen.detour(info.nodeGuid()) : null;
        if (detour == null || detour.hops() == DrPath.MAX_HOPS) {
            return path;
        }
        keys.reached(detour, info.portGuid());
        return detour;
    }

    /** Adds a device to the fabric and reads it. A device that contradicts known devices is reported and left out. */
    void admit(@Nullable NodePort from, NodeInfo info, DrPath path) {
        NodePort self = new NodePort(info.nodeGuid(), info.isSwitch() ? 0 : info.localPortNum());
        NodePort owner = owners.putIfAbsent(info.portGuid(), self);
        if (owner != null && !owner.equals(self) && seen.knows(owner.nodeGuid())) {
            survey.noteDoubted(path, info);
            survey.report(() -> DeviceText.of(
                    "duplicate port GUID " + Guid.format(info.portGuid()) + ": ",
                    survey.where(owner),
                    " has it, and so has " + Guid.format(info.nodeGuid()) + " behind " + survey.where(from)
                            + ", which is left out; " + Discovery.REMEDY));
            return;
        }
        owners.put(info.portGuid(), self);
        boolean isNew = !seen.knows(info.nodeGuid());
        if (isNew) {
            if (!countNode()) {
                return;
            }
            seen.addNode(info, path);
        } else if (!isSameNode(info)) {
            survey.noteDoubted(path, info);
            survey.report(() -> DeviceText.of(
                    "duplicate NodeGUID " + Guid.format(info.nodeGuid()) + ": ",
                    survey.where(from),
                    " leads to another device than " + seat(info) + "; it is left out; " + Discovery.REMEDY));
            return;
        }
        if (from != null && !cables.link(from, info)) {
            survey.noteDoubted(path, info);
            return;
        }
        boolean isFirstVisit = visited.add(self);
        if (isNew || (isFirstVisit && isPartial())) {
            seen.addNode(info, path);
            reader.read(info, path);
        } else if (isFirstVisit) {
            seen.addNode(info, path);
            reader.askPort(info, info.localPortNum(), path);
        }
    }

    /** Returns the location of a node that was found before and may have been removed meanwhile, for the operator. */
    private String seat(NodeInfo info) {
        if (!seen.knows(info.nodeGuid())) {
            return "the one found first, which is no longer reached";
        }
        NodePort place = info.isSwitch() ? null : seen.peer(info.nodeGuid(), info.localPortNum());
        return place == null
                ? "route " + seen.path(info.nodeGuid())
                : survey.where(place).text();
    }

    /** Reports that the device at the far end of a cable does not respond. */
    private void noteSilence(@Nullable NodePort from, DrPath path, Outcome<NodeInfo> outcome) {
        if (from != null && !seen.knows(from.nodeGuid())) {
            return;
        }
        if (from == null) {
            problem = "the local port does not answer (" + outcome + ")" + MKeyHint.ofSilence(outcome);
        } else {
            survey.noteSilent(path, NodeInfo.TYPE, 0);
            String reason = " (" + outcome + ")" + (keys.isInUse() ? MKeyHint.ofSilence(outcome) : "");
            Neighbors.CableEnd cabled =
                    memory.neighbors().far(seen.info(from.nodeGuid()).portGuid(), from.portNum());
            if (cabled == null) {
                survey.report(
                        () -> DeviceText.of(survey.where(from), " is up, but nothing behind it answers" + reason));
            } else if (silent.add(cabled.portGuid())) {
                survey.report(() -> DeviceText.of(
                        survey.remembered(cabled),
                        " does not answer, although ",
                        survey.where(near(cabled, from)),
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
    private NodePort near(Neighbors.CableEnd device, NodePort asked) {
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
        boolean isThere = seen.knows(guid) && portNum <= seen.info(guid).numPorts();
        PortInfo port = isThere ? seen.portInfo(guid, portNum) : null;
        return port != null && port.isLinkUp();
    }

    private boolean countNode() {
        nodes++;
        if (nodes == MAX_NODES + 1) {
            seen.report("more than " + MAX_NODES + " nodes; the others are left out");
        }
        return nodes <= MAX_NODES;
    }

    private boolean isSameNode(NodeInfo info) {
        NodeInfo known = seen.info(info.nodeGuid());
        return known.nodeType() == info.nodeType()
                && known.numPorts() == info.numPorts()
                && (!info.isSwitch() || known.portGuid() == info.portGuid());
    }

    /** Records a new cable between two switches that have not moved. */
    void connect(DuplicateGuidArbiter.Found found) {
        boolean isKnown =
                seen.knows(found.from().nodeGuid()) && seen.knows(found.info().nodeGuid());
        if (isKnown && isSameNode(found.info()) && cables.link(found.from(), found.info()) && rounds != null) {
            rounds.expect(found.info().nodeGuid());
        }
    }
}
