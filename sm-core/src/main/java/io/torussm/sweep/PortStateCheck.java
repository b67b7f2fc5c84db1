package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.stage.Consistency;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.function.IntConsumer;

/**
 * The comparison of port states with the published fabric in a light sweep. It finds a change whose trap was lost and
 * whose PortStateChange another program cleared. Each light sweep reads SwitchPortStateTable of one switch in
 * {@value #TURNS}, if the switch announces it. A table may be false, so PortInfo of a changed port is read before the
 * change counts. Owner thread: the loop.
 */
final class PortStateCheck {
    /** The number of light sweeps after which every table was read. */
    static final int TURNS = 4;

    private final MadScope scope;
    private final Fabric fabric;
    private final IntConsumer onChange;

    /**
     * Creates the comparison; nothing is read yet.
     *
     * @param fabric the published fabric
     * @param onChange callback, called on the loop with the index of each port whose link went down or came up
     */
    PortStateCheck(MadScope scope, Fabric fabric, IntConsumer onChange) {
        this.scope = scope;
        this.fabric = fabric;
        this.onChange = onChange;
    }

    /**
     * Reads the tables of the switches of a turn.
     *
     * @param turn the number of the light sweep, modulo {@value #TURNS}
     */
    void read(int turn) {
        for (int sw = turn; sw < fabric.switchCount(); sw += TURNS) {
            PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
            if (port0 != null && port0.hasCapability2(PortInfo.CAP2_SWITCH_PORT_STATE_TABLE)) {
                readTable(sw);
            }
        }
    }

    private void readTable(int sw) {
        for (int block = 0; block <= SwitchPortStateTable.block(fabric.numPorts(sw)); block++) {
            int first = block * SwitchPortStateTable.PORTS_PER_BLOCK;
            scope.get(SwitchPortStateTable.TYPE, fabric.node(sw).path(), block, outcome -> {
                if (outcome instanceof Outcome.Reply<SwitchPortStateTable> reply) {
                    compare(sw, first, reply.value());
                }
            });
        }
    }

    private void compare(int sw, int first, SwitchPortStateTable states) {
        int end = Math.min(first + SwitchPortStateTable.PORTS_PER_BLOCK, fabric.numPorts(sw) + 1);
        for (int portNum = Math.max(1, first); portNum < end; portNum++) {
            int port = fabric.port(sw, portNum);
            if (isChange(port, states.portState(portNum - first))) {
                confirm(port);
            }
        }
    }

    private void confirm(int port) {
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo> reply
                    && isChange(port, reply.value().portState())) {
                onChange.accept(port);
            }
        });
    }

    private boolean isChange(int port, int state) {
        PortInfo known = fabric.portInfo(port);
        return known != null && state >= PortInfo.STATE_DOWN && Consistency.isStateChange(known, state);
    }
}
