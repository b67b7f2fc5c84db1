package io.torussm.daemon.console.fabric;

import io.torussm.torus2qos.TorusMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A drawing of a torus for a terminal: one plane for each z, with x to the right and y downward. Cables that wrap are
 * drawn as stubs at both ends. Cables along z are a sign in front of a switch.
 *
 * <pre>
 *   o---o x o---o-   a failed link in +x
 *   |   x   :   |    one in +y, and one that lacks some of its cables
 *   o x X x o--&gt;o-   a missing switch; a failed link to the next plane
 * </pre>
 */
final class TorusDrawing {
    private static final char FAILED_LINK = 'x';
    private static final String LEGEND =
            "o switch  R root of multicast  X missing switch  - | whole  = : fewer cables  x failed; before a switch:"
                    + " > failed to the next plane, ) fewer cables";

    private final TorusMap map;
    private final int root;

    /**
     * Creates a drawing.
     *
     * @param root index of the switch that is the root of multicast trees; {@link TorusMap#NONE} without a tree
     */
    TorusDrawing(TorusMap map, int root) {
        this.map = map;
        this.root = root;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("", LEGEND));
        for (int z = 0; z < map.radix(2); z++) {
            lines.add("");
            lines.add("z = " + z);
            lines.add(columns());
            for (int y = 0; y < map.radix(1); y++) {
                if (y == 0 && wraps(1)) {
                    lines.add(vertical(map.radix(1) - 1, z));
                }
                lines.add(row(y, z));
                if (y < map.radix(1) - 1 || wraps(1)) {
                    lines.add(vertical(y, z));
                }
            }
        }
        return lines;
    }

    private String columns() {
        StringBuilder line = new StringBuilder("y\\x ");
        for (int x = 0; x < map.radix(0); x++) {
            line.append(String.format(Locale.ROOT, "%4d", x));
        }
        return line.toString();
    }

    private String row(int y, int z) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%3d ", y));
        int last = map.radix(0) - 1;
        char wrap = wraps(0) ? xLink(last, y, z) : ' ';
        for (int x = 0; x <= last; x++) {
            char link = x == 0 ? wrap : xLink(x - 1, y, z);
            line.append(
                    x == 0
                            ? "  "
                            : link == FAILED_LINK ? " x" : String.valueOf(link).repeat(2));
            line.append(beforeSwitch(x, y, z, x > 0 && link == FAILED_LINK ? ' ' : link));
            line.append(switchChar(x, y, z));
        }
        return line.append(wrap).toString().stripTrailing();
    }

    /** Returns the line of links from row y to the next row. */
    private String vertical(int y, int z) {
        StringBuilder line = new StringBuilder("    ");
        for (int x = 0; x < map.radix(0); x++) {
            line.append("   ").append(linkChar(map.cables(map.position(x, y, z), 1), 1, '|', ':'));
        }
        return line.toString().stripTrailing();
    }

    private char xLink(int x, int y, int z) {
        return linkChar(map.cables(map.position(x, y, z), 0), 0, '-', '=');
    }

    private char beforeSwitch(int x, int y, int z, char link) {
        return switch (linkChar(map.cables(map.position(x, y, z), 2), 2, '-', ')')) {
            case FAILED_LINK -> '>';
            case ')' -> ')';
            default -> link;
        };
    }

    private char linkChar(int cables, int d, char whole, char thin) {
        if (cables == TorusMap.NONE) {
            return ' ';
        }
        return cables == 0 ? FAILED_LINK : cables < map.maxCables(d) ? thin : whole;
    }

    private char switchChar(int x, int y, int z) {
        int sw = map.switchAt(map.position(x, y, z));
        return sw == TorusMap.NONE ? 'X' : sw == root ? 'R' : 'o';
    }

    private boolean wraps(int d) {
        return !map.isMesh(d) && map.radix(d) > 1;
    }
}
