package io.torussm.sim;

import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VPortNotice;
import io.torussm.sim.agent.SmpTriggers;
import io.torussm.sim.agent.VPortAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.SetWatcher;
import io.torussm.sim.model.VPortModel;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of MADs: along the wires, subject to the fault plan, to the agent of the device or the client of its
 * port, and the response back.
 *
 * <p>The whole route is followed when a MAD departs, and its time is added up: a link that fails later does not stop
 * it. So a transaction costs two tasks of the loop rather than two per hop. Owner thread: the loop.
 */
final class MadDelivery {
    /** Max MADs in flight; further ones are lost, as in a congested network. */
    private static final int MAX_IN_FLIGHT = 1 << 16;

    private final Loop loop;
    private final FaultPlan faults;
    private final SplittableRandom random;
    private final Wires wires;
    private final SubnetAgent agent;
    private final TrapSender traps;
    private final PerfAgent perf;
    private final SmpTriggers triggers = new SmpTriggers();
    private final List<SetWatcher> watchers = new ArrayList<>();
    private final long startNs;
    private final ArrayDeque<Delivery> deliveries = new ArrayDeque<>();
    private boolean isDelivering;
    private int inFlight;
    /** Queues for SMPs; null if ports and agents serve any number of SMPs simultaneously. */
    private @Nullable Vl15Queues queues;

    /** Probability that a MAD is lost, on any route. */
    double loss;

    private long sent;
    private long answered;
    private long delivered;
    private long lost;
    private long duplicated;
    private long ignored;
    private long mKeyViolations;

    private record Delivery(SimPort port, MadFrame frame) {}

    MadDelivery(Loop loop, FaultPlan faults, SimLinks links) {
        this.loop = loop;
        this.faults = faults;
        startNs = loop.nowNs();
        loss = faults.loss();
        random = new SplittableRandom(faults.seed());
        wires = new Wires(random);
        agent = new SubnetAgent(new PortSetter(links));
        traps = new TrapSender(loop, this::launch);
        perf = new PerfAgent(() -> loop.nowNs() - startNs, random::nextDouble);
    }

    void limitQueues(SimFabric.Vl15 limits) {
        queues = new Vl15Queues(loop, limits, faults.hopLatencyNs());
    }

    Wires wires() {
        return wires;
    }

    PerfAgent perf() {
        return perf;
    }

    TrapSender traps() {
        return traps;
    }

    void watch(SetWatcher watcher) {
        watchers.add(watcher);
    }

    SmpTriggers triggers() {
        return triggers;
    }

    /** Adds the virtual ports of a device's model to its end ports. */
    void addVPorts(SimDevice device) {
        VPortModel model = device.vendor.vports();
        int deviceId = (int) NodeInfo.DEVICE_ID.get(device.nodeInfo, 0);
        for (SimPort port : model.count() == 0 ? List.<SimPort>of() : device.endPorts()) {
            port.vports = new VPortAgent(
                    model,
                    port.portGuid,
                    port::state,
                    (number, vport) -> traps.sendVendorTrap(port, VPortNotice.of(number, deviceId, port.lid(), vport)));
        }
    }

    /** Sends a MAD of a client. */
    void submit(SimPort from, MadFrame frame) {
        MadAddress to = frame.peer();
        sent++;
        int slid = from.lid() + (to.pathBits() & from.pathMask());
        Packet packet = new Packet(frame.mad().clone(), slid, to.lid(), to.sl() & 0xf, to.qpn(), to.pKeyIndex());
        GlobalRoute grh = to.grh();
        if (grh != null) {
            packet.grh =
                    new GlobalRoute(from.gid(grh.gidIndex()), 0, grh.hopLimit(), grh.trafficClass(), grh.flowLabel());
        }
        launch(from, packet);
    }

    /** Sends a MAD from a port: follows its route, and schedules its arrival. */
    private void launch(SimPort from, Packet packet) {
        if (queues != null && packet.isSmp()) {
            packet.egresses = new ArrayList<>();
        }
        SimPort end = from.device.isFailed ? null : wires.follow(packet, from);
        if (end == null) {
            return;
        }
        if (inFlight >= MAX_IN_FLIGHT || (loss > 0 && random.nextDouble() < loss)) {
            lost++;
            return;
        }
        if (faults.duplication() > 0 && random.nextDouble() < faults.duplication()) {
            duplicated++;
            scheduleArrival(packet.copy(), end);
        }
        scheduleArrival(packet, end);
    }

