package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.ShortWay;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.List;

/**
 * The reason why a packet leaves a switch of the torus by a port, for operators: the direction, then the rule of
 * the hop. {@link LineTable} and {@link TorusRoutes} make the routes; this class only explains them. A slot is a
 * placed switch, see {@link Torus}; a group is a direction, see {@link Dim}.
 */
final class HopReason {
    private final Torus torus;
    private final TorusSl2Vl sl2vl;

    HopReason(Torus torus, TorusSl2Vl sl2vl) {
        this.torus = torus;
        this.sl2vl = sl2vl;
    }

    /**
     * Returns the reason for one hop.
     *
     * @param sw switch of the fabric at which the packet is
     * @param inPort number of the port through which the packet arrived, 0 if the switch itself sent the packet
     * @param outPort number of the port through which the packet leaves
     * @param toSwitch destination switch, or the switch that the destination end port is attached to; {@link
     *     Fabric#NONE} if no device has the LID
     * @param toPort number of the port of {@code toSwitch} that leads to the end port, 0 if the destination is the
     *     switch itself
     * @return text such as {@code +x DOR: x first}; empty if the switch or the destination is outside the torus
     */
    String reason(int sw, int inPort, int outPort, int toSwitch, int toPort) {
        Fabric fabric = torus.fabric();
        if (toSwitch == Fabric.NONE || torus.slotOfSwitch(sw) < 0 || torus.slotOfSwitch(toSwitch) < 0) {
            return "";
        }
        int group = torus.groupOf(fabric.port(sw, outPort));
        if (group == Dim.LOCAL) {
            return sw != toSwitch ? "" : outPort == 0 ? "delivery to port 0" : "delivery to host port";
        }
        List<String> reasons = new ArrayList<>();
        int to = torus.slotOfSwitch(toSwitch);
        Hop hop = new Hop(torus.slotOfSwitch(sw), to, torus.side(to, toPort), group);
        int inClass = torus.portClass(fabric.port(sw, inPort));
        addTurnReason(hop, inClass, reasons);
        addDirectionReason(hop, reasons);
        addDatelineReason(hop, reasons);
        return torus.groupName(group) + "  " + String.join("; ", reasons);
    }

    /**
     * A hop of a packet.
     *
     * @param slot slot of the switch at which the packet is
     * @param to slot of the destination's switch
     * @param side side of the destination, see {@link Torus#side}
     * @param group group through which the packet leaves the switch
     */
    private record Hop(int slot, int to, int side, int group) {
        int dimension() {
            return Dim.dimension(group);
        }
    }

    private void addTurnReason(Hop hop, int inClass, List<String> reasons) {
        int d = hop.dimension();
        for (int earlier = 0; earlier < d; earlier++) {
            if (torus.coordinate(hop.slot, earlier) != torus.coordinate(hop.to, earlier)) {
                reasons.add(
                        (inClass == d ? "no way back to " + torus.dimensionName(earlier) + " yet: " : "early turn: ")
                                + obstacle(hop, earlier));
            }
        }
        if (inClass < Dim.LOCAL_CLASS && inClass > d) {
            int sl = torus.isReversed() ? TorusSl.QOS_BIT : 0;
            boolean hasVl = (SlToVlMappingTable.vl(sl2vl.row(torus.axis(inClass), torus.axis(d)), sl) & 2) != 0;
            reasons.add("illegal turn " + torus.dimensionName(inClass) + " to " + torus.dimensionName(d)
                    + (hasVl ? " on VL bit 1" : ", with too few VLs to tell it from others"));
        }
    }

    /**
     * Returns the reason why a packet cannot move along an earlier dimension, which dimension order requires first.
     */
    private String obstacle(Hop hop, int d) {
        int turn = turnPosition(hop, d);
        return torus.slotAt(turn) < 0
                ? "the switch at " + torus.formatPosition(turn) + ", where it would turn, is missing"
                : torus.formatPosition(turn) + " cannot be reached, " + breakText(hop.slot, preferredGroup(hop, d));
    }

