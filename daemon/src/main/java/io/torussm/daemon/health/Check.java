package io.torussm.daemon.health;

import java.util.List;

/**
 * A check of the subnet.
 *
 * @param name name of the check, such as {@code link speed}
 * @param verdict the consequence for the subnet
 * @param summary one line
 * @param findings faults, a line each, {@value #MAX_FINDINGS} at most
 * @param more number of further findings that are not listed
 */
public record Check(String name, Verdict verdict, String summary, List<String> findings, int more) {
    /** Findings that are listed. */
    static final int MAX_FINDINGS = 20;

    /** From grave to harmless. */
    public enum Verdict {
        /** Some device has no service, or may soon have none. */
        BAD,
        /** All are served, with less than there could be. */
        WARNING,
        /** No problem was found. */
        GOOD,
        /** Not checked, because its data is not read, or there is nothing to compare it with. */
        UNKNOWN
    }

    public Check {
        findings = List.copyOf(findings);
    }

    /** Returns a check that found things wrong, or none. */
    static Check of(String name, Verdict ifAny, String whatIsGood, List<String> found) {
        return new Check(
                name,
                found.isEmpty() ? Verdict.GOOD : ifAny,
                found.isEmpty() ? whatIsGood : found.size() + " found",
                found.stream().limit(MAX_FINDINGS).toList(),
                Math.max(0, found.size() - MAX_FINDINGS));
    }

    /** Returns a check with one line. */
    static Check of(String name, Verdict verdict, String summary) {
        return new Check(name, verdict, summary, List.of(), 0);
    }
}
