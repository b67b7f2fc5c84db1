package io.torussm.daemon;

import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Neighbors;
import io.torussm.transport.Loop;
import io.torussm.view.FabricState;
import io.torussm.view.Loss;
import io.torussm.view.LossEvents;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.RoutingState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The losses of a storm: a model of the parts (switches, and cables between switches) that each SM cannot reach,
 * compared with the events and conditions of that SM.
 *
 * <ul>
 *   <li>at the end of each sweep the open events are those of the present losses;
 *   <li>a loss while no SM ran is an event of the next one;
 *   <li>an SM never reports the loss of a switch or cable more often than it was lost, or was hidden behind a
 *       device that did not respond;
 *   <li>if the SM is idle, the losses in its report are those of the model, each once;
 *   <li>no other condition stays open, and none at all if nothing is lost.
 * </ul>
 */
final class StormLosses {
    /**
     * Conditions that are independent of losses. A link flaps until it was quiet for 30 s, which is as long
     * as a storm waits.
     */
    private static final Set<String> INDEPENDENT = Set.of(SmEvent.KEYS_PUBLIC.code(), SmEvent.LINK_FLAPPING.code());

    private static final Set<SmEvent> BEGINS = Set.of(SmEvent.CABLE_LOST, SmEvent.SWITCH_LOST, SmEvent.MANY_LOST);
    private static final Set<SmEvent> ENDS = Set.of(SmEvent.CABLE_BACK, SmEvent.SWITCH_BACK, SmEvent.MANY_BACK);

    private final StormStory story;
    private final StormFabric fabric;
    /** Names of switches, by the GUID of port 0. */
    private final Map<Long, String> switches = new HashMap<>();

    /** Parts that SMs reported as lost, and have not seen since. */
    private final Set<String> reported = new HashSet<>();

    private final Map<Topology.Node, Witness> witnesses = new LinkedHashMap<>();

    /** The losses as the model has them for one host, and as the SMs at this host report them. */
    private final class Witness {
        private final Topology.Node host;

        /** The parts that the host cannot reach, by the model. */
        private Set<String> lostParts = Set.of();

        /** How often parts were lost by the model, and how often SMs here found them lost. */
        private final Map<String, Integer> lossCounts = new TreeMap<>();

        private final Map<String, Integer> observedLosses = new TreeMap<>();

        /** The events, the open losses as keys of their ends, and the last state of the running SM. */
        private Journal journal = new Journal();

        private final Set<String> open = new TreeSet<>();
        private FabricState state = FabricState.NOTHING;

        /** Losses since the first discovery of the running SM, until its sweep ends; null at all other times. */
        private @Nullable Set<String> lossesAtFirstCheck;

        /** Losses that were reported when an SM here ended, or its mastership; the next one may remember them. */
        private Set<String> reportedAtEnd = Set.of();

        Witness(Topology.Node host) {
            this.host = host;
        }

        /** Computes the lost parts after a change of the fabric, and counts new ones. */
        void updateLostParts() {
            Set<String> now = lostParts(host);
            now.stream()
                    .filter(element -> !lostParts.contains(element))
                    .forEach(element -> lossCounts.merge(element, 1, Integer::sum));
            lostParts = now;
        }

        /** Begins again for another SM. */
        void forget() {
            journal = new Journal();
            forgetMastership();
        }

        void mastershipEnded() {
            reportedAtEnd = Set.copyOf(reported);
            forgetMastership();
        }

        void forgetMastership() {
            journal.mastershipEnded();
            open.clear();
            lossesAtFirstCheck = null;
            state = FabricState.NOTHING;
        }

        void recordEvent(Finding event) {
            story.log("  " + host.description() + ": " + event.line());
            Map<String, String> fields = new LinkedHashMap<>();
            event.values().forEach(value -> fields.put(value.field().key(), value.text()));
            journal.add(
                    story.loop.timeOfDay(),
                    event.severity().level(),
                    event.event().code(),
                    event.text(),
                    fields);
            if (BEGINS.contains(event.event())) {
                story.tally.losses++;
                open.add(key(event)); // it may begin again
                if (lossesAtFirstCheck != null) {
                    lossesAtFirstCheck.add(key(event));
                }
            } else if (ENDS.contains(event.event())) {
                story.check(
                        open.remove(event.event().code() + subject(event)), "the end of no condition: " + event.line());
            }
        }

