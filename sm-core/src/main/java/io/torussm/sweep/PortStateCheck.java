package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.Consistency;
import io.torussm.stage.PortStateRequests;
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
            if (PortStateRequests.areAnnounced(fabric.portInfo(fabric.port(sw, 0)))) {
                readTable(sw);
            }
        }
    }

    private void readTable(int sw) {
        int numPorts = fabric.numPorts(sw);
        for (int block = 0; block < PortStateRequests.blockCount(numPorts); block++) {
            scope.submit(PortStateRequests.get(
                    fabric.node(sw).path(),
                    numPorts,
                    block,
                    (portNum, state) -> compare(fabric.port(sw, portNum), state)));
        }
    }

    private void compare(int port, int state) {
        if (isChange(port, state)) {
            confirm(port);
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
