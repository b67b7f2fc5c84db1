package io.torussm.daemon;

import io.torussm.sim.SimFabric;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** The cables, switches and hosts of a storm, and their faults. */
final class StormFabric {
    final Topology topology;
    final SimFabric devices;
    final List<Topology.Node> switches;
    final List<Topology.Node> hosts;
    final List<Topology.Node> smHosts;
    /** Hosts without an SM. */
    final List<Topology.Node> clientHosts;

    /** Receives the NodeGUIDs of switches that lose their tables. */
    LongConsumer resetListener = guid -> {};

    /** Runs after each loss or return of a cable or switch. */
    Runnable changeListener = () -> {};

    private final StormStory story;
    private final int maxFaults;
    private final Set<Cable> pulledCables = new TreeSet<>();
    private final Set<Cable> lossyCables = new TreeSet<>();
    private final Set<Long> poweredOff = new TreeSet<>();
    private final Set<Long> absent = new TreeSet<>();

    /** One cable, named by one of its ends. */
    private record Cable(long guid, int portNum) implements Comparable<Cable> {
        @Override
        public int compareTo(Cable other) {
            return guid != other.guid ? Long.compare(guid, other.guid) : Integer.compare(portNum, other.portNum);
        }
    }

    /**
     * Creates a fabric without faults.
     *
     * @param maxFaults maximum number of pulled cables and switches without power
     * @param sms hosts with an SM, 1 or 2
     */
    StormFabric(StormStory story, Topology topology, FaultPlan faults, int maxFaults, int sms) {
        this(story, topology, DeviceModels.PERFECT, faults, maxFaults, sms);
    }

    /** Creates a fabric of imperfect devices, and one SM. */
    StormFabric(StormStory story, Topology topology, DeviceModels models, FaultPlan faults, int maxFaults) {
        this(story, topology, models, faults, maxFaults, 1);
    }

    private StormFabric(
            StormStory story, Topology topology, DeviceModels models, FaultPlan faults, int maxFaults, int sms) {
        this.story = story;
        this.topology = topology;
        this.maxFaults = maxFaults;
        devices = new SimFabric(topology, models, story.loop, faults);
        switches = topology.nodes().stream().filter(Topology.Node::isSwitch).toList();
        hosts = topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
        smHosts = sms == 1 ? List.of(hosts.get(0)) : List.of(hosts.get(0), hosts.get(hosts.size() / 2));
        clientHosts = hosts.stream().filter(host -> !smHosts.contains(host)).toList();
    }

    /** Checks whether there are fewer faults than allowed. */
    boolean mayFail() {
        return pulledCables.size() + poweredOff.size() < maxFaults;
    }

    boolean isAbsent(Topology.Node host) {
        return absent.contains(host.nodeGuid());
    }

    boolean isAnyHostAbsent() {
        return !absent.isEmpty();
    }

    void failRandomSwitch() {
        fail(story.pick(switches));
    }

    /** Ends losses of packets, and makes sure that each SM is attached to a switch. */
    void endLosses() {
        devices.setLoss(0);
        lossyCables.forEach(cable -> devices.setLoss(cable.guid(), cable.portNum(), 0));
        lossyCables.clear();
        for (Topology.Node smHost : smHosts) {
            if (isAbsent(smHost)) {
                reconnect(smHost.nodeGuid());
            }
            long own = Objects.requireNonNull(smHost.peer(1)).node().nodeGuid();
            if (poweredOff.contains(own)) {
                power(own);
            }
        }
    }

    /** Restores the original fabric. */
    void repairAll() {
        List.copyOf(poweredOff).forEach(this::power);
        List.copyOf(pulledCables).forEach(this::restoreCable);
        List.copyOf(absent).forEach(this::reconnect);
    }

