package io.torussm.daemon.console;

import java.util.List;

/** What a command found out: a record. JSON shows its components, and people see lines that are made of nothing else. */
interface Facts {
    /** For a terminal, without line ends. */
    List<String> lines();
}
