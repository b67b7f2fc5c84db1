package io.torussm.proof;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A tracer of single packets, which finds examples of lost packets and dependencies. Slow and simple. */
final class PathTrace {
    private static final int NONE = FabricTables.NONE;

    private final FabricTables tables;

    PathTrace(FabricTables tables) {
        this.tables = tables;
    }

    /** The causes of the loss of a packet. */
    enum LossCause {
        /** Forwarding tables have a loop. */
        LOOP,
        /** The switch has no entry for the LID. */
        NO_ENTRY,
        /** The entry is a port without a cable. */
        NO_CABLE,
        /** The entry is the port of another end port. */
        OTHER_PORT,
        /** The SL2VL table maps the SL to VL15. */
        DISCARDED
    }

    /** The cause of the loss of a packet, the switch, and the egress port number there. */
    record Loss(LossCause cause, int sw, int out) {}

    /** A visitor of the channels of a packet in order, until the packet arrives or is lost. */
    private interface Visitor {
        void passes(int channel);
    }

    /** Returns the loss of packets from an end port to a LID; null if they arrive. */
    @Nullable
    Loss loss(int end, int lid) {
        return follow(end, lid, channel -> {});
    }

    private @Nullable Loss follow(int end, int lid, Visitor visitor) {
        FabricTables.EndPort destination = tables.endports[tables.endportOfLid[lid]];
        int sl = tables.sl(end, lid);
        int sw = tables.endports[end].sw();
        int in = tables.endports[end].switchPort();
        for (int hops = 0; hops <= 2 * tables.switchCount; hops++) { // into a loop, and once around
            int out = tables.lft(sw, lid);
            if (out == LinearForwardingTable.NO_PATH || out >= tables.ports(sw)) {
                return new Loss(LossCause.NO_ENTRY, sw, out);
            }
            int port = tables.firstPort[sw] + out;
            boolean isDelivered = sw == destination.sw() && out == destination.switchPort();
            boolean isLink = out != 0 && tables.farPort[port] != NONE;
            if (!isDelivered && !isLink) {
                return new Loss(tables.endport[port] == NONE ? LossCause.NO_CABLE : LossCause.OTHER_PORT, sw, out);
            }
            int vl = tables.vl(sw, in, out, sl);
            if (vl == FabricTables.DROP_VL) {
                return new Loss(LossCause.DISCARDED, sw, out);
            } else if (isDelivered) {
                return null;
            }
            visitor.passes(port * ChannelRanks.VLS + vl);
            in = tables.farPort[port] - tables.firstPort[tables.farSwitch[port]];
            sw = tables.farSwitch[port];
        }
        return new Loss(LossCause.LOOP, sw, LinearForwardingTable.NO_PATH);
    }

    /** A pair of end port and LID whose packets occupy one channel while they wait for another. */
    record Pair(int end, int lid) {}

    /** Finds a pair whose packets wait for a channel on another, first among hosts, then with ports 0 of switches. */
    Optional<Pair> waitingPair(int held, int wanted) {
        return Stream.of(false, true)
                .flatMap(withSwitches -> waitingPair(held, wanted, withSwitches).stream())
                .findFirst();
    }

    private Optional<Pair> waitingPair(int held, int wanted, boolean withSwitches) {
        int sw = tables.switchOf(held / ChannelRanks.VLS);
        int to = tables.farSwitch[held / ChannelRanks.VLS];
        for (int lid = 1; lid <= tables.topLid(); lid++) {
            int owner = tables.endportOfLid[lid];
            boolean isTurn = owner != NONE
                    && tables.endports[owner].sw() != NONE
                    && tables.linkTo(sw, lid) == held / ChannelRanks.VLS
                    && tables.linkTo(to, lid) == wanted / ChannelRanks.VLS;
            for (int end = 0; isTurn && end < tables.endports.length; end++) {
                boolean isOfSwitch = tables.endports[end].isSwitch() || tables.endports[owner].isSwitch();
                if (isOfSwitch == withSwitches && sends(end, lid) && waits(end, lid, held, wanted)) {
                    return Optional.of(new Pair(end, lid));
                }
            }
        }
        return Optional.empty();
    }

    /** Checks whether an end port is attached to a switch and sends to a LID. */
    boolean sends(int end, int lid) {
        return tables.endports[end].sw() != NONE && end != tables.endportOfLid[lid] && tables.sl(end, lid) != NONE;
    }

    private boolean waits(int end, int lid, int held, int wanted) {
        int[] state = {NONE, 0};
        follow(end, lid, channel -> {
            state[1] |= state[0] == held && channel == wanted ? 1 : 0;
            state[0] = channel;
        });
        return state[1] != 0;
    }
}
