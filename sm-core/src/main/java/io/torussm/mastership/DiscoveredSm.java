package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;

/**
 * A subnet manager as discovery met it, trusted or not.
 *
 * @param info what it says of itself
 * @param portGuid GUID of the port that it was asked through
 * @param path the way to it
 * @param host where that port is
 */
public record DiscoveredSm(SmInfo info, long portGuid, DrPath path, SmHost host) {}
