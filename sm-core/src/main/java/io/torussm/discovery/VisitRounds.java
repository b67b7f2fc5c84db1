package io.torussm.discovery;

import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Guid;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The rounds in which a partial discovery visits switches of a known fabric. A visit may cause further visits, in the
 * next round. Routes avoid the links lost so far. Devices are removed between two rounds only, never while they are
 * read. An instance is used once. Owner thread: the loop.
 */
final class VisitRounds {
    /**
     * The time of many round trips. A switch that has not responded within this time may be gone; then its neighbours
     * are visited.
     */
    static final long RESPONSE_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * The number of lost cables from which on a switch may have lost all cables. Its other neighbours are then visited
     * immediately.
     */
    private static final int MIN_SUSPICIOUS_LOSSES = 2;

    private final StageContext context;
    private final MadScope scope;

    /** The scope of visits to switches that lost a link, which do not delay a round. */
    private final MadScope probes;

    private final FabricBuilder builder;
    private final Cables cables;
    private final DuplicateGuidArbiter duplicates;
    private final RequestRepetitions repetitions;
    private final Exploration exploration;

    /** The outstanding visits. */
    private final SwitchVisits visits;

    /** NodeGUIDs of switches to visit in the next round. */
    private final Set<Long> switchesToVisit = new LinkedHashSet<>();

    /** By NodeGUID: number of cables of a switch that its visited neighbours report as down. */
    private final Map<Long, Integer> lostCables = new HashMap<>();

    /** True if a round runs. */
    private boolean isVisiting;

    /** True if the end of {@link #probes} is awaited. */
    private boolean isProbing;

    /**
     * Creates an instance without visits.
     *
     * @param scope scope of the discovery
     */
    VisitRounds(
            StageContext context,
            MadScope scope,
            FabricBuilder seen,
            Cables cables,
            DuplicateGuidArbiter duplicates,
            RequestRepetitions secondLook,
            LastReading last,
            Exploration exploration) {
        this.context = context;
        this.scope = scope;
        this.probes = context.scope();
        this.builder = seen;
        this.cables = cables;
        this.duplicates = duplicates;
        this.repetitions = secondLook;
        this.exploration = exploration;
        this.visits = new SwitchVisits(seen, last, exploration::isAdmissible, (info, path) -> {
            if (exploration.visit(info, path)) {
                awaitRound(); // a switch that answered between two rounds begins one
            }
        });
    }

    /**
     * Begins with visits to some switches, by NodeGUID. When no further switch is to be visited, the exploration ends.
     */
    void begin(Collection<Long> changed) {
        switchesToVisit.addAll(changed);
        awaitRound();
    }

    /** Begins a round when the scope is idle, unless a round runs. */
    private void awaitRound() {
        if (!isVisiting) {
            isVisiting = true;
            scope.whenIdle(this::runRound);
        }
    }

    /** Handles the report of a switch, by NodeGUID, which is not yet visited, that one of its ports changed. */
    void onPortChange(long guid) {
        switchesToVisit.add(guid);
        if (!isVisiting) {
            runRound();
        }
    }

    /** Adds a switch to the next round. */
    void visitLater(long guid) {
        switchesToVisit.add(guid);
    }

    /** Runs a round. If no switch is left, repeats requests without a response, and then ends. */
    private void runRound() {
        builder.retrace();
        visits.forgetUnknown();
        visitSilentLater();
        boolean hasJudged = duplicates.decideHeld();
        boolean hasAsked = visit(switchesToVisit, scope, true) || hasJudged;
        isVisiting = hasAsked;
        visit(cables.switchesWithLostLinks(), probes, false);
        if (hasAsked) {
            scope.whenIdle(this::runRound);
        } else if (!visits.isWaiting() && repetitions.repeatPending()) {
            awaitRound();
        } else if (!visits.isWaiting()) {
            finish();
        } else if (!isProbing) {
            isProbing = true;
            probes.whenIdle(() -> {
                isProbing = false;
                if (!isVisiting) {
                    runRound();
                }
            });
        }
    }

    private void finish() {
        probes.close();
        visits.silentSwitches().stream()
                .filter(this::isDue)
                .findFirst()
                .ifPresent(guid -> exploration.fail("switch " + Guid.format(guid) + " is not at the end of route "
                        + builder.path(guid) + " any more"));
        exploration.finish();
    }

    private boolean isDue(long guid) {
        return builder.knows(guid) && !exploration.hasVisited(guid);
    }

    /**
     * Adds switches that did not respond, and their neighbours, to the next round. Such a switch may have lost all
     * links, which its neighbours show. It is visited once more if it has another route.
     */
    private void visitSilentLater() {
        for (long guid : visits.silentSwitches()) {
            switchesToVisit.add(guid);
            visitNeighboursLater(guid);
        }
    }

    private void visitNeighboursLater(long guid) {
        for (int portNum = 1;
                builder.knows(guid) && portNum <= builder.info(guid).numPorts();
                portNum++) {
            NodePort far = builder.peer(guid, portNum);
            if (far != null && builder.info(far.nodeGuid()).isSwitch()) {
                switchesToVisit.add(far.nodeGuid());
            }
        }
    }

    /**
     * Handles the loss of a cable to a switch, by NodeGUID. Switches with an outstanding visit over this cable are
     * visited again in the next round, because their responses cannot arrive. If the switch may have lost all its
     * cables, it and its neighbours are visited again, too.
     */
    void onCableLost(long switchGuid) {
        boolean isSuspicious = lostCables.merge(switchGuid, 1, Integer::sum) >= MIN_SUSPICIOUS_LOSSES;
        switchesToVisit.addAll(visits.abandonCutOff(guid -> isSuspicious && guid == switchGuid));
        if (isSuspicious) {
            visitNeighboursLater(switchGuid);
        }
    }

    /** Visits switches, and clears the set. Returns true if a visit began. */
    private boolean visit(Set<Long> guids, MadScope in, boolean isUrgent) {
        List<Long> asked = guids.stream()
                .filter(this::isDue)
                .filter(guid -> visits.visit(guid, in, isUrgent))
                .toList();
        guids.clear();
        if (!asked.isEmpty()) {
            context.loop().schedule(RESPONSE_TIMEOUT_NS, () -> context.resume(() -> visitNeighbours(asked)));
        }
        return !asked.isEmpty();
    }

    /**
     * Visits the neighbours of switches that have not responded in time. Retries to these switches continue unless the
     * neighbours report lost cables.
     */
    private void visitNeighbours(List<Long> asked) {
        List<Long> missing = asked.stream().filter(visits::isWaitingFor).toList();
        missing.forEach(this::visitNeighboursLater);
        if (!missing.isEmpty() && visit(switchesToVisit, scope, true)) {
            awaitRound();
        }
    }
}
