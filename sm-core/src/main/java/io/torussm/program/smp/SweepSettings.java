package io.torussm.program.smp;

import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;

/**
 * The settings of sweeps.
 *
 * @param gidPrefix subnet prefix
 * @param lmc LMC of CA and router ports, 0 to 7
 * @param lmcEsp0 whether enhanced port 0 of switches has the LMC of hosts, too; else 0
 * @param reassignLids whether the first sweep ignores the LIDs that ports report
 * @param mKey M_Key of ports, 0 for none
 * @param mKeyLeasePeriod seconds, 0 for unlimited
 * @param mKeyProtectBits 0 to 3 (IBA 14.2.4.1)
 * @param subnetTimeout PortInfo.SubnetTimeOut, a time value
 * @param packetLifeTime SwitchInfo.LifeTimeValue, a time value
 * @param links settings of links
 * @param qos whether SL2VL and VL arbitration tables are programmed
 * @param smSl SL level for traffic with the SM
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

    /** Returns the settings that concern routing. */
    public RoutingOptions routingOptions() {
        return new RoutingOptions(qos, links.maxOpVls(), smSl);
    }

    /** Checks whether the protection of ports ends unless an SM shows them their key once in the lease period. */
    public boolean isLeased() {
        return mKey != 0 && mKeyProtectBits > 0 && mKeyLeasePeriod > 0;
    }
}
