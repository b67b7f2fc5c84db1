package io.torussm.dataplane;

import io.torussm.dataplane.congestion.FecnMarking.Direction;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The cables of a fabric, each in both directions, in dense numbers; those to and from hosts included.
 * Immutable except for {@link #isDown}.
 */
final class DataLinks {
    private static final int NONE = Fabric.NONE;

    final Fabric fabric;

    /** By port index: the link of an egress port, NONE if there is none. */
    final int[] linkOfPort;

    /** By link: the port indexes at its near and far end. */
    final int[] nearPort;

    final int[] farPort;

    /** By link: the node at its far end, NONE for a host; and the port number there. */
    final int[] toSwitch;

    final int[] toPortNum;

    /** By link: time of a byte, in picoseconds. */
    final int[] psPerByte;

    /** By link: whether the switch at its far end may forward a packet before all of it has arrived. */
    final boolean[] isCutThrough;

    final boolean[] isDown;

    DataLinks(Fabric fabric) {
        this.fabric = fabric;
        linkOfPort = new int[fabric.portCount()];
        Arrays.fill(linkOfPort, NONE);
        int count = 0;
        nearPort = new int[fabric.portCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != NONE) {
                nearPort[count] = port;
                linkOfPort[port] = count++;
            }
        }
        farPort = new int[count];
        toSwitch = new int[count];
        toPortNum = new int[count];
        psPerByte = new int[count];
        isCutThrough = new boolean[count];
        isDown = new boolean[count];
        int fastest = Integer.MAX_VALUE;
        for (int link = 0; link < count; link++) {
            farPort[link] = fabric.peer(nearPort[link]);
            int node = fabric.nodeOf(farPort[link]);
            toSwitch[link] = fabric.isSwitch(node) ? node : NONE;
            toPortNum[link] = fabric.portNum(farPort[link]);
            psPerByte[link] = psPerByte(fabric, nearPort[link]);
            fastest = Math.min(fastest, psPerByte[link]);
        }
        for (int link = 0; link < count; link++) {
            isCutThrough[link] = psPerByte[link] == fastest;
        }
    }

    /** Returns the links as congestion control sees them. */
    List<Direction> directions() {
        return IntStream.range(0, count())
                .mapToObj(link -> new Direction(
                        nearPort[link],
                        fabric.isSwitch(fabric.nodeOf(nearPort[link])) ? fabric.portNum(nearPort[link]) : NONE,
                        toSwitch[link] == NONE ? NONE : toPortNum[link]))
                .toList();
    }

    int count() {
        return farPort.length;
    }

    /**
     * Returns the time of a byte by width and speed, without the overhead of the encoding; 4x EDR if a port
     * does not report them.
     */
    static int psPerByte(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        LinkSpeed speed = info == null ? LinkSpeed.EDR : LinkSpeed.of(info).orElse(LinkSpeed.EDR);
        LinkWidth width = info == null ? LinkWidth.X4 : LinkWidth.of(info).orElse(LinkWidth.X4);
        return (int) Math.round(8_000 / (speed.dataGbps() * width.lanes()));
    }
}
