package io.torussm.daemon.config;

import java.util.List;

/** The exception for a configuration that cannot be used. Every problem names its place and the remedy. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** Creates an exception with at least one problem, each of one line. */
    public ConfigurationException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one line each. */
    public List<String> problems() {
        return problems;
    }
}
