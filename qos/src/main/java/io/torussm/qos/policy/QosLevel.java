package io.torussm.qos.policy;

import io.torussm.partition.PKeys;
import io.torussm.sa.PathPolicy;

/**
 * A QoS level.
 *
 * @param name as the file has it; that of a line of qos-ulps is its place
 * @param pKeys the partitions that its paths may be in, as 15 bits; empty for any
 */
record QosLevel(String name, int sl, int mtuLimit, int rateLimit, int packetLife, NumberRanges pKeys)
        implements PathPolicy.Level {

    /** One that says nothing but an SL. */
    static QosLevel ofSl(String name, int sl) {
        return new QosLevel(name, sl, NO_LIMIT, NO_LIMIT, NO_LIMIT, NumberRanges.NONE);
    }

    @Override
    public boolean allows(int pKey) {
        return pKeys.isEmpty() || pKeys.contains(PKeys.base(pKey));
    }
}
