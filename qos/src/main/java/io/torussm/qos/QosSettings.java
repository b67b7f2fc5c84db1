package io.torussm.qos;

import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * VL arbitration by class of port. Immutable.
 *
 * @param tables one for each class
 */
public record QosSettings(Map<PortClass, Arbitration> tables) {
    private static final int FABRIC_VLS = 8;
    private static final int HOST_VLS = 2;
    private static final int WEIGHT = 64;

    /**
     * Both tables of a port.
     *
     * @param highLimit PortInfo.VLHighLimit, 0 to 255, in units of 4 KiB; 0 lets one packet pass, 255 any number
     * @param high high-priority entries, at most 64
     * @param low low-priority entries, at most 64
     */
    public record Arbitration(int highLimit, List<VlWeight> high, List<VlWeight> low) {
        public Arbitration {
            if (highLimit < 0 || highLimit > 255) {
                throw new IllegalArgumentException("high_limit " + highLimit + ": give 0 to 255");
            }
            high = List.copyOf(high);
            low = List.copyOf(low);
        }
    }

    /** Equal weights for all VLs that torus-2QoS uses on each class of port. */
    public static final QosSettings DEFAULT = defaults();

    public QosSettings {
        if (tables.size() != PortClass.values().length) {
            throw new IllegalArgumentException("settings are missing for some class of port");
        }
        tables = Map.copyOf(tables);
    }

    private static QosSettings defaults() {
        Map<PortClass, Arbitration> tables = new EnumMap<>(PortClass.class);
        for (PortClass portClass : PortClass.values()) {
            int vls = portClass == PortClass.SWITCH_FABRIC_LINK ? FABRIC_VLS : HOST_VLS;
            tables.put(portClass, new Arbitration(0, List.of(), equal(vls)));
        }
        return new QosSettings(tables);
    }

    private static List<VlWeight> equal(int vls) {
        return java.util.stream.IntStream.range(0, vls)
                .mapToObj(vl -> new VlWeight(vl, WEIGHT))
                .toList();
    }

    /** The tables of a class of port. */
    public Arbitration of(PortClass portClass) {
        Arbitration arbitration = tables.get(portClass);
        if (arbitration == null) {
            throw new IllegalStateException("no settings for " + portClass);
        }
        return arbitration;
    }
}
