package io.torussm.history;

import io.torussm.routing.Ring;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Objects;

/**
 * The subnet as it was.
 *
 * @param change that began it
 * @param state has a view, and what was found then as far as it follows from what ruled: without the cables that were missing.
 *     Tables, SLs, SL2VL, names, places, rings and the tree of multicast are those of then; partitions and VL arbitration are
 *     not kept, nor the reasons of hops
 * @param reason why routing was not as it should be; empty if it was
 * @param conditions that held, a line each
 */
public record PastState(Change change, FabricState state, String reason, List<String> conditions) {
    public PastState {
        conditions = List.copyOf(conditions);
    }

    /** What ruled. */
    public PublishedView view() {
        return Objects.requireNonNull(state.view());
    }

    /** All rings of the torus; none if the engine knew no torus. */
    public List<Ring> rings() {
        return view().plan().explainer().rings();
    }
}
