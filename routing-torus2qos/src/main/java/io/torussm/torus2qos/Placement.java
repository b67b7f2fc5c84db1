package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.Finding;
import io.torussm.routing.Finding.Severity;
import io.torussm.torus2qos.Torus2QosConf.Link;
import io.torussm.torus2qos.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From a file and a fabric to a torus. The first seed from which the switches can be placed is used; those that come
 * after it should give every switch the same place, or SLs change on the day one of them is needed, so they are placed,
 * too, and compared.
 */
final class Placement {
    /** Seeds that are placed in one run. */
    private static final int MAX_PLACED = 16;

    private final Fabric fabric;
    private final Torus2QosConf conf;
    private final boolean acceptsUnplaced;

    /**
     * Nothing is placed yet.
     *
     * @param acceptsUnplaced see {@link Torus2QosEngine}
     */
    Placement(Fabric fabric, Torus2QosConf conf, boolean acceptsUnplaced) {
        this.fabric = fabric;
        this.conf = conf;
        this.acceptsUnplaced = acceptsUnplaced;
    }

    /**
     * Places the switches.
     *
     * @param findings takes what is to say; errors where null is returned, or where switches are cut off and not accepted
     * @return null if the fabric and the file cannot belong together
     */
    @Nullable
    Torus place(List<Finding> findings) {
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
                    .forEach(text -> findings.add(Finding.error(text + "; correct it or add a seed (next_seed)")));
            return null;
        }
        return place(usable, absences, findings);
    }

    private @Nullable Torus place(List<Seed> usable, List<String> troubles, List<Finding> findings) {
        Set<Finding> failures = new LinkedHashSet<>();
        for (int i = 0; i < Math.min(usable.size(), MAX_PLACED); i++) {
            Seed seed = usable.get(i);
            List<Finding> told = new ArrayList<>();
            Torus torus = discover(seed, told);
            if (torus != null) {
                List<String> texts = troubles.stream()
                        .map(text ->
                                text + "; seed " + conf.seeds().indexOf(seed) + " of line " + seed.line() + " is used")
                        .toList();
                Leftovers.list(findings, texts, Finding::warning, "seeds that cannot be used");
                findings.addAll(told);
                judge(torus, seed, findings);
                compare(torus, seed, usable.subList(i + 1, Math.min(usable.size(), MAX_PLACED)), findings);
                return torus;
            }
            failures.addAll(told);
            troubles.add(conf.at(seed.line()) + "no torus can be placed from seed "
                    + conf.seeds().indexOf(seed) + ": " + firstError(told));
        }
        findings.addAll(failures);
        SizeSearch.find(fabric, conf, usable.get(0))
                .ifPresent(found -> findings.add(Finding.error(looksLike(found) + "; correct the sizes")));
        return null;
    }

    private @Nullable Torus discover(Seed seed, List<Finding> told) {
        TorusDiscovery discovery = new TorusDiscovery(fabric, conf);
        return acceptsUnplaced ? discovery.place(seed, told) : discovery.placeAndComplete(seed, told);
    }

    /** What is to say of switches without a place, and whether the sizes are to blame. */
    private void judge(Torus torus, Seed seed, List<Finding> findings) {
        if (SizeSearch.isDoubtful(torus)) {
            SizeSearch.find(fabric, conf, seed)
                    .ifPresent(found -> findings.add(Finding.warning(looksLike(found) + ", which leaves "
                            + (fabric.switchCount() - torus.slots()) + " switches without a place, "
                            + (torus.positions() - torus.slots()) + " positions without a switch and "
                            + SizeSearch.strayCables(torus) + " cables that join no neighbours; correct the sizes, "
                            + "unless switches or cables are down")));
        }
        findings.addAll(new Leftovers(torus).findings(acceptsUnplaced));
    }

    private String looksLike(Torus2QosConf found) {
        return conf.file() + ": the fabric looks like \"" + found.describe() + "\", in which each of its "
                + fabric.switchCount() + " switches has a place and each cable fits; the file says \"" + conf.describe()
                + "\"";
    }

    private void compare(Torus torus, Seed used, List<Seed> others, List<Finding> findings) {
        for (Seed other : others) {
            List<Finding> told = new ArrayList<>();
            Torus otherTorus = discover(other, told);
            findings.addAll(
                    otherTorus == null
                            ? List.of(Finding.warning(conf.at(other.line()) + "seed "
                                    + conf.seeds().indexOf(other) + " could not stand in for seed "
                                    + conf.seeds().indexOf(used) + ", no torus can be placed from it: "
                                    + firstError(told)))
                            : new SeedComparison(conf, used, torus).against(other, otherTorus));
        }
    }

    private static String firstError(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .map(Finding::text)
                .findFirst()
                .orElse("");
    }

    private String absence(Seed seed) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            Link link = seed.link(group);
            if (link == null || conf.radix(group / 2) == 1) {
                continue;
            }
            for (long guid : new long[] {link.from(), link.to()}) {
                if (Capture.switchByGuid(fabric, guid) == Fabric.NONE) {
                    return conf.at(link.line()) + "no switch of the fabric has the NodeGUID " + Guid.format(guid);
                }
            }
        }
        return "";
    }
}
