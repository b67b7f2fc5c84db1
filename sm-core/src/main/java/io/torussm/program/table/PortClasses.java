package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import io.torussm.subnet.LinkSettings;

/** The QoS class of a port, and the VL arbitration tables that follow from it. */
public final class PortClasses {
    private PortClasses() {}

    /** Returns the class of a port, by port index. */
    public static PortClass of(Plan plan, int port) {
        Fabric fabric = plan.subnet().fabric();
        int node = fabric.nodeOf(port);
        if (!fabric.isSwitch(node)) {
            boolean isRouter = fabric.node(node).info().nodeType() == NodeInfo.ROUTER;
            return isRouter ? PortClass.ROUTER : PortClass.CA;
        }
        int portNum = fabric.portNum(port);
        if (portNum == 0) {
            return PortClass.SWITCH_PORT0;
        }
        return plan.role(node, portNum) == PortRole.FABRIC_LINK
                ? PortClass.SWITCH_FABRIC_LINK
                : PortClass.SWITCH_HOST_LINK;
    }

    /**
     * Returns the VL arbitration tables of a port under a policy.
     *
     * @param port port index
     * @param info PortInfo of the port
     */
    public static VlArbitrationPolicy.Tables tables(
            Plan plan, VlArbitrationPolicy policy, LinkSettings links, int port, PortInfo info) {
        return policy.tables(
                of(plan, port),
                info.vlArbitrationLowCap(),
                info.vlArbitrationHighCap(),
                links.operationalVls(plan.subnet().fabric(), port));
    }
}
