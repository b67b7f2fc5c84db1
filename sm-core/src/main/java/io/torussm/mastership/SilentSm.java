package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;

/**
 * A subnet manager that does not answer although its port reports it.
 *
 * @param portGuid PortGUID, which identifies the SM; its route may differ from one discovery to the next
 * @param path directed route to the port
 * @param isMaster whether the SM is the master of the own port, and its port rejects a Get of SMInfo without the M_Key,
 *     which this SM does not show to it. Such an SM never answers, even if it works
 */
public record SilentSm(long portGuid, DrPath path, boolean isMaster) {}
