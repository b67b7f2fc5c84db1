package io.torussm.sim.model;

/**
 * A listener for every Set that changed a register of a device, called when it happens. It also sees changes
 * that were reverted before the next reading. Called on the loop of the fabric, which waits.
 */
@FunctionalInterface
public interface SetWatcher {
    /**
     * Receives the change of a register.
     *
     * @param nodeGuid the device
     * @param portNum 0 of a switch; of a host the port that received the Set
     * @param modifier AttributeModifier of the Set
     * @param before former response to a Get of the attribute, 64 bytes
     * @param after new response, 64 bytes
     */
    void changed(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after);
}
