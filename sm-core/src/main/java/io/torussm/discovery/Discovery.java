package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.subnet.MKeyHint;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fabric by directed routes, breadth first, and freezes what it saw (IBA 14.4.3).
 *
 * <p>Every cable is crossed once: its far end is known from the answer, so it is not asked for again from there. A
 * claim that contradicts an earlier one (two answers naming the same port as their neighbour) is settled by crossing the
 * disputed port itself; what is left over is a duplicate GUID, which is reported and kept out of the fabric. Who answers
 * elsewhere than where he was when the fabric was seen last waits until all others are known: either he is not there any
 * more, then he moved; or he is, then the newcomer bears a name that is taken, and the fabric stays as it is.
 *
 * <p>It can also start from a fabric that is known and read again only switches whose ports changed: a link there that
 * is down is forgotten, one that trained anew is crossed again, whatever is behind it is read as if it were new, and the
 * switch at the far end of a lost link is looked at, too.
 *
 * <p>Runs on the client's loop; one instance, one discovery.
 */
public final class Discovery implements AutoCloseable {
    private static final int MAX_PORTS = 254;

    /** More nodes than unicast LIDs (IBA 4.1.3); who finds more is being lied to, by a device with ever new GUIDs. */
    private static final int MAX_NODES = 0xbfff;

    /** Switches of one round that are asked by two routes. */
    private static final int MAX_DETOURS = 32;

    /** What is to be done about a GUID that two devices have. */
    static final String REMEDY = "unplug it, or give it GUIDs of its own";

    /**
     * What was found.
     *
     * @param fabric null if there is nothing beyond this port: it does not answer, or its link is down
     * @param silentSms routes to ports that say that they have an SM, which does not answer
     * @param silent routes to devices that did not tell all that they were asked for; should one answer later, the
     *     fabric is not what it was
     * @param read NodeGUIDs of switches that told their SwitchInfo, and whether it says that a port changed
     * @param problem why there is no fabric
     */
    public record Result(
            @Nullable Fabric fabric,
            List<DiscoveredSm> remoteSms,
            List<DrPath> silentSms,
            List<DrPath> silent,
            Map<Long, Boolean> read,
            String problem) {}

    private final MKeyStore keys;
    private final MadScope scope;

    /** Questions whether a switch is there although a link to it is lost: nobody waits for the dead. */
    private final MadScope probes;

    private final Consumer<Result> then;
    private final FabricBuilder seen;

    /** Whether what is seen, but was not visited, is from an earlier discovery. */
    private final boolean isPartial;

    /** Switches (with port number 0) and other ports that answered in this discovery. */
    private final Set<Hop> visited = new HashSet<>();

    /** Ends of cables that were crossed in this discovery. */
    private final Set<Hop> crossed = new HashSet<>();

    /** Switches that are to be visited in the next round. */
    private final Set<Long> expected = new LinkedHashSet<>();

    /** Switches that lost a link to one that was visited. */
    private final Set<Long> bereft = new LinkedHashSet<>();

    /** Switches that were not there, or did not answer, at the end of a route. */
    private final Map<Long, DrPath> missed = new LinkedHashMap<>();

    /** Switches that have not answered yet. */
    private final Set<Long> asked = new LinkedHashSet<>();

    private boolean isVisiting;
    private boolean isProbing;
    private boolean hasFound;

    private final DuplicateGuidArbiter newcomers;

    /** Whose a port GUID is. */
    private final Map<Long, Hop> owners = new HashMap<>();

    /** What is odd; told in the end, when names are known. */
    private final List<Supplier<String>> oddities = new ArrayList<>();

    private final List<DrPath> silentSms = new ArrayList<>();
    private final List<DiscoveredSm> remoteSms = new ArrayList<>();
    private final Set<DrPath> silent = new LinkedHashSet<>();
    private final Map<Long, Boolean> read = new HashMap<>();
    private int nodes;
    private String problem = "";
    private boolean foundSelf;
    private long ownPortGuid;

    /** A port of a node: the one that a request left through, or port 0 for a switch as a whole. */
    record Hop(long nodeGuid, int portNum) {}

