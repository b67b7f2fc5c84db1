package io.torussm.transport;

import io.torussm.mad.Gid;

/**
 * The fields of the global route header (IBA 8.3) of a MAD that a response repeats. The header distinguishes virtual
 * functions that share a LID, and routers drop packets without it.
 *
 * @param gid GID of the peer: destination of a sent MAD, source of a received one
 * @param gidIndex index of the local port's GID in its table
 * @param hopLimit HopLmt, 0 to 255
 * @param trafficClass TClass, 0 to 255
 * @param flowLabel FlowLabel, 20 bits
 */
public record GlobalRoute(Gid gid, int gidIndex, int hopLimit, int trafficClass, int flowLabel) {}
