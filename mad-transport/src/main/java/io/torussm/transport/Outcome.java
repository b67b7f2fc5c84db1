package io.torussm.transport;

import io.torussm.mad.MadStatus;

/** How a transaction ended. */
public sealed interface Outcome<A> {

    /** The device answered with status 0. */
    record Reply<A>(A value) implements Outcome<A> {}

    /**
     * There is no usable answer.
     *
     * @param kind why
     * @param status the MAD status for {@link FailureReason#BAD_STATUS}, else 0
     */
    record Failure<A>(FailureReason kind, int status) implements Outcome<A> {
        /** Checks whether the device responded Busy to every try (IBA 13.4.7). */
        public boolean isBusy() {
            return kind == FailureReason.BAD_STATUS && status == MadStatus.BUSY;
        }

        /**
         * Checks whether no agent is there for the request. The Linux kernel responds so to each Get and Set of a class
         * that no process is registered for (mad.c, generate_unmatched_resp).
         */
        public boolean isWithoutAgent() {
            return kind == FailureReason.BAD_STATUS && status == MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        }

        @Override
        public String toString() {
            return kind == FailureReason.BAD_STATUS
                    ? String.format("status 0x%04x", status)
                    : kind.name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Why there is no answer. */
    enum FailureReason {
        TIMEOUT,
        BAD_STATUS,
        MALFORMED,
        CANCELLED
    }
}
