package io.torussm.daemon.config;

import java.util.List;

/** A configuration that cannot be used. Every problem names its place and the remedy. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** Creates an exception with at least one problem, a line each. */
    public ConfigurationException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one line each. */
    public List<String> problems() {
        return problems;
    }
}
