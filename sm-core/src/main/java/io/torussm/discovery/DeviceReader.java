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
    private final DiscoveryFindings survey;
    private final FabricBuilder seen;
    private final Cables cables;
    private final MKeyStore keys;
    private final SecondLook secondLook;
    private final LastReading last;
    private final Exploration exploration;
    private final List<SilentSm> silentSms = new ArrayList<>();
    private final List<FoundSm> remoteSms = new ArrayList<>();

    /** PortStateChange of switches that responded with their SwitchInfo, by NodeGUID. */
    private final Map<Long, Boolean> read = new HashMap<>();

    /** An SM that responded. Its device may not yet be completely read. */
    private record FoundSm(SmInfo info, NodePort at, long portGuid, DrPath path) {}

    DeviceReader(
            MadScope scope,
            DiscoveryFindings survey,
            Cables cables,
            MKeyStore keys,
            SecondLook secondLook,
            LastReading last,
            Exploration exploration) {
        this.scope = scope;
        this.survey = survey;
        this.seen = survey.seen();
        this.cables = cables;
        this.keys = keys;
        this.secondLook = secondLook;
        this.last = last;
        this.exploration = exploration;
    }

    /** Returns the ports that report an SM which does not respond. */
    List<SilentSm> silentSms() {
        return List.copyOf(silentSms);
    }

    /** Returns every other SM that responded. */
    List<DiscoveredSm> remoteSms() {
        return remoteSms.stream().map(this::located).toList();
    }

    private DiscoveredSm located(FoundSm sm) {
        long guid = sm.at().nodeGuid();
        PortInfo port = seen.knows(guid) ? seen.portInfo(guid, sm.at().portNum()) : null;
        SmHost host = port == null ? SmHost.UNKNOWN : new SmHost(seen.nodeName(guid), port.lid());
        return new DiscoveredSm(sm.info(), sm.portGuid(), sm.path(), host);
    }

    /**
     * Returns PortStateChange of the switches that responded with their SwitchInfo, by NodeGUID.
     */
    Map<Long, Boolean> read() {
        return new LinkedHashMap<>(read);
    }

    /** Reads all attributes of a device. */
    void read(NodeInfo info, DrPath path) {
        long guid = info.nodeGuid();
        SmpRequest<NodeDescription> question = SmpRequest.get(NodeDescription.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeDescription> reply) {
                seen.describe(guid, reply.value().text());
            } else if (!survey.formerDescription(guid).isEmpty()) {
                seen.describe(guid, survey.formerDescription(guid));
            }
        });
        String known = last.description(guid);
        scope.submit(last.verified(
                scope, question, current -> known.isEmpty() || current.text().equals(known)));
        if (info.isSwitch()) {
            new SwitchReading(info, path, path).start();
        } else {
            askPort(info, info.localPortNum(), path);
        }
    }

    /** The reading of a switch. The PortInfo of its port 0 determines the requests for the other ports. */
    private final class SwitchReading {
        private final NodeInfo info;
        private final DrPath path;
        private final DrPath way;
        private @Nullable Outcome<SwitchInfo> switchInfo;
        private @Nullable Outcome<PortInfo> port0;
        private final MadScope ports;

        /** Numbers of ports that rejected a modifier with the bit for extended speeds. */
        private final List<Integer> refused = new ArrayList<>();

        /** True if a port accepted this bit. */
        private boolean knowsBit;

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
            this.way = way;
            this.ports = scope.child();
            this.states = new PortStates(info, last);
        }

        /** Reads SwitchInfo and the PortInfo of port 0, then the other ports. */
        void start() {
            MadScope both = scope.child();
            SwitchInfo known = last.switchInfo(info.nodeGuid());
            SmpRequest<SwitchInfo> ofSwitch = SmpRequest.get(SwitchInfo.TYPE, way, 0, outcome -> switchInfo = outcome);
            secondLook.ask(
                    both,
                    last.verified(
                            both,
                            ofSwitch,
                            current -> known == null ? last.acceptFirst(current) : Consistency.agrees(known, current)));
            SmpRequest<PortInfo> ofPort0 = SmpRequest.get(PortInfo.TYPE, way, 0, outcome -> {
                port0 = outcome;
                if (isRefused(outcome)) {
                    both.get(PortInfo.TYPE, way, 0, again -> port0 = again);
                }
            });
            secondLook.ask(both, last.verified(both, ofPort0, current -> isExpected(info, 0, current)));
            both.whenIdle(this::goOn);
        }

        /** Continues with the ports, when SwitchInfo and the PortInfo of port 0 have a response or time-out. */
        private void goOn() {
            Outcome<SwitchInfo> ofSwitch = Objects.requireNonNull(switchInfo);
            if (!(ofSwitch instanceof Outcome.Reply<SwitchInfo> reply)) {
                missed(
                        info,
                        new Unanswered(path, SwitchInfo.TYPE, 0),
                        ofSwitch,
                        () -> new SwitchReading(info, path, exploration.otherWay(info, path)).start(),
                        () -> {
                            survey.noteSilent(path, SwitchInfo.TYPE, 0);
                            survey.about(info.nodeGuid(), " does not answer for its SwitchInfo (" + ofSwitch + ")");
                        });
                return;
            }
            if (reply.value().linearFdbCap() == 0) {
                survey.noteSilent(path, SwitchInfo.TYPE, 0);
                survey.about(info.nodeGuid(), " has no linear forwarding table; it is left out");
                return;
            }
            seen.setSwitchInfo(info.nodeGuid(), reply.value());
            read.put(info.nodeGuid(), reply.value().portStateChange());
            onPortInfo(info, 0, path, Objects.requireNonNull(port0));
            PortInfo governing = seen.portInfo(info.nodeGuid(), 0);
            boolean hasTable = governing != null && governing.can2(PortInfo.CAP2_SWITCH_PORT_STATE_TABLE);
            if (!hasTable || !exploration.isPartial() || secondLook.isSilent(path, PortInfo.TYPE)) {
                askPorts(new BitSet());
                return;
            }
            MadScope table = secondLook.attempt(scope);
            states.ask(table, way);
            table.whenIdle(() -> askPorts(states.steady(reply.value().portStateChange())));
        }

        /** Reads all ports but steady ones. If a response contradicts the table, these are read, too. */
        private void askPorts(BitSet steady) {
            BitSet unsteady = new BitSet();
            unsteady.set(1, info.numPorts() + 1);
            unsteady.andNot(steady);
            ask(unsteady);
            ports.whenIdle(() -> {
                if (states.isContradicted()) {
                    ask(steady);
                }
                ports.whenIdle(this::askRefusedAgain);
            });
        }

        private void ask(BitSet which) {
            PortInfo governing = seen.portInfo(info.nodeGuid(), 0);
            which.stream().forEach(portNum -> ask(portNum, PortInfo.modifier(portNum, governing)));
        }

        private void ask(int portNum, int modifier) {
            boolean isMarked = modifier != portNum;
            SmpRequest<PortInfo> question = SmpRequest.get(PortInfo.TYPE, way, modifier, outcome -> {
                if (isMarked && isRefused(outcome)) {
                    refused.add(portNum);
                } else {
                    if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                        knowsBit |= isMarked;
                        states.judge(portNum, reply.value());
                    }
                    onPortInfo(info, portNum, path, outcome);
                }
            });
            secondLook.ask(
                    ports,
                    last.verified(
                            ports,
                            question,
                            current -> isReported(portNum, current) || isExpected(info, portNum, current)));
        }

        /** Checks whether the link of a port changed and the switch reports that a port changed. */
        private boolean isReported(int portNum, PortInfo current) {
            PortInfo known = last.portInfo(info.nodeGuid(), portNum);
            return Boolean.TRUE.equals(read.get(info.nodeGuid()))
                    && known != null
                    && Consistency.isChangeOfLink(known, current);
        }

        /**
         * Repeats rejected requests without the bit for extended speeds. If another port accepted the bit, the switch
         * rejected the requests for another reason, and the bit stays.
         */
        private void askRefusedAgain() {
            for (int portNum : refused) {
                int modifier = knowsBit ? portNum | PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS : portNum;
                scope.get(PortInfo.TYPE, way, modifier, outcome -> onPortInfo(info, portNum, path, outcome));
            }
        }
    }

    /** Reads the port of a host. If it may hide extended speeds, it is read again with the bit for these speeds. */
    void askPort(NodeInfo info, int portNum, DrPath path) {
        askPort(info, portNum, path, path);
    }

    private void askPort(NodeInfo info, int portNum, DrPath path, DrPath way) {
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
                        survey.noteSilent(path, PortInfo.TYPE, modifier);
                    }
                    onPortInfo(info, portNum, path, isAnswered ? second : first);
                });
                scope.submit(last.verified(scope, all, current -> isExpected(info, portNum, current)));
            }
        });
        secondLook.ask(
                scope,
                last.verified(
                        scope,
                        question,
                        current -> hidesSpeeds(info, portNum, current) || isExpected(info, portNum, current)));
    }

    /** Checks whether a port that reported extended speeds in the last reading now reports none. */
    private boolean hidesSpeeds(NodeInfo info, int portNum, PortInfo current) {
        PortInfo known = last.portInfo(info.nodeGuid(), portNum);
        return known != null && !known.showsNoExtendedSpeed() && current.showsNoExtendedSpeed();
    }

    /** Checks whether a PortInfo agrees with the last reading, or has usual values for an unknown port. */
    private boolean isExpected(NodeInfo info, int portNum, PortInfo current) {
        PortInfo known = last.portInfo(info.nodeGuid(), portNum);
        return known == null ? last.acceptFirst(current) : Consistency.agrees(known, current);
    }

    /** Checks whether a request was rejected permanently. A busy device may support the bit. */
    private static boolean isRefused(Outcome<PortInfo> outcome) {
        return outcome instanceof Outcome.Failure<PortInfo> failure
                && failure.kind() == Outcome.FailureReason.BAD_STATUS
                && !failure.isBusy();
    }

    /** Handles the PortInfo of a port, or the lack of it. */
    private void onPortInfo(NodeInfo info, int portNum, DrPath path, Outcome<PortInfo> answer) {
        long guid = info.nodeGuid();
        boolean isImplausible =
                answer instanceof Outcome.Reply<PortInfo> told && !Plausibility.tells(told.value(), portNum);
        Outcome<PortInfo> outcome = isImplausible ? new Outcome.Failure<>(Outcome.FailureReason.MALFORMED, 0) : answer;
        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
            missed(
                    info,
                    new Unanswered(path, PortInfo.TYPE, portNum),
                    outcome,
                    () -> askPortAgain(info, portNum, path),
                    () -> {
                        survey.noteSilent(path, PortInfo.TYPE, portNum);
                        survey.untold(guid, portNum, " (" + outcome + ")");
                    });
            return;
        }
        PortInfo port = reply.value();
        seen.setPortInfo(guid, portNum, port);
        if (exploration.isPartial() && info.isSwitch() && portNum > 0 && !cables.isAsBefore(guid, portNum, port)) {
            Long bereftGuid = cables.loosen(guid, portNum);
            if (bereftGuid != null && !port.isLinkUp()) {
                exploration.lost(bereftGuid);
            }
        }
        boolean isEndport = !info.isSwitch() || portNum == 0;
        if (isEndport) {
            keys.learn(info.portGuid(), port);
        }
        if (isEndport && port.can(PortInfo.CAP_IS_SM)) {
            askSubnetManager(info, portNum, port, path);
        }
        if (path.hops() == 0 && !info.isSwitch() && !port.isLinkUp()) {
            exploration.fail("the local port is down; is its cable plugged in, and the switch behind it alive?");
        }
        boolean isToCross = info.isSwitch() ? portNum > 0 : path.hops() == 0;
        if (isToCross && port.isLinkUp() && !seen.isLinked(guid, portNum) && path.hops() < DrPath.MAX_HOPS) {
            boolean isBack = path.hops() == 1 && portNum == info.localPortNum();
            exploration.cross(new NodePort(guid, portNum), exploration.across(path.then(portNum), isBack));
        }
    }

    /**
     * Handles a missing response. A device that was removed meanwhile, with its last link, gets no further requests.
     */
    private void missed(NodeInfo info, Unanswered request, Outcome<?> outcome, Runnable again, Runnable giveUp) {
        secondLook.missed(request, outcome, ifKnown(info, again), ifKnown(info, giveUp));
    }

    private Runnable ifKnown(NodeInfo info, Runnable then) {
        return () -> {
            if (seen.knows(info.nodeGuid())) {
                then.run();
            }
        };
    }

    /** Reads a port again by another route, because the first route may lose packets. */
    private void askPortAgain(NodeInfo info, int portNum, DrPath path) {
        DrPath way = exploration.otherWay(info, path);
        if (info.isSwitch()) {
            int modifier = PortInfo.modifier(portNum, seen.portInfo(info.nodeGuid(), 0));
            scope.get(PortInfo.TYPE, way, modifier, outcome -> onPortInfo(info, portNum, path, outcome));
        } else {
            askPort(info, portNum, path, way);
        }
    }

    private void askSubnetManager(NodeInfo info, int portNum, PortInfo port, DrPath path) {
        long portGuid = seen.portGuid(info.nodeGuid(), portNum);
        if (portGuid == exploration.ownPortGuid()) {
            return;
        }
        boolean showsKey = keys.isShownToSmAt(portGuid);
        SmpRequest<SmInfo> request = SmpRequest.get(SmInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<SmInfo> reply) {
                remoteSms.add(new FoundSm(reply.value(), new NodePort(info.nodeGuid(), portNum), portGuid, path));
            } else if (!(outcome instanceof Outcome.Failure<SmInfo> failure && failure.isWithoutAgent())) {
                silentSms.add(new SilentSm(portGuid, path, !showsKey && isHiddenMaster(port)));
            }
        });
        scope.submit(showsKey ? request : request.withoutKey());
    }

    /**
     * Checks whether a port rejects Gets without its M_Key, and is the master of the local port by MasterSMLID. Only a
     * sender with the M_Key could write either field.
     */
    private boolean isHiddenMaster(PortInfo port) {
        PortInfo own = seen.localPortInfo();
        return port.get(PortInfo.M_KEY_PROTECT_BITS) >= PortInfo.M_KEY_PROTECTS_GETS
                && own != null
                && port.lid() != 0
                && own.masterSmLid() == port.lid();
    }
}
