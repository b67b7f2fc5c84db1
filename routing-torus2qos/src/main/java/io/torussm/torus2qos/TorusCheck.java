package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Compares what was placed with what was configured. A torus with a missing switch or link is refused: the routes
 * could be computed ({@link TorusRoutes} has the long way round and the early turn), but nobody has shown yet which of
 * them are free of credit loops.
 */
final class TorusCheck {
    /** Findings of a kind that are listed one by one. */
    static final int LISTED = 32;

    private final Torus torus;
    private final Fabric fabric;

    TorusCheck(Torus torus) {
        this.torus = torus;
        this.fabric = torus.fabric();
    }

    /** Errors for what is missing and cannot be used, warnings for cables that lead nowhere in the torus. */
    List<Finding> findings(Torus2QosConf conf) {
        List<Finding> findings = new ArrayList<>();
        list(findings, missingSwitches(), Finding::error, "missing switches");
        list(findings, missingLinks(), Finding::error, "missing links");
        list(findings, unplacedSwitches(), Finding::error, "switches without a place");
        if (!findings.isEmpty()) {
            findings.add(Finding.error(conf.file() + ": " + conf.describe() + " has room for " + torus.positions()
                    + " switches, " + torus.slots() + " of the " + fabric.switchCount()
                    + " in the fabric were placed; torus-2QoS cannot route around missing parts yet: repair the cables "
                    + "and switches named, or correct the radices, their suffixes and the seed if they are not those of "
                    + "this fabric"));
        }
        list(findings, strayCables(), Finding::warning, "stray cables");
        return findings;
    }

    private static void list(
            List<Finding> findings, List<String> texts, Function<String, Finding> kind, String plural) {
        texts.stream().limit(LISTED).map(kind).forEach(findings::add);
        if (texts.size() > LISTED) {
            findings.add(kind.apply("and " + (texts.size() - LISTED) + " more " + plural));
        }
    }

    private List<String> missingSwitches() {
        List<String> texts = new ArrayList<>();
        for (int position = 0; position < torus.positions(); position++) {
            if (torus.slotAt(position) < 0) {
                texts.add("switch missing at " + torus.place(position) + knownNeighbour(position));
            }
        }
        return texts;
    }

    private String knownNeighbour(int position) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            int slot = torus.hasNeighbour(position, group) ? torus.slotAt(neighbour(position, group)) : -1;
            if (slot >= 0) {
                return ", in " + Dim.groupName(group ^ 1) + " of " + torus.name(slot);
            }
        }
        return "";
    }

    private List<String> missingLinks() {
        List<String> texts = new ArrayList<>();
        for (int position = 0; position < torus.positions(); position++) {
            for (int d = 0; d < Dim.COUNT; d++) {
                int plus = 2 * d + 1;
                if (!torus.hasNeighbour(position, plus)) {
                    continue;
                }
                int slot = torus.slotAt(position);
                int next = torus.slotAt(neighbour(position, plus));
                if (slot >= 0 && next >= 0 && torus.group(slot, plus).length == 0) {
                    texts.add("no link from " + torus.name(slot) + " in " + Dim.groupName(plus) + " to "
                            + torus.name(next));
                }
            }
        }
        return texts;
    }

    private List<String> unplacedSwitches() {
        List<String> texts = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (torus.slotOfSwitch(sw) < 0) {
                texts.add("switch " + fabric.name(sw) + " has no place in the torus");
            }
        }
        return texts;
    }

    private List<String> strayCables() {
        List<String> texts = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (Capture.isSwitchLink(fabric, port)
                    && port < fabric.peer(port)
                    && torus.portClass(port) == Dim.LOCAL_CLASS) {
                texts.add("the cable from " + end(port) + " to " + end(fabric.peer(port))
                        + " is not part of the torus and carries no routed traffic; remove it or correct the cabling");
            }
        }
        return texts;
    }

    private String end(int port) {
        int slot = torus.slotOfSwitch(fabric.nodeOf(port));
        return (slot < 0 ? "" : torus.place(torus.positionOf(slot)) + " ") + fabric.portName(port);
    }

    private int neighbour(int position, int group) {
        int d = group / 2;
        return torus.with(position, d, torus.coordinateAt(position, d) + (group % 2 == 0 ? -1 : 1));
    }
}
