package io.torussm.daemon.access;

import java.util.List;

/** The failure to use a file, with fault, line and remedy. */
public final class UnusableFileException extends Exception {
    private static final long serialVersionUID = 1;

    private final List<String> problems;

    UnusableFileException(String problem) {
        this(List.of(problem));
    }

    UnusableFileException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, a sentence each, with file and line. */
    public List<String> problems() {
        return problems;
    }
}
