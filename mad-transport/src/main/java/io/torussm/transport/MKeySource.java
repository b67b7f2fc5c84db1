package io.torussm.transport;

import io.torussm.mad.smp.DrPath;

/** The source of the M_Key for each device (IBA 14.2.4). Called on the client's loop. */
public interface MKeySource {

    /** Returns the same key for everyone. */
    static MKeySource fixed(long mKey) {
        return (path, attempt) -> mKey;
    }

    /**
     * Returns the key that a request carries.
     *
     * @param path where it goes
     * @param attempt how often it was sent before; a device that does not answer may want another key
     */
    long key(DrPath path, int attempt);

    /**
     * Handles an answer to a request.
     *
     * @param attempt how often it had been sent before it was sent last
     */
    default void answered(DrPath path, int attempt) {}
}
