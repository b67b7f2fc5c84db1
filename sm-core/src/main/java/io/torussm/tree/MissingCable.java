package io.torussm.tree;

import io.torussm.fabric.Fabric;

/**
 * A cable up that similar switches have and one lacks.
 *
 * @param sw the lower switch
 * @param port port index at that switch; {@link Fabric#NONE} if it is not known
 * @param wanted the upper switch; {@link Fabric#NONE} if it is not known
 * @param far port index at the upper switch; {@link Fabric#NONE} if it is not known
 */
record MissingCable(int sw, int port, int wanted, int far) {
    /** Checks whether this is a cable between two switches, whichever is above. */
    boolean joins(int one, int other) {
        return (sw == one && wanted == other) || (sw == other && wanted == one);
    }
}
