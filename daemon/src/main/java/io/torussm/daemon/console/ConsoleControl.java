package io.torussm.daemon.console;

import io.torussm.view.PublishedView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the console can see and do. Called on the console's thread; nothing waits for the wire. */
public interface ConsoleControl {
    /** Asks for a sweep as soon as may be. */
    void requestSweep(boolean isHeavy);

    /** Asks for routes to be computed and programmed again. */
    void requestReroute();

    /** What is published; null until the first subnet is up. */
    @Nullable
    PublishedView view();

    /** State and counters, a line each. */
    List<String> statusLines();

    /** Name and version of the program. */
    String version();
}
