package io.torussm.sim.serve;

import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import java.util.HashMap;
import java.util.Map;

/** The ports with clients, by host. Confined to the loop. */
final class PortTable {
    private final SimFabric fabric;
    private final SimHosts hosts;
    private final Map<SimHosts.Host, SharedPort> ports = new HashMap<>();
    private final SentLengths lengths = new SentLengths();

    /** Unclaimed MADs of ports that were returned to the fabric. */
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
     * Returns the port of a host, which the first client attaches to the fabric. The caller must later call
     * {@link #release}.
     *
     * @throws RefusedException if there is no such host, or its port is in use
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

    /**
     * Returns the registers of the port of a host.
     *
     * @throws RefusedException if there is no such host
     */
    HostRegisters registers(String hostName) throws RefusedException {
        SimHosts.Host host = host(hostName);
        return new HostRegisters(fabric, host.node(), host.portNum());
    }

    /** Detaches a port from the fabric if it has no clients. */
    void release(SharedPort port) {
        if (port.isIdle() && ports.values().remove(port)) {
            unclaimed += port.unclaimed();
            port.close();
        }
    }

    /** Returns the number of MADs that had no client. */
    long unclaimed() {
        return unclaimed
                + ports.values().stream().mapToLong(SharedPort::unclaimed).sum();
    }
}
