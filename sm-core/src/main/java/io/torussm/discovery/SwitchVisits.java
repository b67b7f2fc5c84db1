package io.torussm.discovery;

import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The outstanding visits to switches of a known fabric. A visit is a Get(NodeInfo) at the route of a switch. Owner
 * thread: the loop.
 */
final class SwitchVisits {
    /** The max number of outstanding visits up to which a second route is used. */
    private static final int MAX_DETOURS = 32;

    private final FabricBuilder builder;
    private final LastReading lastReading;
    private final Predicate<NodeInfo> isAdmissible;
    private final BiConsumer<NodeInfo, DrPath> onResponse;

    /** The outstanding visits by NodeGUID. */
    private final Map<Long, Visit> outstanding = new LinkedHashMap<>();

    /** NodeGUIDs of switches that did not respond or were absent, each with the last route used. */
    private final Map<Long, DrPath> silentSwitches = new LinkedHashMap<>();

    private record Visit(MadScope scope, List<DrPath> routes) {}

    /**
     * Creates an instance without visits.
     *
     * @param seen the fabric as known so far
     * @param last verifies unexpected responses
     * @param isAdmissible predicate of the NodeInfo of a switch: whether it is the known switch
     * @param answered receives the first response of each switch, and its route
     */
    SwitchVisits(
            FabricBuilder seen,
            LastReading last,
            Predicate<NodeInfo> isAdmissible,
            BiConsumer<NodeInfo, DrPath> answered) {
        this.builder = seen;
        this.lastReading = last;
        this.isAdmissible = isAdmissible;
        this.onResponse = answered;
    }

    boolean isWaiting() {
        return !outstanding.isEmpty();
    }

    boolean isWaitingFor(long guid) {
        return outstanding.containsKey(guid);
    }

    /** Returns the NodeGUIDs of switches that did not respond, including switches that are no longer known. */
    Set<Long> silentSwitches() {
        return silentSwitches.keySet();
    }

    /** Removes the visits to switches that are no longer known. */
    void forgetUnknown() {
        outstanding.keySet().removeIf(guid -> !builder.knows(guid));
    }

    /**
     * Visits a switch by its route. An urgent visit uses a second route, too, because the first may contain the lost
     * cable or switch. The first response counts.
     *
     * @param in scope of the requests
     * @return false if a visit is outstanding, or failed by the same route
     */
    boolean visit(long guid, MadScope in, boolean isUrgent) {
        DrPath path = builder.path(guid);
        if (Objects.equals(path, silentSwitches.get(guid)) || outstanding.containsKey(guid)) {
            return false;
        }
        MadScope attempt = in.child();
        Visit visit = new Visit(attempt, new ArrayList<>());
        outstanding.put(guid, visit);
        visit(guid, visit, path);
        DrPath detour = isUrgent && outstanding.size() <= MAX_DETOURS ? builder.detour(guid) : null;
        if (detour != null) {
            visit(guid, visit, detour);
        }
        attempt.whenIdle(() -> {
            outstanding.remove(guid);
            silentSwitches.put(guid, path);
        });
        return true;
    }

    private void visit(long guid, Visit visit, DrPath route) {
        visit.routes.add(route);
        SmpRequest<NodeInfo> question = SmpRequest.get(NodeInfo.TYPE, route, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply && agreesWithFabric(guid, reply.value())) {
                outstanding.remove(guid);
                visit.scope.close();
                onResponse.accept(reply.value(), route);
            }
        });
        visit.scope.submit(lastReading.withVerification(visit.scope, question, info -> agreesWithFabric(guid, info)));
    }

    private boolean agreesWithFabric(long guid, NodeInfo info) {
        return info.nodeGuid() == guid && isAdmissible.test(info);
    }

    /**
     * Cancels the visits whose routes no longer lead to their switches over known cables.
     *
     * @param others predicate of NodeGUIDs of further visits to cancel
     * @return the NodeGUIDs of the switches of all cancelled visits
     */
    List<Long> abandonCutOff(LongPredicate others) {
        List<Long> abandoned = new ArrayList<>();
        outstanding.forEach((guid, visit) -> {
            if (others.test(guid) || visit.routes.stream().noneMatch(route -> builder.leadsTo(route, guid))) {
                abandoned.add(guid);
            }
        });
        for (long guid : abandoned) {
            Objects.requireNonNull(outstanding.remove(guid)).scope.close();
        }
        return abandoned;
    }
}
