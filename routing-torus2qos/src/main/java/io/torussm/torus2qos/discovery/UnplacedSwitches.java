package io.torussm.torus2qos.discovery;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.conf.Dim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The switches that have no position. A switch that is cabled to a placed switch beside an empty position may be
 * the missing switch: it is <em>cut off</em>. Then it is unknown which lines of the torus are broken, so routes
 * around the position may have credit loops. Other unplaced switches are strays and do no harm. A switch is also
 * a stray if its cable is at a port of the placed switch that other switches do not use for this direction.
 */
public final class UnplacedSwitches {
    /** Maximum number of cables or positions that one finding names. */
    private static final int MAX_NAMED = 12;

    private final Torus torus;
    private final Fabric fabric;
    private @Nullable PortPattern pattern;

    /** Creates the report on switches that have no position in a torus. */
    public UnplacedSwitches(Torus torus) {
        this.torus = torus;
        this.fabric = torus.fabric();
    }

    /**
     * Returns the pattern of ports. It is computed at the first call, because it is needed only if a switch has no
     * position.
     */
    private PortPattern pattern() {
        if (pattern == null) {
            pattern = new PortPattern(torus);
        }
        return pattern;
    }

    /**
     * Returns errors for switches that are cut off and warnings for strays.
     *
     * @param accepts true if switches that are cut off get a warning only, like strays, and no routes
     */
    public List<Finding> findings(boolean accepts) {
        List<DeviceText> cutOff = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            Set<Integer> emptyPositions = torus.slotOfSwitch(sw) >= 0 ? Set.of() : candidatePositions(sw);
            if (!emptyPositions.isEmpty()) {
                cutOff.add(DeviceText.of(
                        "switch ",
                        fabric.device(sw),
                        " is cut off" + cables(sw) + "; it may be the one missing at " + places(emptyPositions)
                                + (accepts
                                        ? "; it and its hosts get no routes, as accept_unplaced_switches says"
                                        : "; repair or correct its cables, or set accept_unplaced_switches = true to "
                                                + "leave it and its hosts without routes")));
            }
        }
        List<Finding> findings = new ArrayList<>();
        list(
                findings,
                cutOff,
                accepts ? SmEvent.TORUS_PLACEMENT_WARNING : SmEvent.TORUS_PLACEMENT_ERROR,
                "switches that are cut off");
        findings.addAll(strays(SmEvent.TORUS_PLACEMENT_WARNING));
        return findings;
    }

    /** Returns a finding for each stray; empty if all switches have a position or are cut off. */
    public List<Finding> strays(SmEvent kind) {
        List<DeviceText> strays = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (torus.slotOfSwitch(sw) < 0 && candidatePositions(sw).isEmpty()) {
                strays.add(DeviceText.of(
                        "switch ",
                        fabric.device(sw),
                        " is no part of the torus" + cables(sw) + "; torus-2QoS has no routes to it and its hosts;"
                                + " remove it, or correct its cables or the sizes"));
            }
        }
        List<Finding> findings = new ArrayList<>();
        list(findings, strays, kind, "switches that are no part of the torus");
        return findings;
    }

    /**
     * Appends texts as findings: the first {@link TorusCheck#MAX_LISTED} texts, then the number of the omitted ones.
     *
     * @param plural noun for the omitted ones
     */
    static void list(List<Finding> findings, List<?> texts, SmEvent kind, String plural) {
        texts.stream().limit(TorusCheck.MAX_LISTED).map(kind::finding).forEach(findings::add);
        if (texts.size() > TorusCheck.MAX_LISTED) {
            findings.add(kind.finding("and " + (texts.size() - TorusCheck.MAX_LISTED) + " more " + plural));
        }
    }

    /**
     * Returns the empty positions at which an unplaced switch may belong: those beside its placed neighbours, in
     * directions that the port pattern does not exclude.
     */
    private Set<Integer> candidatePositions(int sw) {
        Set<Integer> empty = new TreeSet<>();
        for (int port : links(sw)) {
            int slot = torus.slotOfSwitch(fabric.nodeOf(fabric.peer(port)));
            if (slot < 0) {
                continue;
            }
            int position = torus.positionOf(slot);
            for (int group = 0; group < Dim.LOCAL; group++) {
                int coordinate = torus.coordinateAt(position, Dim.dimension(group)) + Dim.sign(group);
                int beside = torus.withCoordinate(position, Dim.dimension(group), coordinate);
                boolean isEmpty = torus.hasNeighbour(position, group) && torus.slotAt(beside) < 0;
                if (isEmpty && !pattern().excludes(group, fabric.portNum(fabric.peer(port)))) {
                    empty.add(beside);
                }
            }
        }
        return empty;
    }

    private List<Integer> links(int sw) {
        List<Integer> links = new ArrayList<>();
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            if (FabricFilter.isSwitchLink(fabric, fabric.port(sw, portNum))) {
                links.add(fabric.port(sw, portNum));
            }
        }
        return links;
    }

    private String cables(int sw) {
        List<String> texts = links(sw).stream()
                .map(port -> "port " + fabric.portNum(port) + " to " + torus.end(fabric.peer(port)))
                .toList();
        return texts.isEmpty() ? ": it has no cable to another switch" : ": its cables go from " + join(texts, ", ");
    }

    private String places(Set<Integer> positions) {
        return join(positions.stream().map(torus::formatPosition).toList(), " or ");
    }

    private static String join(List<String> texts, String separator) {
        List<String> names = new ArrayList<>(texts.subList(0, Math.min(MAX_NAMED, texts.size())));
        if (texts.size() > MAX_NAMED) {
            names.add((texts.size() - MAX_NAMED) + " more");
        }
        return String.join(separator, names);
    }
}
