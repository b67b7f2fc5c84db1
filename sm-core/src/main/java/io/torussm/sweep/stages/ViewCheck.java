package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The check of a remembered view while the discovery runs. It uses the directed routes of the view: four SMPs for each
 * switch, a fifth if a host is silent, and one for each host. All SMPs of a kind are sent together. So the check ends
 * long before the discovery, which must find one device behind another.
 *
 * <p>These answers agree with the view. Any other answer contradicts it: the check ends, and its callback is never
 * called:
 * <ul>
 * <li>a switch: its LID, the MasterSMLID of the SM that made the view, and the sampled tables;
 * <li>a port of a switch that reports a change, by PortStateChange or a trap: see {@link ChangedPorts};
 * <li>a host: its LID; or no answer, if it had no SM or its switch port is DOWN;
 * <li>a port that reports an SM (CapabilityMask.IsSM): the rejection of SMInfo, which shows that it has no SM.
 * </ul>
 *
 * <p>An instance is used once. Owner thread: the loop.
 */
final class ViewCheck {
    private final MadScope scope;

    /** The scope of the SMInfo requests to known SMs: an answer contradicts the view, silence is not awaited. */
    private final MadScope knownSmsScope;

    private final SweepSettings settings;
    private final PublishedView view;
    private final Subnet subnet;

    /**
     * The fabric of the view with the directed routes of this SM. Its indexes are those of the view if all nodes can be
     * reached, see {@link #start}.
     */
    private final Fabric fabric;

    /** Port index of this SM in the view. */
    private final int ownPort;

    /** PortInfo of end ports of hosts, by port index; null if none was read. */
    private final @Nullable PortInfo[] hostPortInfos;

    /** The ports of switches that report a change. */
    private final ChangedPorts ports;

    /** Port indexes at which IsSM is set. */
    private final List<Integer> reportedSms = new ArrayList<>();

    private boolean isAnyHostSilent;
    private boolean isContradicted;

    /**
     * The hosts after a check that nothing contradicted.
     *
     * @param portInfos PortInfo of each host that answered, by port index of the view; null for other ports
     * @param fabric the fabric of the view with the directed routes to the hosts
     */
    record CheckedHosts(@Nullable PortInfo[] portInfos, Fabric fabric) {}

    /**
     * Creates a check; it is not started yet.
     *
     * @param knownSmsScope scope of the SMInfo requests to the SMs that the view contains
     * @param own port index of this SM in the view
     * @param remembered collects the traps of switches
     */
    ViewCheck(
            MadScope scope,
            MadScope knownSmsScope,
            SweepSettings settings,
            PublishedView view,
            int own,
            RememberedView remembered) {
        this.scope = scope;
        this.knownSmsScope = knownSmsScope;
        this.settings = settings;
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = routedFrom(own);
        this.ownPort = own;
        this.hostPortInfos = new PortInfo[fabric.portCount()];
        this.ports = new ChangedPorts(scope, remembered, subnet, fabric, this::contradict);
    }

    private Fabric routedFrom(int endport) {
        Fabric known = subnet.fabric();
        FabricBuilder builder = FabricBuilder.of(known);
        builder.moveSm(known.nodeGuid(known.nodeOf(endport)), known.portNum(endport));
        builder.retrace();
        return builder.build();
    }

