package io.torussm.qos.policy;

import io.torussm.partition.PKeys;
import io.torussm.partition.PortKeys;
import io.torussm.paths.PathPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A QoS level: the SL and the limits of paths.
 *
 * @param name name in the file; for a line of qos-ulps, {@code file:line}
 * @param sl SL, 0 to 15
 * @param mtuLimit maximum MTU as a code, or {@link #NO_LIMIT}
 * @param rateLimit maximum rate as a code, or {@link #NO_LIMIT}
 * @param packetLife packet life time as a code, or {@link #NO_LIMIT}
 * @param pKeys permitted P_Keys without the membership bit; empty for all P_Keys
 */
record QosLevel(String name, int sl, int mtuLimit, int rateLimit, int packetLife, NumberRanges pKeys)
        implements PathPolicy.Level {

    /** Returns a level that only assigns an SL. */
    static QosLevel ofSl(String name, int sl) {
        return new QosLevel(name, sl, NO_LIMIT, NO_LIMIT, NO_LIMIT, NumberRanges.NONE);
    }

    /** Returns the limits as a text for operators; empty without limits. */
    String limits() {
        List<String> limits = new ArrayList<>();
        limit("MTU code", mtuLimit, limits);
        limit("rate code", rateLimit, limits);
        limit("packet life", packetLife, limits);
        if (!pKeys.isEmpty()) {
            limits.add("P_Keys " + pKeys);
        }
        return String.join(", ", limits);
    }

    private static void limit(String label, int code, List<String> limits) {
        if (code != NO_LIMIT) {
            limits.add(label + " " + code);
        }
    }

    @Override
    public boolean allows(int pKey) {
        return pKeys.isEmpty() || pKeys.contains(PKeys.base(pKey));
    }

    /**
     * Returns the P_Key of a path, with the membership bit of the source. Of several P_Keys, it is the one with the
     * lowest number.
     */
    @Override
    public int pKey(PortKeys from, PortKeys to) {
        if (pKeys.isEmpty()) {
            return from.sharedWith(to);
        }
        return from.stream()
                .filter(pKey -> allows(pKey) && to.stream().anyMatch(other -> PKeys.match(pKey, other)))
                .boxed()
                .min(Comparator.comparing(PKeys::base))
                .orElse(0);
    }
}
