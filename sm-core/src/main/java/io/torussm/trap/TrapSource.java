package io.torussm.trap;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadFrame;

/** Finds out which device a trap is from, whatever the trap says of itself. */
final class TrapSource {
    /** No device, not even one that nobody knows: the trap does not count. */
    private static final int NOBODY = Fabric.NONE - 1;

    private TrapSource() {}

    /**
     * The node that sent a trap: that with the source LID, or, of a directed route, that at the end of its return path.
     *
     * @return {@link Fabric#NONE} if nobody has that LID; another value that is no node if the path leads nowhere
     */
    static int of(Subnet subnet, MadFrame frame) {
        boolean hasSource = frame.peer().lid() != Lids.PERMISSIVE;
        if (MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_LID) {
            return TrapHandler.nodeOf(subnet, frame.peer().lid());
        }
        DrPath path = Smp.returnPath(frame.mad());
        return path == null || hasSource ? NOBODY : follow(subnet.fabric(), path);
    }

    /**
     * Each switch wrote down the port that the trap came in by, but what is behind the sender's own entry is whatever the sender
     * wrote there: such a path goes on through a host, or to where there is no cable.
     */
    private static int follow(Fabric fabric, DrPath path) {
        int at = fabric.localPort();
        for (int hop = 0; hop < path.hops(); hop++) {
            int node = fabric.nodeOf(at);
            boolean isOwnPort = hop == 0 && path.port(0) == fabric.portNum(at);
            if (!isOwnPort && !fabric.isSwitch(node) || path.port(hop) > fabric.numPorts(node)) {
                return NOBODY;
            }
            at = fabric.peer(fabric.port(node, path.port(hop)));
            if (at == Fabric.NONE) {
                return NOBODY;
            }
        }
        return fabric.nodeOf(at);
    }
}
