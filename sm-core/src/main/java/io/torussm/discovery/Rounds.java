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
 * The rounds in which switches of a fabric that is known are visited, over routes that avoid the links lost so far, for what a visit
 * shows may ask for others. Nobody is forgotten but between two rounds: a device that is being read must not be. One use. Owner
 * thread: the loop.
 */
final class Rounds {
    /** Many round trips; who has not answered by then may be gone, which its neighbours know. */
    static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A switch that lost as many cables may have lost all: who is at the other ends of the rest is asked at once. */
    private static final int SUSPICIOUS_LOSSES = 2;

    private final StageContext context;
    private final MadScope scope;

    /** Questions whether a switch is there although a link to it is lost: nobody waits for the dead. */
    private final MadScope probes;

    private final FabricBuilder seen;
    private final Cables cables;
    private final DuplicateGuidArbiter duplicates;
    private final SecondLook secondLook;
    private final Exploration exploration;

    /** Who of the fabric is being asked whether it is there. */
    private final Visits visits;

    /** Switches that are to be visited in the next round. */
    private final Set<Long> expected = new LinkedHashSet<>();

    /** How many cables of a switch that others are visited at are down there. */
    private final Map<Long, Integer> losses = new HashMap<>();

    private boolean isVisiting;
    private boolean isProbing;

    /** @param scope of the discovery */
    Rounds(
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
        this.visits = new Visits(seen, last, exploration::isAdmissible, (info, path) -> {
            if (exploration.visit(info, path)) {
                awaitRound(); // a switch that answered between two rounds begins one
            }
        });
    }

    /** Begins with some switches, by NodeGUID; when nobody is to be visited any more the exploration finishes. */
    void begin(Collection<Long> changed) {
        expected.addAll(changed);
        awaitRound();
    }

    private void awaitRound() {
        if (!isVisiting) {
            isVisiting = true;
            scope.whenIdle(this::visitExpected);
        }
    }

    /** A switch that was not visited yet says that a port of it changed. */
    void notice(long guid) {
        expected.add(guid);
        if (!isVisiting) {
            visitExpected();
        }
    }

    /** A switch is to be visited in the next round. */
    void expect(long guid) {
        expected.add(guid);
    }

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
     * A switch that is missed at the end of its route may have lost all links, which its neighbours know, whether they have told it
     * already or not. It is asked once more if there is another route.
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
     * A cable to a switch is down. Whoever is asked by routes that led over it is asked again, in the next round, instead of waiting for
     * answers that cannot come; and so is a switch that may have lost all its cables, together with those who know.
     */
    void lost(long switchGuid) {
        boolean isSuspicious = losses.merge(switchGuid, 1, Integer::sum) >= SUSPICIOUS_LOSSES;
        expected.addAll(visits.abandonCutOff(guid -> isSuspicious && guid == switchGuid));
        if (isSuspicious) {
            expectNeighbours(switchGuid);
        }
    }

    /** Whether there was somebody to ask. */
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

    /** The tries of those who have not answered go on, but if their neighbours say that they lost their cables. */
    private void doubt(List<Long> asked) {
        List<Long> missing = asked.stream().filter(visits::isWaitingFor).toList();
        missing.forEach(this::expectNeighbours);
        if (!missing.isEmpty() && ask(expected, scope, true)) {
            awaitRound();
        }
    }
}
