package io.torussm.sim.serve;

/** Why a program is not served; the message is for the operator. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
        super(message);
    }
}
