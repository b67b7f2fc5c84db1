package io.torussm.qos;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The check of QoS settings for torus-2QoS. Every VL that the engine uses must have weight, and VLs of one QoS
 * level must have equal weights. VLs that a link never carries must have no weight. Pure.
 */
public final class FairnessCheck {
    /** The VLs from 0 on that torus-2QoS may use. */
    private static final int CHECKED_VLS = 8;
    /** The high limit that lets any number of high-priority packets pass. */
    private static final int HIGH_LIMIT_UNLIMITED = 255;

    /** The classes of ports in the order of findings. */
    static final List<PortClass> PORT_CLASSES = List.of(
            PortClass.SWITCH_FABRIC_LINK,
            PortClass.SWITCH_HOST_LINK,
            PortClass.CA,
            PortClass.SWITCH_PORT0,
            PortClass.ROUTER);

    private FairnessCheck() {}

    /** The origins of tables, for findings. */
    interface Sources {
        /** Returns the origin of a table, such as {@code default qos_vlarb_low}. */
        String of(PortClass portClass, boolean isHigh);
    }

    /** Returns a warning for each violation in the VL arbitration of a class of ports; empty without a violation. */
    static List<Finding> check(QosSettings settings, Sources sources) {
        List<Finding> findings = new ArrayList<>();
        for (PortClass portClass : PORT_CLASSES) {
            QosSettings.Arbitration arbitration = settings.of(portClass);
            int[] high = weights(arbitration.high());
            int[] low = weights(arbitration.low());
            String highName = portClassText(portClass) + " (" + sources.of(portClass, true) + ")";
            String lowName = portClassText(portClass) + " (" + sources.of(portClass, false) + ")";
            if (portClass == PortClass.SWITCH_FABRIC_LINK) {
                checkLevels("high", highName, high, findings);
                checkLevels("low", lowName, low, findings);
            } else {
                checkUnused("high", highName, portClass, high, findings);
                checkUnused("low", lowName, portClass, low, findings);
            }
            checkStarvation(portClass, lowName, arbitration.highLimit(), high, low, findings);
        }
        return List.copyOf(findings);
    }

    /**
     * Returns a warning if a limit on the number of VLs leaves torus-2QoS too few VLs; otherwise empty.
     *
     * @param maxVls limit, 1 to 15
     * @param source origin of the value, such as {@code configured qos_max_vls}
     */
    static List<Finding> checkMaxVls(PortClass portClass, int maxVls, String source) {
        int needed = QosSettings.vls(portClass);
        if (maxVls >= needed) {
            return List.of();
        }
        return List.of(SmEvent.QOS_WARNING.finding(
                "at most " + maxVls + " VLs are meant for " + portClassText(portClass) + " ("
                        + source + "), but torus-2QoS needs " + needed + " there for two QoS levels; give " + needed
                        + " or more"));
    }

    /** Returns the sum of weights by VL. */
    private static int[] weights(List<VlWeight> entries) {
        int[] weights = new int[CHECKED_VLS];
        for (VlWeight entry : entries) {
            if (entry.vl() < CHECKED_VLS) {
                weights[entry.vl()] += entry.weight();
            }
        }
        return weights;
    }

    private static void checkLevels(String table, String name, int[] weights, List<Finding> findings) {
        for (int first = 0; first < CHECKED_VLS; first += QosSettings.LEVEL_VLS) {
            int last = first + QosSettings.LEVEL_VLS - 1;
            int common = weights[first];
            int other = IntStream.rangeClosed(first, last)
                    .filter(vl -> weights[vl] != common)
                    .findFirst()
                    .orElse(first);
            if (other != first) {
                findings.add(
                        SmEvent.QOS_WARNING.finding("VL arbitration (" + table + ") of " + name + " gives VL " + first
                                + " the weight " + common + " and VL " + other + " the weight " + weights[other]
                                + ": paths of QoS level " + first / QosSettings.LEVEL_VLS
                                + " are served unfairly; give VLs " + first + " to " + last + " equal weights"));
            }
        }
    }

    private static void checkUnused(
            String table, String name, PortClass portClass, int[] weights, List<Finding> findings) {
        String unused = vlsMatching(QosSettings.vls(portClass), CHECKED_VLS, vl -> weights[vl] > 0);
        if (!unused.isEmpty()) {
            findings.add(SmEvent.QOS_WARNING.finding("VL arbitration (" + table + ") of " + name
                    + " gives weight to VL " + unused + ", but torus-2QoS uses VL 0 and 1 there; give them 0"));
        }
    }

    private static void checkStarvation(
            PortClass portClass, String name, int highLimit, int[] high, int[] low, List<Finding> findings) {
        int used = QosSettings.vls(portClass);
        String starved = vlsMatching(0, used, vl -> high[vl] == 0 && low[vl] == 0);
        if (!starved.isEmpty()) {
            findings.add(SmEvent.QOS_WARNING.finding("VL arbitration of " + name + " gives no weight to VL " + starved
                    + " in either table: packets there are never sent; give these VLs weight in the low table"));
        }
        String second = vlsMatching(0, used, vl -> high[vl] == 0 && low[vl] > 0);
        boolean somethingIsFirst = IntStream.of(high).anyMatch(weight -> weight > 0);
        if (highLimit == HIGH_LIMIT_UNLIMITED && somethingIsFirst && !second.isEmpty()) {
            findings.add(SmEvent.QOS_WARNING.finding(
                    "the high limit " + HIGH_LIMIT_UNLIMITED + " of " + portClassText(portClass)
                            + " lets high-priority traffic stop VL " + second + " for good; give a limit of 0 to 254"));
        }
    }

    /** Returns the VLs from {@code from} to {@code to - 1} that meet a condition, as a text such as {@code 2, 3}. */
    private static String vlsMatching(int from, int to, IntPredicate condition) {
        return IntStream.range(from, to)
                .filter(condition)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }

    private static String portClassText(PortClass portClass) {
        return switch (portClass) {
            case CA -> "channel adapters";
            case ROUTER -> "routers";
            case SWITCH_PORT0 -> "switch ports 0";
            case SWITCH_FABRIC_LINK -> "links between switches";
            case SWITCH_HOST_LINK -> "switch ports to hosts";
        };
    }
}
