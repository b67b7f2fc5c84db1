package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;

/**
 * A subnet manager that does not answer, although its port says that it is there.
 *
 * @param portGuid which one it is: the way that discovery comes by may be another each time
 * @param path the way to it
 */
public record SilentSm(long portGuid, DrPath path) {}
