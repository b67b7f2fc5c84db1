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
    final List<Topology.Node> guests;

    /** Receives the NodeGUIDs of switches that lose their tables. */
    LongConsumer whenReset = guid -> {};

    /** Runs after each loss or return of a cable or switch. */
    Runnable whenChanged = () -> {};

    private final StormStory story;
    private final int maxFaults;
    private final Set<Cable> pulled = new TreeSet<>();
    private final Set<Cable> bad = new TreeSet<>();
    private final Set<Long> dark = new TreeSet<>();
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
        guests = hosts.stream().filter(host -> !smHosts.contains(host)).toList();
    }

    /** Checks whether there are fewer faults than allowed. */
    boolean mayFail() {
        return pulled.size() + dark.size() < maxFaults;
    }

    boolean isAbsent(Topology.Node host) {
        return absent.contains(host.nodeGuid());
    }

    boolean isAnyHostAbsent() {
        return !absent.isEmpty();
    }

    void switchFails() {
        fail(story.one(switches));
    }

    /** Ends losses of packets, and makes sure that each SM is attached to a switch. */
    void calm() {
        devices.setLoss(0);
        bad.forEach(cable -> devices.setLoss(cable.guid(), cable.portNum(), 0));
        bad.clear();
        for (Topology.Node smHost : smHosts) {
            if (isAbsent(smHost)) {
                comes(smHost.nodeGuid());
            }
            long own = Objects.requireNonNull(smHost.peer(1)).node().nodeGuid();
            if (dark.contains(own)) {
                power(own);
            }
        }
    }

    /** Restores the original fabric. */
    void repairAll() {
        List.copyOf(dark).forEach(this::power);
        List.copyOf(pulled).forEach(this::plug);
        List.copyOf(absent).forEach(this::comes);
    }

    void pullCable() {
        Topology.Node sw = story.one(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        Topology.PortRef peer = sw.peer(portNum);
        if (peer == null || !peer.node().isSwitch()) {
            return;
        }
        story.tell("the cable at " + sw.description() + " port " + portNum + " is pulled");
        devices.unlink(sw.nodeGuid(), portNum);
        boolean isFirst = sw.nodeGuid() < peer.node().nodeGuid();
        pulled.add(
                isFirst
                        ? new Cable(sw.nodeGuid(), portNum)
                        : new Cable(peer.node().nodeGuid(), peer.portNum()));
        whenChanged.run();
    }

    /** Makes a cable lose half of its packets. */
    void spoilCable() {
        Topology.Node sw = story.one(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        if (sw.peer(portNum) != null) {
            story.tell("the cable at " + sw.description() + " port " + portNum + " is bad");
            devices.setLoss(sw.nodeGuid(), portNum, 0.5);
            bad.add(new Cable(sw.nodeGuid(), portNum));
        }
    }

    void repair() {
        if (!pulled.isEmpty() && (dark.isEmpty() || story.random.nextBoolean())) {
            plug(story.one(List.copyOf(pulled)));
        } else if (!dark.isEmpty()) {
            power(story.one(List.copyOf(dark)));
        }
    }

    private void plug(Cable cable) {
        story.tell("the cable at " + name(cable.guid()) + " port " + cable.portNum() + " is back");
        devices.relink(cable.guid(), cable.portNum());
        pulled.remove(cable);
        whenChanged.run();
    }

    private String name(long nodeGuid) {
        return topology.nodes().stream()
                .filter(node -> node.nodeGuid() == nodeGuid)
                .findFirst()
                .orElseThrow()
                .description();
    }

    void flap() {
        Topology.Node sw = story.one(switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        if (!isPlugged(sw, portNum)) {
            return;
        }
        int times = 1 + story.random.nextInt(6);
        story.tell("the cable at " + sw.description() + " port " + portNum + " flaps " + times + " times");
        for (int i = 0; i < times; i++) {
            devices.unlink(sw.nodeGuid(), portNum);
            whenChanged.run();
            story.pass(story.millis(30));
            devices.relink(sw.nodeGuid(), portNum);
            whenChanged.run();
            story.pass(story.millis(30));
        }
    }

    /** Checks whether the port of a switch has a cable that is not pulled, to a node with power. */
    boolean isPlugged(Topology.Node sw, int portNum) {
        Topology.PortRef peer = sw.peer(portNum);
        return peer != null
                && !pulled.contains(new Cable(sw.nodeGuid(), portNum))
                && !pulled.contains(new Cable(peer.node().nodeGuid(), peer.portNum()))
                && !absent.contains(peer.node().nodeGuid());
    }

    /** Checks whether the link of a port is up. */
    boolean isUp(Topology.Node node, int portNum) {
        return devices.portInfo(node.nodeGuid(), portNum).isLinkUp();
    }

    /** Restores a cable that was pulled for a moment, unless it was pulled for longer meanwhile. */
    void plugAgain(Topology.Node sw, int portNum) {
        if (isPlugged(sw, portNum)) {
            devices.relink(sw.nodeGuid(), portNum);
        }
    }

    private void fail(Topology.Node sw) {
        if (dark.add(sw.nodeGuid())) {
            story.tell(sw.description() + " fails");
            devices.failSwitch(sw.nodeGuid());
            whenChanged.run();
            whenReset.accept(sw.nodeGuid());
        }
    }

    private void power(long guid) {
        story.tell(name(guid) + " has power again");
        devices.restoreSwitch(guid);
        dark.remove(guid);
        whenChanged.run();
        whenReset.accept(guid);
    }

    void powerCycle() {
        Topology.Node sw = story.one(switches);
        if (!dark.contains(sw.nodeGuid())) {
            fail(sw);
            story.pass(story.random.nextBoolean() ? 0 : story.millis(1500));
            power(sw.nodeGuid());
        }
    }

    void hostGoes() {
        goes(story.random.nextInt(20) == 0 ? story.oneIfSeveral(smHosts) : story.one(guests));
    }

    void goes(Topology.Node host) {
        if (absent.add(host.nodeGuid())) {
            story.tell(host.description() + " goes");
            devices.unlink(host.nodeGuid(), 1);
            whenChanged.run();
        }
    }

    void hostComes() {
        if (!absent.isEmpty()) {
            comes(story.one(List.copyOf(absent)));
        }
    }

    private void comes(long guid) {
        story.tell(name(guid) + " comes");
        devices.relink(guid, 1);
        absent.remove(guid);
        whenChanged.run();
    }

    /** Restarts a host, which loses its LID and its memberships. */
    Topology.Node hostRestarts() {
        Topology.Node host = story.one(guests);
        story.tell(host.description() + " restarts");
        devices.restartHost(host.nodeGuid());
        return host;
    }

    void setLoss() {
        double[] choices = {0, 0.01, 0.05, 0.2};
        double loss = choices[story.random.nextInt(choices.length)];
        story.tell("loss " + loss);
        devices.setLoss(loss);
    }
}
