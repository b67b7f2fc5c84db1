package io.torussm.sim.model;

import io.torussm.mad.Gid;
import io.torussm.sim.GroupClient;
import io.torussm.sim.topology.Hardware;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The deviations of one device from a perfect one. Immutable.
 *
 * @param hardware registers after power-up
 * @param agent faults of the subnet management agent
 * @param bounces links that go down at a request
 * @param groups GIDs of multicast groups that a host joins from the start; see {@link GroupClient}
 * @param counters capabilities of the performance management agent
 * @param vendor vendor attributes
 */
public record DeviceModel(
        Hardware hardware,
        AgentProfile agent,
        List<BouncingLink> bounces,
        List<Gid> groups,
        CounterProfile counters,
        VendorModel vendor) {
    /** The default hardware without faults or groups. */
    public static final DeviceModel PERFECT = new DeviceModel(
            Hardware.DEFAULT, AgentProfile.CONFORMING, List.of(), List.of(), CounterProfile.DEFAULT, VendorModel.NONE);

    /** Copies the lists. */
    public DeviceModel {
        bounces = List.copyOf(bounces);
        groups = List.copyOf(groups);
    }

    /** Returns a copy with other hardware. */
    public DeviceModel hardware(UnaryOperator<Hardware> change) {
        return new DeviceModel(change.apply(hardware), agent, bounces, groups, counters, vendor);
    }

    /** Returns a copy with another subnet management agent. */
    public DeviceModel agent(UnaryOperator<AgentProfile> change) {
        return new DeviceModel(hardware, change.apply(agent), bounces, groups, counters, vendor);
    }

    /** Returns a copy with one more link that goes down at a request. */
    public DeviceModel bouncing(BouncingLink bounce) {
        List<BouncingLink> more = new ArrayList<>(bounces);
        more.add(bounce);
        return new DeviceModel(hardware, agent, more, groups, counters, vendor);
    }

    /** Returns a copy that joins one more multicast group. */
    public DeviceModel joining(Gid mgid) {
        List<Gid> more = new ArrayList<>(groups);
        more.add(mgid);
        return new DeviceModel(hardware, agent, bounces, more, counters, vendor);
    }

    /** Returns a copy with another performance management agent. */
    public DeviceModel counters(UnaryOperator<CounterProfile> change) {
        return new DeviceModel(hardware, agent, bounces, groups, change.apply(counters), vendor);
    }

    /** Returns a copy with other vendor attributes. */
    public DeviceModel vendor(UnaryOperator<VendorModel> change) {
        return new DeviceModel(hardware, agent, bounces, groups, counters, change.apply(vendor));
    }
}
