package io.torussm.sweep.idle;

import io.torussm.deadlock.HeldTables;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;

/**
 * The tables that are programmed in switches if the active plan was written completely, by the switch indexes of a
 * newer plan.
 *
 * @param before the active plan
 * @param plan the newer plan; each of its switches is also in the fabric of the active plan
 */
record PlannedTables(Plan before, Plan plan) implements HeldTables {
    private Fabric fabric() {
        return plan.subnet().fabric();
    }

    /** Returns the index of a switch in the fabric of the active plan. */
    private int before(int sw) {
        return before.subnet().fabric().nodeByGuid(fabric().nodeGuid(sw));
    }

    @Override
    public byte[] lft(int sw) {
        return before.lft(before(sw));
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return before.sl2vl(before(sw), in, out);
    }

    @Override
    public boolean areRowsPlanned() {
        for (int sw = 0; sw < fabric().switchCount(); sw++) {
            int previousSwitch = before(sw);
            for (int out = 0; out <= fabric().numPorts(sw); out++) {
                for (int in = 0; isMet(sw, out) && in <= fabric().numPorts(sw); in++) {
                    if (isMet(sw, in) && before.sl2vl(previousSwitch, in, out) != plan.sl2vl(sw, in, out)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Checks whether packets pass through a port: port 0, or a port with a cable that is up. */
    private boolean isMet(int sw, int portNum) {
        int port = fabric().port(sw, portNum);
        return portNum == 0 || (fabric().peer(port) != Fabric.NONE && isUp(port));
    }

    @Override
    public boolean isUp(int port) {
        PortInfo info = fabric().portInfo(port);
        return info == null || info.isArmedOrActive() || fabric().portNum(port) == 0;
    }
}
