package io.torussm.torus2qos.discovery;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.Torus2QosEngine;
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
 * From a file and a fabric to a torus. The first seed from which the switches can be placed is used; the
 * others should give every switch the same place, or SLs change on the day one of them is needed, so they are
 * placed, too, and compared.
 */
public final class Placement {
    /** Seeds that are placed in one run. */
    private static final int MAX_PLACED = 16;

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final boolean acceptsUnplaced;
    private boolean isSizeCertain = true;

    /**
     * Makes an empty placement.
     *
     * @param acceptsUnplaced see {@link Torus2QosEngine}
     */
    public Placement(Fabric fabric, Torus2QosConf conf, boolean acceptsUnplaced) {
        this.fabric = fabric;
        this.conf = conf;
        this.acceptsUnplaced = acceptsUnplaced;
    }

    /**
     * Places the switches.
     *
     * @param findings receives the findings; errors if null is returned, or if switches are cut off and this
     *     is not accepted
     * @return null if the fabric and the file cannot belong together
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
                    .limit(TorusCheck.LISTED)
                    .forEach(text -> findings.add(
                            SmEvent.TORUS_PLACEMENT_ERROR.says(text + "; correct it or add a seed (next_seed)")));
            return null;
        }
        List<Tried> candidates =
                usable.stream().limit(MAX_PLACED).map(this::discover).toList();
        if (usable.size() > MAX_PLACED) {
            findings.add(SmEvent.TORUS_PLACEMENT_NOTE.says(conf.file() + ": only the first " + MAX_PLACED
                    + " seeds whose switches are there are tried and compared"));
        }
        return choose(candidates, absences, findings);
    }

    /** Checks whether the switches of at least one seed are present. */
    public boolean hasSeed() {
        return conf.seeds().stream().anyMatch(seed -> absence(seed).isEmpty());
    }

    /** Checks whether errors come from the fabric: no other sizes fit it better than the sizes in the file. */
    public boolean isSizeCertain() {
        return isSizeCertain;
    }

    /**
     * The outcome of placement from one seed.
     *
     * @param torus null if placement failed
     * @param findings findings of the attempt, with errors if there is no torus or it must not be used
     */
    private record Tried(Seed seed, @Nullable Torus torus, List<Finding> findings) {
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

    private Tried discover(Seed seed) {
        List<Finding> findings = new ArrayList<>();
        TorusDiscovery discovery = new TorusDiscovery(fabric, conf);
        Torus torus = acceptsUnplaced ? discovery.place(seed, findings) : discovery.placeAndComplete(seed, findings);
        if (torus != null) {
            findings.addAll(new UnplacedSwitches(torus).findings(acceptsUnplaced));
        }
        return new Tried(seed, torus, findings);
    }

    private @Nullable Torus choose(List<Tried> candidates, List<String> absences, List<Finding> findings) {
        int index = best(candidates);
        Tried chosen = candidates.get(index);
        Torus torus = chosen.torus;
        if (torus == null) {
            Set<Finding> failures = new LinkedHashSet<>();
            candidates.forEach(each -> failures.addAll(each.findings));
            findings.addAll(failures);
            SizeSearch.find(fabric, conf, chosen.seed)
                    .ifPresent(found ->
                            findings.add(SmEvent.TORUS_PLACEMENT_ERROR.says(looksLike(found) + "; correct the sizes")));
            return null;
        }
        List<String> troubles = new ArrayList<>(absences);
        for (Tried each : candidates.subList(0, index)) {
            troubles.add(conf.at(each.seed.line()) + seed(each) + " cannot be used: " + each.firstError());
        }
        String cable = cableToBlame(torus);
        List<String> texts = troubles.stream()
                .map(text -> text + "; " + seed(chosen) + " of line " + chosen.seed.line() + " is used" + cable)
                .toList();
        UnplacedSwitches.list(findings, texts, SmEvent.TORUS_SEED_WARNING, "seeds that cannot be used");
        judgeSizes(torus, chosen.seed, findings);
        findings.addAll(chosen.findings);
        for (int i = 0; i < candidates.size(); i++) {
            Tried other = candidates.get(i);
            if (i != index && other.torus != null) {
                findings.addAll(new SeedComparison(conf, chosen.seed, torus).against(other.seed, other.torus));
            } else if (i > index) {
                findings.add(SmEvent.TORUS_SEED_WARNING.says(
                        conf.at(other.seed.line()) + seed(other) + " could not stand in for " + seed(chosen)
                                + ", no torus can be placed from it: " + other.firstError() + cable));
            }
        }
        return torus;
    }

    /**
     * Returns the end of a sentence about a seed that fails, with the cable that may be the reason; empty if
     * all are right.
     */
    private static String cableToBlame(Torus torus) {
        return new CableReport(torus)
                .findings(SmEvent.TORUS_DEGRADED).stream()
                        .findFirst()
                        .map(cable -> "; the reason may be a cable, and not the file: " + cable.text())
                        .orElse("");
    }

    /** Returns the index of the first seed whose torus can be used, else the first that gives a torus, else 0. */
    private static int best(List<Tried> candidates) {
        int best = -1;
        for (int i = candidates.size() - 1; i >= 0; i--) {
            boolean isBetter = candidates.get(i).torus != null
                    && (best < 0 || !candidates.get(best).isSound());
            best = candidates.get(i).isSound() || isBetter ? i : best;
        }
        return Math.max(0, best);
    }

    private String seed(Tried candidate) {
        return "seed " + conf.seeds().indexOf(candidate.seed);
    }

    /**
     * Checks whether other sizes fit better if whole planes are empty or left over. Empty positions alone may
     * be planes that are down. The file is wrong if there are also cables that fit no link, while other sizes
     * fit without a gap.
     */
    private void judgeSizes(Torus torus, Seed seed, List<Finding> findings) {
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
                                ? SmEvent.TORUS_PLACEMENT_ERROR.says(text)
                                : SmEvent.TORUS_SEED_WARNING.says(text + ", unless switches or cables are down"));
            });
        }
    }

    private String looksLike(Torus2QosConf found) {
        return conf.file() + ": the fabric looks like \"" + found.describe() + "\", in which each of its "
                + fabric.switchCount() + " switches has a place and each cable fits; the file says \"" + conf.describe()
                + "\"";
    }

    private String absence(Seed seed) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            Link link = seed.link(group);
            if (link == null || conf.radix(group / 2) == 1) {
                continue;
            }
            for (long guid : new long[] {link.from(), link.to()}) {
                if (FabricFilter.switchByGuid(fabric, guid) == Fabric.NONE) {
                    return conf.at(link.line()) + "no switch of the fabric has the NodeGUID " + Guid.format(guid);
                }
            }
        }
        return "";
    }
}
