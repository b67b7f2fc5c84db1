package io.torussm.torus2qos.conf;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.Guid;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requirements on every seed of a file, used or not. A seed has a link in each dimension with more than one
 * switch, all from the same switch. In a torus dimension with four switches it has links in both directions.
 * Such a ring is itself a square, and {@code TorusDiscovery} finds positions by squares.
 */
public final class SeedRules {
    private final Torus2QosConf conf;
    private final List<Finding> findings = new ArrayList<>();

    private SeedRules(Torus2QosConf conf) {
        this.conf = conf;
    }

    /** Returns the keyword of the link in a group from 0 to 5, such as {@code xm_link}. */
    public static String keyword(int group) {
        return Dim.name(Dim.dimension(group)) + (Dim.sign(group) < 0 ? "m_link" : "p_link");
    }

    /** Returns the findings about the seeds of a file, errors and notes; empty if all seeds are correct. */
    public static List<Finding> check(Torus2QosConf conf) {
        SeedRules rules = new SeedRules(conf);
        if (conf.seeds().isEmpty()) {
            rules.findings.add(SmEvent.TORUS_SEED_ERROR.finding(conf.file() + ": there is no seed; add "
                    + rules.neededLinks() + " with the NodeGUIDs of one switch and of its neighbours"));
        }
        for (int index = 0; index < conf.seeds().size(); index++) {
            rules.check(index, conf.seeds().get(index));
        }
        return rules.findings;
    }

    private void check(int index, Seed seed) {
        boolean[] complete = new boolean[Dim.COUNT];
        for (int d = 0; d < Dim.COUNT; d++) {
            complete[d] = conf.radix(d) == 4 && !conf.isMesh(d)
                    ? checkBothLinks(index, seed, d)
                    : checkAnyLink(index, seed, d);
            noteIgnoredLinks(seed, d);
        }
        for (int d : new int[] {2, 1}) {
            if (complete[0] && complete[d] && conf.radix(d) > 1) {
                checkSameSwitch(index, seed, d);
            }
        }
    }

    private boolean checkAnyLink(int index, Seed seed, int d) {
        boolean hasLink = seed.link(Dim.minus(d)) != null || seed.link(Dim.plus(d)) != null;
        if (!hasLink && conf.radix(d) > 1) {
            String name = Dim.name(d);
            addError(
                    index,
                    seed,
                    seed.line(),
                    "has no link in " + name + "; add " + name + "p_link or " + name + "m_link");
            return false;
        }
        return true;
    }

    private boolean checkBothLinks(int index, Seed seed, int d) {
        Link minus = seed.link(Dim.minus(d));
        Link plus = seed.link(Dim.plus(d));
        String name = Dim.name(d);
        if (plus == null || minus == null) {
            String missing = name
                    + (plus == null ? "p_link" : "m_link")
                    + (plus == null && minus == null ? " and " + name + "m_link" : "");
            addError(
                    index,
                    seed,
                    seed.line(),
                    "needs the links both ways in " + name + ", since the torus has radix 4 there; add " + missing);
            return false;
        }
        if (minus.from() != plus.from()) {
            addError(
                    index,
                    seed,
                    minus.line(),
                    name + "m_link starts at " + Guid.format(minus.from()) + " but " + name + "p_link at "
                            + Guid.format(plus.from()) + "; both must name the same switch first"
                            + exchangedLinkText(plus.from(), minus));
            return false;
        }
        return true;
    }

    private void checkSameSwitch(int index, Seed seed, int d) {
        for (int xGroup = 0; xGroup < 2; xGroup++) {
            for (int group : new int[] {Dim.minus(d), Dim.plus(d)}) {
                Link x = seed.link(xGroup);
                Link other = seed.link(group);
                if (x != null && other != null && x.from() != other.from()) {
                    addError(
                            index,
                            seed,
                            other.line(),
                            "the link in " + Dim.groupName(group) + " starts at " + Guid.format(other.from())
                                    + " but that in " + Dim.groupName(xGroup) + " at " + Guid.format(x.from())
                                    + "; all links of a seed must name the same switch first"
                                    + exchangedLinkText(x.from(), other));
                    return;
                }
            }
        }
    }

    /**
     * Returns the end of a message with the corrected link if its two NodeGUIDs were probably exchanged; otherwise
     * empty.
     *
     * @param from NodeGUID that the link should name first
     */
    private static String exchangedLinkText(long from, Link link) {
        return link.to() == from
                ? ", and this names it second: write " + Guid.format(from) + " " + Guid.format(link.from())
                : "";
    }

    private void noteIgnoredLinks(Seed seed, int d) {
        @Nullable Link link = seed.link(Dim.minus(d)) != null ? seed.link(Dim.minus(d)) : seed.link(Dim.plus(d));
        if (conf.radix(d) == 1 && link != null) {
            findings.add(SmEvent.TORUS_CONF_NOTE.finding(conf.linePrefix(link.line()) + "a link in " + Dim.name(d)
                    + " has no effect, since there is one switch in that dimension"));
        }
    }

    private void addError(int index, Seed seed, int line, String message) {
        boolean whole = line == seed.line();
        findings.add(SmEvent.TORUS_SEED_ERROR.finding(
                conf.linePrefix(line) + (whole ? "seed " + index + " " : "seed " + index + ": ") + message));
    }

    private String neededLinks() {
        List<String> keywords = new ArrayList<>();
        for (int d = 0; d < Dim.COUNT; d++) {
            if (conf.radix(d) > 1) {
                keywords.add(Dim.name(d) + "p_link");
                if (conf.radix(d) == 4 && !conf.isMesh(d)) {
                    keywords.add(Dim.name(d) + "m_link");
                }
            }
        }
        return keywords.isEmpty() ? "xp_link" : String.join(", ", keywords);
    }
}
