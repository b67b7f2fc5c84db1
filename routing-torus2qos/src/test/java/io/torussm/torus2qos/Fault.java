package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/** A fault: a switch (dimension -1), or a cable in + direction. */
record Fault(int at, int d, int cable) implements Comparable<Fault> {
    @Override
    public int compareTo(Fault other) {
        return Arrays.compare(new int[] {at, d, cable}, new int[] {other.at, other.d, other.cable});
    }

    /** The fabric of a torus with faults; the torus itself stays as it is. */
    static Fabric damaged(TestTorus whole, Iterable<Fault> faults) {
        TestTorus torus = new TestTorus(whole.radix.clone(), "", whole.links, whole.hosts, null);
        for (Fault fault : faults) {
            if (fault.d >= 0) {
                torus.fabric.unplug(torus.guid(torus.at(fault.at)), torus.plusPort(fault.at, fault.d, fault.cable));
            }
        }
        for (Fault fault : faults) {
            if (fault.d < 0) {
                torus.fabric.remove(torus.guid(torus.at(fault.at)));
            }
        }
        return torus.fabric.fabric();
    }
}
