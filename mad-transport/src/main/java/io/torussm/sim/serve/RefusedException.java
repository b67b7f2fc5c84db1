package io.torussm.sim.serve;

import org.jspecify.annotations.Nullable;

/** The refusal to attach a client. The message is for the operator. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(@Nullable String message) {
        super(message);
    }
}
