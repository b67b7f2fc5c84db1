package io.torussm.history;

import io.torussm.routing.Lattice;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.Ring;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The coordinates of switches and states of rings in the past, of any engine.
 *
 * @param places by switch; empty for those without
 */
record PastExplainer(List<String> places, @Nullable Lattice known, List<Ring> rings) implements PlanExplainer {
    @Override
    public String coordinates(int sw) {
        return places.get(sw);
    }

    @Override
    public Optional<Lattice> lattice() {
        return Optional.ofNullable(known);
    }
}
