package io.torussm.event;

/**
 * Something that an engine or a check wants the operator to know. The SM logs it; the engine does not.
 *
 * @param severity ERROR causes a refusal, WARNING should be looked at, INFO explains
 * @param text one line with GUIDs, names and coordinates, and the remedy where there is one
 */
public record Finding(Severity severity, String text) {
    /** How much it matters. */
    public enum Severity {
        ERROR,
        WARNING,
        INFO
    }

    public static Finding error(String text) {
        return new Finding(Severity.ERROR, text);
    }

    public static Finding warning(String text) {
        return new Finding(Severity.WARNING, text);
    }

    public static Finding info(String text) {
        return new Finding(Severity.INFO, text);
    }
}
