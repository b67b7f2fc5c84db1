package io.torussm.daemon;

import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.GroupClient;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AgentProfile.ExtendedSpeeds;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Hardware;
import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The faulty devices of a storm and their faults, drawn from its seed. */
final class StormDevices {
    /** The limits of torus-2QoS, in two and in three dimensions. */
    private static final int MAX_BAD_OF_PLANE = 1;

    private static final int MAX_BAD_OF_SPACE = 2;
    private static final int MAX_BAD_HOSTS = 4;
    private static final List<Integer> ATTRIBUTES = List.of(
            NodeDescription.TYPE.id(),
            NodeInfo.TYPE.id(),
            SwitchInfo.TYPE.id(),
            GuidInfo.TYPE.id(),
            PortInfo.TYPE.id(),
            PKeyTable.TYPE.id(),
            SlToVlMappingTable.TYPE.id(),
            VlArbitrationTable.TYPE.id(),
            LinearForwardingTable.TYPE.id(),
            MulticastForwardingTable.TYPE.id());
    private static final List<Integer> METHODS = List.of(AgentProfile.ANY, Method.GET, Method.SET);
    private static final List<Integer> STATUSES = List.of(
            MadStatus.BUSY,
            MadStatus.UNSUPPORTED_VERSION,
            MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE,
            MadStatus.INVALID_FIELD);

    /**
     * Bytes that may be false, by attribute ID. GUIDs are not among them: a light sweep does not ask a
     * responding device for NodeInfo, so a false GUID stays until the next whole sweep.
     */
    private static final Map<Integer, List<Integer>> FALSIFIABLE_BYTES = new TreeMap<>(Map.of(
            NodeInfo.TYPE.id(),
                    bytes(40).filter(at -> at < 4 || at > 27).boxed().toList(),
            SwitchInfo.TYPE.id(), bytes(20).boxed().toList(),
            PortInfo.TYPE.id(), bytes(64).boxed().toList(),
            GuidInfo.TYPE.id(), bytes(64).boxed().toList(),
            PKeyTable.TYPE.id(), bytes(64).boxed().toList(),
            LinearForwardingTable.TYPE.id(), bytes(64).boxed().toList(),
            SlToVlMappingTable.TYPE.id(), bytes(8).boxed().toList()));

    private final StormStory story;
    private final StormFabric fabric;
    private final int maxBadSwitches;

    /** True if faulty devices may report false values. */
    private final boolean hasFalseValues;

    /** NodeGUIDs of the seeds of the torus and of their neighbours, by seed. */
    private final List<Set<Long>> seeds = new ArrayList<>();

    private final Map<Long, Topology.Node> bad = new TreeMap<>();
    /** Agents of devices without faults. */
    private final Map<Long, AgentProfile> faultlessAgents = new TreeMap<>();

    /** True if links bounce at the times that were drawn. */
    boolean isBouncing = true;

    StormDevices(
            StormStory story,
            StormFabric fabric,
            StormGround ground,
            Map<Long, AgentProfile> usual,
            boolean hasFalseValues) {
        this.story = story;
        this.fabric = fabric;
        this.hasFalseValues = hasFalseValues;
        maxBadSwitches =
                ground.isTorus() && TorusSpec.parse(ground.text()).z() > 1 ? MAX_BAD_OF_SPACE : MAX_BAD_OF_PLANE;
        for (String seed : ground.conf().split("next_seed", -1)) {
            seeds.add(Pattern.compile("0x(\\p{XDigit}+)")
                    .matcher(seed)
                    .results()
                    .map(each -> Long.parseLong(each.group(1), 16))
                    .collect(Collectors.toSet()));
        }
        this.faultlessAgents.putAll(usual);
    }

    private static IntStream bytes(int count) {
        return IntStream.range(0, count);
    }

    /**
     * Draws ordinary hardware without faults.
     *
     * @param agents receives the agent of each node, by NodeGUID
     * @param areAllReregistering whether all devices support client reregistration; otherwise three of four do
     */
    static DeviceModels draw(
            Random random, Topology topology, Map<Long, AgentProfile> agents, boolean areAllReregistering) {
        DeviceModels models = DeviceModels.PERFECT;
        for (Topology.Node node : topology.nodes()) {
            boolean isReregistering = areAllReregistering || random.nextInt(4) > 0;
            Hardware hardware = Hardware.DEFAULT
                    .withVls(Hardware.VL0_TO_3 + (node.isSwitch() ? 1 : 0) + random.nextInt(2))
                    .withMtu(Hardware.MTU_2048 + random.nextInt(2), 1 + random.nextInt(5))
                    .withPort0NeighborMtu(1 + random.nextInt(5))
                    .withVlArbitration(List.of(8, 16, 40, 64).get(random.nextInt(4)))
                    .enforcing(random.nextInt(4) > 0, random.nextInt(4) > 0)
                    .reregistering(isReregistering);
            AgentProfile agent = AgentProfile.CONFORMING.showing(
                    List.of(ExtendedSpeeds.values()).get(random.nextInt(ExtendedSpeeds.values().length)));
            AgentProfile drawn = random.nextInt(10) == 0 ? agent.busy(0.02) : agent;
            agents.put(node.nodeGuid(), drawn);
            models = models.with(
                    DeviceModels.byGuid(node.nodeGuid()), model -> model(model, hardware, drawn, !node.isSwitch()));
        }
        return models;
    }

    private static DeviceModel model(DeviceModel model, Hardware hardware, AgentProfile agent, boolean isHost) {
        DeviceModel changed = model.hardware(before -> hardware).agent(before -> agent);
        return isHost ? changed.joining(GroupClient.IPOIB_BROADCAST) : changed;
    }

