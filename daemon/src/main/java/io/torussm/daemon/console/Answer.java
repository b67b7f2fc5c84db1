package io.torussm.daemon.console;

import java.util.List;

/**
 * What a command says.
 *
 * @param lines without line ends
 * @param isGood whether it did what was asked
 */
record Answer(List<String> lines, boolean isGood) {
    static Answer good(String... lines) {
        return new Answer(List.of(lines), true);
    }

    static Answer bad(String... lines) {
        return new Answer(List.of(lines), false);
    }
}
