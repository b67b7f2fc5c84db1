package io.torussm.sim;

import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.topology.PowerUp;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The routes of MADs through the fabric, from the sending port to the port at which the last device receives the MAD.
 * Directed routes follow the rules of IBA 14.2.2, other routes the linear forwarding tables (IBA 18.2.4.3).
 */
final class Wires {
    /** Max switches of a LID-routed MAD: a packet in a routing loop must end (IBA 18.2.5.4). */
    static final int MAX_SWITCHES = 512;

    private static final int VL_DISCARD = 15;

    private final SplittableRandom random;
    private boolean isCountingMads;
    private long hops;
    private long lost;
    private long misdirected;
    private long unroutable;

    Wires(SplittableRandom random) {
        this.random = random;
    }

    /** Begins to count the MADs at each port that they leave or enter. */
    void countMads() {
        isCountingMads = true;
    }

    /**
     * Follows the route of a MAD from the port of its sender.
     *
     * @return port at which the last device received it (the sending port if it never left); null if it was dropped
     */
    @Nullable
    SimPort follow(Packet packet, SimPort from) {
        if (!packet.isDirected()) {
            return followByLid(packet, from);
        }
        SimPort port = packet.dlid == Lids.PERMISSIVE ? from : followByLid(packet, from);
        packet.dlid = Lids.PERMISSIVE; // the directed part begins
        boolean returning = MadHeader.DIRECTION.get(packet.mad, 0) != 0;
        return port == null ? null : returning ? followReturning(packet, port) : followOutbound(packet, port);
    }

    /** Follows an outbound directed route, D = 0 (C14-9). */
    private @Nullable SimPort followOutbound(Packet packet, SimPort start) {
        byte[] mad = packet.mad;
        int count = (int) MadHeader.HOP_COUNT.get(mad, 0);
        SimPort port = start;
        while (port != null) {
            int pointer = (int) MadHeader.HOP_POINTER.get(mad, 0);
            if (count >= Smp.DATA_SIZE || pointer > count + 1) {
                return misroute(); // C14-9 rule 5
            } else if (pointer == count + 1) {
                return port; // rule 4
            } else if (pointer == count) {
                if (count != 0) {
                    mad[Smp.RETURN_PATH + pointer] = (byte) port.portNum;
                }
                MadHeader.HOP_POINTER.set(mad, 0, pointer + 1);
                return endDirectedPart(packet, port, (int) Smp.DR_DLID.get(mad, 0)); // rule 3
            }
            if (pointer != 0) {
                mad[Smp.RETURN_PATH + pointer] = (byte) port.portNum; // rule 2
            }
            MadHeader.HOP_POINTER.set(mad, 0, pointer + 1);
            port = followHop(packet, port, mad[Smp.INITIAL_PATH + pointer + 1] & 0xff, pointer == 0);
        }
        return null;
    }

    /** Follows a returning directed route, D = 1 (C14-13). */
    private @Nullable SimPort followReturning(Packet packet, SimPort start) {
        byte[] mad = packet.mad;
        int count = (int) MadHeader.HOP_COUNT.get(mad, 0);
        SimPort port = start;
        while (port != null) {
            int pointer = (int) MadHeader.HOP_POINTER.get(mad, 0);
            if (count >= Smp.DATA_SIZE || pointer > count + 1) {
                return misroute(); // C14-13 rule 5
            } else if (pointer == 0) {
                return port; // rule 4
            }
            MadHeader.HOP_POINTER.set(mad, 0, pointer - 1);
            if (pointer == 1) {
                return endDirectedPart(packet, port, (int) Smp.DR_SLID.get(mad, 0)); // rule 3
            }
            // Rule 1 for the first step, which any node may take, rule 2 for the others.
            port = followHop(packet, port, mad[Smp.RETURN_PATH + pointer - 1] & 0xff, pointer == count + 1);
        }
        return null;
    }

    /** Follows one directed hop. Only switches forward MADs; a channel adapter sends through the receiving port. */
    private @Nullable SimPort followHop(Packet packet, SimPort port, int egress, boolean isFirst) {
        boolean mayLeave = port.device.isSwitch ? egress != 0 : isFirst && egress == port.portNum;
        SimPort out = mayLeave ? port.device.port(egress) : null;
        return out == null ? misroute() : cross(packet, out);
    }

    /** Ends the directed part of a route: at this device, or with LID routing to the DrDLID or DrSLID. */
    private @Nullable SimPort endDirectedPart(Packet packet, SimPort port, int lid) {
        if (lid == Lids.PERMISSIVE) {
            return port;
        }
        if (!port.device.isSwitch && !port.ownsLid(lid)) {
            return misroute();
        }
        SimPort endPort = port.device.endPort(port);
        packet.slid = endPort.lid();
        packet.dlid = lid;
        return followByLid(packet, endPort);
    }

