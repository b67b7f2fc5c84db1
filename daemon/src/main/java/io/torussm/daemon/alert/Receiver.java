package io.torussm.daemon.alert;

/** Takes alerts, one at a time, each within 30 s. */
interface Receiver {
    /** How long one may take. */
    int PATIENCE_S = 30;

    /** Returns the name in events; no secret. */
    String name();

    /**
     * Hands over an alert.
     *
     * @throws Unavailable if it should be tried again
     * @throws Refused if that would be of no use
     */
    void take(Alert alert) throws Unavailable, Refused, InterruptedException;

    /** It was not taken this time. */
    final class Unavailable extends Exception {
        private static final long serialVersionUID = 1;

        Unavailable(String why) {
            super(why);
        }
    }

    /** It will never be taken. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }
}