    /** Somebody at the other end of a cable. */
    record Found(Hop from, NodeInfo info, DrPath path) {}

    private Discovery(
            MadClient client, SubnetMemory memory, FabricBuilder seen, boolean isPartial, Consumer<Result> then) {
        this.keys = memory.keys();
        this.scope = client.scope();
        this.probes = client.scope();
        this.seen = seen;
        this.isPartial = isPartial;
        this.then = then;
        this.newcomers = new DuplicateGuidArbiter(scope, seen, memory.neighbors(), this);
    }

    /** Reads everything; calls back once, on the loop. */
    public static Discovery start(MadClient client, SubnetMemory memory, Consumer<Result> then) {
        Discovery discovery = new Discovery(client, memory, new FabricBuilder(), false, then);
        discovery.keys.beginDiscovery();
        discovery.cross(null, DrPath.LOCAL);
        discovery.scope.whenIdle(discovery::finishWhenNobodyIsInDoubt);
        return discovery;
    }

    /**
     * Reads again some switches of a fabric and what that leads to; calls back once, on the loop. There is
     * no fabric if one of them is not where it was any more.
     *
     * @param changed NodeGUIDs; those that the fabric does not have are passed over
     */
    public static Discovery update(
            MadClient client, SubnetMemory memory, Fabric known, Collection<Long> changed, Consumer<Result> then) {
        Discovery discovery = new Discovery(client, memory, FabricBuilder.of(known), true, then);
        discovery.foundSelf = true;
        discovery.ownPortGuid = known.portGuid(known.localPort());
        discovery.nodes = known.nodeCount();
        for (int port = 0; port < known.portCount(); port++) {
            if (known.isEndport(port)) {
                discovery.owners.put(
                        known.portGuid(port), new Hop(known.nodeGuid(known.nodeOf(port)), known.portNum(port)));
            }
        }
        discovery.expected.addAll(changed);
        discovery.isVisiting = true;
        discovery.scope.whenIdle(discovery::visitExpected);
        return discovery;
    }

    /** Calls back once if something fails inside. */
    public void whenFailed(Consumer<RuntimeException> handler) {
        scope.whenFailed(handler);
        probes.whenFailed(handler);
    }

    /** Cancels what is left; nobody is called back. */
    @Override
    public void close() {
        scope.close();
        probes.close();
    }

    /**
     * A switch says that a port of it changed.
     *
     * @return whether this discovery will see it, because it has not read the switch yet
     */
    public boolean notice(long guid) {
        if (visited.contains(new Hop(guid, 0))) {
            return false;
        }
        expected.add(guid);
        if (isPartial && !isVisiting) {
            visitExpected();
        }
        return true;
    }

    /** In rounds: over routes that avoid the links lost so far, for what a visit shows may ask for others. */
    private void visitExpected() {
        seen.retrace();
        asked.removeIf(guid -> !seen.knows(guid));
        expected.addAll(missed.keySet());
        boolean hasJudged = newcomers.judge();
        boolean hasAsked = ask(expected, scope) || hasJudged;
        isVisiting = hasAsked || hasFound;
        hasFound = false;
        ask(bereft, probes);
        if (isVisiting) {
            scope.whenIdle(this::visitExpected);
        } else if (asked.isEmpty()) {
            probes.close();
            missed.keySet().stream()
                    .filter(guid -> seen.knows(guid) && !visited.contains(new Hop(guid, 0)))
                    .findFirst()
                    .ifPresent(guid -> problem = "switch " + Guid.format(guid) + " is not at the end of route "
                            + seen.path(guid) + " any more");
            finish();
        } else if (!isProbing) {
            isProbing = true;
            probes.whenIdle(() -> {
                isProbing = false;
                if (!isVisiting) {
                    visitExpected();
                }
            });
        }
    }

