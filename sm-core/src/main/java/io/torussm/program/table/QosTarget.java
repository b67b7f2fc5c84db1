package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import io.torussm.view.QosTables;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The wanted QoS tables of all devices: the SL2VL rows of a plan, folded into the VLs of ports, and the VL arbitration
 * tables of a policy. The constructor evaluates the policy, once for each type of port, because the operator may change
 * the policy while these tables are active. Immutable.
 */
final class QosTarget implements QosTables {
    private final Fabric fabric;
    private final Plan plan;

    /** [port index] OperationalVLs as PortInfo encodes it. */
    private final int[] operationalVls;

    /**
     * [port index] whether the device has SL2VL rows to this output port. Stored, because each pair of ports reads it.
     */
    private final boolean[] hasRows;

    /** [port index] wanted VL arbitration tables; null if none are to be written. */
    private final VlArbitrationPolicy.@Nullable Tables[] arbitration;

    /** The input of a policy: ports of one type have equal VL arbitration tables. */
    private record PortType(VlArbitrationPolicy.PortClass portClass, int lowCap, int highCap, int operationalVls) {
        /**
         * Compares the components in plain code, as {@link #hashCode} does, because the code that the JVM generates for
         * a record at its first use costs milliseconds at start-up.
         */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof PortType kind
                    && kind.portClass == portClass
                    && kind.lowCap == lowCap
                    && kind.highCap == highCap
                    && kind.operationalVls == operationalVls;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * (31 * portClass.hashCode() + lowCap) + highCap) + operationalVls;
        }
    }

    QosTarget(Plan plan, VlArbitrationPolicy policy, LinkSettings links) {
        this.fabric = plan.subnet().fabric();
        this.plan = plan;
        this.operationalVls = new int[fabric.portCount()];
        this.hasRows = new boolean[fabric.portCount()];
        this.arbitration = new VlArbitrationPolicy.Tables[fabric.portCount()];
        Map<PortType, VlArbitrationPolicy.Tables> byKind = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            operationalVls[port] = links.operationalVls(fabric, port);
            hasRows[port] = hasRows(port);
            if (info != null && isArbitrated(port, info)) {
                arbitration[port] = byKind.computeIfAbsent(
                        kind(port, info),
                        kind -> policy.tables(kind.portClass, kind.lowCap, kind.highCap, kind.operationalVls));
            }
        }
    }

    @Override
    public boolean hasRow(int node, int in, int out) {
        return in <= fabric.numPorts(node)
                && out <= fabric.numPorts(node)
                && hasRows[fabric.port(node, out)]
                && (in == 0 || fabric.isSwitch(node));
    }

    /** Checks whether the device has SL2VL rows to an output port: it is in use, and SL2VL mapping is supported. */
    private boolean hasRows(int port) {
        int node = fabric.nodeOf(port);
        boolean isUsed = fabric.portNum(port) == 0 ? isEnhancedPort0(node) : fabric.peer(port) != Fabric.NONE;
        PortInfo governing = fabric.portInfo(fabric.isSwitch(node) ? fabric.port(node, 0) : port);
        return isUsed && governing != null && governing.hasCapability(PortInfo.CAP_SL_MAPPING);
    }

    @Override
    public long row(int node, int in, int out) {
        int port = fabric.port(node, out);
        long wanted = fabric.isSwitch(node) ? plan.sl2vl(node, in, out) : plan.sl2vl(port);
        return LinkSettings.foldRow(wanted, operationalVls[port]);
    }

    /**
     * Returns the number of input ports, from 0 on, with rows to an output port; 1 for a host, whose only input is 0.
     */
    int rowInputs(int node, int out) {
        return !hasRow(node, 0, out) ? 0 : fabric.isSwitch(node) ? fabric.numPorts(node) + 1 : 1;
    }

    @Override
    public @Nullable VlArbitrationTable arbitration(int node, int portNum, int part) {
        if (!hasArbitration(node, portNum, part)) {
            return null;
        }
        VlArbitrationPolicy.Tables wanted = arbitration[fabric.port(node, portNum)];
        return wanted == null
                ? null
                : switch (part) {
                    case 1 -> wanted.low0();
                    case 2 -> wanted.low1();
                    case 3 -> wanted.high0();
                    default -> wanted.high1();
                };
    }

    /**
     * Checks whether a port has a part of the VL arbitration tables to be written.
     *
     * @param part 1 and 2: low-priority entries 0 to 31, 32 to 63; 3 and 4: those of high priority
     */
    boolean hasArbitration(int node, int portNum, int part) {
        if (portNum > fabric.numPorts(node)) {
            return false;
        }
        int port = fabric.port(node, portNum);
        PortInfo info = fabric.portInfo(port);
        if (info == null || arbitration[port] == null) {
            return false;
        }
        int cap = part <= 2 ? info.vlArbitrationLowCap() : info.vlArbitrationHighCap();
        boolean isSecondHalf = part % 2 == 0;
        return cap > (isSecondHalf ? VlArbitrationTable.ENTRIES_PER_PART : 0);
    }

    /** Checks whether a port is in use and has more than one data VL. */
    private boolean isArbitrated(int port, PortInfo info) {
        boolean isUsed =
                fabric.portNum(port) == 0 ? isEnhancedPort0(fabric.nodeOf(port)) : fabric.peer(port) != Fabric.NONE;
        return isUsed && info.vlCap() > 1;
    }

    private boolean isEnhancedPort0(int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        return info != null && info.enhancedPort0();
    }

    private PortType kind(int port, PortInfo info) {
        return new PortType(
                PortClasses.of(plan, port),
                info.vlArbitrationLowCap(),
                info.vlArbitrationHighCap(),
                operationalVls[port]);
    }
}
