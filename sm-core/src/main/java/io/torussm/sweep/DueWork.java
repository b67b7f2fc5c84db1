package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What the next sweep is to do, and what waits for the end of the one that runs. Owner thread: the loop. */
final class DueWork {
    /** Changes that may wait for the end of a sweep; if there are more, the fabric is read anew. */
    private static final int MAX_LATER = 1 << 10;

    private final Set<Long> changed = new LinkedHashSet<>();
    private final List<UnaryOperator<Fabric>> later = new ArrayList<>();
    private boolean isHeavy;

    /** The whole fabric has to be swept. */
    void heavy() {
        isHeavy = true;
    }

    /** Switches have to be read again, by their NodeGUIDs. */
    void around(Collection<Long> switchGuids) {
        changed.addAll(switchGuids);
    }

    /** A change of the fabric was read that is to be made known when the sweep that runs is over. */
    void later(UnaryOperator<Fabric> change) {
        if (later.size() < MAX_LATER) {
            later.add(change);
        } else {
            isHeavy = true;
        }
    }

    /** Whether nothing is to be swept. */
    boolean isNothing() {
        return !isHeavy && changed.isEmpty();
    }

    /** Whether it will do, and is less work, to read only what is around the switches that changed. */
    boolean isLocal(Known known) {
        Fabric fabric = known.fabric();
        return fabric != null
                && !isHeavy
                && !known.left().isIncomplete()
                && changed.size() <= fabric.switchCount() / 8 + 4;
    }

    /** A sweep begins: hands over the switches that changed. */
    List<Long> take() {
        List<Long> around = List.copyOf(changed);
        isHeavy = false;
        changed.clear();
        return around;
    }

    /** A sweep is over: hands over what was read while it ran. */
    List<UnaryOperator<Fabric>> takeLater() {
        List<UnaryOperator<Fabric>> due = List.copyOf(later);
        later.clear();
        return due;
    }

    /** Nothing is to be done any more. */
    void clear() {
        isHeavy = false;
        changed.clear();
        later.clear();
    }
}
