package io.torussm.sim.fault;

import io.torussm.mad.Guid;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a running embedded fabric. A fault is made here, recorded with the time of its beginning, and repaired.
 * The initial state of device models and topologies is not a fault.
 *
 * <p>Owner thread: the loop of the fabric. Unknown nodes and ports are rejected by IllegalArgumentException, actions
 * that the present state does not allow by IllegalStateException. Both contain the reason.
 */
public final class Faults {
    /** Min time between two increases of a counter. */
    private static final long MIN_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SimFabric fabric;
    private final SimInterventions interventions;
    private final Loop loop;
    private final Nodes nodes;

    /** The present faults by kind and subject, in the order of their beginnings. */
    private final Map<String, RepairableFault> activeFaults = new LinkedHashMap<>();

    /** The unplugged cables: each end by the other. */
    private final Map<CableEnd, CableEnd> unpluggedCables = new HashMap<>();

    /** The initial agents of nodes with a fault of the agent, by NodeGUID. */
    private final Map<Long, AgentProfile> agentsAtStart = new HashMap<>();

    /** The faults of agents by NodeGUID and kind, in the order of their application. */
    private final Map<Long, Map<String, UnaryOperator<AgentProfile>>> agents = new HashMap<>();

    /**
     * A present fault.
     *
     * @param sinceNs time of the loop at its beginning
     * @param kind command of the console that made it
     * @param subject node or port, as the console names it
     * @param detail description; may be empty
     */
    public record Broken(long sinceNs, String kind, String subject, String detail) {
        @Override
        public String toString() {
            return kind + " " + subject + (detail.isEmpty() ? "" : " " + detail);
        }
    }

    /** A present fault and its repair. */
    private record RepairableFault(Broken fault, Runnable repair) {}

    /** Creates a fabric without faults. */
    public Faults(SimFabric fabric, Topology topology, Loop loop) {
        this.fabric = fabric;
        this.loop = loop;
        interventions = fabric.interventions();
        nodes = new Nodes(topology);
    }

    Nodes nodes() {
        return nodes;
    }

    SimFabric fabric() {
        return fabric;
    }

    Loop loop() {
        return loop;
    }

    /** Returns the present faults in the order of their beginnings. */
    public List<Broken> activeFaults() {
        loop.requireInLoop();
        return activeFaults.values().stream().map(RepairableFault::fault).toList();
    }

    /** Repairs all faults. */
    public void repairAll() {
        repair(activeFaults());
    }

    /** Executes an action and returns the faults that it made, for {@link #repair}. */
    List<Broken> collectFaults(Runnable action) {
        Set<Broken> before = new HashSet<>(activeFaults());
        action.run();
        return activeFaults().stream().filter(fault -> !before.contains(fault)).toList();
    }

    /** Repairs those faults of a list that are still present. A later fault with the same kind and subject remains. */
    void repair(List<Broken> list) {
        for (Broken broken : list) {
            String key = key(broken.kind(), broken.subject());
            RepairableFault fault = activeFaults.get(key);
            if (fault != null && fault.fault().equals(broken)) {
                activeFaults.remove(key);
                fault.repair().run();
            }
        }
    }

    private static String key(String kind, String subject) {
        return kind + " " + subject;
    }

    /**
     * Records a fault. A fault that is present already keeps the time of its beginning.
     *
     * @param mend repair
     */
    private void beginFault(String kind, String subject, String detail, Runnable mend) {
        RepairableFault previous = activeFaults.get(key(kind, subject));
        long sinceNs = previous == null ? loop.nowNs() : previous.fault().sinceNs();
        activeFaults.put(key(kind, subject), new RepairableFault(new Broken(sinceNs, kind, subject, detail), mend));
    }

    private void endFault(String kind, String subject) {
        activeFaults.remove(key(kind, subject));
    }

    /** Returns the port at the other end of the cable of a port; null without a cable. */
    @Nullable
    CableEnd peer(CableEnd port) {
        return interventions.peer(port.nodeGuid(), port.portNum());
    }

    /** Unplugs the cable of a port. Returns false if the port has none. */
    public boolean unlink(CableEnd port) {
        CableEnd peer = peer(port);
        if (peer == null) {
            return false;
        }
        fabric.unlink(port.nodeGuid(), port.portNum());
        unpluggedCables.put(port, peer);
        unpluggedCables.put(peer, port);
        beginFault("Unlink", nodes.text(port), "from " + nodes.text(peer), () -> relinkIfFree(port));
        return true;
    }

    /** Plugs the last unplugged cable of a port in again, unless a port at either end has another cable by now. */
    void relinkIfFree(CableEnd port) {
        CableEnd peer = unpluggedCables.get(port);
        if (peer != null && peer(port) == null && peer(peer) == null) {
            link(port, peer);
        }
    }

