package io.torussm.sweep.idle;

import io.torussm.deadlock.HeldTables;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;

/**
 * The tables of switches that a plan wrote, in the indexes of a newer plan.
 *
 * @param before the plan whose tables are programmed
 * @param plan the newer one, for a fabric without switches that the other lacks
 */
record PlannedTables(Plan before, Plan plan) implements HeldTables {
    private Fabric fabric() {
        return plan.subnet().fabric();
    }

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
            int old = before(sw);
            for (int out = 0; out <= fabric().numPorts(sw); out++) {
                for (int in = 0; isMet(sw, out) && in <= fabric().numPorts(sw); in++) {
                    if (isMet(sw, in) && before.sl2vl(old, in, out) != plan.sl2vl(sw, in, out)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Checks whether packets pass a port. */
    private boolean isMet(int sw, int portNum) {
        int port = fabric().port(sw, portNum);
        return portNum == 0 || (fabric().peer(port) != Fabric.NONE && isUp(port));
    }

    @Override
    public boolean isUp(int port) {
        PortInfo info = fabric().portInfo(port);
        return info == null || info.portState() > PortInfo.STATE_INITIALIZE || fabric().portNum(port) == 0;
    }
}