    /**
     * Starts the check. It ends without a result if a device of the view cannot be reached, the view has no switch, or
     * the master that made the view has no LID in it.
     *
     * @param onSuccess callback, called once on the loop if nothing contradicts the view; otherwise never
     */
    void start(Consumer<CheckedHosts> onSuccess) {
        boolean areAllReached = fabric.nodeCount() == subnet.fabric().nodeCount();
        int viewMaster = fabric.endport(view.smPortGuid());
        int masterLid = viewMaster == Fabric.NONE || !areAllReached ? 0 : subnet.lid(viewMaster);
        if (masterLid == 0 || fabric.switchCount() == 0) {
            return;
        }
        askKnownSms(viewMaster);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            askSwitch(sw, masterLid);
        }
        new ViewSamples(scope, sw -> fabric.node(sw).path(), this::contradict).read(view, fabric, settings);
        scope.whenIdle(() -> askHosts(onSuccess));
    }

    /** Ends the check: cancels its pending requests; the callback is never called. */
    void contradict() {
        if (!isContradicted) {
            isContradicted = true;
            scope.close();
            knownSmsScope.close();
        }
    }

    private void contradictUnless(boolean isAsInView) {
        if (!isAsInView) {
            contradict();
        }
    }

    private void askSwitch(int sw, int masterLid) {
        int port0 = fabric.port(sw, 0);
        scope.get(PortInfo.TYPE, fabric.node(sw).path(), fabric.portInfoModifier(port0), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo> reply
                    && reply.value().lid() == subnet.lid(port0)
                    && reply.value().masterSmLid() == masterLid) {
                addReportedSm(port0, reply.value());
            } else {
                contradict();
            }
        });
        askPortStateChange(sw);
    }

    private void askPortStateChange(int sw) {
        scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)
                    || reply.value().linearFdbTop() < subnet.topLid()) {
                contradict();
            } else if (reply.value().portStateChange()) {
                ports.read(sw);
            }
        });
    }

    /** Notes a port that reports an SM; {@link #askReportedSms} reads its SMInfo after the hosts. */
    private void addReportedSm(int port, PortInfo info) {
        if (port != ownPort && info.hasCapability(PortInfo.CAP_IS_SM)) {
            reportedSms.add(port);
        }
    }

    private void askHosts(Consumer<CheckedHosts> onSuccess) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && !ports.isAbsent(port)) {
                int host = port;
                scope.get(
                        PortInfo.TYPE,
                        fabric.pathTo(port),
                        fabric.portInfoModifier(port),
                        outcome -> checkHost(host, outcome));
            }
        }
        scope.whenIdle(() -> askReportedSms(onSuccess));
    }

    private void checkHost(int port, Outcome<PortInfo> outcome) {
        if (outcome instanceof Outcome.Reply<PortInfo> reply) {
            hostPortInfos[port] = reply.value();
            contradictUnless(reply.value().lid() == subnet.lid(port));
            addReportedSm(port, reply.value());
        } else {
            isAnyHostSilent = true;
            PortInfo previousInfo = fabric.portInfo(port);
            contradictUnless(
                    port != ownPort && previousInfo != null && !previousInfo.hasCapability(PortInfo.CAP_IS_SM));
        }
    }

    /** Requests SMInfo from the SMs of the view first: if one responds, the check ends before it has sent much. */
    private void askKnownSms(int viewMaster) {
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            boolean isKnown = port == viewMaster
                    || (info != null && fabric.isEndport(port) && info.hasCapability(PortInfo.CAP_IS_SM));
            if (port != ownPort && isKnown) {
                askSm(knownSmsScope, port, outcome -> contradictUnless(!(outcome instanceof Outcome.Reply<SmInfo>)));
            }
        }
    }

    /**
     * Requests SMInfo from the ports that report an SM. A Linux kernel without an SM rejects SMInfo; its IsSM bit may
     * be left from an SM that has ended. Any other outcome contradicts the view, also no answer.
     */
    private void askReportedSms(Consumer<CheckedHosts> onSuccess) {
        for (int port : reportedSms) {
            askSm(
                    scope,
                    port,
                    outcome -> contradictUnless(
                            outcome instanceof Outcome.Failure<SmInfo> failure && failure.isWithoutAgent()));
        }
        scope.whenIdle(() -> askSwitchesAgain(onSuccess));
    }

    /**
     * Reads PortStateChange of all switches again if the check has waited for a silent host, because this SM handles no
     * traps before it is master. Then reads the ports of switches that sent traps.
     */
    private void askSwitchesAgain(Consumer<CheckedHosts> onSuccess) {
        for (int sw = 0; isAnyHostSilent && sw < fabric.switchCount(); sw++) {
            askPortStateChange(sw);
        }
        scope.whenIdle(() -> ports.readReported(() -> onSuccess.accept(new CheckedHosts(hostPortInfos, fabric))));
    }

    private void askSm(MadScope smScope, int port, Consumer<Outcome<SmInfo>> handler) {
        smScope.submit(
                SmpRequest.get(SmInfo.TYPE, fabric.pathTo(port), 0, handler).withoutKey());
    }
}