    /**
     * Plugs the last unplugged cable of a port in again.
     *
     * @return false if no cable was unplugged
     * @throws IllegalStateException if a port at either end has a cable
     */
    public boolean relink(CableEnd port) {
        CableEnd peer = unpluggedCables.get(port);
        if (peer == null) {
            return false;
        }
        link(port, peer);
        return true;
    }

    /**
     * Plugs a cable into two ports.
     *
     * @throws IllegalStateException if one of the ports has a cable
     */
    public void link(CableEnd one, CableEnd other) {
        interventions.link(one, other);
        for (CableEnd end : List.of(one, other)) {
            unpluggedCables.remove(end);
            endFault("Unlink", nodes.text(end));
        }
    }

    /** Unplugs the cable of a port and resets the registers of the port. */
    public void clear(CableEnd port) {
        unlink(port);
        interventions.reset(port.nodeGuid(), port.portNum());
    }

    /** Switches a node off. */
    public void powerOff(long nodeGuid) {
        interventions.powerOff(nodeGuid);
        beginFault("Off", nodes.text(nodeGuid), "", () -> interventions.powerOn(nodeGuid));
    }

    /** Switches a node on. Returns false if it was on. */
    public boolean powerOn(long nodeGuid) {
        if (interventions.isPowered(nodeGuid)) {
            return false;
        }
        endFault("Off", nodes.text(nodeGuid));
        interventions.powerOn(nodeGuid);
        return true;
    }

    /**
     * Loses MADs and packets that arrive at a port.
     *
     * @param probability probability of each loss; 0 ends the fault
     */
    void setLossInto(CableEnd port, double probability) {
        interventions.setLossInto(port.nodeGuid(), port.portNum(), probability);
        recordLoss(
                "Error",
                nodes.text(port),
                probability,
                () -> interventions.setLossInto(port.nodeGuid(), port.portNum(), 0));
    }

    /**
     * Loses MADs and packets on the cable of a port, in both directions.
     *
     * @param probability probability of each loss; 0 ends the fault
     */
    void setLoss(CableEnd port, double probability) {
        fabric.setLoss(port.nodeGuid(), port.portNum(), probability);
        recordLoss("Loss", nodes.text(port), probability, () -> fabric.setLoss(port.nodeGuid(), port.portNum(), 0));
    }

    /**
     * Loses MADs on all cables.
     *
     * @param probability probability of each loss; 0 ends the fault
     */
    void setLoss(double probability) {
        fabric.setLoss(probability);
        recordLoss("Loss", "everywhere", probability, () -> fabric.setLoss(0));
    }

    /** Records a loss, or its end if the probability is 0. */
    private void recordLoss(String kind, String subject, double probability, Runnable mend) {
        if (probability > 0) {
            beginFault(kind, subject, "with probability " + probability, mend);
        } else {
            endFault(kind, subject);
        }
    }

    /**
     * Changes the agent of a node.
     *
     * @param kind kind of the fault; a later fault of the same kind replaces an earlier one of this node
     * @param detail description of the fault
     * @param change change of the profile, for example a rule before the other rules
     */
    void changeAgent(long nodeGuid, String kind, String detail, UnaryOperator<AgentProfile> change) {
        agentsAtStart.putIfAbsent(nodeGuid, interventions.agent(nodeGuid));
        Map<String, UnaryOperator<AgentProfile>> changes =
                agents.computeIfAbsent(nodeGuid, guid -> new LinkedHashMap<>());
        changes.put(kind, change);
        applyAgent(nodeGuid);
        beginFault(kind, nodes.text(nodeGuid), detail, () -> restoreAgent(nodeGuid, kind));
    }

    /** Ends a fault that {@link #changeAgent} made. */
    void restoreAgent(long nodeGuid, String kind) {
        Map<String, UnaryOperator<AgentProfile>> changes = agents.get(nodeGuid);
        if (changes != null && changes.remove(kind) != null) {
            applyAgent(nodeGuid);
        }
        endFault(kind, nodes.text(nodeGuid));
    }

    /** Restores the initial agent of a node. */
    void restoreAgent(long nodeGuid) {
        List.copyOf(agents.getOrDefault(nodeGuid, Map.of()).keySet()).forEach(kind -> restoreAgent(nodeGuid, kind));
    }

    /** Sets the agent of a node: the initial one with all present changes. */
    private void applyAgent(long nodeGuid) {
        AgentProfile profile = agentsAtStart.getOrDefault(nodeGuid, AgentProfile.CONFORMING);
        for (UnaryOperator<AgentProfile> change :
                agents.getOrDefault(nodeGuid, Map.of()).values()) {
            profile = change.apply(profile);
        }
        fabric.setAgent(nodeGuid, profile);
    }

