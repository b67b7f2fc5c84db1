package io.torussm.daemon.maintenance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ports of switches of a fabric, by port GUID and port number as in the history of cables. */
final class SwitchPorts {
    private final Fabric fabric;
    private final Map<Long, Integer> switches = new HashMap<>();

    SwitchPorts(Fabric fabric) {
        this.fabric = fabric;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            switches.put(fabric.portGuid(fabric.port(sw, 0)), sw);
        }
    }

    /** Returns the index of a port in the fabric; {@link Fabric#NONE} if no switch of the fabric has the port. */
    int port(Neighbors.CableEnd end) {
        Integer sw = switches.get(end.portGuid());
        return sw == null || end.portNum() > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, end.portNum());
    }

    /** Checks whether both ends are ports of switches of the fabric, and are not cabled to other ports. */
    boolean isCable(Neighbors.CableEnd near, Neighbors.CableEnd far) {
        int one = port(near);
        int other = port(far);
        return one != Fabric.NONE
                && other != Fabric.NONE
                && (fabric.peer(one) == Fabric.NONE || fabric.peer(one) == other)
                && (fabric.peer(other) == Fabric.NONE || fabric.peer(other) == one);
    }

    /** Checks whether the link of a port was up at the last reading. */
    boolean isLinkUp(Neighbors.CableEnd end) {
        int port = port(end);
        PortInfo info = port == Fabric.NONE ? null : fabric.portInfo(port);
        return info != null && info.isLinkUp();
    }

    /** Returns the drained cables by the end at which they are drained, without cables at absent switches. */
    Map<Neighbors.CableEnd, Drain> drainsByEnd(List<Drain> drains) {
        Map<Neighbors.CableEnd, Drain> drained = new HashMap<>();
        for (Drain drain : drains) {
            int sw = fabric.nodeByGuid(drain.nodeGuid());
            if (sw != Fabric.NONE && fabric.isSwitch(sw) && !drain.isSwitch()) {
                drained.put(new Neighbors.CableEnd(fabric.portGuid(fabric.port(sw, 0)), drain.portNum()), drain);
            }
        }
        return drained;
    }
}
