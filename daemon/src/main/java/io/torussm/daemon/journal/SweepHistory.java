package io.torussm.daemon.journal;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last sweeps with their outcomes and changes, and the result of the last routing. Written by one thread,
 * read by any.
 */
public final class SweepHistory {
    /** Maximum number of sweeps. */
    public static final int CAPACITY = 32;

    /** The outcome of a successful sweep. */
    public static final String UP = "up";

    /** The outcome of a sweep that found that another SM is master. */
    public static final String OTHER_MASTER = "other master";

    /** The outcome of a light sweep that found no change. Such a sweep is not stored. */
    public static final String QUIET = "quiet";

    /** The outcome of a sweep that is cancelled because this SM is no longer master or ends. It is not stored. */
    public static final String GIVEN_UP = "given up";

    private static final int MAX_LINES = 64;

    private final ArrayDeque<Sweep> sweeps = new ArrayDeque<>();
    private List<String> changes = List.of();

    /**
     * Differences of the routes that were compared last. They wait for the end of a sweep, because a sweep that another
     * sweep continues has no end of its own.
     */
    private List<String> routeChanges = List.of();

    private long slChanges;
    private long totalSlChanges;
    private @Nullable Sweep lastChange;
    private @Nullable Instant upSince;
    private volatile @Nullable Routing routing;

    /**
     * A heavy sweep or a local sweep.
     *
     * @param ended end time of the sweep
     * @param outcome {@link #UP}, {@code refused}, {@link #OTHER_MASTER} or {@code failed}; a client that waits for the
     *     sweep may also receive {@link #QUIET} or {@link #GIVEN_UP}
     * @param summary result in one line
     *
     * @param changes changes of the published routes, and of hosts
     * @param slChanges number of paths whose SL changed; should be 0
     */
    public record Sweep(Instant ended, String outcome, String summary, List<String> changes, long slChanges) {}

    /**
     * The result of a run of the routing chain.
     *
     * @param time end time of the run
     * @param engine engine of the routes; empty if all engines refused the fabric
     * @param isFree whether the routes are proved to be free of credit loops
     * @param verdict result of the deadlock check, in words; empty without routes
     * @param certificate size of the certificate; null without a certificate
     * @param refusals refusals of the engines that did not route
     * @param findings findings of the engines, with their severity
     */
    public record Routing(
            Instant time,
            String engine,
            boolean isFree,
            List<String> verdict,
            @Nullable Proof certificate,
            List<Refused> refusals,
            List<String> findings) {}

    /**
     * The size of a certificate.
     *
     * @param channels number of virtual lanes of directed links that packets use
     * @param dependencies number of pairs of channels: a packet may occupy the first while it waits for the second
     * @param destinations number of LIDs
     * @param isMulticastIncluded whether multicast is covered
     * @param coversSwitchPorts whether packets from and to ports 0 of switches are covered
     */
    public record Proof(
            int channels, int dependencies, int destinations, boolean isMulticastIncluded, boolean coversSwitchPorts) {
        /** Returns the size of a certificate. */
        public static Proof of(Certificate certificate, boolean isMulticastIncluded) {
            return new Proof(
                    certificate.channelCount(),
                    certificate.dependencyCount(),
                    certificate.destinationCount(),
                    isMulticastIncluded,
                    certificate.coversSwitchPorts());
        }
    }

    /** The refusal of an engine, with its reasons. */
    public record Refused(String engine, List<String> reasons) {}

    /** Records the result of a routing. */
    public void recordRouting(Instant time, RoutingChain.ChainResult result) {
        Plan plan = result.plan();
        Verdict verdict = result.verdict();
        routing = new Routing(
                time,
                plan == null ? "" : plan.engine(),
                verdict instanceof Certificate,
                verdict == null
                        ? List.of()
                        : verdict.text().lines().limit(MAX_LINES).toList(),
                verdict instanceof Certificate certificate ? Proof.of(certificate, result.multicast() != null) : null,
                result.refusals().stream()
                        .map(refusal -> new Refused(refusal.engine(), texts(refusal.findings())))
                        .toList(),
                texts(result.findings()));
    }

    /** Records the differences between the new and the previous routes. */
    public synchronized void recordRouteChanges(List<Finding> differences, long changedSls) {
        routeChanges = texts(differences);
        slChanges = changedSls;
    }

    /** Records changes of the fabric. */
    public synchronized void recordChanges(List<Finding> differences) {
        changes = Stream.concat(changes.stream(), texts(differences).stream())
                .limit(MAX_LINES)
                .toList();
    }

    /** Records the end of a sweep. */
    public synchronized void recordSweep(Instant time, String outcome, String summary) {
        if (sweeps.size() == CAPACITY) {
            sweeps.removeFirst();
        }
        List<String> all = Stream.concat(routeChanges.stream(), changes.stream())
                .distinct()
                .limit(MAX_LINES)
                .toList();
        Sweep sweep = new Sweep(time, outcome, summary, all, slChanges);
        sweeps.addLast(sweep);
        if (!all.isEmpty()) {
            lastChange = sweep;
        }
        totalSlChanges += outcome.equals(UP) ? slChanges : 0;
        changes = List.of();
        routeChanges = List.of();
        slChanges = 0;
        if (outcome.equals(OTHER_MASTER)) {
            upSince = null;
        } else if (outcome.equals(UP) && upSince == null) {
            upSince = time;
        }
    }

    /** Records that this SM is no longer master, and manages no subnet. */
    public synchronized void mastershipEnded() {
        upSince = null;
    }

    /** Returns the time since when a subnet has been published without interruption; null if there is none. */
    public synchronized @Nullable Instant upSince() {
        return upSince;
    }

    /** Returns the last sweep; null before the first. */
    public synchronized @Nullable Sweep last() {
        return sweeps.peekLast();
    }

    /** Returns the last sweep that found a change; null if no sweep did. */
    public synchronized @Nullable Sweep lastChange() {
        return lastChange;
    }

    /** Returns the number of paths whose SL changed, summed over all sweeps; should be 0. */
    public synchronized long slChanges() {
        return totalSlChanges;
    }

    /** Returns the last sweeps, the oldest first. */
    public synchronized List<Sweep> sweeps() {
        return List.copyOf(sweeps);
    }

    /** Returns the result of the last routing; null before the first. */
    public @Nullable Routing routing() {
        return routing;
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream()
                .limit(MAX_LINES)
                .map(finding ->
                        (finding.severity() == Finding.Severity.INFO ? "" : finding.severity() + " ") + finding.text())
                .toList();
    }
}