        /** Compares the losses of a discovery with those before, and with the model. */
        void handleDiscovery(FabricState after) {
            PlacedSubnet found = after.found();
            lossesAtFirstCheck = null;
            if (state.found() == null && found != null) {
                lossesAtFirstCheck = new HashSet<>();
                after.absences().losses().forEach(loss -> open.add(key(LossEvents.openLoss(loss, found))));
            } else if (found != null) {
                Set<String> before = new HashSet<>(members(state));
                before.stream()
                        .filter(element -> !members(after).contains(element))
                        .forEach(reported::remove);
                Set<String> hidden = hidden(host, found.fabric());
                for (String element : members(after)) {
                    if (!before.contains(element) && hidden.stream().noneMatch(name -> isOf(element, name))) {
                        int times = observedLosses.merge(element, 1, Integer::sum);
                        story.check(
                                times <= lossCounts.getOrDefault(element, 0),
                                element + " went " + lossCounts.getOrDefault(element, 0) + " times and was seen to go "
                                        + times + " times");
                    }
                }
            }
            state = after;
        }

        /** Compares the open conditions with the losses of the last discovery. */
        void sweepEnded() {
            PlacedSubnet found = state.found();
            if (found != null) {
                Set<String> standing = new TreeSet<>();
                for (Loss loss : state.absences().losses()) {
                    String key = key(LossEvents.openLoss(loss, found));
                    standing.add(key);
                    story.check(
                            lossesAtFirstCheck == null
                                    || lossesAtFirstCheck.contains(key)
                                    || reported.containsAll(members(loss))
                                    || reportedAtEnd.containsAll(members(loss)),
                            "lost while no SM ran, and not reported: " + members(loss));
                    reported.addAll(members(loss));
                }
                lossesAtFirstCheck = null;
                story.check(open.equals(standing), "conditions by events: " + open + ", by losses: " + standing);
            }
        }

        /**
         * Returns as {@link StormLosses#shortcoming}.
         *
         * @param isAlone whether this SM reaches no other
         */
        String shortcoming(boolean isAlone) {
            List<String> members = members(state);
            Set<String> once = new TreeSet<>(members);
            if (members.size() != once.size()) {
                return "a loss is named twice: " + members;
            } else if (!once.equals(lostParts)) {
                return "lost is " + lostParts + ", and named is " + once;
            }
            List<String> others = new ArrayList<>();
            journal.conditions().stream()
                    .filter(begun -> !INDEPENDENT.contains(begun.code())
                            && BEGINS.stream().noneMatch(event -> event.code().equals(begun.code()))
                            && !(isAlone && begun.code().equals(SmEvent.MASTER_REPLACED.code()))
                            && isUnexpected(begun.code()))
                    .forEach(begun -> others.add(begun.line()));
            if (lostParts.isEmpty()) {
                if (state.routing() != RoutingState.ROUTED) {
                    others.add("routing is " + state.routing() + ": " + state.reason());
                }
                state.findings().stream()
                        .map(FabricState.TimedFinding::finding)
                        .filter(finding -> finding.severity() != Finding.Severity.INFO)
                        .forEach(finding -> others.add(finding.line()));
            }
            return others.isEmpty() ? "" : "conditions that nothing explains: " + others;
        }

        /** Checks whether a condition is unexpected. Routing may be worse than before while a part is lost. */
        private boolean isUnexpected(String code) {
            return lostParts.isEmpty()
                    || !Set.of(
                                    SmEvent.ROUTES_DEGRADED.code(),
                                    SmEvent.ROUTING_REFUSED.code(),
                                    SmEvent.FALLBACK_ENGINE.code())
                            .contains(code);
        }
    }

    /** Creates the model, without losses. */
    StormLosses(StormStory story, StormFabric fabric) {
        this.story = story;
        this.fabric = fabric;
        fabric.switches.forEach(sw -> switches.put(sw.portGuid(0), sw.description()));
        fabric.smHosts.forEach(host -> witnesses.put(host, new Witness(host)));
        fabric.changeListener = () -> witnesses.values().forEach(Witness::updateLostParts);
    }

    /** Returns the clock of an SM at a host, whose events are recorded. */
    Loop clock(Topology.Node host) {
        Consumer<Runnable> hearing = eventRecorder(host);
        return new Loop() {
            @Override
            public void execute(Runnable task) {
                story.loop.execute(() -> hearing.accept(task));
            }

            @Override
            public Timer schedule(long delayNs, Runnable task) {
                return story.loop.schedule(delayNs, () -> hearing.accept(task));
            }

            @Override
            public long nowNs() {
                return story.loop.nowNs();
            }

            @Override
            public boolean isInLoop() {
                return story.loop.isInLoop();
            }
        };
    }

    /** Returns a runner of tasks of an SM at a host that records its events. */
    Consumer<Runnable> eventRecorder(Topology.Node host) {
        Witness witness = witness(host);
        return task -> EventLog.redirect(witness::recordEvent, task);
    }

    private Witness witness(Topology.Node host) {
        Witness witness = witnesses.get(host);
        if (witness == null) {
            throw new AssertionError("no SM is at " + host);
        }
        return witness;
    }

