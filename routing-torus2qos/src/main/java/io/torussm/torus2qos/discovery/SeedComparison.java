package io.torussm.torus2qos.discovery;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.List;

/**
 * The comparison of the positions of another seed with the positions of the seed in use. It finds the keyword
 * that makes the difference. The seed that places fewer switches is assumed to be wrong; if both place equally
 * many, the other seed.
 */
final class SeedComparison {
    private final Torus2QosConf conf;
    private final Seed usedSeed;
    private final Torus torus;

    SeedComparison(Torus2QosConf conf, Seed used, Torus torus) {
        this.conf = conf;
        this.usedSeed = used;
        this.torus = torus;
    }

    /**
     * Returns a warning about the first switch that has different positions by the two seeds; otherwise an empty
     * list.
     */
    List<Finding> compare(Seed other, Torus otherTorus) {
        for (int slot = 0; slot < torus.slots(); slot++) {
            int otherSlot = otherTorus.slotOfSwitch(torus.switchOf(slot));
            if (otherSlot >= 0 && otherTorus.positionOf(otherSlot) != torus.positionOf(slot)) {
                return List.of(SmEvent.TORUS_SEED_WARNING.finding(conf.linePrefix(other.line()) + "seed " + index(other)
                        + " puts switch "
                        + torus.fabric().name(torus.switchOf(slot)) + " at "
                        + torus.formatPosition(otherTorus.positionOf(otherSlot)) + ", but seed " + index(usedSeed)
                        + " of line "
                        + usedSeed.line() + " at " + torus.formatPosition(torus.positionOf(slot))
                        + ", so SLs would change with the seed; "
                        + (otherTorus.slots() > torus.slots()
                                ? new SeedComparison(conf, other, otherTorus).remedy(usedSeed, torus)
                                : remedy(other, otherTorus))));
            }
        }
        return List.of();
    }

    private String remedy(Seed other, Torus otherTorus) {
        List<String> remedies = new ArrayList<>();
        for (int d = 0; d < Dim.COUNT; d++) {
            String remedy = conf.radix(d) == 1 ? "" : remedy(d, other, otherTorus);
            if (!remedy.isEmpty()) {
                remedies.add(remedy);
            }
        }
        return String.join("; ", remedies);
    }

    private String remedy(int d, Seed other, Torus otherTorus) {
        int radix = conf.radix(d);
        int dateline = other.dateline()[d];
        String keyword = Dim.name(d) + "_dateline";
        String line = " of seed " + index(other);
        int shift = constantSum(otherTorus, d, d, -1);
        if (shift >= 0) {
            return shift == 0
                    ? ""
                    : keyword + line + " is probably wrong: " + keyword + " "
                            + signedModulo(dateline, dateline + shift, radix) + " would agree";
        }
        int sum = constantSum(otherTorus, d, d, 1);
        if (sum >= 0) {
            int agreeing = signedModulo(dateline, -sum - dateline, radix);
            return links(d, other) + line + " should probably point the other way"
                    + (Math.floorMod(agreeing - dateline, radix) == 0
                            ? ""
                            : ": turned round, " + keyword + " " + agreeing + " would agree");
        }
        for (int e = 0; e < Dim.COUNT; e++) {
            if (e != d
                    && conf.radix(e) == radix
                    && (constantSum(otherTorus, d, e, -1) >= 0 || constantSum(otherTorus, d, e, 1) >= 0)) {
                return links(d, other) + line + " should probably name a neighbour in " + Dim.name(e);
            }
        }
        return links(d, other) + " or " + keyword + line + " is probably wrong";
    }

    /**
     * Returns the sum {@code c + sign * f} modulo the radix if all switches have the same sum; otherwise -1. Here
     * {@code c} is the coordinate in dimension {@code d} of the other torus, and {@code f} the coordinate in
     * dimension {@code e} of this torus. With sign -1, one torus is the other shifted; with sign 1, mirrored.
     */
    private int constantSum(Torus otherTorus, int d, int e, int sign) {
        int constant = -1;
        for (int slot = 0; slot < torus.slots(); slot++) {
            int otherSlot = otherTorus.slotOfSwitch(torus.switchOf(slot));
            if (otherSlot < 0) {
                continue;
            }
            int value = Math.floorMod(
                    otherTorus.coordinate(otherSlot, d) + sign * torus.coordinate(slot, e), conf.radix(d));
            if (constant >= 0 && constant != value) {
                return -1;
            }
            constant = value;
        }
        return constant;
    }

    /**
     * Returns a value modulo the radix, negative if {@code sign} is negative, so that the advice looks like the
     * file.
     *
     * @param sign value in the file
     */
    private static int signedModulo(int sign, int value, int radix) {
        int positive = Math.floorMod(value, radix);
        return positive > 0 && sign < 0 ? positive - radix : positive;
    }

    private static String links(int d, Seed seed) {
        String minus = Dim.name(d) + "m_link";
        String plus = Dim.name(d) + "p_link";
        return seed.link(Dim.minus(d)) == null ? plus : seed.link(Dim.plus(d)) == null ? minus : plus + " and " + minus;
    }

    private int index(Seed seed) {
        return conf.seeds().indexOf(seed);
    }
}
