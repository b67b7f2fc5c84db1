package io.torussm.history;

import io.torussm.routing.Ring;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Objects;

/**
 * A past state of the subnet.
 *
 * @param change the change that began it
 * @param state the recorded part of the state: tables, SLs, SL2VL, names, coordinates, rings and the
 * multicast tree. The found fabric is that of the routes without the missing cables. Partitions, VL
 * arbitration and reasons of hops are not recorded.
 * @param reason the problem of routing; empty if there was none
 * @param conditions the open conditions, a line each
 */
public record PastState(Change change, FabricState state, String reason, List<String> conditions) {
    public PastState {
        conditions = List.copyOf(conditions);
    }

    /** Returns the view of the active routes. */
    public PublishedView view() {
        return Objects.requireNonNull(state.view());
    }

    /** Returns all rings of the torus; none if the engine had no torus. */
    public List<Ring> rings() {
        return view().plan().explainer().rings();
    }
}
