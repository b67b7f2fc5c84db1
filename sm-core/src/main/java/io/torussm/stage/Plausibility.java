package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;

/**
 * The plausibility of a response (IBA 14.2.5). An implausible response counts as missing, so that light sweeps request
 * it again: if a device was defective for a while and its links stayed up, no other device reports its recovery.
 */
public final class Plausibility {

    private Plausibility() {}

    /**
     * Returns the fault of a NodeInfo, in words for the operator; empty if it is plausible.
     *
     * @param isBehindCable whether the SMP arrived over a cable, so that LocalPortNum 0 is a fault
     */
    public static String fault(NodeInfo info, boolean isBehindCable) {
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
     * Checks whether a response to a Get is plausible.
     *
     * @param modifier AttributeModifier of the Get; PortState of modifier 0 is not checked, because it is undefined for
     *     port 0 of a switch
     */
    public static boolean isPlausible(Attribute<?> answer, int modifier) {
        if (answer instanceof NodeInfo info) {
            return fault(info, false).isEmpty();
        } else if (answer instanceof SwitchInfo info) {
            return info.linearFdbCap() > 0;
        }
        return modifier == 0
                || !(answer instanceof PortInfo port)
                || (port.portState() >= PortInfo.STATE_DOWN && port.portState() <= PortInfo.STATE_ACTIVE);
    }
}
