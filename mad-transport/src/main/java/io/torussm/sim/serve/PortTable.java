package io.torussm.sim.serve;

import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import java.util.HashMap;
import java.util.Map;

/** The ports that have clients, by host. Confined to the loop. */
final class PortTable {
    private final SimFabric fabric;
    private final SimHosts hosts;
    private final Map<SimHosts.Host, SharedPort> ports = new HashMap<>();
    private final SentLengths lengths = new SentLengths();
    private long unclaimed;

    PortTable(SimFabric fabric, Topology topology) {
        this.fabric = fabric;
        hosts = new SimHosts(topology);
    }

    private SimHosts.Host host(String name) throws RefusedException {
        SimHosts.Host host = hosts.find(name);
        if (host == null) {
            throw new RefusedException(
                    name.isEmpty() ? "the fabric has no host" : "there is no host \"" + name + "\" (SIM_HOST)");
        }
        return host;
    }

    /**
     * Returns the port of a host, borrowed from the fabric if it has no clients yet; {@link #release} follows
     * in any case.
     */
    SharedPort find(String hostName) throws RefusedException {
        SimHosts.Host host = host(hostName);
        SharedPort port = ports.get(host);
        if (port == null) {
            try {
                port = new SharedPort(fabric.attach(host.node().id(), host.portNum()), lengths);
            } catch (IllegalArgumentException e) {
                throw new RefusedException(String.valueOf(e.getMessage()));
            }
            ports.put(host, port);
        }
        return port;
    }

    HostRegisters registers(String hostName) throws RefusedException {
        SimHosts.Host host = host(hostName);
        return new HostRegisters(fabric, host.node(), host.portNum());
    }

    /** Gives a port back to the fabric if it is without clients. */
    void release(SharedPort port) {
        if (port.isIdle() && ports.values().remove(port)) {
            unclaimed += port.unclaimed();
            port.close();
        }
    }

    /** Returns the number of MADs for ports without a client for them. */
    long unclaimed() {
        return unclaimed
                + ports.values().stream().mapToLong(SharedPort::unclaimed).sum();
    }
}
