package io.torussm.discovery;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.PortStateRequests;
import io.torussm.transport.MadScope;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The states of the ports of a known switch (SwitchPortStateTable), read with one SMP for 128 ports. They show which
 * ports need not be read: a port that was and is ACTIVE, or was and is down. Only the SM takes a link from INITIALIZE
 * to ACTIVE, so an ACTIVE link has not been down meanwhile. If the table is missing, false, or lacks the reported
 * change, all ports are read. Owner thread: the loop.
 */
final class PortStates {
    private static final int UNREAD = -1;

    private final NodeInfo info;
    private final LastReading lastReading;

    /** [port number] PortState; {@link #UNREAD} without a response for its block. */
    private final int[] states;

    private boolean isContradicted;

    PortStates(NodeInfo info, LastReading last) {
        this.info = info;
        this.lastReading = last;
        this.states = new int[info.numPorts() + 1];
        Arrays.fill(states, UNREAD);
    }

    /** Reads the table in a scope, by a route to the switch. */
    void read(MadScope scope, DrPath way) {
        int blocks = PortStateRequests.blockCount(info.numPorts());
        for (int block = 0; block < blocks; block++) {
            scope.submit(
                    PortStateRequests.get(way, info.numPorts(), block, (portNum, state) -> states[portNum] = state));
        }
    }

    /**
     * Returns the port numbers, from 1 on, whose state is as in the last reading, so that they need not be read.
     *
     * @param hasReported whether the switch reports that a port changed; if the table then shows no change, the result
     *     is empty
     */
    BitSet unchangedPorts(boolean hasReported) {
        BitSet steady = new BitSet();
        for (int portNum = 1; portNum < states.length; portNum++) {
            PortInfo known = lastReading.portInfo(info.nodeGuid(), portNum);
            int state = states[portNum];
            boolean isStable = state == PortInfo.STATE_DOWN || state == PortInfo.STATE_ACTIVE;
            steady.set(portNum, isStable && known != null && known.portState() == state);
        }
        return hasReported && steady.cardinality() == info.numPorts() ? new BitSet() : steady;
    }

    /** Compares the PortInfo of a port with the table. */
    void compare(int portNum, PortInfo current) {
        isContradicted |= states[portNum] != UNREAD && states[portNum] != current.portState();
    }

    /** Checks whether the PortInfo of a port contradicts the table, which may then be false for all ports. */
    boolean isContradicted() {
        return isContradicted;
    }
}
