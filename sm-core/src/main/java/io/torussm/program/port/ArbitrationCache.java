package io.torussm.program.port;

import io.torussm.routing.VlArbitrationPolicy;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * A policy that asks another one once for each class of port, of which a fabric has few. Lives for one stage
 * of a sweep.
 */
final class ArbitrationCache implements VlArbitrationPolicy {
    private final VlArbitrationPolicy policy;
    private final Map<PortClass, Map<Integer, Tables>> known = new EnumMap<>(PortClass.class);

    ArbitrationCache(VlArbitrationPolicy policy) {
        this.policy = policy;
    }

    @Override
    public Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls) {
        int kind = (lowCap & 0xff) << 16 | (highCap & 0xff) << 8 | operationalVls;
        return known.computeIfAbsent(portClass, any -> new HashMap<>())
                .computeIfAbsent(kind, any -> policy.tables(portClass, lowCap, highCap, operationalVls));
    }
}