    /**
     * Raises a counter by an amount in each period.
     *
     * @param periodNs period in nanoseconds, at least 1 ms
     * @throws IllegalArgumentException if the period is shorter
     */
    void startRising(CableEnd port, PortCounter counter, long by, long periodNs) {
        if (periodNs < MIN_PERIOD_NS) {
            throw new IllegalArgumentException("a counter goes up every 1 ms at most");
        }
        stopRising(port, counter);
        Rising rising = new Rising(port, counter, by, periodNs);
        rising.waitForNext();
        beginFault("Rising", rising.subject(), "by " + by + " every " + TimeSpans.text(periodNs), rising::cancel);
    }

    /** Ends the rise of a counter. */
    void stopRising(CableEnd port, PortCounter counter) {
        RepairableFault fault = activeFaults.get(key("Rising", new Rising(port, counter, 0, 0).subject()));
        if (fault != null) {
            repair(List.of(fault.fault()));
        }
    }

    /** A counter that is raised by a timer. */
    private final class Rising {
        private final CableEnd port;
        private final PortCounter counter;
        private final long increment;
        private final long periodNs;
        private Loop.@Nullable Timer timer;

        Rising(CableEnd port, PortCounter counter, long by, long periodNs) {
            this.port = port;
            this.counter = counter;
            this.increment = by;
            this.periodNs = periodNs;
        }

        String subject() {
            return nodes.text(port) + " " + counter;
        }

        void waitForNext() {
            timer = loop.schedule(periodNs, () -> {
                waitForNext();
                fabric.portCounters().add(port.nodeGuid(), port.portNum(), counter, increment);
            });
        }

        void cancel() {
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    /** Sets another NodeGUID that a node reports. */
    void setNodeGuid(long nodeGuid, long shown) {
        long own = nodes.of(nodeGuid).nodeGuid();
        interventions.setNodeGuid(nodeGuid, shown);
        recordGuid("Guid", nodes.text(nodeGuid), own, shown, () -> interventions.setNodeGuid(nodeGuid, own));
    }

    /** Sets another PortGUID that a port reports. */
    void setPortGuid(CableEnd port, long shown) {
        long own = nodes.of(port.nodeGuid()).portGuid(port.portNum());
        interventions.setPortGuid(port.nodeGuid(), port.portNum(), shown);
        recordGuid(
                "Guid",
                nodes.text(port),
                own,
                shown,
                () -> interventions.setPortGuid(port.nodeGuid(), port.portNum(), own));
    }

    /** Records a GUID that differs from the node's own, or the end of this fault. */
    private void recordGuid(String kind, String subject, long own, long shown, Runnable mend) {
        if (own == shown) {
            endFault(kind, subject);
        } else {
            beginFault(kind, subject, "shown as " + Guid.format(shown), mend);
        }
    }

    /** Sets another NodeDescription that a node reports. */
    void setDescription(long nodeGuid, String description) {
        String own = nodes.of(nodeGuid).description();
        fabric.setDescription(nodeGuid, description);
        if (own.equals(description)) {
            endFault("Describe", nodes.text(nodeGuid));
        } else {
            beginFault(
                    "Describe",
                    nodes.text(nodeGuid),
                    "as \"" + description + '"',
                    () -> fabric.setDescription(nodeGuid, own));
        }
    }

    /**
     * Returns one end of each cable whose two nodes have power, in the order of the topology. The end is at a switch.
     *
     * @param isBetweenSwitches true for cables between switches, false for cables of hosts
     */
    List<CableEnd> cables(boolean isBetweenSwitches) {
        List<CableEnd> ends = new ArrayList<>();
        for (Topology.Node node : nodes.all()) {
            int ports = node.isSwitch() ? node.numPorts() : 0;
            for (int portNum = 1; portNum <= ports; portNum++) {
                CableEnd end = new CableEnd(node.nodeGuid(), portNum);
                CableEnd peer = peer(end);
                if (peer != null
                        && nodes.of(peer.nodeGuid()).isSwitch() == isBetweenSwitches
                        && representsCable(end, peer, isBetweenSwitches)
                        && isPowered(end)
                        && isPowered(peer)) {
                    ends.add(end);
                }
            }
        }
        return ends;
    }

    /**
     * Checks whether this end stands for its cable. A cable between switches has two ends at switches, of which the one
     * with the lower index of node, then of port, stands for it.
     */
    private boolean representsCable(CableEnd end, CableEnd peer, boolean isBetweenSwitches) {
        int near = nodes.of(end.nodeGuid()).index();
        int far = nodes.of(peer.nodeGuid()).index();
        return !isBetweenSwitches || near < far || (near == far && end.portNum() < peer.portNum());
    }

    private boolean isPowered(CableEnd end) {
        return interventions.isPowered(end.nodeGuid());
    }
}
