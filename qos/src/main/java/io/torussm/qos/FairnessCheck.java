package io.torussm.qos;

import io.torussm.routing.Finding;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.ArrayList;
import java.util.List;

/** Whether VL arbitration suits torus-2QoS: equal weights within a QoS level, none on VLs that a link never carries. */
public final class FairnessCheck {
    private static final int LEVEL_VLS = 4;
    private static final int FABRIC_VLS = 8;
    private static final int HOST_VLS = 2;

    private FairnessCheck() {}

    /** A warning for each table that favours one VL of a level, or gives room to VLs that stay empty. */
    public static List<Finding> check(QosSettings settings) {
        List<Finding> findings = new ArrayList<>();
        for (PortClass portClass : PortClass.values()) {
            QosSettings.Arbitration arbitration = settings.of(portClass);
            check(portClass, "high", arbitration.high(), findings);
            check(portClass, "low", arbitration.low(), findings);
        }
        return findings;
    }

    private static void check(PortClass portClass, String table, List<VlWeight> entries, List<Finding> findings) {
        int[] weights = new int[FABRIC_VLS];
        for (VlWeight entry : entries) {
            if (entry.vl() < FABRIC_VLS) {
                weights[entry.vl()] += entry.weight();
            }
        }
        if (portClass == PortClass.SWITCH_FABRIC_LINK) {
            checkLevel(table, weights, 0, findings);
            checkLevel(table, weights, 1, findings);
            return;
        }
        for (int vl = HOST_VLS; vl < FABRIC_VLS; vl++) {
            if (weights[vl] > 0) {
                findings.add(Finding.warning("VL arbitration (" + table + ") of " + words(portClass) + " gives weight "
                        + weights[vl] + " to VL " + vl + ", but torus-2QoS uses VL 0 and 1 there; give it 0"));
                return;
            }
        }
    }

    private static void checkLevel(String table, int[] weights, int level, List<Finding> findings) {
        int first = level * LEVEL_VLS;
        for (int vl = first + 1; vl < first + LEVEL_VLS; vl++) {
            if (weights[vl] != weights[first]) {
                findings.add(
                        Finding.warning("VL arbitration (" + table + ") of links between switches gives VL " + first
                                + " the weight " + weights[first] + " and VL " + vl + " the weight " + weights[vl]
                                + ": paths of QoS level " + level + " are served unfairly; give VLs " + first + " to "
                                + (first + LEVEL_VLS - 1) + " equal weights"));
                return;
            }
        }
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
