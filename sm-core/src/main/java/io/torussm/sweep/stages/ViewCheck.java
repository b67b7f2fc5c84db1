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
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The check of a remembered view beside the discovery, by the routes that the view contains: four SMPs for each
 * switch and one for each host. All are sent at once, so that it ends long before a discovery, which finds one
 * device behind the other.
 *
 * <p>Each switch must have its LID, the MasterSMLID of the SM that made the view, and the sampled tables. A switch
 * whose PortStateChange is set is asked for its ports: cables to switches must be ACTIVE, and there must be no cable
 * that the view does not contain. Each host must have its LID, be silent, or be behind a port that is down. No SM may
 * be at any port of them. Any other answer is a contradiction, and ends the check. Used once. Owner thread: the loop.
 */
final class ViewCheck {
    private final MadScope scope;

    /** The scope of questions whose answer may end the check at once, and that are not awaited. */
    private final MadScope first;

    private final SweepSettings settings;
    private final PublishedView view;
    private final Subnet subnet;

    /** The fabric of the view with the routes of this SM; indexes are those of the view if no node is out of reach. */
    private final Fabric fabric;

    private final int own;

    /** By port index: PortInfo of end ports of hosts, null where none was read. */
    private final @Nullable PortInfo[] hosts;

    /** Hosts behind a port that is down. */
    private final BitSet absent = new BitSet();

    private final List<Integer> reportedSms = new ArrayList<>();
    private boolean isContradicted;

    /**
     * The result of a check that nothing contradicted.
     *
     * @param hosts PortInfo of each host that answered, by port index of the view
     * @param fabric the fabric of the view with the routes by which they were asked
     */
    record UncontradictedView(@Nullable PortInfo[] hosts, Fabric fabric) {}

    /**
     * Creates a check; it is not started yet.
     *
     * @param first a scope of its own for the SMs that the view knows
     * @param own port index of the SM in the view
     */
    ViewCheck(MadScope scope, MadScope first, SweepSettings settings, PublishedView view, int own) {
        this.scope = scope;
        this.first = first;
        this.settings = settings;
        this.view = view;
        this.subnet = view.subnet();
        this.fabric = seenFrom(own);
        this.own = own;
        this.hosts = new PortInfo[fabric.portCount()];
    }

    private Fabric seenFrom(int endport) {
        Fabric known = subnet.fabric();
        FabricBuilder builder = FabricBuilder.of(known);
        builder.sitAt(known.nodeGuid(known.nodeOf(endport)), known.portNum(endport));
        builder.retrace();
        return builder.build();
    }

    /** Starts; calls back if nothing contradicts the view. */
    void start(Consumer<UncontradictedView> then) {
        boolean isWhole = fabric.nodeCount() == subnet.fabric().nodeCount();
        int maker = fabric.endport(view.smPortGuid());
        int masterLid = maker == Fabric.NONE || !isWhole ? 0 : subnet.lid(maker);
        if (masterLid == 0 || fabric.switchCount() == 0) {
            return;
        }
        askKnownSms(maker);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            askSwitch(sw, masterLid);
        }
        new ViewSamples(scope, sw -> fabric.node(sw).path(), this::contradict).read(view, fabric, settings);
        scope.whenIdle(() -> askHosts(() -> askSms(() -> then.accept(new UncontradictedView(hosts, fabric)))));
    }

    /** Ends the check: pending requests are cancelled, and it does not call back. */
    void contradict() {
        if (!isContradicted) {
            isContradicted = true;
            scope.close();
            first.close();
        }
    }

    private void contradictUnless(boolean isAsBefore) {
        if (!isAsBefore) {
            contradict();
        }
    }

    private void askSwitch(int sw, int masterLid) {
        int port0 = fabric.port(sw, 0);
        scope.get(PortInfo.TYPE, fabric.node(sw).path(), fabric.portInfoModifier(port0), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo> reply
                    && reply.value().lid() == subnet.lid(port0)
                    && reply.value().masterSmLid() == masterLid) {
                noteSm(port0, reply.value());
            } else {
                contradict();
            }
        });
        scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)
                    || reply.value().linearFdbTop() < subnet.topLid()) {
                contradict();
            } else if (reply.value().portStateChange()) {
                askPorts(sw);
            }
        });
    }

    /** Notes an SM that a port reports, which is asked at the end. */
    private void noteSm(int port, PortInfo info) {
        if (port != own && info.can(PortInfo.CAP_IS_SM)) {
            reportedSms.add(port);
        }
    }

    private void askPorts(int sw) {
        for (int portNum = 1; portNum <= fabric.numPorts(sw) && !isContradicted; portNum++) {
            int port = fabric.port(sw, portNum);
            scope.get(
                    PortInfo.TYPE,
                    fabric.node(sw).path(),
                    fabric.portInfoModifier(port),
                    outcome -> checkPort(fabric.peer(port), outcome));
        }
    }

    private void checkPort(int far, Outcome<PortInfo> outcome) {
        if (!(outcome instanceof Outcome.Reply<PortInfo> reply)) {
            contradict();
        } else if (far == Fabric.NONE) { // A device that the view does not contain may have an SM.
            contradictUnless(reply.value().portState() == PortInfo.STATE_DOWN);
        } else if (fabric.isSwitch(fabric.nodeOf(far))) {
            contradictUnless(reply.value().portState() == PortInfo.STATE_ACTIVE);
        } else {
            absent.set(far, reply.value().portState() == PortInfo.STATE_DOWN);
        }
    }

    private void askHosts(Runnable then) {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)) && !absent.get(port)) {
                int host = port;
                scope.get(
                        PortInfo.TYPE,
                        fabric.pathTo(port),
                        fabric.portInfoModifier(port),
                        outcome -> checkHost(host, outcome));
            }
        }
        scope.whenIdle(then);
    }

    private void checkHost(int port, Outcome<PortInfo> outcome) {
        if (outcome instanceof Outcome.Reply<PortInfo> reply) {
            hosts[port] = reply.value();
            contradictUnless(reply.value().lid() == subnet.lid(port));
            noteSm(port, reply.value());
        } else {
            PortInfo before = fabric.portInfo(port);
            contradictUnless(port != own && before != null && !before.can(PortInfo.CAP_IS_SM));
        }
    }

    /** Asks the SMs that the view knows, so that the check costs little beside a master that lives. */
    private void askKnownSms(int maker) {
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            boolean isKnown = port == maker || info != null && fabric.isEndport(port) && info.can(PortInfo.CAP_IS_SM);
            if (port != own && isKnown) {
                askSm(first, port, outcome -> contradictUnless(!(outcome instanceof Outcome.Reply<SmInfo>)));
            }
        }
    }

    /** Asks the SMs that ports report. Only the answer that there is none, of a kernel, is no contradiction. */
    private void askSms(Runnable then) {
        for (int port : reportedSms) {
            askSm(
                    scope,
                    port,
                    outcome -> contradictUnless(
                            outcome instanceof Outcome.Failure<SmInfo> failure && failure.isWithoutAgent()));
        }
        scope.whenIdle(then);
    }

    private void askSm(MadScope in, int port, Consumer<Outcome<SmInfo>> then) {
        in.submit(SmpRequest.get(SmInfo.TYPE, fabric.pathTo(port), 0, then).withoutKey());
    }
}
