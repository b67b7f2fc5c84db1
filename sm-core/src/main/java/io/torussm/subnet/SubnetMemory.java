package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The state of a subnet that an SM keeps from sweep to sweep. With a state directory it survives the process. Owner
 * thread: the loop of the SM.
 *
 * @param lids LIDs of all ports that were ever discovered
 * @param vportLids LIDs of virtual ports that require one of their own
 * @param neighbors last known far ends of cables
 * @param keys M_Keys of ports
 * @param places coordinates of switches
 * @param trees the complete fat tree, absent parts included
 * @param hosts descriptions of hosts
 * @param switches descriptions of switches
 * @param drains switches and cables that an operator drained or this program isolated
 */
public record SubnetMemory(
        LidStore lids,
        VPortLidStore vportLids,
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
     * @param mKey supplier of the wanted M_Key of ports, 0 for none; the value may change at any time
     * @param mKeyLookup whether requests to a new device may carry the key of the device that was there before
     */
    public static SubnetMemory of(
            StateDirectory directory, long localPortGuid, LongSupplier mKey, BooleanSupplier mKeyLookup) {
        Neighbors neighbors = new Neighbors(directory);
        MKeyStore keys = new MKeyStore(directory, neighbors, localPortGuid, mKey, mKeyLookup);
        return new SubnetMemory(
                new LidStore(directory),
                new VPortLidStore(directory),
                neighbors,
                keys,
                new CoordinateStore(directory),
                new TreeStore(directory),
                new DeviceNames(directory, DeviceNames.HOSTS),
                new DeviceNames(directory, DeviceNames.SWITCHES),
                new Drains(directory));
    }

    /** Stores the cables and names of a programmed fabric. */
    public void remember(Fabric fabric) {
        neighbors.remember(fabric);
        hosts.remember(fabric);
        switches.remember(fabric);
    }
}