    private @Nullable SimPort followByLid(Packet packet, SimPort from) {
        boolean toItself = packet.dlid == Lids.PERMISSIVE && packet.isSmp();
        if (toItself || (!from.device.isSwitch && from.ownsLid(packet.dlid))) {
            return from;
        }
        SimPort port = from.device.isSwitch ? from : crossByLid(packet, from);
        for (int passed = 0; port != null && passed < MAX_SWITCHES; passed++) {
            if (!port.device.isSwitch) {
                return port.ownsLid(packet.dlid) ? port : discard(packet, port, PacketLoss.WRONG_END);
            }
            int egress = egress(port.device, packet.dlid);
            if (egress == 0) {
                return port;
            }
            SimPort out = port.device.port(egress);
            if (out == null) {
                return refuse(packet, port, PacketLoss.NO_ENTRY, PortCounter.DLID_MAPPING_ERRORS);
            } else if (discardsBySl(packet, port, out)) {
                return refuse(packet, port, PacketLoss.VL_15, PortCounter.VL_MAPPING_ERRORS);
            }
            port = crossByLid(packet, out);
        }
        return port == null ? null : discard(packet, port, PacketLoss.LOOP);
    }

    private static int egress(SimDevice device, int lid) {
        int top = (int) SwitchInfo.LINEAR_FDB_TOP.get(device.switchInfo, 0);
        return lid > top || lid >= PowerUp.LINEAR_FDB_CAP || lid == 0
                ? LinearForwardingTable.NO_PATH
                : device.tables().egress(lid);
    }

    /** Checks whether SL2VL discards a packet. SMPs have VL 15 and ignore SL2VL. */
    private static boolean discardsBySl(Packet packet, SimPort in, SimPort out) {
        return !packet.isSmp()
                && (in.device.slToVl(in.portNum, out.portNum) >>> (60 - 4 * packet.sl) & 0xf) == VL_DISCARD;
    }

    /** Crosses a link. SMPs pass a trained link in any state, other MADs only an ACTIVE one (IBA 14.3.4). */
    private @Nullable SimPort crossByLid(Packet packet, SimPort out) {
        SimPort peer = out.cable;
        boolean passes = packet.isSmp() || (peer != null && out.isActive() && peer.isActive());
        return passes ? cross(packet, out) : drop(packet, out);
    }

    /** Drops a packet that a switch does not forward from a port. */
    private @Nullable SimPort refuse(Packet packet, SimPort in, PacketLoss loss, PortCounter counter) {
        if (isCountingMads) {
            in.counts().add(PortCounter.RCV_SWITCH_RELAY_ERRORS, 1);
            in.counts().add(counter, 1);
        }
        return discard(packet, in, loss);
    }

    /** Drops a packet that a port does not send, since its link is not ACTIVE. */
    private @Nullable SimPort drop(Packet packet, SimPort out) {
        countDiscard(out);
        return discard(packet, out, out.isLinkUp() ? PacketLoss.NOT_ACTIVE : PacketLoss.LINK_DOWN);
    }

    private void countDiscard(SimPort out) {
        if (isCountingMads) {
            out.counts().add(PortCounter.XMIT_DISCARDS, 1);
            out.counts().add(PortCounter.INACTIVE_DISCARDS, 1);
        }
    }

    private @Nullable SimPort cross(Packet packet, SimPort out) {
        SimPort peer = out.cable;
        if (peer == null || !out.isLinkUp()) {
            lost++;
            countDiscard(out);
            packet.markLost(out, PacketLoss.LINK_DOWN);
            return null;
        }
        hops++;
        packet.countHop(out);
        if (isCountingMads) {
            out.counts().countSentMad();
            peer.counts().countReceivedMad(); // spoiled or not (IBA 16.1.3.5)
        }
        if (out.loss > 0 && random.nextDouble() < out.loss) {
            lost++;
            peer.counts().countUndecodablePacket();
            packet.markLost(peer, PacketLoss.SPOILED);
            return null;
        }
        return peer;
    }

    private @Nullable SimPort misroute() {
        misdirected++;
        return null;
    }

    private @Nullable SimPort discard(Packet packet, SimPort port, PacketLoss loss) {
        unroutable++;
        packet.markLost(port, loss);
        return null;
    }

    /** Returns the number of cables crossed by all MADs. */
    long hops() {
        return hops;
    }

    /** Returns the number of MADs that ended at a cable that is down or lossy. */
    long lost() {
        return lost;
    }

    /** Returns the number of directed routes that a device rejected. */
    long misdirected() {
        return misdirected;
    }

    /** Returns the number of LID-routed MADs that a device did not forward. */
    long unroutable() {
        return unroutable;
    }
}
