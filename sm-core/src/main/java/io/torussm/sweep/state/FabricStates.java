package io.torussm.sweep.state;

import io.torussm.event.Finding;
import io.torussm.fabric.NodePort;
import io.torussm.names.Names;
import io.torussm.routing.Plan;
import io.torussm.subnet.CoordinateStore;
import io.torussm.subnet.DeviceNames;
import io.torussm.subnet.SubnetMemory;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.KnownTrees;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import io.torussm.view.UnseenLosses;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The computation of the fabric state after a sweep from the previous one. */
public final class FabricStates {
    private FabricStates() {}

    /**
     * The results of a sweep for readers.
     *
     * @param found the discovered subnet; null if discovery did not finish
     * @param findings findings of engines; null if none was run
     */
    public record SweepObservation(
            @Nullable PlacedSubnet found, @Nullable List<Finding> findings) {}

    /**
     * Returns the state after a sweep.
     *
     * @param previousState state after the previous sweep
     * @param isLeftOut checks whether a port is excluded from the subnet
     * @param now time of day
     */
    public static FabricState after(
            FabricState previousState,
            SweepResult result,
            SweepObservation seen,
            Predicate<NodePort> isLeftOut,
            SubnetMemory memory,
            Instant now) {
        PublishedView view = result.known().view();
        boolean isUp = result.end() == SweepCounts.SweepEnd.UP;
        boolean isRefused = result.end() == SweepCounts.SweepEnd.REFUSED
                || (result.end() == SweepCounts.SweepEnd.FAILED && previousState.routing() == RoutingState.REFUSED);
        RoutingState routing = FabricState.routing(view, isRefused);
        PlacedSubnet found =
                isUp && view != null ? view.placed() : seen.found() == null ? previousState.found() : seen.found();
        if (found != null) {
            SweepState.Policy policy = result.known().policy();
            Set<Long> roots = policy == null ? null : policy.chain().roots();
            found = found.with(KnownTrees.of(
                    previousState.found(), found.fabric(), roots, memory.trees().tree()));
        }
        Absences absences = absences(previousState, found, isLeftOut, memory, now);
        if (found != null) {
            found = found.with(KnownTrees.withoutLossFaults(found.treeOrNew(), absences, previousState.found()));
        }
        return new FabricState(
                view,
                view == null ? null : isSamePlan(previousState.view(), view) ? previousState.routesActiveSince() : now,
                found,
                seen.found() == null ? previousState.foundAt() : now,
                routing,
                routing == previousState.routing() ? previousState.since() : now,
                seen.findings() == null
                        ? previousState.findings()
                        : FabricState.withTimes(seen.findings(), previousState.findings(), now),
                result.problem(),
                absences);
    }

    @SuppressWarnings("ReferenceEquality") // Another plan object starts a new period even if its contents are equal.
    private static boolean isSamePlan(@Nullable PublishedView previousView, PublishedView currentView) {
        Plan plan = previousView == null ? null : previousView.plan().asRouted();
        return plan == currentView.plan().asRouted();
    }

    /**
     * Returns the absences after a discovery.
     *
     * @param found discovered subnet; null if discovery did not finish, so that the absences are unchanged
     * @param isLeftOut checks whether a port is excluded from the subnet, so that its cable is not lost
     */
    public static Absences absences(
            FabricState previousState,
            @Nullable PlacedSubnet found,
            Predicate<NodePort> isLeftOut,
            SubnetMemory memory,
            Instant now) {
        PlacedSubnet previousSubnet = previousState.found();
        if (found == null) {
            return previousState.absences();
        }
        Predicate<NodePort> mayHaveCable = port -> UnseenLosses.isUnread(found.fabric(), port) || isLeftOut.test(port);
        Predicate<LostCable.LostEnd> isOut =
                end -> mayHaveCable.test(new NodePort(end.nodeGuid(), end.port().portNum()));
        if (previousSubnet == null) {
            Names names = found.fabric().names();
            return Absences.of(
                    found,
                    memory.neighbors().cables(),
                    guid -> known(memory, names, guid, memory.lids().lid(guid)),
                    isOut);
        }
        return previousState
                .absences()
                .after(
                        previousSubnet,
                        found,
                        isOut,
                        UnseenLosses.of(previousSubnet.fabric(), found, mayHaveCable, memory.neighbors(), now),
                        now);
    }

    private static Absences.Known known(SubnetMemory memory, Names names, long guid, int lid) {
        DeviceNames.Name host = memory.hosts().name(guid);
        if (host != null) {
            return new Absences.Known(host.nodeGuid(), names.of(host.nodeGuid(), host.description()), false, "", lid);
        }
        DeviceNames.Name sw = memory.switches().name(guid);
        long nodeGuid = sw == null ? guid : sw.nodeGuid();
        CoordinateStore.Place place = memory.places().place(nodeGuid);
        if (place != null) {
            return new Absences.Known(
                    nodeGuid, names.of(nodeGuid, place.description()), true, place.coordinates(), lid);
        }
        return sw == null
                ? new Absences.Known(0, "", false, "", lid)
                : new Absences.Known(nodeGuid, names.of(nodeGuid, sw.description()), true, "", lid);
    }
}
