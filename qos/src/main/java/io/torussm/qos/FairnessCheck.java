package io.torussm.qos;

import io.torussm.routing.Finding;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether QoS settings suit torus-2QoS: every VL that it uses is served, those of a QoS level alike, and no room is given
 * to VLs that a link never carries. Pure.
 */
public final class FairnessCheck {
    private static final int CHECKED_VLS = 8;
    private static final int UNLIMITED = 255;

    private FairnessCheck() {}

    /** A warning for each rule that the arbitration of a class of port breaks; empty if all is well. */
    public static List<Finding> check(QosSettings settings) {
        List<Finding> findings = new ArrayList<>();
        for (PortClass portClass : PortClass.values()) {
            QosSettings.Arbitration arbitration = settings.of(portClass);
            int[] high = weights(arbitration.high());
            int[] low = weights(arbitration.low());
            if (portClass == PortClass.SWITCH_FABRIC_LINK) {
                for (int level = 0; level < CHECKED_VLS / QosSettings.LEVEL_VLS; level++) {
                    checkLevel("high", high, level, findings);
                    checkLevel("low", low, level, findings);
                }
            } else {
                checkUnused(portClass, "high", high, findings);
                checkUnused(portClass, "low", low, findings);
            }
            checkStarvation(portClass, arbitration.highLimit(), high, low, findings);
        }
        return List.copyOf(findings);
    }

    /**
     * Whether a limit on the number of VLs leaves torus-2QoS those that it needs.
     *
     * @param maxVls 1 to 15, or 0 for no limit
     */
    public static List<Finding> checkMaxVls(PortClass portClass, int maxVls) {
        int needed = QosSettings.vls(portClass);
        if (maxVls <= 0 || maxVls >= needed) {
            return List.of();
        }
        return List.of(Finding.warning("at most " + maxVls + " VLs are allowed on " + words(portClass)
                + ", but torus-2QoS needs " + needed + " there for two QoS levels; allow " + needed + " or more"));
    }

    /** Says that an SL2VL table which was configured for a class of port has no effect: torus-2QoS computes its own. */
    public static Finding sl2VlIgnored(PortClass portClass) {
        return Finding.warning("the SL2VL table configured for " + words(portClass)
                + " is ignored: under torus-2QoS these tables keep the fabric free of deadlock; remove the setting");
    }

    private static int[] weights(List<VlWeight> entries) {
        int[] weights = new int[CHECKED_VLS];
        for (VlWeight entry : entries) {
            if (entry.vl() < CHECKED_VLS) {
                weights[entry.vl()] += entry.weight();
            }
        }
        return weights;
    }

    private static void checkLevel(String table, int[] weights, int level, List<Finding> findings) {
        int first = level * QosSettings.LEVEL_VLS;
        int last = first + QosSettings.LEVEL_VLS - 1;
        for (int vl = first + 1; vl <= last; vl++) {
            if (weights[vl] != weights[first]) {
                findings.add(Finding.warning("VL arbitration (" + table + ") of links between switches gives VL "
                        + first
                        + " the weight " + weights[first] + " and VL " + vl + " the weight " + weights[vl]
                        + ": paths of QoS level " + level + " are served unfairly; give VLs " + first + " to " + last
                        + " equal weights"));
                return;
            }
        }
    }

    private static void checkUnused(PortClass portClass, String table, int[] weights, List<Finding> findings) {
        String unused = vlsWhere(QosSettings.vls(portClass), CHECKED_VLS, vl -> weights[vl] > 0);
        if (!unused.isEmpty()) {
            findings.add(Finding.warning("VL arbitration (" + table + ") of " + words(portClass)
                    + " gives weight to VL " + unused + ", but torus-2QoS uses VL 0 and 1 there; give them 0"));
        }
    }

    private static void checkStarvation(
            PortClass portClass, int highLimit, int[] high, int[] low, List<Finding> findings) {
        int used = QosSettings.vls(portClass);
        String starved = vlsWhere(0, used, vl -> high[vl] == 0 && low[vl] == 0);
        if (!starved.isEmpty()) {
            findings.add(Finding.warning("VL arbitration of " + words(portClass) + " gives no weight to VL " + starved
                    + " in either table: packets there are never sent; give these VLs weight in the low table"));
        }
        String second = vlsWhere(0, used, vl -> high[vl] == 0 && low[vl] > 0);
        boolean somethingIsFirst = IntStream.of(high).anyMatch(weight -> weight > 0);
        if (highLimit == UNLIMITED && somethingIsFirst && !second.isEmpty()) {
            findings.add(Finding.warning("the high limit " + UNLIMITED + " of " + words(portClass)
                    + " lets high-priority traffic stop VL " + second + " for good; give a limit of 0 to 254"));
        }
    }

    /** The VLs of a range that meet a condition, as in {@code 2, 3}. */
    private static String vlsWhere(int from, int to, IntPredicate condition) {
        return IntStream.range(from, to)
                .filter(condition)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }

    private static String words(PortClass portClass) {
        return switch (portClass) {
            case CA -> "channel adapters";
            case ROUTER -> "routers";
            case SWITCH_PORT0 -> "switch ports 0";
            case SWITCH_FABRIC_LINK -> "links between switches";
            case SWITCH_HOST_LINK -> "switch ports to hosts";
        };
    }
}
