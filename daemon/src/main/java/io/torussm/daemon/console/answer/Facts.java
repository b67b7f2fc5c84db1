package io.torussm.daemon.console.answer;

import java.util.List;

/**
 * The result of a console command, implemented by records. Its components are the JSON document of {@code --json}, and
 * {@link #lines} formats them for a terminal. An {@link Answer} carries it to the client.
 */
public interface Facts {
    /** Returns the lines for a terminal, without line ends. */
    List<String> lines();
}
