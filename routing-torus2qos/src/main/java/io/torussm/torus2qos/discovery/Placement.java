package io.torussm.torus2qos.discovery;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The placement of the switches of a fabric by a file. The first seed from which the switches can be placed is
 * used. All other seeds are placed too and compared with it. If another seed gave other places, SLs would change
 * when that seed is needed.
 */
public final class Placement {
    /** Seeds that are placed in one run. */
    private static final int MAX_PLACED = 16;

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final boolean acceptsUnplaced;
    private boolean isSizeCertain = true;

    /**
     * Creates a placement without results.
     *
     * @param acceptsUnplaced setting {@code accept_unplaced_switches}: true to route without switches that are cut
     *     off
     */
    public Placement(Fabric fabric, Torus2QosConf conf, boolean acceptsUnplaced) {
        this.fabric = fabric;
        this.conf = conf;
        this.acceptsUnplaced = acceptsUnplaced;
    }

    /**
     * Places the switches.
     *
     * @param findings receives the findings; among them is an error if null is returned, or if switches are cut off
     *     and this is not accepted
     * @return the torus; null if no seed of the file gives one in this fabric
     */
    @Nullable
    public Torus place(List<Finding> findings) {
        List<Seed> usable = new ArrayList<>();
        List<String> absences = new ArrayList<>();
        for (Seed seed : conf.seeds()) {
            String absence = absence(seed);
            if (absence.isEmpty()) {
                usable.add(seed);
            } else if (usable.isEmpty()) {
                absences.add(absence);
            }
        }
        if (usable.isEmpty()) {
            absences.stream()
                    .limit(TorusCheck.MAX_LISTED)
                    .forEach(text -> findings.add(
                            SmEvent.TORUS_PLACEMENT_ERROR.finding(text + "; correct it or add a seed (next_seed)")));
            return null;
        }
        List<SeedResult> candidates =
                usable.stream().limit(MAX_PLACED).map(this::discover).toList();
        if (usable.size() > MAX_PLACED) {
            findings.add(SmEvent.TORUS_PLACEMENT_NOTE.finding(conf.file() + ": only the first " + MAX_PLACED
                    + " seeds whose switches are there are tried and compared"));
        }
        return choose(candidates, absences, findings);
    }

    /** Checks whether the switches of at least one seed are present. */
    public boolean hasSeed() {
        return conf.seeds().stream().anyMatch(seed -> absence(seed).isEmpty());
    }

    /**
     * Checks whether the sizes in the file are certain, so that errors come from the fabric. False if other sizes
     * fit the fabric and the sizes in the file do not. Valid after {@link #place}.
     */
    public boolean isSizeCertain() {
        return isSizeCertain;
    }

    /**
     * The outcome of placement from one seed.
     *
     * @param torus torus; null if placement failed
     * @param findings findings of the attempt; an error is among them if there is no torus, or it must not be used
     */
    private record SeedResult(Seed seed, @Nullable Torus torus, List<Finding> findings) {
        boolean isSound() {
            return torus != null && firstError().isEmpty();
        }

        String firstError() {
            return findings.stream()
                    .filter(finding -> finding.severity() == Severity.ERROR)
                    .map(Finding::text)
                    .findFirst()
                    .orElse("");
        }
    }

    private SeedResult discover(Seed seed) {
        List<Finding> findings = new ArrayList<>();
        TorusDiscovery discovery = new TorusDiscovery(fabric, conf);
        Torus torus = acceptsUnplaced ? discovery.place(seed, findings) : discovery.placeAndComplete(seed, findings);
        if (torus != null) {
            findings.addAll(new UnplacedSwitches(torus).findings(acceptsUnplaced));
        }
        return new SeedResult(seed, torus, findings);
    }

