package io.torussm.transport;

import io.torussm.mad.Gid;

/**
 * The global route header (IBA 8.3) of a MAD, as far as a response needs it. A response carries the header of its
 * request unchanged. The header distinguishes virtual functions that share a LID, and routers drop packets without it.
 *
 * @param gid GID of the far end: destination when sending, source when received
 * @param gidIndex index of the near end's GID in the port's table
 * @param hopLimit 0 to 255
 * @param trafficClass 0 to 255
 * @param flowLabel 20 bits
 */
public record GlobalRoute(Gid gid, int gidIndex, int hopLimit, int trafficClass, int flowLabel) {}
