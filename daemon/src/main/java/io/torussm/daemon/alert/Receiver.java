package io.torussm.daemon.alert;

/**
 * A program or a web server of the operator that receives alerts, one at a time. Its owner is the thread of {@link
 * Delivery}.
 */
interface Receiver {
    /** Time-out of the delivery of one alert, in seconds. */
    int TIMEOUT_S = 30;

    /** Returns the name of the receiver for events. The name contains no secret. */
    String name();

    /**
     * Delivers an alert.
     *
     * @throws Unavailable if the delivery may succeed later
     * @throws Refused if the receiver will never accept this alert
     */
    void deliver(Alert alert) throws Unavailable, Refused, InterruptedException;

    /** The failure of one attempt; another attempt may succeed. */
    final class Unavailable extends Exception {
        private static final long serialVersionUID = 1;

        Unavailable(String reason) {
            super(reason);
        }
    }

    /** The final failure of a delivery. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String reason) {
            super(reason);
        }
    }
}
