package io.torussm.program;

import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;

/**
 * What the operator decided for sweeps.
 *
 * @param gidPrefix subnet prefix
 * @param lmc LMC of CA and router ports, 0 to 7
 * @param lmcEsp0 whether enhanced port 0 of switches has the LMC of hosts, too; else 0
 * @param reassignLids whether the first sweep forgets the LIDs that ports report
 * @param mKey M_Key that ports are given, 0 for none
 * @param mKeyLeasePeriod seconds, 0 for ever
 * @param mKeyProtectBits 0 to 3 (IBA 14.2.4.1)
 * @param subnetTimeout PortInfo.SubnetTimeOut, a time value
 * @param packetLifeTime SwitchInfo.LifeTimeValue, a time value
 * @param links what links are set to
 * @param qos whether SL2VL and VL arbitration tables are programmed
 * @param smSl SL level for traffic with the SM
 * @param disablesBabblers whether ports that complain of their link without end are disabled
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

    /** What of this concerns routing. */
    public RoutingOptions routingOptions() {
        return new RoutingOptions(qos, links.maxOpVls(), smSl);
    }

    /** Whether the protection of ports ends unless an SM shows them their key once in the lease period. */
    public boolean isLeased() {
        return mKey != 0 && mKeyProtectBits > 0 && mKeyLeasePeriod > 0;
    }
}
