package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;

/**
 * A subnet manager that discovery found, trusted or not.
 *
 * @param info SMInfo
 * @param portGuid GUID of the port that was asked
 * @param path directed route to it
 * @param host location of that port
 */
public record DiscoveredSm(SmInfo info, long portGuid, DrPath path, SmHost host) {}