    void pullCable() {
        Topology.Node sw = story.pick(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        Topology.PortRef peer = sw.peer(portNum);
        if (peer == null || !peer.node().isSwitch()) {
            return;
        }
        story.log("the cable at " + sw.description() + " port " + portNum + " is pulled");
        devices.unlink(sw.nodeGuid(), portNum);
        boolean isFirst = sw.nodeGuid() < peer.node().nodeGuid();
        pulledCables.add(
                isFirst
                        ? new Cable(sw.nodeGuid(), portNum)
                        : new Cable(peer.node().nodeGuid(), peer.portNum()));
        changeListener.run();
    }

    /** Makes a cable lose half of its packets. */
    void makeCableLossy() {
        Topology.Node sw = story.pick(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        if (sw.peer(portNum) != null) {
            story.log("the cable at " + sw.description() + " port " + portNum + " is bad");
            devices.setLoss(sw.nodeGuid(), portNum, 0.5);
            lossyCables.add(new Cable(sw.nodeGuid(), portNum));
        }
    }

    void repair() {
        if (!pulledCables.isEmpty() && (poweredOff.isEmpty() || story.random.nextBoolean())) {
            restoreCable(story.pick(List.copyOf(pulledCables)));
        } else if (!poweredOff.isEmpty()) {
            power(story.pick(List.copyOf(poweredOff)));
        }
    }

    private void restoreCable(Cable cable) {
        story.log("the cable at " + name(cable.guid()) + " port " + cable.portNum() + " is back");
        devices.relink(cable.guid(), cable.portNum());
        pulledCables.remove(cable);
        changeListener.run();
    }

    private String name(long nodeGuid) {
        return topology.nodes().stream()
                .filter(node -> node.nodeGuid() == nodeGuid)
                .findFirst()
                .orElseThrow()
                .description();
    }

    void flap() {
        Topology.Node sw = story.pick(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        if (!isPlugged(sw, portNum)) {
            return;
        }
        int times = 1 + story.random.nextInt(6);
        story.log("the cable at " + sw.description() + " port " + portNum + " flaps " + times + " times");
        for (int i = 0; i < times; i++) {
            devices.unlink(sw.nodeGuid(), portNum);
            changeListener.run();
            story.advance(story.randomNs(30));
            devices.relink(sw.nodeGuid(), portNum);
            changeListener.run();
            story.advance(story.randomNs(30));
        }
    }

    /** Checks whether the port of a switch has a cable that is not pulled, to a node with power. */
    boolean isPlugged(Topology.Node sw, int portNum) {
        Topology.PortRef peer = sw.peer(portNum);
        return peer != null
                && !pulledCables.contains(new Cable(sw.nodeGuid(), portNum))
                && !pulledCables.contains(new Cable(peer.node().nodeGuid(), peer.portNum()))
                && !absent.contains(peer.node().nodeGuid());
    }

    /** Checks whether the link of a port is up. */
    boolean isUp(Topology.Node node, int portNum) {
        return devices.portInfo(node.nodeGuid(), portNum).isLinkUp();
    }

    /** Restores a cable that was pulled for a moment, unless it was pulled for longer meanwhile. */
    void restoreUnlessPulled(Topology.Node sw, int portNum) {
        if (isPlugged(sw, portNum)) {
            devices.relink(sw.nodeGuid(), portNum);
        }
    }

    private void fail(Topology.Node sw) {
        if (poweredOff.add(sw.nodeGuid())) {
            story.log(sw.description() + " fails");
            devices.failSwitch(sw.nodeGuid());
            changeListener.run();
            resetListener.accept(sw.nodeGuid());
        }
    }

    private void power(long guid) {
        story.log(name(guid) + " has power again");
        devices.restoreSwitch(guid);
        poweredOff.remove(guid);
        changeListener.run();
        resetListener.accept(guid);
    }

    void powerCycle() {
        Topology.Node sw = story.pick(switches);
        if (!poweredOff.contains(sw.nodeGuid())) {
            fail(sw);
            story.advance(story.random.nextBoolean() ? 0 : story.randomNs(1500));
            power(sw.nodeGuid());
        }
    }

    void disconnectHost() {
        disconnect(story.random.nextInt(20) == 0 ? story.pickIfSeveral(smHosts) : story.pick(clientHosts));
    }

    void disconnect(Topology.Node host) {
        if (absent.add(host.nodeGuid())) {
            story.log(host.description() + " goes");
            devices.unlink(host.nodeGuid(), 1);
            changeListener.run();
        }
    }

    void reconnectHost() {
        if (!absent.isEmpty()) {
            reconnect(story.pick(List.copyOf(absent)));
        }
    }

    private void reconnect(long guid) {
        story.log(name(guid) + " comes");
        devices.relink(guid, 1);
        absent.remove(guid);
        changeListener.run();
    }

    /** Restarts a host, which loses its LID and its memberships. */
    Topology.Node restartHost() {
        Topology.Node host = story.pick(clientHosts);
        story.log(host.description() + " restarts");
        devices.restartHost(host.nodeGuid());
        return host;
    }

    void setLoss() {
        double[] choices = {0, 0.01, 0.05, 0.2};
        double loss = choices[story.random.nextInt(choices.length)];
        story.log("loss " + loss);
        devices.setLoss(loss);
    }
}
