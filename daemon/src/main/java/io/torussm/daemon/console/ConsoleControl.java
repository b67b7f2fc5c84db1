package io.torussm.daemon.console;

import io.torussm.daemon.journal.Journal;
import io.torussm.multicast.MulticastView;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** What the console can see and do. Called on the console's threads; nothing waits for the wire. */
public interface ConsoleControl {
    /** Asks for a sweep as soon as may be. */
    void requestSweep(boolean isHeavy);

    /** Asks for routes to be computed and programmed again. */
    void requestReroute();

    /** What is published; null until the first subnet is up. */
    @Nullable
    PublishedView view();

    /** The multicast groups. */
    MulticastView multicast();

    /** State and counters, a line each, as {@code name: value}. */
    List<String> statusLines();

    /** All else that can be asked of the SM. */
    Operations operations();

    /** The last events. */
    Journal journal();

    /** Where dumps and captures go; null for nowhere. */
    @Nullable
    Path dumpDir();

    /** Writes dumps of what is published; whether that went well, else the log says why not. */
    Future<Boolean> dump();

    /** What is logged: error, warn, info, debug or trace. */
    String logLevel();

    /** Changes what is logged until the end of the process. */
    void setLogLevel(String level);

    /** Name and version of the program. */
    String version();
}
