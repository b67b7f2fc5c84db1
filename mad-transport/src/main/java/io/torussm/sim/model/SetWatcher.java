package io.torussm.sim.model;

/**
 * A listener for every Set that changed a register of a device. It also receives changes that a later Set reverts
 * before any Get. Called during the Set, on the loop of the fabric.
 */
@FunctionalInterface
public interface SetWatcher {
    /**
     * Receives the change of a register.
     *
     * @param nodeGuid NodeGUID of the device
     * @param portNum port of a host that received the Set; 0 for a switch
     * @param attributeId attribute ID
     * @param modifier AttributeModifier of the Set
     * @param before response to a Get before the Set, 64 bytes
     * @param after response to a Get after the Set, 64 bytes
     */
    void changed(long nodeGuid, int portNum, int attributeId, int modifier, byte[] before, byte[] after);
}
