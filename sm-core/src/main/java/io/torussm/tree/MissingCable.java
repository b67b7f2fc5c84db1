package io.torussm.tree;

import io.torussm.fabric.Fabric;

/**
 * A cable up that similar switches have and one switch lacks.
 *
 * @param sw lower switch
 * @param port port index at the lower switch; {@link Fabric#NONE} if it is unknown
 * @param targetSwitch upper switch; {@link Fabric#NONE} if it is unknown
 * @param far index of the upper switch's port; {@link Fabric#NONE} if it is unknown
 */
record MissingCable(int sw, int port, int targetSwitch, int far) {
    /** Checks whether this cable joins two switches, given in any order. */
    boolean joins(int one, int other) {
        return (sw == one && targetSwitch == other) || (sw == other && targetSwitch == one);
    }
}