    private void scheduleArrival(Packet packet, SimPort end) {
        Vl15Queues vl15 = queues;
        List<SimPort> egresses = packet.egresses;
        if (vl15 != null && egresses != null) {
            Runnable arrived = () -> arrive(packet, end);
            loop.schedule(packet.preparationNs, () -> vl15.travel(egresses, arrived));
            return;
        }
        long delayNs = packet.preparationNs
                + packet.hops * faults.hopLatencyNs()
                + (faults.jitterNs() > 0 ? random.nextLong(faults.jitterNs() + 1) : 0);
        if (delayNs == 0) {
            arrive(packet, end);
        } else {
            inFlight++;
            loop.schedule(delayNs, () -> {
                inFlight--;
                arrive(packet, end);
            });
        }
    }

    private void arrive(Packet packet, SimPort receiving) {
        byte[] mad = packet.mad;
        int method = MadHeader.method(mad);
        if (receiving.device.isFailed) {
            lost++;
        } else if (!packet.isSmp()) {
            arriveGmp(packet, receiving);
        } else if (packet.isDirected() && MadHeader.isResponse(mad) != (MadHeader.DIRECTION.get(mad, 0) != 0)) {
            ignored++;
        } else if (MadHeader.isResponse(mad) || method == Method.TRAP) {
            deliver(packet, receiving);
        } else if (queues != null) {
            queues.enqueueRequest(receiving.device, () -> request(packet, receiving));
        } else {
            request(packet, receiving);
        }
    }

