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

/** Switches of a known fabric that are asked whether they still are at the end of their routes. Owner thread: the loop. */
final class Visits {
    /** Switches that are asked by two routes at once. */
    private static final int MAX_DETOURS = 32;

    private final FabricBuilder seen;
    private final LastReading last;
    private final Predicate<NodeInfo> isAdmissible;
    private final BiConsumer<NodeInfo, DrPath> answered;

    /** Who has not answered yet, by NodeGUID. */
    private final Map<Long, Visit> waiting = new LinkedHashMap<>();

    /** Who did not answer, or was not there, and by which route it was asked last. */
    private final Map<Long, DrPath> missed = new LinkedHashMap<>();

    private record Visit(MadScope attempt, List<DrPath> routes) {}

    /**
     * @param isAdmissible whether a switch that answers is the one that is known
     * @param answered gets the first answer of each, and the route that it came by
     */
    Visits(
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

    /** NodeGUIDs of switches that did not answer, known ones and others. */
    Set<Long> missed() {
        return missed.keySet();
    }

    /** Nobody waits for what has no route any more. */
    void forgetUnknown() {
        waiting.keySet().removeIf(guid -> !seen.knows(guid));
    }

    /**
     * Asks a switch by its route; and an urgent one, which may have something to report, by another one, too, because that may be the
     * loss of the cable, or of the switch, by which it used to be reached. The first answer counts.
     *
     * @return false if it is being asked, or was by the same route
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
        visit.attempt.submit(last.judged(visit.attempt, question, info -> isAsKnown(guid, info)));
    }

    private boolean isAsKnown(long guid, NodeInfo info) {
        return info.nodeGuid() == guid && isAdmissible.test(info);
    }

    /**
     * Asks those no more of whose routes none leads to them over the cables as they are known now.
     *
     * @param others NodeGUIDs of others that are not waited for either
     * @return the NodeGUIDs of all these
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
