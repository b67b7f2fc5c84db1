package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Consistency;
import io.torussm.stage.PortStateRequests;
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

    /** Ports whose state was in a response for the table, by port index. */
    private final BitSet readPorts = new BitSet();

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
        int numPorts = fabric.numPorts(sw);
        if (!PortStateRequests.areAnnounced(fabric.portInfo(fabric.port(sw, 0)))
                || block >= PortStateRequests.blockCount(numPorts)) {
            return null;
        }
        return PortStateRequests.get(fabric.node(sw).path(), numPorts, block, (portNum, state) -> {
                    readPorts.set(fabric.port(sw, portNum));
                    compare(sw, portNum, state);
                })
                .brief();
    }

    /** Returns the request for one port; null if it need not be read. */
    @Nullable
    SmpRequest<?> port(int sw, int portNum) {
        if (portNum == 0
                || portNum > fabric.numPorts(sw)
                || readPorts.get(fabric.port(sw, portNum))
                || requests.hasGivenUpGets(sw, PortInfo.TYPE)
                || !isStable(sw, portNum)) {
            return null;
        }
        int modifier = fabric.portInfoModifier(fabric.port(sw, portNum));
        return requests.get(PortInfo.TYPE, sw, modifier, current -> compare(sw, portNum, current.portState()));
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
