package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The loss of a switch or a cable of a torus.
 *
 * @param at index of the switch, or of the switch at the - end of the cable
 * @param d dimension of the cable; {@link #SWITCH} for a switch
 * @param cable number among parallel cables, from 0
 */
record Fault(int at, int d, int cable) implements Comparable<Fault> {
    private static final int SWITCH = -1;

    /** Returns the loss of a switch. */
    static Fault ofSwitch(int at) {
        return new Fault(at, SWITCH, 0);
    }

    /** Returns the loss of the first cable from a switch in the + direction of a dimension. */
    static Fault ofCable(int at, int d) {
        return new Fault(at, d, 0);
    }

    /** Returns the losses at a place, each alone: of the switch, and of its cable in each dimension that has cables. */
    static List<Fault> allAt(TestTorus whole, int at) {
        return IntStream.range(SWITCH, 3)
                .filter(d -> d == SWITCH || whole.radix[d] > 1)
                .mapToObj(d -> new Fault(at, d, 0))
                .toList();
    }

    /**
     * Draws a fault. Switch 0, the seed of the torus, does not fail, but its cables do from their other ends.
     *
     * @param switchShare one of so many faults is the loss of a switch
     */
    static Fault draw(TestTorus whole, int switchShare, Random random) {
        int at = 1 + random.nextInt(whole.count() - 1);
        int[] dimensions = IntStream.range(0, 3).filter(d -> whole.radix[d] > 1).toArray();
        return random.nextInt(switchShare) == 0
                ? ofSwitch(at)
                : new Fault(at, dimensions[random.nextInt(dimensions.length)], random.nextInt(whole.links));
    }

    boolean isSwitch() {
        return d == SWITCH;
    }

    @Override
    public int compareTo(Fault other) {
        return Arrays.compare(new int[] {at, d, cable}, new int[] {other.at, other.d, other.cable});
    }

    /** Returns the fabric of a torus with faults. The torus itself is not changed. */
    static Fabric damaged(TestTorus whole, Iterable<Fault> faults) {
        TestTorus torus = new TestTorus(whole.radix.clone(), "", whole.links, whole.hosts, null);
        for (Fault fault : faults) {
            if (!fault.isSwitch()) {
                torus.fabric.unplug(torus.guid(torus.at(fault.at)), torus.plusPort(fault.at, fault.d, fault.cable));
            }
        }
        for (Fault fault : faults) {
            if (fault.isSwitch()) {
                torus.fabric.remove(torus.guid(torus.at(fault.at)));
            }
        }
        return torus.fabric.fabric();
    }
}
