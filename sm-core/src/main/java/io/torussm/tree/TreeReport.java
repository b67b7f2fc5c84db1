package io.torussm.tree;

import io.torussm.event.DeviceText;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The texts and events about a tree and its faults, for operators. Immutable. */
public final class TreeReport {
    private final FabricTree tree;
    private final Fabric fabric;
    private final Collection<Long> absent;

    /** Creates the report on a tree without absent switches. */
    public TreeReport(FabricTree tree) {
        this(tree, List.of());
    }

    /**
     * Creates the report on a tree.
     *
     * @param absent node GUIDs of absent switches
     */
    public TreeReport(FabricTree tree, Collection<Long> absent) {
        this.tree = tree;
        this.absent = List.copyOf(absent);
        fabric = tree.fabric();
    }

    /** Returns levels, numbers of switches and missing cables in one line; for a fabric that is no tree, its shape. */
    public String summary() {
        if (!tree.isTree()) {
            return "none; the fabric is " + tree.shape().text();
        }
        List<String> parts = new ArrayList<>(List.of(countText(tree.levels(), "level", "levels")));
        for (int level = 0; level < tree.levels(); level++) {
            parts.add(switches(level));
        }
        int missing = IntStream.range(0, fabric.switchCount())
                .map(tree::missingUplinks)
                .sum();
        int faults = (int) wrongCables().count();
        return String.join(", ", parts)
                + (missing == 0 ? "" : "; " + countText(missing, "uplink", "uplinks") + " missing")
                + (faults == 0 ? "" : "; " + countText(faults, "wrong cable", "wrong cables"));
    }

    private String switches(int level) {
        int present = tree.switchesAt(level).length;
        long total = present
                + absent.stream()
                        .filter(guid -> tree.previousLevel(guid) == level)
                        .count();
        return total == present
                ? countText(present, tree.levelName(level), plural(level))
                : present + " of " + total + " " + plural(level);
    }

    private String plural(int level) {
        String name = tree.levelName(level);
        return name.equals("leaf") ? "leaves" : name.equals("spine") ? "spines" : "at " + name;
    }

    private static String countText(int count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    private Stream<TreeFault> wrongCables() {
        return tree.faults().stream().filter(fault -> fault.kind().isWrongCable());
    }

    /** Returns a warning for each wrong cable; two exchanged cables have one warning. */
    public List<Finding> findings() {
        return wrongCables()
                .filter(fault -> fault.move().exchanged() == Fabric.NONE
                        || fault.port() < otherOf(fault.move().exchanged()))
                .map(fault -> SmEvent.TREE_MISCABLED.finding(describe(fault)))
                .toList();
    }

    /**
     * Returns {@link TreeFault#port} of the wrong cable that has an end at a port; the port itself without such a
     * cable.
     */
    private int otherOf(int end) {
        return wrongCables()
                .filter(fault -> fault.port() == end || fault.far() == end)
                .mapToInt(TreeFault::port)
                .findFirst()
                .orElse(end);
    }

    private DeviceText describe(TreeFault fault) {
        return DeviceText.of(
                "a cable joins ",
                fabric.devicePort(fault.port()),
                " (" + tree.place(fault.sw()) + ") and ",
                fabric.devicePort(fault.far()),
                " (" + tree.place(fabric.nodeOf(fault.far())) + "): " + correctionText(fault));
    }

    private String correctionText(TreeFault fault) {
        TreeFault.Move move = fault.move();
        if (move.end() == Fabric.NONE) {
            return switch (fault.kind()) {
                case WITHIN_LEVEL -> "it should go up or down, not stay in the level";
                case SKIPS_LEVEL -> "it should go to the next level, not over it";
                case WRONG_SWITCH -> "no similar switch is cabled to that one";
                case HOSTS_ABOVE, MISSING_UPLINK -> throw new IllegalArgumentException(fault + " is no wrong cable");
            };
        }
        String to = port(move.toSwitch(), move.to());
        if (move.exchanged() == Fabric.NONE) {
            return "it should go from " + fabric.portName(move.end()) + " to " + to;
        }
        return "it is exchanged with the cable that joins " + fabric.portName(move.exchanged()) + " and "
                + fabric.portName(fabric.peer(move.exchanged())) + "; move the end at "
                + fabric.portName(fabric.peer(move.end())) + " to " + to;
    }

    private String port(int sw, int port) {
        return port == Fabric.NONE ? fabric.name(sw) : fabric.portName(port);
    }

    /**
     * Returns a line for each switch that lacks cables up, such as "leaf-12 has 3 of 4 uplinks: missing to spine-3 port
     * 7".
     */
    public List<String> missing() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> tree.missingUplinks(sw) > 0)
                .mapToObj(this::missing)
                .toList();
    }

    private String missing(int sw) {
        String cables = tree.faults().stream()
                .filter(fault -> fault.kind() == TreeFault.FaultType.MISSING_UPLINK
                        && fault.sw() == sw
                        && fault.targetSwitch() != Fabric.NONE)
                .map(fault ->
                        (fault.port() == Fabric.NONE ? "" : "from port " + fabric.portNum(fault.port()) + " ") + "to "
                                + fabric.nodeName(fault.targetSwitch())
                                + (fault.far() == Fabric.NONE ? "" : " port " + fabric.portNum(fault.far())))
                .collect(Collectors.joining(", "));
        int has = tree.uplinks(sw);
        return fabric.nodeName(sw) + " has " + has + " of " + (has + tree.missingUplinks(sw)) + " uplinks"
                + (cables.isEmpty() ? "" : ": missing " + cables);
    }

    /** Returns a line for each switch above the leaves that has hosts. */
    public List<String> hostsAbove() {
        return tree.faults().stream()
                .filter(fault -> fault.kind() == TreeFault.FaultType.HOSTS_ABOVE)
                .map(fault -> fabric.nodeName(fault.sw()) + " (" + tree.place(fault.sw()) + ") has "
                        + countText(fault.count(), "host", "hosts"))
                .toList();
    }
}