    boolean isBad(Topology.Node node) {
        return bad.containsKey(node.nodeGuid());
    }

    private long countBad(boolean areSwitches) {
        return bad.values().stream()
                .filter(node -> node.isSwitch() == areSwitches)
                .count();
    }

    /** Makes a switch or host faulty. The torus must route without the switch, and SMs are not attached to it. */
    void makeFaulty() {
        boolean isSwitch = story.random.nextBoolean();
        Topology.Node node = story.pick(isSwitch ? fabric.switches : fabric.clientHosts);
        long own = Objects.requireNonNull(fabric.smHosts.get(0).peer(1)).node().nodeGuid();
        boolean mayBe = node.nodeGuid() != own
                && countBad(isSwitch) < (isSwitch ? maxBadSwitches : MAX_BAD_HOSTS)
                && (!isSwitch || isDispensable(node));
        if (mayBe) {
            bad.put(node.nodeGuid(), node);
            AgentProfile profile = drawBad(isSwitch);
            story.log(node.description() + " becomes faulty: " + profile.rules());
            fabric.devices.setAgent(
                    node.nodeGuid(), profile.showing(faultlessAgent(node).speeds()));
        }
    }

    private AgentProfile faultlessAgent(Topology.Node node) {
        return faultlessAgents.getOrDefault(node.nodeGuid(), AgentProfile.CONFORMING);
    }

    /**
     * Checks whether a switch may be absent: torus-2QoS needs a seed with all its links, and does not route with two
     * absent switches in one plane.
     */
    private boolean isDispensable(Topology.Node sw) {
        boolean isTorus = sw.description().matches("sw-\\d+-\\d+-\\d+");
        boolean isSeedLeft = seeds.stream()
                .anyMatch(seed ->
                        !seed.contains(sw.nodeGuid()) && bad.keySet().stream().noneMatch(seed::contains));
        return (isSeedLeft || !isTorus)
                && bad.values().stream().noneMatch(other -> other.isSwitch() && isInSamePlane(sw, other));
    }

    private static boolean isInSamePlane(Topology.Node one, Topology.Node other) {
        String[] a = one.description().split("-", -1);
        String[] b = other.description().split("-", -1);
        return a[1].equals(b[1]) || a[2].equals(b[2]) || a[3].equals(b[3]);
    }

    /**
     * Returns a faulty agent. A host that confirms a write without applying it cannot be detected by its groups,
     * because its attributes do not differ.
     */
    private AgentProfile drawBad(boolean isSwitch) {
        Random random = story.random;
        int attribute = story.pick(ATTRIBUTES);
        double probability = random.nextInt(3) == 0 ? 0.3 : 1;
        if (hasFalseValues && random.nextInt(4) > 0) {
            return drawFalseValues(probability);
        }
        return switch (random.nextInt(6)) {
            case 0 -> AgentProfile.CONFORMING.droppingAll();
            case 1 -> AgentProfile.CONFORMING.busy(random.nextBoolean() ? 1 : 0.6);
            case 2 ->
                isSwitch || attribute != PortInfo.TYPE.id()
                        ? AgentProfile.CONFORMING.ignoringSets(attribute)
                        : AgentProfile.CONFORMING.dropping(attribute, Method.SET, 1);
            case 3 -> AgentProfile.CONFORMING.dropping(attribute, story.pick(METHODS), probability);
            default ->
                AgentProfile.CONFORMING.refusing(attribute, story.pick(METHODS), story.pick(STATUSES), probability);
        };
    }

    /** Draws one or two false bytes. */
    private AgentProfile drawFalseValues(double probability) {
        AgentProfile agent = AgentProfile.CONFORMING;
        for (int count = 1 + story.random.nextInt(2); count > 0; count--) {
            Integer attribute = story.pick(List.copyOf(FALSIFIABLE_BYTES.keySet()));
            int index = story.pick(Objects.requireNonNull(FALSIFIABLE_BYTES.get(attribute)));
            int value = story.pick(List.of(0, 1, 255, story.random.nextInt(256)));
            agent = agent.withFalseValue(
                    FalseValue.ofByte(attribute, index, value).with(probability));
        }
        return agent;
    }

    void repair() {
        if (!bad.isEmpty()) {
            repair(story.pick(List.copyOf(bad.values())));
        }
    }

    private void repair(Topology.Node node) {
        story.log(node.description() + " is repaired");
        bad.remove(node.nodeGuid());
        fabric.devices.setAgent(node.nodeGuid(), faultlessAgent(node));
    }

    void repairAll() {
        new ArrayList<>(bad.values()).forEach(this::repair);
    }

    /** Drops a cable at some time of a sweep, and restores it immediately or a little later. */
    void bounce() {
        Topology.Node sw = story.pick(fabric.switches);
        int portNum = 1 + story.random.nextInt(sw.numPorts());
        int attribute = story.pick(ATTRIBUTES);
        int method = story.pick(METHODS);
        int count = 1 + story.random.nextInt(40);
        long downNs = TimeUnit.MILLISECONDS.toNanos(story.random.nextInt(3) * 150L);
        if (fabric.isPlugged(sw, portNum)) {
            fabric.devices.onRequest(attribute, method, count, () -> {
                if (isBouncing && fabric.isPlugged(sw, portNum)) {
                    story.log("the cable at " + sw.description() + " port " + portNum + " bounces");
                    fabric.devices.unlink(sw.nodeGuid(), portNum);
                    story.loop.schedule(downNs, () -> fabric.restoreUnlessPulled(sw, portNum));
                }
            });
        }
    }
}
