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

/** The switches of a known fabric that are being asked for at their routes. Owner thread: the loop. */
final class SwitchVisits {
    /** The maximum number of switches that are asked by two routes simultaneously. */
    private static final int MAX_DETOURS = 32;

    private final FabricBuilder seen;
    private final LastReading last;
    private final Predicate<NodeInfo> isAdmissible;
    private final BiConsumer<NodeInfo, DrPath> answered;

    /** The switches that have not answered yet, by NodeGUID. */
    private final Map<Long, Visit> waiting = new LinkedHashMap<>();

    /** The switches that did not answer or were absent, each with its last route. */
    private final Map<Long, DrPath> missed = new LinkedHashMap<>();

    private record Visit(MadScope attempt, List<DrPath> routes) {}

    /**
     * @param isAdmissible tests whether a switch that answers is the known one
     * @param answered takes the first answer of each switch, and its route
     */
    SwitchVisits(
            FabricBuilder seen,
            LastReading last,
            Predicate<NodeInfo> isAdmissible,
            BiConsumer<NodeInfo, DrPath> answered) {
        this.seen = seen;
        this.last = last;
        this.isAdmissible = isAdmissible;
        this.answered = answered;
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    boolean isWaitingFor(long guid) {
        return waiting.containsKey(guid);
    }

    /** Returns the NodeGUIDs of switches that did not answer, known ones and others. */
    Set<Long> missed() {
        return missed.keySet();
    }

    /** Drops switches that have no route any more. */
    void forgetUnknown() {
        waiting.keySet().removeIf(guid -> !seen.knows(guid));
    }

    /**
     * Asks a switch by its route, and an urgent one by a second route, too. It may have to report the loss of
     * the cable or switch on the first one. The first answer counts.
     *
     * @return false if it is being asked, or was asked by the same route
     */
    boolean ask(long guid, MadScope in, boolean isUrgent) {
        DrPath path = seen.path(guid);
        if (Objects.equals(path, missed.get(guid)) || waiting.containsKey(guid)) {
            return false;
        }
        MadScope attempt = in.child();
        Visit visit = new Visit(attempt, new ArrayList<>());
        waiting.put(guid, visit);
        ask(guid, visit, path);
        DrPath detour = isUrgent && waiting.size() <= MAX_DETOURS ? seen.detour(guid) : null;
        if (detour != null) {
            ask(guid, visit, detour);
        }
        attempt.whenIdle(() -> {
            waiting.remove(guid);
            missed.put(guid, path);
        });
        return true;
    }

    private void ask(long guid, Visit visit, DrPath route) {
        visit.routes.add(route);
        SmpRequest<NodeInfo> question = SmpRequest.get(NodeInfo.TYPE, route, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply && isAsKnown(guid, reply.value())) {
                waiting.remove(guid);
                visit.attempt.close();
                answered.accept(reply.value(), route);
            }
        });
        visit.attempt.submit(last.verified(visit.attempt, question, info -> isAsKnown(guid, info)));
    }

    private boolean isAsKnown(long guid, NodeInfo info) {
        return info.nodeGuid() == guid && isAdmissible.test(info);
    }

    /**
     * Stops asking switches that no route in use reaches over the cables known now.
     *
     * @param others NodeGUIDs of further switches to drop
     * @return the NodeGUIDs of all dropped switches
     */
    List<Long> abandonCutOff(LongPredicate others) {
        List<Long> abandoned = new ArrayList<>();
        waiting.forEach((guid, visit) -> {
            if (others.test(guid) || visit.routes.stream().noneMatch(route -> seen.leadsTo(route, guid))) {
                abandoned.add(guid);
            }
        });
        for (long guid : abandoned) {
            Objects.requireNonNull(waiting.remove(guid)).attempt.close();
        }
        return abandoned;
    }
}
