package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;

/**
 * A subnet manager that discovery found, trusted or not.
 *
 * @param info SMInfo of its response
 * @param portGuid PortGUID of the port, as its agent reports it
 * @param path directed route to the port
 * @param host location of the port
 */
public record DiscoveredSm(SmInfo info, long portGuid, DrPath path, SmHost host) {}
