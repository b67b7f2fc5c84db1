package io.torussm.perf;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadAddress;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The performance management agents of a subnet: one for each switch and each host port. Owner thread: the loop. */
final class Agents {
    private static final int QP1 = 1;

    private final CounterStore store;

    /** Agents by end port; the end port of a switch is its port 0. */
    private Map<NodePort, Agent> agents = Map.of();

    Agents(CounterStore store) {
        this.store = store;
    }

    Collection<Agent> agents() {
        return agents.values();
    }

    /**
     * Sets a new subnet, whose devices are in the store. Agents at the same address keep their capabilities.
     *
     * @param ignoresHosts whether only switches are read
     */
    void update(PublishedView view, boolean ignoresHosts) {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        Map<NodePort, Agent> current = new LinkedHashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int node = fabric.nodeOf(port);
            boolean isAgent = fabric.isEndport(port) && (fabric.isSwitch(node) || !ignoresHosts);
            Agent.Place place = isAgent ? place(view, port) : null;
            if (place != null) {
                current.put(fabric.nodePort(port), agentAt(fabric, port, place));
            }
        }
        agents.forEach((key, agent) -> {
            if (!current.containsKey(key)) {
                agent.remove();
            }
        });
        agents = current;
    }

    private Agent agentAt(Fabric fabric, int port, Agent.Place place) {
        Agent agent = agents.get(fabric.nodePort(port));
        if (agent == null) {
            return new Agent(place);
        }
        agent.move(place);
        return agent;
    }

    /** Stops reading all agents. */
    void forget() {
        agents.values().forEach(Agent::remove);
        agents = Map.of();
    }

    /**
     * Returns the address and the ports of the agent of an end port; null if there is no path to it, or the store does
     * not contain its device.
     */
    private Agent.@Nullable Place place(PublishedView view, int endport) {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(endport);
        int sl = view.slFromSm(endport);
        DeviceCounters counters = store.device(fabric.nodeGuid(node));
        if (sl < 0 || counters == null) {
            return null;
        }
        List<Agent.Port> ports = new ArrayList<>();
        if (fabric.isSwitch(node)) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                add(fabric, fabric.port(node, portNum), counters, ports);
            }
        } else {
            add(fabric, endport, counters, ports);
        }
        return new Agent.Place(
                new MadAddress(subnet.lid(endport), QP1, sl, 0),
                name(view, endport),
                ports.toArray(Agent.Port[]::new),
                counters);
    }

    /** Adds a port if it has a link, or was read before: the counters of a lost link show how it failed. */
    private static void add(Fabric fabric, int port, DeviceCounters counters, List<Agent.Port> to) {
        if (fabric.peer(port) != Fabric.NONE || counters.isRead(fabric.portNum(port))) {
            to.add(new Agent.Port(port, fabric.portNum(port), CounterStore.capacity(fabric, port)));
        }
    }

    private static DeviceText name(PublishedView view, int endport) {
        int node = view.subnet().fabric().nodeOf(endport);
        boolean isSwitch = view.subnet().fabric().isSwitch(node);
        DeviceText device =
                isSwitch ? view.subnet().deviceOf(endport) : view.subnet().devicePort(endport);
        String place = isSwitch ? view.plan().coordinates(node) : "";
        return place.isEmpty() ? device : device.withText(place + " " + device).with(EventField.COORDINATES.of(place));
    }
}
