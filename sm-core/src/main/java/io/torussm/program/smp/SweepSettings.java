package io.torussm.program.smp;

import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;

/**
 * The settings of a sweep. Immutable. A time value v means 4.096 us * 2^v.
 *
 * @param gidPrefix subnet prefix of GIDs
 * @param lmc LMC of CA and router ports, 0 to 7
 * @param lmcEsp0 whether enhanced ports 0 of switches have this LMC, too; otherwise their LMC is 0
 * @param reassignLids whether the first sweep ignores the LIDs that ports report
 * @param mKey M_Key of ports, 0 without protection
 * @param mKeyLeasePeriod M_Key lease period in seconds, 0 for unlimited
 * @param mKeyProtectBits M_Key protection level, 0 to 3 (IBA 14.2.4.1)
 * @param subnetTimeout PortInfo.SubnetTimeOut, a time value, 0 to 31
 * @param packetLifeTime SwitchInfo.LifeTimeValue, a time value, 0 to 31
 * @param links settings of links
 * @param qos whether SL2VL and VL arbitration tables are programmed
 * @param smSl SL of traffic with the SM, 0 to 15
 * @param disablesBabblers whether ports that report changes of their links without end are disabled
 */
public record SweepSettings(
        long gidPrefix,
        int lmc,
        boolean lmcEsp0,
        boolean reassignLids,
        long mKey,
        int mKeyLeasePeriod,
        int mKeyProtectBits,
        int subnetTimeout,
        int packetLifeTime,
        LinkSettings links,
        boolean qos,
        int smSl,
        boolean disablesBabblers) {

    /** Returns the settings for routing engines. */
    public RoutingOptions routingOptions() {
        return new RoutingOptions(qos, links.maxOpVls(), smSl);
    }

    /** Checks whether the M_Key protection of a port ends if no SMP with its key arrives within the lease period. */
    public boolean isLeased() {
        return mKey != 0 && mKeyProtectBits > 0 && mKeyLeasePeriod > 0;
    }
}
