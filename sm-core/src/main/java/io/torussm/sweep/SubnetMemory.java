package io.torussm.sweep;

import io.torussm.state.StateDirectory;
import io.torussm.subnet.LidStore;

/**
 * What an SM knows of its subnet beyond the sweep that runs, and beyond its own life if there is a state directory.
 *
 * @param lids addresses of all ports seen so far
 */
public record SubnetMemory(LidStore lids) {

    /** What a state directory holds. */
    public static SubnetMemory of(StateDirectory directory) {
        return new SubnetMemory(new LidStore(directory));
    }
}
