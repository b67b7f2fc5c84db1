package io.torussm.sim;

/**
 * Hears of every Set that changed what a device holds, at the moment at which it did: what a reading before and a reading after cannot
 * show is what was changed and changed back. Called on the loop of the fabric, which waits.
 */
@FunctionalInterface
public interface SetWatcher {
    /**
     * A register holds something else now.
     *
     * @param nodeGuid the device
     * @param portNum 0 of a switch; of a host the port at which the Set came in
     * @param modifier of the Set
     * @param before what a Get of the attribute would have shown, 64 bytes
     * @param after the same now
     */
    void changed(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after);
}