    /** Delivers a GMP to an agent behind QP1, or else to the client. The first request to an agent starts counting. */
    private void arriveGmp(Packet packet, SimPort in) {
        if (!PerfAgent.isForAgent(packet.mad, in.device)) {
            if (isWithoutAgent(packet, in)) {
                respond(packet, in, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
            } else {
                deliver(packet, in);
            }
            return;
        }
        wires.countMads();
        int status = perf.answer(packet, in);
        if (status == PerfAgent.NO_RESPONSE) {
            ignored++;
            return;
        }
        MadHeader.STATUS.set(packet.mad, 0, status);
        MadHeader.METHOD.set(packet.mad, 0, Method.GET_RESP);
        answered++;
        Packet answer = new Packet(packet.mad, packet.dlid, packet.slid, packet.sl, packet.qpn, packet.pKeyIndex);
        answer.preparationNs = faults.deviceLatencyNs() + packet.preparationNs;
        launch(in.device.endPort(in), answer);
    }

    /** Checks whether the kernel of a host without a client responds. It does so to Get and Set only. */
    private static boolean isWithoutAgent(Packet packet, SimPort in) {
        int method = MadHeader.method(packet.mad);
        SimPort port = in.device.endPort(in);
        boolean isGroupMember = port.groups != null;
        return (method == Method.GET || method == Method.SET) && port.client.get() == null && !isGroupMember;
    }

    private void request(Packet packet, SimPort in) {
        byte[] mad = packet.mad;
        int method = MadHeader.method(mad);
        boolean isKnown = method == Method.GET || method == Method.SET || method == Method.TRAP_REPRESS;
        if (!isVersionKnown(mad)) {
            respond(packet, in, MadStatus.UNSUPPORTED_VERSION);
            return;
        }
        if (!isKnown) {
            respond(packet, in, MadStatus.UNSUPPORTED_METHOD);
            return;
        }
        SimPort endPort = in.device.endPort(in);
        MKeyGuard.Verdict verdict = MKeyGuard.check(endPort, mad, loop.nowNs());
        if (verdict == MKeyGuard.Verdict.DROP) {
            mKeyViolations++;
            traps.sendBadMKey(endPort, packet);
        } else if (method == Method.TRAP_REPRESS) {
            SimTransport client = endPort.client.get();
            if (!traps.repress(endPort, mad) && client != null && client.isTrapRepressWanted()) {
                deliver(packet, in);
            }
        } else if (MadHeader.attributeId(mad) == SmInfo.TYPE.id()) {
            deliverSmInfo(packet, in, endPort);
        } else {
            execute(packet, in, verdict == MKeyGuard.Verdict.PASS);
        }
    }

    /** Answers a request, with the faults of the device's agent. */
    private void execute(Packet packet, SimPort in, boolean showMKey) {
        byte[] mad = packet.mad;
        triggers.handleRequest(mad);
        AgentProfile profile = in.device.profile;
        AgentProfile.Rule rule = profile.rule(mad, loop.nowNs() - startNs, random::nextDouble);
        if (rule != null && rule.action() == AgentProfile.Action.DROP) {
            ignored++;
        } else if (rule != null && rule.action() == AgentProfile.Action.REFUSE) {
            respond(packet, in, rule.status());
        } else {
            if (rule != null) {
                // IGNORE_SET: the Set is answered like a Get.
                MadHeader.METHOD.set(mad, 0, Method.GET);
            }
            int status = MadHeader.method(mad) == Method.SET && !watchers.isEmpty()
                    ? executeWatchedSet(in, mad, showMKey)
                    : agent.answer(in, mad, showMKey);
            profile.hideSpeeds(mad);
            profile.writeFalseValues(mad, loop.nowNs() - startNs, random::nextDouble);
            respond(packet, in, status);
        }
    }

    /** Executes a Set, and notifies the watchers if it changed the register. */
    private int executeWatchedSet(SimPort in, byte[] mad, boolean showMKey) {
        byte[] before = readRegister(in, mad);
        int status = agent.answer(in, mad, showMKey);
        byte[] after = readRegister(in, mad);
        if (!Arrays.equals(before, after)) {
            SimDevice device = in.device;
            int portNum = device.isSwitch ? 0 : in.portNum;
            int attributeId = MadHeader.attributeId(mad);
            int modifier = MadHeader.attributeModifier(mad);
            watchers.forEach(watcher -> watcher.changed(
                    device.node.nodeGuid(), portNum, attributeId, modifier, before.clone(), after.clone()));
        }
        return status;
    }

    private byte[] readRegister(SimPort in, byte[] mad) {
        byte[] get = mad.clone();
        MadHeader.METHOD.set(get, 0, Method.GET);
        agent.answer(in, get, true);
        return Arrays.copyOfRange(get, Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE);
    }

    /** Delivers SMInfo to a subnet manager. If no client has set IsSM, responds as a kernel without an SM does. */
    private void deliverSmInfo(Packet packet, SimPort in, SimPort endPort) {
        if ((PortInfo.CAPABILITY_MASK.get(endPort.info, 0) & PortInfo.CAP_IS_SM) != 0) {
            deliver(packet, in);
        } else {
            respond(packet, in, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
    }

    private static boolean isVersionKnown(byte[] mad) {
        return MadHeader.BASE_VERSION.get(mad, 0) == 1 && MadHeader.CLASS_VERSION.get(mad, 0) == 1;
    }

    /** Sends the request back as its response: to its SLID, or along the return path. */
    private void respond(Packet packet, SimPort in, int status) {
        byte[] mad = packet.mad;
        answered++;
        MadHeader.STATUS.set(mad, 0, status);
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        if (packet.isDirected()) {
            MadHeader.DIRECTION.set(mad, 0, 1);
        }
        boolean cameDirected = packet.isDirected() && packet.dlid == Lids.PERMISSIVE;
        SimPort endPort = in.device.endPort(in);
        int dlid = cameDirected ? Lids.PERMISSIVE : packet.slid;
        Packet answer = new Packet(mad, endPort.lid(), dlid, packet.sl, packet.qpn, packet.pKeyIndex);
        answer.preparationNs = faults.deviceLatencyNs();
        launch(cameDirected ? in : endPort, answer);
    }

    /** Queues a MAD for the client of a port: a client is never called within its own call. */
    private void deliver(Packet packet, SimPort in) {
        SimPort port = in.device.endPort(in);
        if (port.groups != null && port.groups.handleResponse(packet.mad)) {
            delivered++;
            return;
        }
        if (port.client.get() == null || deliveries.size() >= MAX_IN_FLIGHT) {
            ignored++;
            return;
        }
        boolean isSmp = packet.isSmp();
        int slid = packet.isDirected() && packet.dlid == Lids.PERMISSIVE ? Lids.PERMISSIVE : packet.slid;
        int pathBits = packet.dlid == Lids.PERMISSIVE ? 0 : packet.dlid & port.pathMask();
        MadAddress from =
                new MadAddress(slid, isSmp ? 0 : packet.qpn, packet.sl, packet.pKeyIndex, pathBits, packet.grh);
        deliveries.add(new Delivery(port, new MadFrame(from, packet.mad)));
        if (!isDelivering) {
            isDelivering = true;
            loop.execute(this::deliverAll);
        }
    }

    private void deliverAll() {
        isDelivering = false;
        for (int remaining = deliveries.size(); remaining > 0; remaining--) {
            Delivery next = deliveries.remove();
            SimTransport client = next.port.client.get();
            if (client != null) {
                delivered++;
                client.deliver(next.frame);
            }
        }
    }

    FabricCounters counters() {
        return new FabricCounters(
                sent,
                answered,
                delivered,
                lost + wires.lost(),
                duplicated,
                wires.misdirected(),
                wires.unroutable(),
                ignored,
                mKeyViolations,
                traps.sent(),
                wires.hops(),
                queues == null ? 0 : queues.dropped());
    }
}
