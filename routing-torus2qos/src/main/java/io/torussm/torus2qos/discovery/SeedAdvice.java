package io.torussm.torus2qos.discovery;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.SeedRules;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Advice on the links that a seed lacks, if the cabling is unambiguous. Each neighbour of the seed switch is
 * tried for a missing link, and the seeds whose torus fits without a gap remain. If several remain, as in a
 * torus with radix 4 in all dimensions, only the operator can decide.
 */
public final class SeedAdvice {
    private static final int MAX_TRIES = 60;
    private static final int MAX_SWITCHES = 20_000;

    private SeedAdvice() {}

    /**
     * Returns proposals for the seeds of a file that violate {@link SeedRules}. A seed without a proposal has no
     * finding.
     */
    public static List<Finding> proposals(Fabric fabric, Torus2QosConf conf) {
        List<Finding> findings = new ArrayList<>();
        for (int index = 0; index < conf.seeds().size() && findings.size() < TorusCheck.MAX_LISTED; index++) {
            Seed seed = conf.seeds().get(index);
            if (fabric.switchCount() > MAX_SWITCHES || isWhole(conf, seed)) {
                continue;
            }
            List<Seed> fitting = wholeSeeds(fabric, conf, seed).stream()
                    .filter(wholeSeed -> SizeSearch.fits(fabric, conf, wholeSeed))
                    .toList();
            if (fitting.size() == 1) {
                findings.add(SmEvent.TORUS_SEED_ERROR.finding(conf.linePrefix(seed.line()) + "seed " + index
                        + " fits this fabric with " + addedLinksText(seed, fitting.get(0))));
            } else if (fitting.size() == 2 && differInDirection(seed, fitting)) {
                findings.add(SmEvent.TORUS_SEED_ERROR.finding(
                        conf.linePrefix(seed.line()) + "seed " + index + " fits this fabric with "
                                + addedLinksText(seed, fitting.get(0)) + ", or, for the opposite direction, with "
                                + addedLinksText(seed, fitting.get(1))));
            }
        }
        return findings;
    }

    /**
     * Returns the seed itself if it has all links that the sizes require. Otherwise returns at most {@value
     * #MAX_TRIES} copies with the missing links added, each link to a different neighbour of the seed switch.
     */
    static List<Seed> wholeSeeds(Fabric fabric, Torus2QosConf conf, Seed seed) {
        if (isWhole(conf, seed)) {
            return List.of(seed);
        }
        Link firstLink = anyLink(conf, seed);
        int sw = firstLink == null ? Fabric.NONE : FabricFilter.switchByGuid(fabric, firstLink.from());
        List<Seed> partial = List.of(seed);
        for (int group : missing(conf, seed)) {
            List<Seed> longer = new ArrayList<>();
            for (Seed base : partial) {
                for (long guid : sw == Fabric.NONE ? Set.<Long>of() : freeNeighbours(fabric, sw, base)) {
                    if (longer.size() < MAX_TRIES) {
                        longer.add(withLink(base, group, new Link(seed.line(), fabric.nodeGuid(sw), guid)));
                    }
                }
            }
            partial = longer;
        }
        return partial.stream().filter(wholeSeed -> isWhole(conf, wholeSeed)).toList();
    }

    private static boolean isWhole(Torus2QosConf conf, Seed seed) {
        return SeedRules.check(conf.withSeed(seed)).stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** Returns the groups in which a seed lacks a required link. */
    private static List<Integer> missing(Torus2QosConf conf, Seed seed) {
        List<Integer> groups = new ArrayList<>();
        for (int group = 0; group < Dim.LOCAL; group++) {
            int d = Dim.dimension(group);
            boolean needsBoth = conf.radix(d) == 4 && !conf.isMesh(d);
            boolean needsPlus = Dim.sign(group) > 0 && conf.radix(d) > 1 && seed.link(group ^ 1) == null;
            if (seed.link(group) == null && (needsBoth || needsPlus)) {
                groups.add(group);
            }
        }
        return groups;
    }

    /** Returns the first link of a seed in a dimension with more than one switch; null without such a link. */
    private static @Nullable Link anyLink(Torus2QosConf conf, Seed seed) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            Link link = seed.link(group);
            if (link != null && conf.radix(Dim.dimension(group)) > 1) {
                return link;
            }
        }
        return null;
    }

    /** Returns the NodeGUIDs of the neighbours of a switch that no link of the seed names. */
    private static Set<Long> freeNeighbours(Fabric fabric, int sw, Seed seed) {
        Set<Long> guids = new LinkedHashSet<>();
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int port = fabric.port(sw, portNum);
            if (FabricFilter.isSwitchLink(fabric, port)) {
                guids.add(fabric.nodeGuid(fabric.nodeOf(fabric.peer(port))));
            }
        }
        guids.remove(fabric.nodeGuid(sw));
        for (Link link : seed.links()) {
            if (link != null) {
                guids.remove(link.to());
            }
        }
        return guids;
    }

    private static Seed withLink(Seed seed, int group, Link link) {
        @Nullable Link[] links = seed.links().clone();
        links[group] = link;
        return new Seed(seed.line(), links, seed.dateline());
    }

    /**
     * Checks whether two seeds add one link each, both with the same keyword. Then the two neighbours are on
     * opposite sides of the seed switch.
     */
    private static boolean differInDirection(Seed seed, List<Seed> fitting) {
        return addedGroups(seed, fitting.get(0)).size() == 1
                && addedGroups(seed, fitting.get(0)).equals(addedGroups(seed, fitting.get(1)));
    }

    private static List<Integer> addedGroups(Seed seed, Seed wholeSeed) {
        List<Integer> groups = new ArrayList<>();
        for (int group = 0; group < Dim.LOCAL; group++) {
            if (seed.link(group) == null && wholeSeed.link(group) != null) {
                groups.add(group);
            }
        }
        return groups;
    }

    private static String addedLinksText(Seed seed, Seed wholeSeed) {
        return addedGroups(seed, wholeSeed).stream()
                .map(group -> text(group, wholeSeed.link(group)))
                .collect(Collectors.joining(" and "));
    }

    private static String text(int group, @Nullable Link link) {
        return link == null
                ? ""
                : "\"" + SeedRules.keyword(group) + " " + Guid.format(link.from()) + " " + Guid.format(link.to())
                        + "\"";
    }
}
