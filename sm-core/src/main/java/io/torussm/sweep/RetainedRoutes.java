package io.torussm.sweep;

import io.torussm.deadlock.Transition;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Keeps the routes in force, since hosts are all that changed, and reports which. No engine is asked. */
final class RetainedRoutes implements Stage<Subnet, Routed> {
    private static final EventLog EVENTS = EventLog.of(RetainedRoutes.class);

    /** Hosts that one line names. */
    private static final int MAX_NAMED = 5;

    private final PublishedView published;
    private final Plan plan;

    /**
     * Creates the stage.
     *
     * @param plan the published one, on the subnet as it is now
     */
    RetainedRoutes(PublishedView published, Plan plan) {
        this.published = published;
        this.plan = plan;
    }

    @Override
    public Phase phase() {
        return Phase.ROUTE;
    }

    @Override
    public void start(StageContext context, Subnet subnet, Consumer<Routed> then) {
        reportHosts(published.subnet().fabric(), subnet.fabric());
        MulticastTree tree = published.multicast();
        then.accept(new Routed(plan, tree == null ? null : tree.on(subnet.fabric()), held -> Transition.FREE, null));
    }

    private static void reportHosts(Fabric before, Fabric now) {
        List<String> gone = missing(before, now);
        List<String> back = missing(now, before);
        if (gone.isEmpty() && back.isEmpty()) {
            EVENTS.report(SmEvent.HOSTS_UNCHANGED);
        } else {
            EVENTS.report(
                    SmEvent.HOSTS_CHANGED,
                    EventField.GONE.of(String.join(", ", gone)),
                    EventField.BACK.of(String.join(", ", back)));
        }
    }

    private static List<String> missing(Fabric from, Fabric in) {
        return IntStream.range(0, from.portCount())
                .filter(port -> !from.isSwitch(from.nodeOf(port)) && from.isEndport(port) && !isThere(in, from, port))
                .mapToObj(from::portName)
                .limit(MAX_NAMED)
                .toList();
    }

    private static boolean isThere(Fabric in, Fabric from, int port) {
        int node = in.nodeByGuid(from.nodeGuid(from.nodeOf(port)));
        return node != Fabric.NONE
                && from.portNum(port) <= in.numPorts(node)
                && in.isEndport(in.port(node, from.portNum(port)));
    }
}
