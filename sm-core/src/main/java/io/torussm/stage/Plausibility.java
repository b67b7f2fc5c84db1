package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;

/**
 * The plausibility of an answer (IBA 14.2.5). An implausible answer counts as missing, and is requested
 * again. If a device was defective for a while and its links stayed up, no other device reports its recovery.
 */
public final class Plausibility {

    private Plausibility() {}

    /**
     * Returns the fault of a NodeInfo, in words; empty if there is none.
     *
     * @param isBehindCable whether it was read over a cable, which no switch has at its port 0
     */
    public static String objection(NodeInfo info, boolean isBehindCable) {
        int type = info.nodeType();
        if (type < NodeInfo.CHANNEL_ADAPTER || type > NodeInfo.ROUTER) {
            return "NodeType " + type;
        }
        if (info.nodeGuid() == 0 || info.portGuid() == 0) {
            return "a GUID of zero";
        }
        boolean isPortValid = info.numPorts() >= 1
                && info.numPorts() <= NodeInfo.MAX_PORT_NUM
                && info.localPortNum() <= info.numPorts()
                && (info.localPortNum() > 0 || (info.isSwitch() && !isBehindCable));
        return isPortValid ? "" : "port " + info.localPortNum() + " of " + info.numPorts();
    }

    /**
     * Checks whether this SM can use an answer to a Get.
     *
     * @param modifier modifier of the Get: fewer fields are defined for port 0 of a switch than for other ports
     */
    public static boolean tells(Attribute<?> answer, int modifier) {
        if (answer instanceof NodeInfo info) {
            return objection(info, false).isEmpty();
        } else if (answer instanceof SwitchInfo info) {
            return info.linearFdbCap() > 0;
        }
        return modifier == 0
                || !(answer instanceof PortInfo port)
                || (port.portState() >= PortInfo.STATE_DOWN && port.portState() <= PortInfo.STATE_ACTIVE);
    }
}
