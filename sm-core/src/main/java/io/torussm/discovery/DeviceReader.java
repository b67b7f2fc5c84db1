package io.torussm.discovery;

import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.SilentSm;
import io.torussm.mastership.SmHost;
import io.torussm.stage.Consistency;
import io.torussm.stage.Plausibility;
import io.torussm.stage.PortStateRequests;
import io.torussm.subnet.MKeyStore;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reading of each found device: NodeDescription, SwitchInfo, PortInfo of its ports, and SMInfo of a port with an
 * SM. For each port whose link is up, it calls {@link Exploration#cross}. Owner thread: the loop.
 */
final class DeviceReader {
    private final MadScope scope;
    private final DiscoveryFindings findings;
    private final FabricBuilder builder;
    private final Cables cables;
    private final MKeyStore keys;
    private final RequestRepetitions repetitions;
    private final LastReading lastReading;
    private final Exploration exploration;
    private final List<SilentSm> silentSms = new ArrayList<>();
    private final List<FoundSm> remoteSms = new ArrayList<>();

    /** PortStateChange of switches that responded with their SwitchInfo, by NodeGUID. */
    private final Map<Long, Boolean> portStateChanges = new HashMap<>();

    /** An SM that responded. Its device may not yet be completely read. */
    private record FoundSm(SmInfo info, NodePort port, long portGuid, DrPath path) {}

    DeviceReader(
            MadScope scope,
            DiscoveryFindings survey,
            Cables cables,
            MKeyStore keys,
            RequestRepetitions secondLook,
            LastReading last,
            Exploration exploration) {
        this.scope = scope;
        this.findings = survey;
        this.builder = survey.builder();
        this.cables = cables;
        this.keys = keys;
        this.repetitions = secondLook;
        this.lastReading = last;
        this.exploration = exploration;
    }

    /** Returns the ports that report an SM which does not respond. */
    List<SilentSm> silentSms() {
        return List.copyOf(silentSms);
    }

    /** Returns every other SM that responded. */
    List<DiscoveredSm> remoteSms() {
        return remoteSms.stream().map(this::withLocation).toList();
    }

    private DiscoveredSm withLocation(FoundSm sm) {
        long guid = sm.port().nodeGuid();
        PortInfo port = builder.knows(guid) ? builder.portInfo(guid, sm.port().portNum()) : null;
        SmHost host = port == null ? SmHost.UNKNOWN : new SmHost(builder.nodeName(guid), port.lid());
        return new DiscoveredSm(sm.info(), sm.portGuid(), sm.path(), host);
    }

    /**
     * Returns PortStateChange of the switches that responded with their SwitchInfo, by NodeGUID.
     */
    Map<Long, Boolean> read() {
        return new LinkedHashMap<>(portStateChanges);
    }

    /** Reads all attributes of a device. */
    void read(NodeInfo info, DrPath path) {
        long guid = info.nodeGuid();
        SmpRequest<NodeDescription> question = SmpRequest.get(NodeDescription.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeDescription> reply) {
                builder.setDescription(guid, reply.value().text());
            } else if (!findings.lastDescription(guid).isEmpty()) {
                builder.setDescription(guid, findings.lastDescription(guid));
            }
        });
        String known = lastReading.description(guid);
        scope.submit(lastReading.withVerification(
                scope, question, current -> known.isEmpty() || current.text().equals(known)));
        if (info.isSwitch()) {
            new SwitchReading(info, path, path).start();
        } else {
            readPort(info, info.localPortNum(), path);
        }
    }

    /** The reading of a switch. The PortInfo of its port 0 determines the requests for the other ports. */
    private final class SwitchReading {
        private final NodeInfo info;
        private final DrPath path;
        private final DrPath attemptRoute;
        private @Nullable Outcome<SwitchInfo> switchInfo;
        private @Nullable Outcome<PortInfo> port0;
        private final MadScope ports;

        /** Numbers of ports that rejected a modifier with the bit for extended speeds. */
        private final List<Integer> refusedPorts = new ArrayList<>();

        /** True if a port accepted this bit. */
        private boolean acceptsSpeedBit;

        private final PortStates states;

        /**
         * Creates a reading.
         *
         * @param path the route by which the device is known
         * @param way the route of this attempt
         */
        SwitchReading(NodeInfo info, DrPath path, DrPath way) {
            this.info = info;
            this.path = path;
            this.attemptRoute = way;
            this.ports = scope.child();
            this.states = new PortStates(info, lastReading);
        }

        /** Reads SwitchInfo and the PortInfo of port 0, then the other ports. */
        void start() {
            MadScope both = scope.child();
            SwitchInfo known = lastReading.switchInfo(info.nodeGuid());
            SmpRequest<SwitchInfo> ofSwitch =
                    SmpRequest.get(SwitchInfo.TYPE, attemptRoute, 0, outcome -> switchInfo = outcome);
            repetitions.send(
                    both,
                    lastReading.withVerification(
                            both,
                            ofSwitch,
                            current -> known == null
                                    ? lastReading.isOneResponseEnough(current)
                                    : Consistency.agrees(known, current)));
            SmpRequest<PortInfo> ofPort0 = SmpRequest.get(PortInfo.TYPE, attemptRoute, 0, outcome -> {
                port0 = outcome;
                if (isRefused(outcome)) {
                    both.get(PortInfo.TYPE, attemptRoute, 0, again -> port0 = again);
                }
            });
            repetitions.send(
                    both, lastReading.withVerification(both, ofPort0, current -> isExpected(info, 0, current)));
            both.whenIdle(this::readPorts);
        }

        /** Continues with the ports, when SwitchInfo and the PortInfo of port 0 have a response or time-out. */
        private void readPorts() {
            Outcome<SwitchInfo> ofSwitch = Objects.requireNonNull(switchInfo);
            if (!(ofSwitch instanceof Outcome.Reply<SwitchInfo> reply)) {
                onNoResponse(
                        info,
                        new UnansweredRequest(path, SwitchInfo.TYPE, 0),
                        ofSwitch,
                        () -> new SwitchReading(info, path, exploration.alternativeRoute(info, path)).start(),
                        () -> {
                            findings.addUnanswered(path, SwitchInfo.TYPE, 0);
                            findings.reportDevice(
                                    info.nodeGuid(), " does not answer for its SwitchInfo (" + ofSwitch + ")");
                        });
                return;
            }
            if (reply.value().linearFdbCap() == 0) {
                findings.addUnanswered(path, SwitchInfo.TYPE, 0);
                findings.reportDevice(info.nodeGuid(), " has no linear forwarding table; it is left out");
                return;
            }
            builder.setSwitchInfo(info.nodeGuid(), reply.value());
            portStateChanges.put(info.nodeGuid(), reply.value().portStateChange());
            onPortInfo(info, 0, path, Objects.requireNonNull(port0));
            PortInfo governing = builder.portInfo(info.nodeGuid(), 0);
            boolean hasTable = PortStateRequests.areAnnounced(governing);
            if (!hasTable || !exploration.isPartial() || repetitions.isSilent(path, PortInfo.TYPE)) {
                readChangedPorts(new BitSet());
                return;
            }
            MadScope table = repetitions.shortScope(scope);
            states.read(table, attemptRoute);
            table.whenIdle(
                    () -> readChangedPorts(states.unchangedPorts(reply.value().portStateChange())));
        }

        /** Reads all ports but steady ones. If a response contradicts the table, these are read, too. */
        private void readChangedPorts(BitSet steady) {
            BitSet unsteady = new BitSet();
            unsteady.set(1, info.numPorts() + 1);
            unsteady.andNot(steady);
            requestPortInfos(unsteady);
            ports.whenIdle(() -> {
                if (states.isContradicted()) {
                    requestPortInfos(steady);
                }
                ports.whenIdle(this::repeatRefused);
            });
        }

        private void requestPortInfos(BitSet which) {
            PortInfo governing = builder.portInfo(info.nodeGuid(), 0);
            which.stream().forEach(portNum -> requestPortInfos(portNum, PortInfo.modifier(portNum, governing)));
        }

        private void requestPortInfos(int portNum, int modifier) {
            boolean isMarked = modifier != portNum;
            SmpRequest<PortInfo> question = SmpRequest.get(PortInfo.TYPE, attemptRoute, modifier, outcome -> {
                if (isMarked && isRefused(outcome)) {
                    refusedPorts.add(portNum);
                } else {
                    if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                        acceptsSpeedBit |= isMarked;
                        states.compare(portNum, reply.value());
                    }
                    onPortInfo(info, portNum, path, outcome);
                }
            });
            repetitions.send(
                    ports,
                    lastReading.withVerification(
                            ports,
                            question,
                            current -> isReported(portNum, current) || isExpected(info, portNum, current)));
        }

        /** Checks whether the link of a port changed and the switch reports that a port changed. */
        private boolean isReported(int portNum, PortInfo current) {
            PortInfo known = lastReading.portInfo(info.nodeGuid(), portNum);
            return Boolean.TRUE.equals(portStateChanges.get(info.nodeGuid()))
                    && known != null
                    && Consistency.isLinkChange(known, current);
        }

        /**
         * Repeats rejected requests without the bit for extended speeds. If another port accepted the bit, the switch
         * rejected the requests for another reason, and the bit stays.
         */
        private void repeatRefused() {
            for (int portNum : refusedPorts) {
                int modifier = acceptsSpeedBit ? portNum | PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS : portNum;
                scope.get(PortInfo.TYPE, attemptRoute, modifier, outcome -> onPortInfo(info, portNum, path, outcome));
            }
        }
    }

    /** Reads the port of a host. If it may hide extended speeds, it is read again with the bit for these speeds. */
    void readPort(NodeInfo info, int portNum, DrPath path) {
        readPort(info, portNum, path, path);
    }

    private void readPort(NodeInfo info, int portNum, DrPath path, DrPath way) {
        SmpRequest<PortInfo> question = SmpRequest.get(PortInfo.TYPE, way, portNum, first -> {
            int modifier = first instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().isLinkUp()
                            && reply.value().showsNoExtendedSpeed()
                    ? PortInfo.modifier(portNum, reply.value())
                    : portNum;
            if (modifier == portNum) {
                onPortInfo(info, portNum, path, first);
            } else {
                SmpRequest<PortInfo> all = SmpRequest.get(PortInfo.TYPE, way, modifier, second -> {
                    boolean isAnswered = second instanceof Outcome.Reply<PortInfo>;
                    if (!isAnswered) {
                        findings.addUnanswered(path, PortInfo.TYPE, modifier);
                    }
                    onPortInfo(info, portNum, path, isAnswered ? second : first);
                });
                scope.submit(lastReading.withVerification(scope, all, current -> isExpected(info, portNum, current)));
            }
        });
        repetitions.send(
                scope,
                lastReading.withVerification(
                        scope,
                        question,
                        current -> hidesSpeeds(info, portNum, current) || isExpected(info, portNum, current)));
    }

    /** Checks whether a port that reported extended speeds in the last reading now reports none. */
    private boolean hidesSpeeds(NodeInfo info, int portNum, PortInfo current) {
        PortInfo known = lastReading.portInfo(info.nodeGuid(), portNum);
        return known != null && !known.showsNoExtendedSpeed() && current.showsNoExtendedSpeed();
    }

    /** Checks whether a PortInfo agrees with the last reading, or has usual values for an unknown port. */
    private boolean isExpected(NodeInfo info, int portNum, PortInfo current) {
        PortInfo known = lastReading.portInfo(info.nodeGuid(), portNum);
        return known == null ? lastReading.isOneResponseEnough(current) : Consistency.agrees(known, current);
    }

    /** Checks whether a request was rejected permanently. A busy device may support the bit. */
    private static boolean isRefused(Outcome<PortInfo> outcome) {
        return outcome instanceof Outcome.Failure<PortInfo> failure
                && failure.reason() == Outcome.FailureReason.BAD_STATUS
                && !failure.isBusy();
    }

    /** Handles the PortInfo of a port, or the lack of it. */
    private void onPortInfo(NodeInfo info, int portNum, DrPath path, Outcome<PortInfo> answer) {
        long guid = info.nodeGuid();
        boolean isImplausible =
                answer instanceof Outcome.Reply<PortInfo> told && !Plausibility.isPlausible(told.value(), portNum);
        Outcome<PortInfo> outcome = isImplausible ? new Outcome.Failure<>(Outcome.FailureReason.MALFORMED, 0) : answer;
        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
            onNoResponse(
                    info,
                    new UnansweredRequest(path, PortInfo.TYPE, portNum),
                    outcome,
                    () -> readPortByOtherRoute(info, portNum, path),
                    () -> {
                        findings.addUnanswered(path, PortInfo.TYPE, portNum);
                        findings.addMissingPortInfo(guid, portNum, " (" + outcome + ")");
                    });
            return;
        }
        PortInfo port = reply.value();
        builder.setPortInfo(guid, portNum, port);
        if (exploration.isPartial() && info.isSwitch() && portNum > 0 && !cables.isLinkUnchanged(guid, portNum, port)) {
            Long bereftGuid = cables.removeCable(guid, portNum);
            if (bereftGuid != null && !port.isLinkUp()) {
                exploration.onCableLost(bereftGuid);
            }
        }
        boolean isEndport = !info.isSwitch() || portNum == 0;
        if (isEndport) {
            keys.learn(info.portGuid(), port);
        }
        if (isEndport && port.hasCapability(PortInfo.CAP_IS_SM)) {
            readSmInfo(info, portNum, port, path);
        }
        if (path.hops() == 0 && !info.isSwitch() && !port.isLinkUp()) {
            exploration.fail("the local port is down; is its cable plugged in, and the switch behind it alive?");
        }
        boolean isToCross = info.isSwitch() ? portNum > 0 : path.hops() == 0;
        if (isToCross && port.isLinkUp() && !builder.isLinked(guid, portNum) && path.hops() < DrPath.MAX_HOPS) {
            boolean isBack = path.hops() == 1 && portNum == info.localPortNum();
            exploration.cross(new NodePort(guid, portNum), exploration.across(path.withHop(portNum), isBack));
        }
    }

    /**
     * Handles a missing response. A device that was removed meanwhile, with its last link, gets no further requests.
     */
    private void onNoResponse(
            NodeInfo info, UnansweredRequest request, Outcome<?> outcome, Runnable again, Runnable giveUp) {
        repetitions.onNoResponse(request, outcome, ifKnown(info, again), ifKnown(info, giveUp));
    }

    private Runnable ifKnown(NodeInfo info, Runnable then) {
        return () -> {
            if (builder.knows(info.nodeGuid())) {
                then.run();
            }
        };
    }

    /** Reads a port again by another route, because the first route may lose packets. */
    private void readPortByOtherRoute(NodeInfo info, int portNum, DrPath path) {
        DrPath way = exploration.alternativeRoute(info, path);
        if (info.isSwitch()) {
            int modifier = PortInfo.modifier(portNum, builder.portInfo(info.nodeGuid(), 0));
            scope.get(PortInfo.TYPE, way, modifier, outcome -> onPortInfo(info, portNum, path, outcome));
        } else {
            readPort(info, portNum, path, way);
        }
    }

    private void readSmInfo(NodeInfo info, int portNum, PortInfo port, DrPath path) {
        long portGuid = builder.portGuid(info.nodeGuid(), portNum);
        if (portGuid == exploration.ownPortGuid()) {
            return;
        }
        boolean showsKey = keys.isShownToSmAt(portGuid);
        SmpRequest<SmInfo> request = SmpRequest.get(SmInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<SmInfo> reply) {
                remoteSms.add(new FoundSm(reply.value(), new NodePort(info.nodeGuid(), portNum), portGuid, path));
            } else if (!(outcome instanceof Outcome.Failure<SmInfo> failure && failure.isWithoutAgent())) {
                silentSms.add(new SilentSm(portGuid, path, !showsKey && isMasterWithHiddenKey(port)));
            }
        });
        scope.submit(showsKey ? request : request.withoutKey());
    }

    /**
     * Checks whether a port rejects Gets without its M_Key, and is the master of the local port by MasterSMLID. Only a
     * sender with the M_Key could write either field.
     */
    private boolean isMasterWithHiddenKey(PortInfo port) {
        PortInfo own = builder.localPortInfo();
        return port.get(PortInfo.M_KEY_PROTECT_BITS) >= PortInfo.M_KEY_PROTECTS_GETS
                && own != null
                && port.lid() != 0
                && own.masterSmLid() == port.lid();
    }
}
