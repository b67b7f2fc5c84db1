package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Consistency;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The second reading of the ports of switches that reported a change. Without it, a change between the first reading
 * and the Set that clears PortStateChange would be lost. If a switch announces SwitchPortStateTable, one SMP reads 128
 * ports. Without a response to that SMP, each port is read. Owner thread: the loop.
 */
final class ReportedPorts {
    private final Fabric fabric;
    private final SmpRequests requests;

    /** NodeGUIDs of switches with a port that changed again. */
    private final Set<Long> changed;

    /** Blocks of SwitchPortStateTable with a response; see {@link #index}. */
    private final BitSet answeredBlocks = new BitSet();

    /**
     * Creates the reading.
     *
     * @param changed receives the NodeGUIDs of switches with a port that changed again
     */
    ReportedPorts(Fabric fabric, SmpRequests requests, Set<Long> changed) {
        this.fabric = fabric;
        this.requests = requests;
        this.changed = changed;
    }

    /** Returns the request for a block of port states; null if the switch does not have the block. */
    @Nullable
    SmpRequest<?> table(int sw, int block) {
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        boolean hasTable = port0 != null && port0.hasCapability2(PortInfo.CAP2_SWITCH_PORT_STATE_TABLE);
        if (!hasTable || block > SwitchPortStateTable.block(fabric.numPorts(sw))) {
            return null;
        }
        return SmpRequest.get(SwitchPortStateTable.TYPE, fabric.node(sw).path(), block, outcome -> {
                    if (outcome instanceof Outcome.Reply<SwitchPortStateTable> reply) {
                        compare(sw, block, reply.value());
                    }
                })
                .brief();
    }

    private void compare(int sw, int block, SwitchPortStateTable states) {
        answeredBlocks.set(index(sw, block));
        int first = block * SwitchPortStateTable.PORTS_PER_BLOCK;
        int end = Math.min(first + SwitchPortStateTable.PORTS_PER_BLOCK, fabric.numPorts(sw) + 1);
        for (int portNum = Math.max(1, first); portNum < end; portNum++) {
            compare(sw, portNum, states.portState(portNum - first));
        }
    }

    /** Returns the request for one port; null if it need not be read. */
    @Nullable
    SmpRequest<?> port(int sw, int portNum) {
        if (portNum == 0
                || portNum > fabric.numPorts(sw)
                || answeredBlocks.get(index(sw, SwitchPortStateTable.block(portNum)))
                || requests.hasGivenUpGets(sw, PortInfo.TYPE)
                || !isStable(sw, portNum)) {
            return null;
        }
        int modifier = fabric.portInfoModifier(fabric.port(sw, portNum));
        return requests.get(PortInfo.TYPE, sw, modifier, current -> compare(sw, portNum, current.portState()));
    }

    private static int index(int sw, int block) {
        return sw * SwitchPortStateTable.BLOCKS + block;
    }

    private void compare(int sw, int portNum, int state) {
        PortInfo known = fabric.portInfo(fabric.port(sw, portNum));
        if (known != null && Consistency.isStateChange(known, state)) {
            changed.add(fabric.nodeGuid(sw));
        }
    }

    private boolean isStable(int sw, int portNum) {
        PortInfo known = fabric.portInfo(fabric.port(sw, portNum));
        return known != null && Consistency.isStable(known);
    }
}
