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
 * The switches that have no position. A switch that is cabled to a placed switch beside an empty position may
 * be the missing switch, <em>cut off</em>. Then the broken lines of the torus are unknown, so routes around
 * them may have credit loops. Other unplaced switches are strays and do no harm. A switch is also a stray if
 * its port is not one that other switches use for the direction of the empty position.
 */
public final class UnplacedSwitches {
    /** Cables and positions that one finding names. */
    private static final int NAMED = 12;

    private final Torus torus;
    private final Fabric fabric;
    private @Nullable PortPattern pattern;

    /** Creates the list of switches that have no position in a torus. */
    public UnplacedSwitches(Torus torus) {
        this.torus = torus;
        this.fabric = torus.fabric();
    }

    /** Returns the pattern of ports, which is needed only where a switch has no coordinates. */
    private PortPattern pattern() {
        if (pattern == null) {
            pattern = new PortPattern(torus);
        }
        return pattern;
    }

    /**
     * Returns errors for switches that are cut off and warnings for strays.
     *
     * @param accepts true if switches that are cut off are to be left out like strays, with a warning
     */
    public List<Finding> findings(boolean accepts) {
        List<DeviceText> cutOff = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            Set<Integer> meant = torus.slotOfSwitch(sw) >= 0 ? Set.of() : emptyBeside(sw);
            if (!meant.isEmpty()) {
                cutOff.add(DeviceText.of(
                        "switch ",
                        fabric.device(sw),
                        " is cut off" + cables(sw) + "; it may be the one missing at " + places(meant)
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

    /** Returns a finding for each stray, so none if all switches have a position or are cut off. */
    public List<Finding> strays(SmEvent kind) {
        List<DeviceText> strays = new ArrayList<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (torus.slotOfSwitch(sw) < 0 && emptyBeside(sw).isEmpty()) {
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

    /** Appends texts as findings, the first {@link TorusCheck#LISTED} of them and how many more there are. */
    static void list(List<Finding> findings, List<?> texts, SmEvent kind, String plural) {
        texts.stream().limit(TorusCheck.LISTED).map(kind::says).forEach(findings::add);
        if (texts.size() > TorusCheck.LISTED) {
            findings.add(kind.says("and " + (texts.size() - TorusCheck.LISTED) + " more " + plural));
        }
    }

    private Set<Integer> emptyBeside(int sw) {
        Set<Integer> empty = new TreeSet<>();
        for (int port : links(sw)) {
            int slot = torus.slotOfSwitch(fabric.nodeOf(fabric.peer(port)));
            for (int group = 0; slot >= 0 && group < Dim.LOCAL; group++) {
                int position = torus.positionOf(slot);
                int coordinate = torus.coordinateAt(position, group / 2) + (group % 2 == 0 ? -1 : 1);
                int beside = torus.with(position, group / 2, coordinate);
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
        return join(positions.stream().map(torus::place).toList(), " or ");
    }

    private static String join(List<String> texts, String separator) {
        List<String> names = new ArrayList<>(texts.subList(0, Math.min(NAMED, texts.size())));
        if (texts.size() > NAMED) {
            names.add((texts.size() - NAMED) + " more");
        }
        return String.join(separator, names);
    }
}
