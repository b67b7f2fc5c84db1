package io.torussm.transport;

import io.torussm.mad.MadStatus;

/**
 * The outcome of a transaction.
 *
 * @param <A> attribute of the request
 */
public sealed interface Outcome<A> {

    /**
     * A response with status 0.
     *
     * @param value content of the response
     */
    record Reply<A>(A value) implements Outcome<A> {}

    /**
     * The absence of a usable response.
     *
     * @param reason reason
     * @param status MAD status for {@link FailureReason#BAD_STATUS}; otherwise 0
     */
    record Failure<A>(FailureReason reason, int status) implements Outcome<A> {
        /** Checks whether the device responded Busy to every try (IBA 13.4.7). */
        public boolean isBusy() {
            return reason == FailureReason.BAD_STATUS && status == MadStatus.BUSY;
        }

        /**
         * Checks whether the port has no agent for the request. The Linux kernel responds so to each Get and Set of a
         * class that no process is registered for (mad.c, generate_unmatched_resp).
         */
        public boolean isWithoutAgent() {
            return reason == FailureReason.BAD_STATUS && status == MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }

        @Override
        public String toString() {
            return reason == FailureReason.BAD_STATUS
                    ? String.format("status 0x%04x", status)
                    : reason.name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** The reason for the absence of a usable response. */
    enum FailureReason {
        TIMEOUT,
        BAD_STATUS,
        MALFORMED,
        CANCELLED
    }
}
