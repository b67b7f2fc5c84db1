package io.torussm.daemon.config;

import java.util.List;

/** A configuration cannot be used; every problem names where it stands and what to write instead. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** At least one problem, a line each. */
    public ConfigurationException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** One line each. */
    public List<String> problems() {
        return problems;
    }
}
