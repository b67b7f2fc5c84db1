package io.torussm.trap;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadFrame;

/** The device from which a trap came, independent of the issuer in the notice. */
final class TrapSource {
    /** No device, not even an unknown one: the trap is ignored. */
    private static final int NO_SOURCE = Fabric.NONE - 1;

    private TrapSource() {}

    /**
     * Returns the node that sent a trap: that with the source LID or, for a directed route, that at the end
     * of its return path.
     *
     * @return {@link Fabric#NONE} if no port has that LID; another value that is no node if the path leads
     * nowhere
     */
    static int of(Subnet subnet, MadFrame frame) {
        boolean hasSource = frame.peer().lid() != Lids.PERMISSIVE;
        if (MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_LID) {
            return TrapHandler.nodeOf(subnet, frame.peer().lid());
        }
        DrPath path = Smp.returnPath(frame.mad());
        return path == null || hasSource ? NO_SOURCE : follow(subnet.fabric(), path);
    }

    /**
     * Follows a return path. Each switch appends the port by which the trap came in, but entries behind the
     * sender's own are arbitrary. Therefore a forged path may continue through a host, or to a port without a
     * cable.
     */
    private static int follow(Fabric fabric, DrPath path) {
        int at = fabric.localPort();
        for (int hop = 0; hop < path.hops(); hop++) {
            int node = fabric.nodeOf(at);
            boolean isOwnPort = hop == 0 && path.port(0) == fabric.portNum(at);
            if ((!isOwnPort && !fabric.isSwitch(node)) || path.port(hop) > fabric.numPorts(node)) {
                return NO_SOURCE;
            }
            at = fabric.peer(fabric.port(node, path.port(hop)));
            if (at == Fabric.NONE) {
                return NO_SOURCE;
            }
        }
        return fabric.nodeOf(at);
    }
}
