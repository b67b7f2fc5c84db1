package io.torussm.program.port;

import io.torussm.routing.VlArbitrationPolicy;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * A cache in front of a VL arbitration policy. It evaluates the policy once for each combination of arguments, of which
 * a fabric has few. An instance belongs to one stage of a sweep.
 */
final class ArbitrationCache implements VlArbitrationPolicy {
    private final VlArbitrationPolicy policy;
    private final Map<PortClass, Map<Integer, Tables>> known = new EnumMap<>(PortClass.class);

    ArbitrationCache(VlArbitrationPolicy policy) {
        this.policy = policy;
    }

    @Override
    public Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls) {
        int key = (lowCap & 0xff) << 16 | (highCap & 0xff) << 8 | operationalVls;
        return known.computeIfAbsent(portClass, any -> new HashMap<>())
                .computeIfAbsent(key, any -> policy.tables(portClass, lowCap, highCap, operationalVls));
    }
}
