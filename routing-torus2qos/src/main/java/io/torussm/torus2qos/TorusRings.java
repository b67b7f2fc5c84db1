package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The evaluation of the rings of a torus, and of the lines of dimensions that do not wrap: missing parts and
 * their consequences.
 */
final class TorusRings {
    private final Torus torus;
    private final TorusCheck check;

    /** By dimension: the maximum number of cables between two neighbours. */
    private final int[] maxCables = new int[Dim.COUNT];

    TorusRings(Torus torus) {
        this.torus = torus;
        check = new TorusCheck(torus, Map.of());
        for (int d = 0; d < Dim.COUNT; d++) {
            for (int slot = 0; slot < torus.slots(); slot++) {
                maxCables[d] = Math.max(maxCables[d], torus.group(slot, Dim.plus(d)).length);
            }
        }
    }

    /** Returns the maximum number of cables between two neighbours in a dimension. */
    int maxCables(int d) {
        return maxCables[d];
    }

    /** Returns all rings and lines, along x first, then by their first position. */
    List<Ring> all() {
        List<Ring> rings = new ArrayList<>();
        for (int d = 0; d < Dim.COUNT; d++) {
            if (torus.radix(d) == 1) {
                continue;
            }
            for (int position = 0; position < torus.positions(); position++) {
                if (torus.coordinateAt(position, d) == 0) {
                    rings.add(ring(position, d));
                }
            }
        }
        return rings;
    }

    private Ring ring(int first, int d) {
        List<String> causes = new ArrayList<>(check.gaps(first, d));
        int missing = 0;
        int absent = 0;
        for (int i = 0; i < torus.radix(d); i++) {
            int position = torus.withCoordinate(first, d, i);
            missing += torus.hasNeighbour(position, Dim.plus(d)) && cables(position, d) == 0 ? 1 : 0;
            absent += torus.slotAt(position) < 0 ? 1 : 0;
        }
        if (causes.isEmpty() && absent > 0) {
            causes.addAll(absentSwitches(first, d));
        }
        List<String> thin = thinLinks(first, d);
        causes.addAll(thin);
        return new Ring(torus.line(first, d), d, first, state(d, missing, absent, !thin.isEmpty()), causes);
    }

    /**
     * Returns the state of a ring or line. A missing switch lacks two links, which count as one gap.
     *
     * @param missing number of missing links
     * @param absent number of missing switches
     */
    private RingState state(int d, int missing, int absent, boolean isThin) {
        if (missing == 0) {
            return isThin ? RingState.THINNED : RingState.WHOLE;
        }
        int gaps = missing - absent;
        boolean isOnePiece = absent < torus.radix(d) && gaps <= (torus.isMesh(d) ? 0 : 1);
        return isOnePiece ? RingState.OPEN : RingState.CUT;
    }

    private List<String> absentSwitches(int first, int d) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < torus.radix(d); i++) {
            int position = torus.withCoordinate(first, d, i);
            if (torus.slotAt(position) < 0) {
                texts.add("no switch at " + torus.formatPosition(position));
            }
        }
        return texts;
    }

    private int cables(int position, int d) {
        int slot = torus.slotAt(position);
        return slot < 0 ? 0 : torus.group(slot, Dim.plus(d)).length;
    }

    private List<String> thinLinks(int first, int d) {
        List<String> texts = new ArrayList<>();
        Fabric fabric = torus.fabric();
        for (int i = 0; i < torus.radix(d); i++) {
            int position = torus.withCoordinate(first, d, i);
            int cables = cables(position, d);
            if (cables > 0 && cables < maxCables[d]) {
                texts.add(cables + " of " + maxCables[d] + " cables from " + torus.formatPosition(position) + " "
                        + fabric.name(torus.switchOf(torus.slotAt(position))) + " in " + Dim.groupName(Dim.plus(d)));
            }
        }
        return texts;
    }
}