    /** Whether there was somebody to ask. */
    private boolean ask(Set<Long> guids, MadScope in) {
        boolean hasAsked = false;
        for (long guid : guids) {
            boolean isDue = seen.knows(guid) && !visited.contains(new Hop(guid, 0));
            DrPath path = isDue ? seen.path(guid) : DrPath.LOCAL;
            if (isDue && !Objects.equals(path, missed.get(guid)) && asked.add(guid)) {
                visit(guid, path, in);
                hasAsked = true;
            }
        }
        guids.clear();
        return hasAsked;
    }

    /**
     * Asks a switch by its route; and one that may have something to report by another one, too, because that may be the
     * loss of the cable, or of the switch, by which it used to be reached. The first answer counts.
     */
    private void visit(long guid, DrPath path, MadScope in) {
        MadScope attempt = in.child();
        attempt.get(NodeInfo.TYPE, path, 0, outcome -> visited(guid, path, attempt, outcome));
        DrPath detour = in == scope && asked.size() <= MAX_DETOURS ? seen.detour(guid) : null;
        if (detour != null) {
            attempt.get(NodeInfo.TYPE, detour, 0, outcome -> visited(guid, detour, attempt, outcome));
        }
        attempt.whenIdle(() -> {
            asked.remove(guid);
            missed.put(guid, path);
        });
    }

    private void visited(long guid, DrPath path, MadScope attempt, Outcome<NodeInfo> outcome) {
        if (outcome instanceof Outcome.Reply<NodeInfo> reply
                && reply.value().nodeGuid() == guid
                && (!seen.knows(guid) || isSameNode(reply.value()))) {
            asked.remove(guid);
            attempt.close();
            // Unless it was forgotten with its last link: if it is back, the switches beside it report links that rose.
            if (seen.knows(guid) && visited.add(new Hop(guid, 0))) {
                hasFound = true;
                keys.reached(path, reply.value().portGuid());
                explore(reply.value(), path);
            }
        }
    }

    private void finishWhenNobodyIsInDoubt() {
        if (newcomers.judge()) {
            scope.whenIdle(this::finishWhenNobodyIsInDoubt);
        } else {
            finish();
        }
    }

    private void finish() {
        oddities.forEach(oddity -> seen.report(oddity.get()));
        Fabric fabric = foundSelf && problem.isEmpty() ? seen.build() : null;
        if (fabric != null) {
            keys.endDiscovery(fabric);
        }
        then.accept(new Result(
                fabric,
                List.copyOf(remoteSms),
                List.copyOf(silentSms),
                List.copyOf(silent),
                Map.copyOf(read),
                problem));
    }

    private void cross(@Nullable Hop from, DrPath path) {
        scope.get(NodeInfo.TYPE, path, 0, outcome -> onNodeInfo(from, path, outcome));
    }

