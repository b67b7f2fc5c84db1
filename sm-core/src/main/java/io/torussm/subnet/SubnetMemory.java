package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What an SM knows of its subnet beyond the sweep that runs, and beyond its own life if there is a state directory.
 *
 * @param lids addresses of all ports seen so far
 * @param neighbors where cables led to
 * @param keys M_Keys of all ports
 * @param places where switches stood
 * @param trees the fat tree that the subnet is when nothing is absent
 * @param hosts what they were called
 * @param switches what they were called
 * @param drains what an operator keeps out of use
 */
public record SubnetMemory(
        LidStore lids,
        Neighbors neighbors,
        MKeyStore keys,
        CoordinateStore places,
        TreeStore trees,
        DeviceNames hosts,
        DeviceNames switches,
        Drains drains) {

    /**
     * What a state directory holds.
     *
     * @param localPortGuid of the port that the SM sits at
     * @param mKey the M_Key that ports are to have, 0 for none; may change at any time
     * @param mKeyLookup whether devices that were not seen yet are shown the key of who was there before
     */
    public static SubnetMemory of(
            StateDirectory directory, long localPortGuid, LongSupplier mKey, BooleanSupplier mKeyLookup) {
        Neighbors neighbors = new Neighbors(directory);
        MKeyStore keys = new MKeyStore(directory, neighbors, localPortGuid, mKey, mKeyLookup);
        return new SubnetMemory(
                new LidStore(directory),
                neighbors,
                keys,
                new CoordinateStore(directory),
                new TreeStore(directory),
                new DeviceNames(directory, DeviceNames.HOSTS),
                new DeviceNames(directory, DeviceNames.SWITCHES),
                new Drains(directory));
    }

    /** Notes cables and names of a fabric that is programmed. */
    public void remember(Fabric fabric) {
        neighbors.remember(fabric);
        hosts.remember(fabric);
        switches.remember(fabric);
    }
}
