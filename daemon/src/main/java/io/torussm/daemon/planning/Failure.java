package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A simultaneous loss of switches and cables.
 *
 * @param name name for operators
 * @param switches indexes of lost switches; all of their cables are lost, too
 * @param cables lost cables, each by the port index of one end
 */
public record Failure(String name, List<Integer> switches, List<Integer> cables) {
    public Failure {
        switches = List.copyOf(switches);
        cables = List.copyOf(cables);
    }

    /** Returns the loss of a switch. */
    public static Failure ofSwitch(Plan plan, int sw) {
        return new Failure("switch " + name(plan, sw), List.of(sw), List.of());
    }

    /** Returns the loss of the cable at a port of a switch. */
    public static Failure ofCable(Plan plan, int port) {
        Fabric fabric = plan.subnet().fabric();
        return new Failure(
                "link " + portName(plan, port) + " to " + portName(plan, fabric.peer(port)), List.of(), List.of(port));
    }

    /** Returns the simultaneous loss of several devices. */
    public static Failure ofAll(List<Failure> failures) {
        return new Failure(
                String.join(" and ", failures.stream().map(Failure::name).toList()),
                failures.stream().flatMap(each -> each.switches.stream()).toList(),
                failures.stream().flatMap(each -> each.cables.stream()).toList());
    }

    /** Returns the loss of each single switch, in the order of switch indexes. */
    public static List<Failure> everySwitch(Plan plan) {
        return IntStream.range(0, plan.subnet().fabric().switchCount())
                .mapToObj(sw -> ofSwitch(plan, sw))
                .toList();
    }

    /** Returns the loss of each single cable between switches. */
    public static List<Failure> everyCable(Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        List<Failure> failures = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                int far = fabric.peer(port);
                if (far > port && fabric.isSwitch(fabric.nodeOf(far))) {
                    failures.add(ofCable(plan, port));
                }
            }
        }
        return failures;
    }

    /**
     * Returns the losses of some single cables between switches, drawn at random.
     *
     * @param count number of cables
     * @param seed seed of the random numbers
     * @throws IllegalArgumentException if the fabric has fewer cables
     */
    public static List<Failure> random(Plan plan, int count, long seed) {
        List<Failure> cables = new ArrayList<>(everyCable(plan));
        if (count > cables.size()) {
            throw new IllegalArgumentException(count + " cables cannot be lost: " + cables.size() + " join switches");
        }
        Collections.shuffle(cables, new Random(seed));
        return List.copyOf(cables.subList(0, count));
    }

    /**
     * Returns the name of a switch for operators: its coordinates, if the plan has coordinates, and its description.
     */
    static String name(Plan plan, int sw) {
        return (plan.coordinates(sw) + " " + plan.subnet().fabric().nodeName(sw)).strip();
    }

    /** Returns the name of a switch port for operators. */
    public static String portName(Plan plan, int port) {
        Fabric fabric = plan.subnet().fabric();
        return name(plan, fabric.nodeOf(port)) + " port " + fabric.portNum(port);
    }

    /** Returns the subnet without the lost devices, with unchanged LIDs; empty if no switch remains. */
    public Optional<Subnet> applyTo(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        int smSwitch = IntStream.range(0, fabric.switchCount())
                .filter(sw -> !switches.contains(sw))
                .findFirst()
                .orElse(Fabric.NONE);
        if (smSwitch == Fabric.NONE) {
            return Optional.empty();
        }
        if (switches.isEmpty()) {
            Fabric rest =
                    fabric.without(cables.stream().mapToInt(Integer::intValue).toArray());
            if (isConnected(rest)) {
                return Optional.of(subnet.with(rest));
            }
        }
        FabricBuilder builder = FabricBuilder.of(fabric);
        for (int sw : switches) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                builder.unlink(fabric.nodeGuid(sw), portNum);
            }
        }
        cables.forEach(port -> builder.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)));
        builder.moveSm(fabric.nodeGuid(smSwitch), 0);
        builder.retrace();
        return Optional.of(subnet.restrictedTo(builder.build()));
    }

    /** Checks whether all nodes are connected. */
    private static boolean isConnected(Fabric fabric) {
        boolean[] isReached = new boolean[fabric.nodeCount()];
        int[] queue = new int[fabric.nodeCount()];
        int tail = 0;
        isReached[0] = true;
        queue[tail++] = 0;
        for (int head = 0; head < tail; head++) {
            int node = queue[head];
            int forwarding = fabric.isSwitch(node) ? fabric.numPorts(node) : 0; // hosts do not forward
            for (int portNum = 1; portNum <= forwarding; portNum++) {
                int far = fabric.peer(fabric.port(node, portNum));
                if (far != Fabric.NONE && !isReached[fabric.nodeOf(far)]) {
                    isReached[fabric.nodeOf(far)] = true;
                    queue[tail++] = fabric.nodeOf(far);
                }
            }
        }
        return tail == queue.length;
    }
}
