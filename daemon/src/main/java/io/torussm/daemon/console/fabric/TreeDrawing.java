package io.torussm.daemon.console.fabric;

import io.torussm.fabric.Fabric;
import io.torussm.tree.FabricTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * A drawing of a fat tree in characters: a line for each level, spines first, with the numbers of the switches by
 * group.
 */
final class TreeDrawing {
    private static final int WIDTH = 100;

    private final FabricTree tree;
    private final BitSet miscabled = new BitSet();

    TreeDrawing(FabricTree tree) {
        this.tree = tree;
        tree.faults().stream().filter(fault -> fault.kind().isWrongCable()).forEach(fault -> {
            miscabled.set(fault.sw());
            miscabled.set(tree.fabric().nodeOf(fault.far()));
        });
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int level = tree.levels() - 1; level >= 0; level--) {
            draw(level, lines);
        }
        return lines;
    }

    /** Draws a level. In a tree of two levels each leaf is a group, so the groups are drawn without a separator. */
    private void draw(int level, List<String> lines) {
        List<Integer> row = Arrays.stream(tree.switchesAt(level))
                .boxed()
                .sorted(Comparator.comparingInt(tree::group).thenComparingInt(tree::number))
                .toList();
        StringBuilder line = new StringBuilder(String.format("%-8s", tree.levelName(level)));
        int previous = Fabric.NONE;
        for (int sw : row) {
            boolean isNext = tree.levels() > 2 && previous != Fabric.NONE && tree.group(sw) != tree.group(previous);
            String cell = (isNext ? " |" : "") + " " + tree.number(sw) + mark(sw);
            if (line.length() + cell.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(" ".repeat(8));
            }
            line.append(cell);
            previous = sw;
        }
        lines.add(line.toString());
    }

    private String mark(int sw) {
        return (miscabled.get(sw) ? "!" : "") + (tree.missingUplinks(sw) > 0 ? "-" : "");
    }
}
