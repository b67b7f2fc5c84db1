package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;

/**
 * A subnet manager that does not answer although its port reports it.
 *
 * @param portGuid its identity; the route may differ from one discovery to the next
 * @param path directed route to it
 */
public record SilentSm(long portGuid, DrPath path) {}
