package io.torussm.daemon.console.answer;

import java.util.List;

/** The result of a command: a record. JSON has its components, from which the lines for display are derived. */
public interface Facts {
    /** Returns the lines for a terminal, without line ends. */
    List<String> lines();
}
