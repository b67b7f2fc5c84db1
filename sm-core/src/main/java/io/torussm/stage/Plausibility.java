package io.torussm.stage;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;

/**
 * Whether what a device says of itself can be true (IBA 14.2.5). What cannot counts as not told, and is asked for again: a device that
 * was beside itself for a while, while its links stayed up, is reported by nobody when it is well.
 */
public final class Plausibility {

    private Plausibility() {}

    /** What is wrong with a NodeInfo, in words; empty if nothing is. */
    public static String objection(NodeInfo info) {
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
                && (info.isSwitch() || info.localPortNum() > 0);
        return isPortValid ? "" : "port " + info.localPortNum() + " of " + info.numPorts();
    }

    /**
     * Whether an answer to a Get is one that this SM can do something with.
     *
     * @param modifier that was asked with: of port 0 of a switch less is defined than of other ports
     */
    public static boolean tells(Attribute<?> answer, int modifier) {
        if (answer instanceof NodeInfo info) {
            return objection(info).isEmpty();
        } else if (answer instanceof SwitchInfo info) {
            return info.linearFdbCap() > 0;
        }
        return modifier == 0
                || !(answer instanceof PortInfo port)
                || port.portState() >= PortInfo.STATE_DOWN && port.portState() <= PortInfo.STATE_ACTIVE;
    }
}
