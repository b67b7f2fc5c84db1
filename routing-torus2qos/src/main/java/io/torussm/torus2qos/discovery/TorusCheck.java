package io.torussm.torus2qos.discovery;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.torus2qos.conf.Dim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the placed torus with the configured one. A line of switches that wraps may be interrupted
 * once, since packets can go the other way around. If it is interrupted twice, or once without a wrap, some
 * switches on the line have no path to each other, and no plan can help. Missing switches are different: the
 * deadlock checker decides from the tables which of them routes can bypass. The rule of the manual page,
 * "adjacent in the last dimension", only serves to explain a refusal.
 */
public final class TorusCheck {
    /** Maximum number of findings of a kind that are listed one by one. */
    public static final int MAX_LISTED = 32;

    private final Torus torus;

    /** Absent switches by their last place, such as {@code (2,1,0)}. */
    private final Map<String, DeviceText> absentSwitches = new HashMap<>();

    private @Nullable PortPattern pattern;

    /**
     * Creates the check of a torus.
     *
     * @param known places of present and absent switches, by node GUID
     */
    public TorusCheck(Torus torus, Map<Long, Place> known) {
        this.torus = torus;
        known.forEach((guid, place) -> {
            if (torus.fabric().nodeByGuid(guid) == Fabric.NONE) {
                absentSwitches.put(
                        place.coordinates(), place.device(guid, torus.fabric().names()));
            }
        });
    }

    /**
     * Returns the pattern of ports. It is computed at the first call, because it is needed only if something is
     * missing.
     */
    private PortPattern pattern() {
        if (pattern == null) {
            pattern = new PortPattern(torus);
        }
        return pattern;
    }