    private @Nullable Torus choose(List<SeedResult> candidates, List<String> absences, List<Finding> findings) {
        int index = best(candidates);
        SeedResult chosen = candidates.get(index);
        Torus torus = chosen.torus;
        if (torus == null) {
            Set<Finding> failures = new LinkedHashSet<>();
            candidates.forEach(candidate -> failures.addAll(candidate.findings));
            findings.addAll(failures);
            SizeSearch.find(fabric, conf, chosen.seed)
                    .ifPresent(found -> findings.add(
                            SmEvent.TORUS_PLACEMENT_ERROR.finding(looksLike(found) + "; correct the sizes")));
            return null;
        }
        List<String> troubles = new ArrayList<>(absences);
        for (SeedResult candidate : candidates.subList(0, index)) {
            troubles.add(conf.linePrefix(candidate.seed.line()) + seed(candidate) + " cannot be used: "
                    + candidate.firstError());
        }
        String cable = suspectCableText(torus);
        List<String> texts = troubles.stream()
                .map(text -> text + "; " + seed(chosen) + " of line " + chosen.seed.line() + " is used" + cable)
                .toList();
        UnplacedSwitches.list(findings, texts, SmEvent.TORUS_SEED_WARNING, "seeds that cannot be used");
        checkSizes(torus, chosen.seed, findings);
        findings.addAll(chosen.findings);
        for (int i = 0; i < candidates.size(); i++) {
            SeedResult other = candidates.get(i);
            if (i != index && other.torus != null) {
                findings.addAll(new SeedComparison(conf, chosen.seed, torus).compare(other.seed, other.torus));
            } else if (i > index) {
                findings.add(SmEvent.TORUS_SEED_WARNING.finding(
                        conf.linePrefix(other.seed.line()) + seed(other) + " could not stand in for " + seed(chosen)
                                + ", no torus can be placed from it: " + other.firstError() + cable));
            }
        }
        return torus;
    }

    /**
     * Returns the end of a message about a seed that fails, with the cable that may be the reason; empty if all
     * cables fit.
     */
    private static String suspectCableText(Torus torus) {
        return new CableReport(torus)
                .findings(SmEvent.TORUS_DEGRADED).stream()
                        .findFirst()
                        .map(cable -> "; the reason may be a cable, and not the file: " + cable.text())
                        .orElse("");
    }

    /**
     * Returns the index of the first candidate whose torus can be used; else of the first candidate with a torus;
     * else 0.
     */
    private static int best(List<SeedResult> candidates) {
        int best = -1;
        for (int i = candidates.size() - 1; i >= 0; i--) {
            boolean isBetter = candidates.get(i).torus != null
                    && (best < 0 || !candidates.get(best).isSound());
            best = candidates.get(i).isSound() || isBetter ? i : best;
        }
        return Math.max(0, best);
    }

    private String seed(SeedResult candidate) {
        return "seed " + conf.seeds().indexOf(candidate.seed);
    }

    /**
     * Adds a finding if whole planes are empty or left over and other sizes fit without a gap. Empty positions alone
     * may be planes that are down, which is a warning. If some cables also fit no link, the sizes in the file are
     * wrong, which is an error.
     */
    private void checkSizes(Torus torus, Seed seed, List<Finding> findings) {
        if (SizeSearch.isDoubtful(torus)) {
            int empty = torus.positions() - torus.slots();
            int strays = SizeSearch.strayCables(torus);
            SizeSearch.find(fabric, conf, seed).ifPresent(found -> {
                String text = looksLike(found) + ", which leaves " + (fabric.switchCount() - torus.slots())
                        + " switches without a place, " + empty + " positions without a switch and " + strays
                        + " cables that join no neighbours; correct the sizes";
                isSizeCertain = empty == 0 || strays == 0;
                findings.add(
                        !isSizeCertain
                                ? SmEvent.TORUS_PLACEMENT_ERROR.finding(text)
                                : SmEvent.TORUS_SEED_WARNING.finding(text + ", unless switches or cables are down"));
            });
        }
    }

    private String looksLike(Torus2QosConf found) {
        return conf.file() + ": the fabric looks like \"" + found.describe() + "\", in which each of its "
                + fabric.switchCount() + " switches has a place and each cable fits; the file says \"" + conf.describe()
                + "\"";
    }

    /**
     * Returns the message about a switch of a seed that is not in the fabric; empty if all its switches are present.
     */
    private String absence(Seed seed) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            Link link = seed.link(group);
            if (link == null || conf.radix(Dim.dimension(group)) == 1) {
                continue;
            }
            for (long guid : new long[] {link.from(), link.to()}) {
                if (FabricFilter.switchByGuid(fabric, guid) == Fabric.NONE) {
                    return conf.linePrefix(link.line()) + "no switch of the fabric has the NodeGUID "
                            + Guid.format(guid);
                }
            }
        }
        return "";
    }
}
