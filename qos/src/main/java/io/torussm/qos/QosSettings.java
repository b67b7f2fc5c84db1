package io.torussm.qos;

import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The VL arbitration by class of ports. Immutable.
 *
 * @param tables arbitration by class, one for each class
 */
public record QosSettings(Map<PortClass, Arbitration> tables) {
    /** The number of VLs of one QoS level on links between switches. */
    static final int LEVEL_VLS = 4;

    private static final int FABRIC_VLS = 8;
    private static final int HOST_VLS = 2;
    /** Units of 64 bytes: one packet of 4 KiB; the package has the reason. */
    private static final int WEIGHT = 64;

    private static final int PLAIN_WEIGHT = 4;

    /**
     * The VL arbitration of a port: both tables and the limit.
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
            int longer = Math.max(high.size(), low.size());
            if (longer > VlWeight.MAX_ENTRIES) {
                throw new IllegalArgumentException(longer + " entries: a table has at most " + VlWeight.MAX_ENTRIES);
            }
        }
    }

    /** The defaults under torus-2QoS: equal weights for all VLs that it uses on each class of ports. */
    public static final QosSettings DEFAULT = defaults();

    /**
     * OpenSM's defaults, for engines that leave VLs to the operator. VL 0 has high priority, and all others
     * share the remaining bandwidth.
     */
    public static final QosSettings PLAIN = plain();

    public QosSettings {
        if (tables.size() != PortClass.values().length) {
            throw new IllegalArgumentException("settings are missing for some class of port");
        }
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    }

    private static QosSettings defaults() {
        Map<PortClass, Arbitration> tables = new EnumMap<>(PortClass.class);
        for (PortClass portClass : PortClass.values()) {
            List<VlWeight> equal = IntStream.range(0, vls(portClass))
                    .mapToObj(vl -> new VlWeight(vl, WEIGHT))
                    .toList();
            tables.put(portClass, new Arbitration(0, List.of(), equal));
        }
        return new QosSettings(tables);
    }

    private static QosSettings plain() {
        List<VlWeight> others = IntStream.rangeClosed(1, VlWeight.MAX_VL)
                .mapToObj(vl -> new VlWeight(vl, PLAIN_WEIGHT))
                .toList();
        Arbitration arbitration = new Arbitration(0, List.of(new VlWeight(0, PLAIN_WEIGHT)), others);
        Map<PortClass, Arbitration> tables = new EnumMap<>(PortClass.class);
        for (PortClass portClass : PortClass.values()) {
            tables.put(portClass, arbitration);
        }
        return new QosSettings(tables);
    }

    /** Returns the number of VLs, from VL 0 on, that torus-2QoS uses on a class of ports. */
    static int vls(PortClass portClass) {
        return portClass == PortClass.SWITCH_FABRIC_LINK ? FABRIC_VLS : HOST_VLS;
    }

    /**
     * Returns the QoS level of a VL. VLs above the two levels of torus-2QoS count as further levels of the
     * same size.
     */
    static int level(PortClass portClass, int vl) {
        return portClass == PortClass.SWITCH_FABRIC_LINK ? vl / LEVEL_VLS : vl;
    }

    /** Returns the VL arbitration of a class of ports. */
    public Arbitration of(PortClass portClass) {
        Arbitration arbitration = tables.get(portClass);
        if (arbitration == null) {
            throw new IllegalStateException("no settings for " + portClass);
        }
        return arbitration;
    }

    /** Returns a copy with another arbitration for one class of ports. */
    public QosSettings with(PortClass portClass, Arbitration arbitration) {
        Map<PortClass, Arbitration> changed = new EnumMap<>(tables);
        changed.put(portClass, arbitration);
        return new QosSettings(changed);
    }
}