    /** Notes that an SM is about to start at a host. */
    void starts(Topology.Node host, FabricSm sm) {
        Witness witness = witness(host);
        witness.forget();
        sm.discoveryListener = (state, at) -> witness.handleDiscovery(state);
        sm.mastershipEndListener = witness::mastershipEnded;
    }

    /** Notes that the SM at a host has ended or died. */
    void ended(Topology.Node host) {
        witness(host).reportedAtEnd = Set.copyOf(reported);
    }

    /** Notes that a sweep of an SM has ended. */
    void sweepEnded(FabricSm sm) {
        witness(sm).sweepEnded();
    }

    private Witness witness(FabricSm sm) {
        return witnesses.values().stream()
                .filter(each -> each.host.portGuid(1) == sm.guid())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the losses that an SM does not report, or reports wrongly; empty if there is none.
     *
     * @param running all SMs that run
     */
    String shortcoming(FabricSm sm, List<FabricSm> running) {
        Witness witness = witness(sm);
        Set<Topology.Node> reached = reachableFrom(witness.host);
        return witness.shortcoming(
                running.stream().noneMatch(other -> other != sm && reached.contains(witness(other).host)));
    }

    /** Returns the switches that an SM does not reach because a device on each way is not part of its fabric. */
    private Set<String> hidden(Topology.Node from, Fabric found) {
        Set<Topology.Node> beside = reachableFrom(from, node -> found.nodeByGuid(node.nodeGuid()) != Fabric.NONE);
        return reachableFrom(from).stream()
                .filter(node -> node.isSwitch() && !beside.contains(node))
                .map(Topology.Node::description)
                .collect(Collectors.toSet());
    }

    private static boolean isOf(String element, String name) {
        return element.equals(name) || element.startsWith(name + " port ") || element.contains("- " + name + " port ");
    }

    /** Returns the devices that can be reached from a host, and the host. */
    private Set<Topology.Node> reachableFrom(Topology.Node from) {
        return reachableFrom(from, node -> true);
    }

    private Set<Topology.Node> reachableFrom(Topology.Node from, Predicate<Topology.Node> isOnTheWay) {
        Set<Topology.Node> there = new HashSet<>(Set.of(from));
        ArrayDeque<Topology.Node> open = new ArrayDeque<>(there);
        while (!open.isEmpty()) {
            Topology.Node at = open.poll();
            for (int portNum = 1; isOnTheWay.test(at) && portNum <= at.numPorts(); portNum++) {
                Topology.PortRef far = at.peer(portNum);
                if (far != null && fabric.isUp(at, portNum) && there.add(far.node())) {
                    open.add(far.node());
                }
            }
        }
        return there;
    }

    /** Returns the switches, and cables between switches, that cannot be reached from a host. */
    private Set<String> lostParts(Topology.Node from) {
        Set<Topology.Node> there = reachableFrom(from);
        Set<String> gone = new TreeSet<>();
        for (Topology.Node sw : fabric.switches) {
            if (!there.contains(sw)) {
                gone.add(sw.description());
            }
            for (int portNum = 1; portNum <= sw.numPorts(); portNum++) {
                Topology.PortRef far = sw.peer(portNum);
                if (far != null && far.node().isSwitch() && !(there.contains(sw) && fabric.isUp(sw, portNum))) {
                    gone.add(cable(
                            new NodePort(sw.portGuid(0), portNum),
                            new NodePort(far.node().portGuid(0), far.portNum())));
                }
            }
        }
        return gone;
    }

    private List<String> members(FabricState state) {
        List<String> all = new ArrayList<>();
        state.absences().losses().forEach(loss -> all.addAll(members(loss)));
        return all;
    }

    private List<String> members(Loss loss) {
        List<String> all = new ArrayList<>();
        loss.switches().forEach(end -> all.add(name(end.port().portGuid())));
        loss.cables()
                .forEach(cable ->
                        all.add(cable(end(cable.near().port()), end(cable.far().port()))));
        return all;
    }

    private static NodePort end(Neighbors.CableEnd end) {
        return new NodePort(end.portGuid(), end.portNum());
    }

    private String name(long portGuid) {
        return switches.getOrDefault(portGuid, "no switch of this fabric");
    }

    private String cable(NodePort one, NodePort other) {
        boolean isFirst = one.nodeGuid() < other.nodeGuid();
        NodePort near = isFirst ? one : other;
        NodePort far = isFirst ? other : one;
        return name(near.nodeGuid()) + " port " + near.portNum() + " - " + name(far.nodeGuid()) + " port "
                + far.portNum();
    }

    /** Returns the code of the event that ends the condition of another event, and its subject. */
    private static String key(Finding begun) {
        return begun.event().endCode() + subject(begun);
    }

    private static String subject(Finding event) {
        return event.values().stream()
                .filter(value -> value.field() == EventField.GUID || value.field() == EventField.PORT)
                .map(value -> " " + value.text())
                .sorted()
                .reduce("", String::concat);
    }
}
