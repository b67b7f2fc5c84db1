package io.torussm.daemon.console;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.mastership.Mastership;
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.RoutingOptions;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.transport.MadTap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators may ask of a subnet manager besides its view. Any thread; nothing waits for the wire. */
public interface Operations {
    /** Who rules, as far as this SM knows; null until it has begun. */
    @Nullable
    Mastership mastership();

    /** Changes the priority until the configuration is read again. */
    void setPriority(int priority);

    /** Begins no sweep from now on, or sweeps again. */
    void suspendSweeps(boolean isWanted);

    /** Whether sweeps are held back. */
    boolean areSweepsSuspended();

    /** How the last sweeps ended. */
    SweepHistory history();

    /** What the routes in force were made with. */
    RoutingOptions routingOptions();

    /** What there is to say of QoS. */
    Qos qos();

    /** What hosts asked for; null until the SM has begun. */
    @Nullable
    Sa sa();

    /** Captures of the port. */
    MadTap tap();

    /**
     * QoS as it is configured.
     *
     * @param isOn whether QoS tables are programmed
     * @param options of VL arbitration
     * @param policy in force
     */
    record Qos(boolean isOn, QosOptions options, QosPolicy policy) {}

    /**
     * The SA's counters.
     *
     * @param stats of all requests
     * @param traffic by attribute
     */
    record Sa(SubnetAdministrator.Stats stats, List<AttributeStatistics> traffic) {}
}
