package io.torussm.sim;

import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.PortCounter;

/**
 * Access to the counters of all ports of an embedded fabric, for tests and for simulators of data. A port
 * counts lost links and packets that a lossy cable spoiled. It counts MADs only after {@link #countMads} or
 * the first request of performance management, so that fabrics without readers of counters pay nothing.
 *
 * <p>Owner thread: the loop of the fabric.
 */
public final class SimCounters {
    private final SimFabric fabric;
    private final MadDelivery traffic;

    SimCounters(SimFabric fabric, MadDelivery traffic) {
        this.fabric = fabric;
        this.traffic = traffic;
    }

    /** Counts MADs from now on, at each port that they leave or enter by. */
    public void countMads() {
        traffic.wires().countMads();
    }

    /**
     * Adds to a counter.
     *
     * @param amount increase in the unit of the counter
     * @throws IllegalArgumentException if there is no such port
     */
    public void add(long nodeGuid, int portNum, PortCounter counter, long amount) {
        fabric.port(nodeGuid, portNum).counts().add(counter, amount);
    }

    /** Sets a counter of 64 bits as if it had never been cleared. A narrower attribute shows its highest value. */
    public void set(long nodeGuid, int portNum, PortCounter counter, long value) {
        fabric.port(nodeGuid, portNum).counts().set(counter, value);
    }

    /** Returns the count since power-up, in spite of clearing. */
    public long get(long nodeGuid, int portNum, PortCounter counter) {
        return fabric.port(nodeGuid, portNum).counted(counter);
    }

    /** Resets all counters of a device to 0, as a reset of its agent does. */
    public void reset(long nodeGuid) {
        fabric.device(nodeGuid).resetCounts();
    }

    /** Returns the agent of congestion control of an end port: port 0 of a switch. */
    public CongestionAgent congestion(long nodeGuid, int portNum) {
        return fabric.port(nodeGuid, portNum).congestion();
    }

    /** Returns the profile of the performance management agent of a node. */
    public CounterProfile profile(long nodeGuid) {
        return fabric.device(nodeGuid).counterProfile;
    }

    /** Replaces the profile of the performance management agent of a node. */
    public void setProfile(long nodeGuid, CounterProfile profile) {
        give(fabric.device(nodeGuid), profile);
    }

    void give(SimDevice device, CounterProfile profile) {
        device.counterProfile = profile;
        CounterProfile.Redirection to = profile.redirection();
        device.redirection = to == null ? null : SimFabric.port(fabric.deviceAtStart(to.nodeGuid()), to.portNum());
        if (to != null) {
            traffic.perf().redirects(to.qpn(), device);
        }
    }
}
