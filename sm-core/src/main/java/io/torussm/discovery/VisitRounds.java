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
    static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * The number of lost cables from which on a switch may have lost all cables. Its other neighbours are then visited
     * immediately.
     */
    private static final int SUSPICIOUS_LOSSES = 2;

    private final StageContext context;
    private final MadScope scope;

    /** The scope of visits to switches that lost a link, which do not delay a round. */
    private final MadScope probes;

    private final FabricBuilder seen;
    private final Cables cables;
    private final DuplicateGuidArbiter duplicates;
    private final SecondLook secondLook;
    private final Exploration exploration;

    /** The outstanding visits. */
    private final SwitchVisits visits;

    /** NodeGUIDs of switches to visit in the next round. */
    private final Set<Long> expected = new LinkedHashSet<>();

    /** By NodeGUID: number of cables of a switch that its visited neighbours report as down. */
    private final Map<Long, Integer> losses = new HashMap<>();

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
            SecondLook secondLook,
            LastReading last,
            Exploration exploration) {
        this.context = context;
        this.scope = scope;
        this.probes = context.scope();
        this.seen = seen;
        this.cables = cables;
        this.duplicates = duplicates;
        this.secondLook = secondLook;
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
        expected.addAll(changed);
        awaitRound();
    }

    /** Begins a round when the scope is idle, unless a round runs. */
    private void awaitRound() {
        if (!isVisiting) {
            isVisiting = true;
            scope.whenIdle(this::visitExpected);
        }
    }

    /** Handles the report of a switch, by NodeGUID, which is not yet visited, that one of its ports changed. */
    void notice(long guid) {
        expected.add(guid);
        if (!isVisiting) {
            visitExpected();
        }
    }

    /** Adds a switch to the next round. */
    void expect(long guid) {
        expected.add(guid);
    }

    /** Runs a round. If no switch is left, repeats requests without a response, and then ends. */
    private void visitExpected() {
        seen.retrace();
        visits.forgetUnknown();
        expectMissed();
        boolean hasJudged = duplicates.judge();
        boolean hasAsked = ask(expected, scope, true) || hasJudged;
        isVisiting = hasAsked;
        ask(cables.bereft(), probes, false);
        if (hasAsked) {
            scope.whenIdle(this::visitExpected);
        } else if (!visits.isWaiting() && secondLook.begin()) {
            awaitRound();
        } else if (!visits.isWaiting()) {
            finish();
        } else if (!isProbing) {
            isProbing = true;
            probes.whenIdle(() -> {
                isProbing = false;
                if (!isVisiting) {
                    visitExpected();
                }
            });
        }
    }

    private void finish() {
        probes.close();
        visits.missed().stream()
                .filter(this::isDue)
                .findFirst()
                .ifPresent(guid -> exploration.fail("switch " + Guid.format(guid) + " is not at the end of route "
                        + seen.path(guid) + " any more"));
        exploration.finish();
    }

    private boolean isDue(long guid) {
        return seen.knows(guid) && !exploration.hasVisited(guid);
    }

    /**
     * Adds switches that did not respond, and their neighbours, to the next round. Such a switch may have lost all
     * links, which its neighbours show. It is visited once more if it has another route.
     */
    private void expectMissed() {
        for (long guid : visits.missed()) {
            expected.add(guid);
            expectNeighbours(guid);
        }
    }

    private void expectNeighbours(long guid) {
        for (int portNum = 1; seen.knows(guid) && portNum <= seen.info(guid).numPorts(); portNum++) {
            NodePort far = seen.peer(guid, portNum);
            if (far != null && seen.info(far.nodeGuid()).isSwitch()) {
                expected.add(far.nodeGuid());
            }
        }
    }

    /**
     * Handles the loss of a cable to a switch, by NodeGUID. Switches with an outstanding visit over this cable are
     * visited again in the next round, because their responses cannot arrive. If the switch may have lost all its
     * cables, it and its neighbours are visited again, too.
     */
    void lost(long switchGuid) {
        boolean isSuspicious = losses.merge(switchGuid, 1, Integer::sum) >= SUSPICIOUS_LOSSES;
        expected.addAll(visits.abandonCutOff(guid -> isSuspicious && guid == switchGuid));
        if (isSuspicious) {
            expectNeighbours(switchGuid);
        }
    }

    /** Visits switches, and clears the set. Returns whether a visit began. */
    private boolean ask(Set<Long> guids, MadScope in, boolean isUrgent) {
        List<Long> asked = guids.stream()
                .filter(this::isDue)
                .filter(guid -> visits.ask(guid, in, isUrgent))
                .toList();
        guids.clear();
        if (!asked.isEmpty()) {
            context.loop().schedule(PATIENCE_NS, () -> context.resume(() -> doubt(asked)));
        }
        return !asked.isEmpty();
    }

    /**
     * Visits the neighbours of switches that have not responded in time. Retries to these switches continue unless the
     * neighbours report lost cables.
     */
    private void doubt(List<Long> asked) {
        List<Long> missing = asked.stream().filter(visits::isWaitingFor).toList();
        missing.forEach(this::expectNeighbours);
        if (!missing.isEmpty() && ask(expected, scope, true)) {
            awaitRound();
        }
    }
}
