package io.torussm.daemon.control;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;

/**
 * The size of a subnet.
 *
 * @param switches number of switches
 * @param hostPorts ports of channel adapters and routers
 * @param links cables
 * @param lids unicast LIDs that ports have
 */
public record FabricSize(int switches, int hostPorts, int links, int lids) {
    /** Counts the parts of a subnet, port by port. */
    public static FabricSize of(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        int hostPorts = 0;
        int links = 0;
        int lids = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port);
            hostPorts += isHost ? 1 : 0;
            links += fabric.peer(port) > port ? 1 : 0;
            lids += subnet.lid(port) == 0 ? 0 : 1 << subnet.lmc(port);
        }
        return new FabricSize(fabric.switchCount(), hostPorts, links, lids);
    }
}
