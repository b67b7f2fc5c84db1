package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PortRole;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;

/** The SL2VL rows and the roles of the ports of the fabric in a torus. Immutable. */
final class TorusPorts {
    private final Torus torus;
    private final Fabric fabric;
    private final TorusSl2Vl sl2vl;

    TorusPorts(Torus torus, TorusSl2Vl sl2vl) {
        this.torus = torus;
        this.fabric = torus.fabric();
        this.sl2vl = sl2vl;
    }

    /** Returns the SL2VL row of a switch from one port number to another, packed as in {@link TorusSl2Vl}. */
    long sl2vl(int sw, int in, int out) {
        return torus.slotOfSwitch(sw) < 0
                ? sl2vl.endportRow()
                : sl2vl.row(torus.portClass(fabric.port(sw, in)), torus.portClass(fabric.port(sw, out)));
    }

    /** Returns the SL2VL table of an end port (index in the fabric), packed as in {@link TorusSl2Vl}. */
    long sl2vl(int endport) {
        int node = fabric.nodeOf(endport);
        return fabric.isSwitch(node) && torus.slotOfSwitch(node) >= 0
                ? sl2vl.row(Dim.LOCAL_CLASS, Dim.LOCAL_CLASS)
                : sl2vl.endportRow();
    }

    /**
     * Returns the role of an external port of a switch, which depends on its peer. Ports of switches outside the
     * torus have the role OTHER.
     */
    PortRole role(int sw, int portNum) {
        int port = fabric.port(sw, portNum);
        if (torus.slotOfSwitch(sw) < 0) {
            return PortRole.OTHER;
        } else if (torus.portClass(port) < Dim.LOCAL_CLASS) {
            return PortRole.FABRIC_LINK;
        }
        int peer = fabric.peer(port);
        boolean isStray = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
        return portNum == 0 || isStray ? PortRole.OTHER : PortRole.HOST_LINK;
    }
}
