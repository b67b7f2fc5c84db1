package io.torussm.daemon.http;

import io.torussm.mastership.Mastership;
import io.torussm.mastership.SmState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An SM as a test wants it to be. */
final class FakeControl implements HttpControl {
    volatile @Nullable PublishedView view;
    volatile @Nullable Figures figures;
    volatile Consumer<Runnable> loop = Runnable::run;

    static Figures standing(SmState state, Mastership.Watch watch) {
        return new Figures(
                new Mastership(1, 5, state, watch, new Mastership.Handover(null, false, 0), 0, List.of(), false));
    }

    @Override
    public @Nullable PublishedView view() {
        return view;
    }

    @Override
    public @Nullable Figures figures() {
        return figures;
    }

    @Override
    public void pulse(Runnable task) {
        loop.accept(task);
    }
}