    private void addDirectionReason(Hop hop, List<String> reasons) {
        int d = hop.dimension();
        int turn = turnPosition(hop, d);
        if (hop.group != preferredGroup(hop, d)) {
            reasons.add("long way round: " + breakText(hop.slot, hop.group ^ 1));
        } else if (torus.slotAt(turn) < 0) {
            reasons.add("towards the missing switch at " + torus.formatPosition(turn) + ", to turn beside it");
        } else if (reasons.isEmpty()) {
            reasons.add(order(d));
            addRingReason(hop, torus.shortWay(d), reasons);
        }
    }

    private String order(int d) {
        String name = torus.dimensionName(d);
        return switch (d) {
            case 0 -> "DOR: " + name + " first";
            case 1 -> "DOR: " + torus.dimensionName(0) + " is right, " + name + " next";
            default ->
                "DOR: " + torus.dimensionName(0) + " and " + torus.dimensionName(1) + " are right, " + name + " last";
        };
    }

    /**
     * Adds the reason for the direction around a complete ring. If the direction is simply the shorter way, no
     * reason is added.
     */
    private void addRingReason(Hop hop, ShortWay way, List<String> reasons) {
        int d = hop.dimension();
        int from = torus.coordinate(hop.slot, d);
        int to = torus.coordinate(hop.to, d);
        if (way.isSplit(from, to)) {
            reasons.add("both ways are equally long, "
                    + (torus.isCrossingTies()
                            ? "this LID's crosses the dateline"
                            : "dateline bit " + (way.hasDatelineBit(from, to) ? 1 : 0) + " on either"));
        } else if (way.isLong(from, to, hop.side)) {
            reasons.add("the longer way round, since with one_sl no path passes by both 0 and 1");
        }
    }

    private void addDatelineReason(Hop hop, List<String> reasons) {
        int d = hop.dimension();
        int coordinate = torus.coordinate(hop.slot, d);
        // Even groups lead in - direction, whose last step before the dateline is coordinate 0.
        int edge = Dim.sign(hop.group) < 0 ? 0 : torus.radix(d) - 1;
        if (coordinate != edge) {
            return;
        }
        reasons.add("crosses the dateline"
                + (isWhole(hop.slot, hop.group) ? "" : ", which does not count since the ring is broken"));
    }

    /** Returns the position at which a packet would have to turn after it has moved along a dimension. */
    private int turnPosition(Hop hop, int d) {
        return torus.withCoordinate(torus.positionOf(hop.slot), d, torus.coordinate(hop.to, d));
    }

    /** Returns the group of the short way along a dimension; on a mesh, of the only way. */
    private int preferredGroup(Hop hop, int d) {
        int from = torus.coordinate(hop.slot, d);
        int to = torus.coordinate(hop.to, d);
        int sign = torus.isMesh(d) ? to - from : torus.shortWay(d).direction(from, to, hop.side);
        return Dim.groupTowards(d, sign);
    }

    /**
     * Returns the last slot before the break in a direction. If the ring is whole, this is the last slot before the
     * walk returns to {@code slot}.
     */
    private int lastSlot(int slot, int group) {
        int last = slot;
        int next = torus.neighbour(slot, group);
        while (next >= 0 && next != slot) {
            last = next;
            next = torus.neighbour(next, group);
        }
        return last;
    }

    private boolean isWhole(int slot, int group) {
        return torus.neighbour(lastSlot(slot, group), group) == slot;
    }

    /** Returns the text for the place at which the line of a slot is broken in a direction. */
    private String breakText(int slot, int group) {
        int d = Dim.dimension(group);
        int end = lastSlot(slot, group);
        String line = (torus.isMesh(d) ? "the line " : "the ring ") + torus.line(torus.positionOf(slot), d);
        int position = torus.positionOf(end);
        int beyond = torus.withCoordinate(position, d, torus.coordinate(end, d) + Dim.sign(group));
        return line + " is broken "
                + (torus.slotAt(beyond) < 0
                        ? "at " + torus.formatPosition(beyond) + ", whose switch is missing"
                        : "between " + torus.formatPosition(position) + " and " + torus.formatPosition(beyond));
    }
}
