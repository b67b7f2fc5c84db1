package io.torussm.sim;

import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.PortCounter;

/**
 * Access to the counters of all ports of an embedded fabric, for tests and for simulators of data. A port counts lost
 * links and packets that a lossy cable spoiled. It counts MADs only after {@link #countMads} or the first request of
 * performance management, so that fabrics without readers of counters have no cost.
 *
 * <p>Owner thread: the loop of the fabric. Methods throw IllegalArgumentException if the port does not exist.
 */
public final class SimCounters {
    private final SimFabric fabric;
    private final MadDelivery delivery;

    SimCounters(SimFabric fabric, MadDelivery traffic) {
        this.fabric = fabric;
        this.delivery = traffic;
    }

    /** Begins to count MADs at each port that they leave or enter. */
    public void countMads() {
        delivery.wires().countMads();
    }

    /** Adds to a counter an amount in the unit of the counter. */
    public void add(long nodeGuid, int portNum, PortCounter counter, long amount) {
        fabric.port(nodeGuid, portNum).counts().add(counter, amount);
    }

    /** Sets a counter of 64 bits as if it had never been cleared. A narrower attribute shows its max value. */
    public void set(long nodeGuid, int portNum, PortCounter counter, long value) {
        fabric.port(nodeGuid, portNum).counts().set(counter, value);
    }

    /** Returns the count since power-up, which clearing does not change. */
    public long get(long nodeGuid, int portNum, PortCounter counter) {
        return fabric.port(nodeGuid, portNum).countOf(counter);
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
        setProfileOf(fabric.device(nodeGuid), profile);
    }

    /** Sets the profile of a device, and the target of its redirections. */
    void setProfileOf(SimDevice device, CounterProfile profile) {
        device.counterProfile = profile;
        CounterProfile.Redirection to = profile.redirection();
        device.redirection = to == null ? null : SimFabric.port(fabric.deviceAtStart(to.nodeGuid()), to.portNum());
        if (to != null) {
            delivery.perf().addRedirection(to.qpn(), device);
        }
    }
}
