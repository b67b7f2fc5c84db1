package io.torussm.daemon.health;

import java.util.List;

/**
 * One thing that was looked at.
 *
 * @param name of the check, such as {@code link speed}
 * @param verdict what it means for the subnet
 * @param summary one line
 * @param findings what is wrong, a line each, {@value #MAX_FINDINGS} at most
 * @param more findings that are not listed
 */
public record Check(String name, Verdict verdict, String summary, List<String> findings, int more) {
    /** Findings that are listed. */
    static final int MAX_FINDINGS = 20;

    /** From grave to harmless. */
    public enum Verdict {
        /** Somebody is not served, or may not be for long. */
        BAD,
        /** All are served, with less than there could be. */
        WARNING,
        /** As it should be. */
        GOOD
    }

    public Check {
        findings = List.copyOf(findings);
    }

    /** A check that found things wrong, or none. */
    static Check of(String name, Verdict ifAny, String whatIsGood, List<String> found) {
        return new Check(
                name,
                found.isEmpty() ? Verdict.GOOD : ifAny,
                found.isEmpty() ? whatIsGood : found.size() + " found",
                found.stream().limit(MAX_FINDINGS).toList(),
                Math.max(0, found.size() - MAX_FINDINGS));
    }

    /** A check that says one thing. */
    static Check of(String name, Verdict verdict, String summary) {
        return new Check(name, verdict, summary, List.of(), 0);
    }
}
