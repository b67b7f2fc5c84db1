package io.torussm.stage;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The requests for the states of all ports of a switch (SwitchPortStateTable), one for each
 * {@value SwitchPortStateTable#PORTS_PER_BLOCK} ports. The caller chooses the scope, and thereby the retries. A table
 * may be false, so the caller also chooses the consequences.
 */
public final class PortStateRequests {
    /** A receiver of the states of ports. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * Receives the state of one port.
         *
         * @param state PortState, 0 to 15
         */
        void onState(int portNum, int state);
    }

    private PortStateRequests() {}

    /**
     * Checks whether a switch announces the table.
     *
     * @param port0 PortInfo of its port 0; null if unknown, with the result false
     */
    public static boolean areAnnounced(@Nullable PortInfo port0) {
        return port0 != null && port0.hasCapability2(PortInfo.CAP2_SWITCH_PORT_STATE_TABLE);
    }

    /** Returns the number of blocks that a switch with this number of external ports has. */
    public static int blockCount(int numPorts) {
        return SwitchPortStateTable.block(numPorts) + 1;
    }

    /**
     * Returns the request for a block.
     *
     * @param path route to the switch
     * @param block number of the block, less than {@link #blockCount}
     * @param receiver receives the states of the external ports of the block, on the loop; none without a response
     */
    public static SmpRequest<SwitchPortStateTable> get(DrPath path, int numPorts, int block, Receiver receiver) {
        int first = block * SwitchPortStateTable.PORTS_PER_BLOCK;
        int end = Math.min(first + SwitchPortStateTable.PORTS_PER_BLOCK, numPorts + 1);
        return SmpRequest.get(SwitchPortStateTable.TYPE, path, block, outcome -> {
            if (outcome instanceof Outcome.Reply<SwitchPortStateTable> reply) {
                for (int portNum = Math.max(1, first); portNum < end; portNum++) {
                    receiver.onState(portNum, reply.value().portState(portNum - first));
                }
            }
        });
    }
}
