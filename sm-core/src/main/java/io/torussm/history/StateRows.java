package io.torussm.history;

import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.NavigableMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of the last state, made once for the history of changes and for the last state on the disk. Any thread. */
public final class StateRows {
    private @Nullable FabricState state;
    private @Nullable NavigableMap<RowKey, Row> rows;

    /**
     * Returns the rows of a state, without conditions. They must not be changed.
     *
     * @param view view of the state
     */
    synchronized NavigableMap<RowKey, Row> of(FabricState newState, PublishedView view) {
        NavigableMap<RowKey, Row> present = rows;
        if (present == null || state == null || !isSame(state, newState)) {
            present = StateWriter.rows(newState, view);
            rows = present;
            state = newState;
        }
        return present;
    }

    @SuppressWarnings("ReferenceEquality") // Parts that were not replaced are the same.
    private static boolean isSame(FabricState old, FabricState current) {
        return old.view() == current.view()
                && old.absences() == current.absences()
                && old.routing() == current.routing()
                && old.since().equals(current.since())
                && Objects.equals(old.routesActiveSince(), current.routesActiveSince())
                && old.reason().equals(current.reason());
    }
}