    private void onNodeInfo(@Nullable Hop from, DrPath path, Outcome<NodeInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<NodeInfo> reply)) {
            noteSilence(from, path, outcome);
            return;
        }
        NodeInfo info = reply.value();
        keys.reached(path, info.portGuid());
        String nonsense = nonsense(info);
        if (!nonsense.isEmpty()) {
            report(() -> where(from) + " leads to a device that cannot be used: " + nonsense);
            return;
        }
        if (from == null) {
            foundSelf = true;
            ownPortGuid = info.portGuid();
        }
        if (from == null || !newcomers.hold(new Found(from, info, path))) {
            admit(from, info, path);
        }
    }

    /** Takes a device in, unless it contradicts what is known. */
    void admit(@Nullable Hop from, NodeInfo info, DrPath path) {
        Hop self = new Hop(info.nodeGuid(), info.isSwitch() ? 0 : info.localPortNum());
        Hop owner = owners.putIfAbsent(info.portGuid(), self);
        if (owner != null && !owner.equals(self) && seen.knows(owner.nodeGuid())) {
            report(() -> "duplicate port GUID " + Guid.format(info.portGuid()) + ": " + where(owner)
                    + " has it, and so has " + Guid.format(info.nodeGuid()) + " behind " + where(from)
                    + ", which is left out; " + REMEDY);
            return;
        }
        owners.put(info.portGuid(), self);
        boolean isNew = !seen.knows(info.nodeGuid());
        if (isNew) {
            if (!hasRoom()) {
                return;
            }
            seen.addNode(info, path);
        } else if (!isSameNode(info)) {
            report(() -> "duplicate NodeGUID " + Guid.format(info.nodeGuid()) + ": " + where(from)
                    + " leads to another device than " + seat(info) + "; it is left out; " + REMEDY);
            return;
        }
        if (from != null && !link(from, info)) {
            return;
        }
        boolean isFirstVisit = visited.add(self);
        if (isNew || isFirstVisit && isPartial) {
            seen.addNode(info, path);
            explore(info, path);
        } else if (isFirstVisit) {
            seen.addNode(info, path);
            askPort(info, info.localPortNum(), path);
        }
    }

    /** Where a node that is known is. */
    private String seat(NodeInfo info) {
        long @Nullable [] place = info.isSwitch() ? null : seen.peer(info.nodeGuid(), info.localPortNum());
        return place == null ? "route " + seen.path(info.nodeGuid()) : where(new Hop(place[0], (int) place[1]));
    }

    /** Notes something odd, to be told when names are known. */
    void report(Supplier<String> oddity) {
        oddities.add(oddity);
    }

    private void noteSilence(@Nullable Hop from, DrPath path, Outcome<NodeInfo> outcome) {
        if (from == null) {
            problem = "the local port does not answer (" + outcome + ")" + MKeyHint.ofSilence(outcome);
        } else {
            silent.add(path);
            report(() -> where(from) + " is up, but nothing behind it answers (" + outcome + ")"
                    + MKeyHint.ofSilence(outcome));
        }
    }

    private static String nonsense(NodeInfo info) {
        int type = info.nodeType();
        if (type < NodeInfo.CHANNEL_ADAPTER || type > NodeInfo.ROUTER) {
            return "NodeType " + type;
        }
        if (info.nodeGuid() == 0 || info.portGuid() == 0) {
            return "a GUID of zero";
        }
        boolean isPortValid = info.numPorts() >= 1
                && info.numPorts() <= MAX_PORTS
                && info.localPortNum() <= info.numPorts()
                && (info.isSwitch() || info.localPortNum() > 0);
        return isPortValid ? "" : "port " + info.localPortNum() + " of " + info.numPorts();
    }

    private boolean hasRoom() {
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

    /** Notes the cable just crossed; false if it must not be believed. */
    private boolean link(Hop from, NodeInfo info) {
        long farGuid = info.nodeGuid();
        int farPort = info.localPortNum();
        if (farGuid == from.nodeGuid() && farPort == from.portNum()) {
            report(() -> where(from) + " is connected to itself (loopback plug); it is left out");
            return false;
        }
        long @Nullable [] claimed = seen.peer(farGuid, farPort);
        boolean isOther = claimed != null && (claimed[0] != from.nodeGuid() || claimed[1] != from.portNum());
        if (isOther && isPartial && !crossed.contains(new Hop(farGuid, farPort))) {
            loosen(farGuid, farPort);
        } else if (claimed != null && isOther) {
            settle(from, info, claimed);
            return false;
        }
        long @Nullable [] own = seen.peer(from.nodeGuid(), from.portNum());
        if (own != null && (own[0] != farGuid || own[1] != farPort)) {
            seen.unlink(from.nodeGuid(), from.portNum());
        }
        seen.link(from.nodeGuid(), from.portNum(), farGuid, farPort);
        crossed.add(from);
        crossed.add(new Hop(farGuid, farPort));
        return true;
    }

    /** Two ports say that they are cabled to the same third one: whoever is behind that one is right. */
    private void settle(Hop from, NodeInfo info, long[] claimed) {
        long guid = info.nodeGuid();
        int portNum = info.localPortNum();
        report(() -> "duplicate NodeGUID " + Guid.format(guid) + " or a cable that was moved just now: " + where(from)
                + " and " + where(new Hop(claimed[0], (int) claimed[1])) + " both lead to port " + portNum + " of "
                + seen.name(guid) + "; one of them is left out; " + REMEDY);
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
                }
            }
        });
    }

    private void explore(NodeInfo info, DrPath path) {
        long guid = info.nodeGuid();
        scope.get(NodeDescription.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeDescription> reply) {
                seen.describe(guid, reply.value().text());
            }
        });
        if (info.isSwitch()) {
            scope.get(SwitchInfo.TYPE, path, 0, outcome -> onSwitchInfo(info, path, outcome));
        } else {
            askPort(info, info.localPortNum(), path);
        }
    }

    private void onSwitchInfo(NodeInfo info, DrPath path, Outcome<SwitchInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)) {
            silent.add(path);
            seen.report("switch " + Guid.format(info.nodeGuid()) + " does not tell its SwitchInfo (" + outcome + ")");
            return;
        }
        if (reply.value().linearFdbCap() == 0) {
            seen.report("switch " + Guid.format(info.nodeGuid()) + " has no linear forwarding table; it is left out");
            return;
        }
        seen.setSwitchInfo(info.nodeGuid(), reply.value());
        read.put(info.nodeGuid(), reply.value().portStateChange());
        for (int portNum = 0; portNum <= info.numPorts(); portNum++) {
            askPort(info, portNum, path);
        }
    }

    private void askPort(NodeInfo info, int portNum, DrPath path) {
        scope.get(PortInfo.TYPE, path, portNum, outcome -> onPortInfo(info, portNum, path, outcome));
    }

    private void onPortInfo(NodeInfo info, int portNum, DrPath path, Outcome<PortInfo> outcome) {
        long guid = info.nodeGuid();
        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
            silent.add(path);
            seen.report(Guid.format(guid) + " does not tell PortInfo of port " + portNum + " (" + outcome + ")");
            return;
        }
        PortInfo port = reply.value();
        seen.setPortInfo(guid, portNum, port);
        if (isPartial && info.isSwitch() && portNum > 0 && !isAsBefore(guid, portNum, port)) {
            loosen(guid, portNum);
        }
        boolean isEndport = !info.isSwitch() || portNum == 0;
        if (isEndport) {
            keys.learn(info.portGuid(), port);
        }
        if (isEndport && port.can(PortInfo.CAP_IS_SM)) {
            askSubnetManager(info, portNum, path);
        }
        if (path.hops() == 0 && !info.isSwitch() && !port.isLinkUp()) {
            problem = "the local port is down; is its cable plugged in, and the switch behind it alive?";
        }
        boolean leadsOn = info.isSwitch() ? portNum > 0 : path.hops() == 0;
        if (leadsOn && port.isLinkUp() && !seen.isLinked(guid, portNum) && path.hops() < DrPath.MAX_HOPS) {
            cross(new Hop(guid, portNum), path.then(portNum));
        }
    }

    /** Whether a link that is known from before still stands: it was crossed just now, or never went down. */
    private boolean isAsBefore(long guid, int portNum, PortInfo port) {
        return port.portState() > PortInfo.STATE_INITIALIZE
                || port.isLinkUp() && crossed.contains(new Hop(guid, portNum));
    }

    /** Takes note of a new cable between two switches that stay where they are. */
    void connect(Found found) {
        if (link(found.from(), found.info()) && isPartial) {
            expected.add(found.info().nodeGuid());
        }
    }

    /** Forgets a cable; a switch at its other end is looked at, too. */
    void loosen(long guid, int portNum) {
        long @Nullable [] far = seen.peer(guid, portNum);
        seen.unlink(guid, portNum);
        if (far != null && seen.info(far[0]).isSwitch()) {
            bereft.add(far[0]);
        }
    }

    private void askSubnetManager(NodeInfo info, int portNum, DrPath path) {
        long portGuid = seen.portGuid(info.nodeGuid(), portNum);
        if (portGuid == ownPortGuid) {
            return;
        }
        scope.get(SmInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<SmInfo> reply) {
                remoteSms.add(new DiscoveredSm(reply.value(), portGuid, path));
            } else {
                silentSms.add(path);
            }
        });
    }

    /** A port as the operator knows it. */
    String where(@Nullable Hop hop) {
        return hop == null ? "the local port" : seen.name(hop.nodeGuid()) + " port " + hop.portNum();
    }
}