    /**
     * Returns errors for lines that are broken into parts, and warnings for other missing switches, missing cables
     * and stray cables.
     */
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        UnplacedSwitches.list(findings, brokenLines(), SmEvent.TORUS_BROKEN, "broken rings");
        UnplacedSwitches.list(findings, missingSwitches(), SmEvent.TORUS_DEGRADED, "missing switches");
        findings.addAll(new CableReport(torus).findings(SmEvent.TORUS_DEGRADED));
        return findings;
    }

    /**
     * Returns the reasons why the tables may have a credit loop; empty if no switch is missing. If only links are
     * missing, each ring is complete or a line. Neither closes a cycle of channels.
     *
     * @param switchVls data VLs on links between switches
     * @param hasOrders true if some paths take the dimensions in reversed order
     */
    public List<Finding> unprovableReasons(int switchVls, boolean hasOrders) {
        List<Integer> missing = missingPositions();
        if (missing.isEmpty()) {
            return List.of();
        }
        String subject = (missing.size() == 1 ? "the switch at " : "the switches at ")
                + missing.stream().limit(MAX_LISTED).map(torus::formatPosition).collect(Collectors.joining(", "))
                + (missing.size() > MAX_LISTED ? " and " + (missing.size() - MAX_LISTED) + " more places" : "")
                + (missing.size() == 1 ? " is missing" : " are missing");
        if (switchVls < 4) {
            subject += ", and with " + switchVls + " data VLs the turns around have no separate VL; repair the "
                    + "missing switches, or allow 4 data VLs";
        } else if (hasOrders && missing.size() > 1) {
            subject +=
                    ", and with multipath = orders some paths turn beside them in either order of dimensions, which leaves no way around that"
                            + " is free of credit loops; repair all but one";
        } else if (isInLastDimension(missing)) {
            subject += ", and together with the missing links that leaves no way around which is free of credit loops; "
                    + "repair the links first";
        } else {
            subject += ", not adjacent along " + Dim.name(lastDimension()) + ", the last dimension that is routed: the "
                    + "turns around one meet those around another; repair one or more of them";
        }
        return List.of(SmEvent.TORUS_BROKEN.finding(subject));
    }

    /** Checks whether all missing switches are on one line of the last dimension and adjacent there. */
    private boolean isInLastDimension(List<Integer> missing) {
        int d = lastDimension();
        int line = torus.withCoordinate(missing.get(0), d, 0);
        int runs = 0;
        for (int position : missing) {
            runs += torus.slotAt(torus.withCoordinate(position, d, torus.coordinateAt(position, d) - 1)) >= 0 ? 1 : 0;
            if (torus.withCoordinate(position, d, 0) != line) {
                return false;
            }
        }
        return runs <= 1;
    }

    /** Returns the last dimension with more than one switch. */
    private int lastDimension() {
        int d = Dim.COUNT - 1;
        while (d > 0 && torus.radix(d) == 1) {
            d--;
        }
        return d;
    }

    private List<Integer> missingPositions() {
        List<Integer> missing = new ArrayList<>();
        for (int position = 0; position < torus.positions(); position++) {
            if (torus.slotAt(position) < 0) {
                missing.add(position);
            }
        }
        return missing;
    }

    private List<String> brokenLines() {
        List<String> texts = new ArrayList<>();
        for (int d = 0; d < Dim.COUNT; d++) {
            if (torus.radix(d) == 1) {
                continue;
            }
            for (int position = 0; position < torus.positions(); position++) {
                if (torus.coordinateAt(position, d) == 0) {
                    List<String> gaps = gaps(position, d);
                    if (gaps.size() > (torus.isMesh(d) ? 0 : 1)) {
                        texts.add(brokenLine(position, d, gaps));
                    }
                }
            }
        }
        return texts;
    }

    private String brokenLine(int position, int d, List<String> gaps) {
        String subject = torus.isMesh(d)
                ? "the line " + torus.line(position, d) + ", which does not wrap, is cut: "
                : "the ring " + torus.line(position, d) + " is broken into " + gaps.size() + " disjoint parts: ";
        return subject + String.join("; ", gaps) + "; repair "
                + (gaps.size() == 1 ? "it" : torus.isMesh(d) ? "them" : "all of these but one");
    }

    /**
     * Returns the gaps in a line between present switches. A gap is a pair of neighbours without a cable, or
     * a run of missing switches. Missing switches at the ends of a line that does not wrap only make it
     * shorter.
     */
    public List<String> gaps(int position, int d) {
        List<String> gaps = new ArrayList<>();
        int group = Dim.plus(d);
        for (int i = 0; i < torus.radix(d); i++) {
            int slot = torus.slotAt(torus.withCoordinate(position, d, i));
            if (slot >= 0 && torus.group(slot, group).length == 0) {
                int next = nextPlaced(slot, group);
                if (next >= 0) {
                    gaps.add(gap(slot, next, group));
                }
            }
        }
        return gaps;
    }

    /**
     * Returns the slot of the next present switch of a line; -1 if the line ends before. On a ring, the walk may
     * return to the same slot.
     */
    private int nextPlaced(int slot, int group) {
        int position = torus.positionOf(slot);
        while (torus.hasNeighbour(position, group)) {
            position = neighbour(position, group);
            if (torus.slotAt(position) >= 0) {
                return torus.slotAt(position);
            }
        }
        return -1;
    }

    private String gap(int slot, int next, int group) {
        int beside = neighbour(torus.positionOf(slot), group);
        if (torus.slotAt(beside) == next) {
            String ends = torus.name(slot) + " in " + Dim.groupName(group) + " to " + torus.name(next);
            return pattern().isUpWithoutPeer(slot, group) || pattern().isUpWithoutPeer(next, group ^ 1)
                    ? "no use of the cable from " + ends
                            + ", which is up, since it is drained, or an end does not answer or is left out"
                    : "no cable from " + ends;
        }
        int last = neighbour(torus.positionOf(next), group ^ 1);
        return beside == last
                ? (isSilent(beside) ? "no answer from the switch at " : "no switch at ") + torus.formatPosition(beside)
                : "no switches from " + torus.formatPosition(beside) + " to " + torus.formatPosition(last);
    }

    private List<DeviceText> missingSwitches() {
        return missingPositions().stream()
                .map(position -> DeviceText.of(
                        isSilent(position) ? "the switch does not answer, or is left out, at " : "switch missing at ",
                        missingSwitch(position),
                        knownNeighbour(position)))
                .toList();
    }

    /** Returns the text for the switch that had a position, or for the position if that switch is unknown. */
    private DeviceText missingSwitch(int position) {
        String place = torus.formatPosition(position);
        return absentSwitches.getOrDefault(place, new DeviceText(place, List.of(EventField.COORDINATES.of(place))));
    }

    /**
     * Checks whether a neighbour of an empty position has a link towards the position that is up, although its peer
     * is unknown.
     */
    private boolean isSilent(int position) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            int slot = torus.hasNeighbour(position, group) ? torus.slotAt(neighbour(position, group)) : -1;
            if (slot >= 0 && pattern().isUpWithoutPeer(slot, group ^ 1)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the end of a text with a placed neighbour of a position; empty without one. */
    private String knownNeighbour(int position) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            int slot = torus.hasNeighbour(position, group) ? torus.slotAt(neighbour(position, group)) : -1;
            if (slot >= 0) {
                return ", in " + Dim.groupName(group ^ 1) + " of " + torus.name(slot);
            }
        }
        return "";
    }

    private int neighbour(int position, int group) {
        int d = Dim.dimension(group);
        return torus.withCoordinate(position, d, torus.coordinateAt(position, d) + Dim.sign(group));
    }
}
