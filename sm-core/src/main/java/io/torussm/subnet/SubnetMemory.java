package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The knowledge of an SM about its subnet beyond the current sweep. With a state directory it survives the
 * process.
 *
 * @param lids addresses of all ports seen so far
 * @param neighbors far ends of cables
 * @param keys M_Keys of all ports
 * @param places coordinates of switches
 * @param trees the complete fat tree, including absent parts
 * @param hosts descriptions of hosts
 * @param switches descriptions of switches
 * @param drains parts that are excluded by an operator
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
     * Reads a state directory.
     *
     * @param localPortGuid GUID of the local port
     * @param mKey wanted M_Key of ports, 0 for none; may change at any time
     * @param mKeyLookup whether new devices are shown the key of the device that was there before
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
