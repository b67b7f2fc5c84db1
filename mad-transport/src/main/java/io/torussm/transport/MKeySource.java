package io.torussm.transport;

import io.torussm.mad.smp.DrPath;

/** The source of the M_Key for each device (IBA 14.2.4). Called on the client's loop. */
public interface MKeySource {

    /** Returns a source with one M_Key for all devices. */
    static MKeySource fixed(long mKey) {
        return (path, attempt) -> mKey;
    }

    /**
     * Returns the M_Key of a request.
     *
     * @param path route to the device
     * @param attempt number of earlier tries, from 0; a device that does not respond may have another key
     */
    long key(DrPath path, int attempt);

    /**
     * Handles a response, which shows that the device accepted the key of the last try.
     *
     * @param path route to the device
     * @param attempt number of tries before the last one, from 0
     */
    default void answered(DrPath path, int attempt) {}
}
