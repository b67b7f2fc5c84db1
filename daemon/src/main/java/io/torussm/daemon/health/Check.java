package io.torussm.daemon.health;

import java.util.List;

/**
 * A check of the subnet.
 *
 * @param name name of the check, such as {@code link speed}
 * @param verdict consequence for the subnet
 * @param summary result in one line
 * @param findings faults, a line each, at most {@value #MAX_FINDINGS}
 * @param more number of further findings that are not listed
 */
public record Check(String name, Verdict verdict, String summary, List<String> findings, int more) {
    /** Maximum number of findings that are listed. */
    static final int MAX_FINDINGS = 20;

    /** The severity of the result, the gravest first. */
    public enum Verdict {
        /** A device has no service, or may lose it soon. */
        BAD,
        /** All devices have service, but less than is possible. */
        WARNING,
        /** No problem was found. */
        GOOD,
        /** Not checked, because data are not read, or there is nothing to compare them with. */
        UNKNOWN
    }

    public Check {
        findings = List.copyOf(findings);
    }

    /**
     * Returns a check from its findings.
     *
     * @param ifAny verdict if there are findings; else the verdict is GOOD
     * @param whatIsGood summary if there are no findings
     */
    static Check of(String name, Verdict ifAny, String whatIsGood, List<String> found) {
        return new Check(
                name,
                found.isEmpty() ? Verdict.GOOD : ifAny,
                found.isEmpty() ? whatIsGood : found.size() + " found",
                found.stream().limit(MAX_FINDINGS).toList(),
                Math.max(0, found.size() - MAX_FINDINGS));
    }

    /** Returns a check without findings. */
    static Check of(String name, Verdict verdict, String summary) {
        return new Check(name, verdict, summary, List.of(), 0);
    }
}
