package io.torussm.proof;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The trace of single packets, to name examples: slow and simple. */
final class PathTrace {
    private static final int NONE = FabricTables.NONE;

    private final FabricTables tables;

    PathTrace(FabricTables tables) {
        this.tables = tables;
    }

    /** The ways to lose a packet. */
    enum Fate {
        CIRCLE,
        NO_ENTRY,
        NO_CABLE,
        OTHER_PORT,
        DISCARDED
    }

    /** The place and way in which a packet is lost. */
    record Loss(Fate fate, int sw, int out) {}

    /** A visitor of the channels of a packet, one after the other, until it arrives or is lost. */
    private interface Visitor {
        void passes(int channel);
    }

    /** Returns the loss of a packet to a LID; null if it arrives. */
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
                return new Loss(Fate.NO_ENTRY, sw, out);
            }
            int port = tables.firstPort[sw] + out;
            boolean isThere = sw == destination.sw() && out == destination.switchPort();
            boolean isLink = out != 0 && tables.farPort[port] != NONE;
            if (!isThere && !isLink) {
                return new Loss(tables.endport[port] == NONE ? Fate.NO_CABLE : Fate.OTHER_PORT, sw, out);
            }
            int vl = tables.vl(sw, in, out, sl);
            if (vl == FabricTables.DROP_VL) {
                return new Loss(Fate.DISCARDED, sw, out);
            } else if (isThere) {
                return null;
            }
            visitor.passes(port * ChannelRanks.VLS + vl);
            in = tables.farPort[port] - tables.firstPort[tables.farSwitch[port]];
            sw = tables.farSwitch[port];
        }
        return new Loss(Fate.CIRCLE, sw, LinearForwardingTable.NO_PATH);
    }

    /** A pair of end port and LID whose packets occupy one channel while they wait for another. */
    record Pair(int end, int lid) {}

    /** Finds such a pair among hosts, or else one with a port 0 of a switch. */
    Optional<Pair> waiting(int held, int wanted) {
        return Stream.of(false, true)
                .flatMap(withSwitches -> waiting(held, wanted, withSwitches).stream())
                .findFirst();
    }

    private Optional<Pair> waiting(int held, int wanted, boolean withSwitches) {
        int sw = tables.switchOf(held / ChannelRanks.VLS);
        int to = tables.farSwitch[held / ChannelRanks.VLS];
        for (int lid = 1; lid <= tables.topLid(); lid++) {
            int owner = tables.endportOfLid[lid];
            boolean isOn = owner != NONE
                    && tables.endports[owner].sw() != NONE
                    && tables.linkTo(sw, lid) == held / ChannelRanks.VLS
                    && tables.linkTo(to, lid) == wanted / ChannelRanks.VLS;
            for (int end = 0; isOn && end < tables.endports.length; end++) {
                boolean isOfSwitch = tables.endports[end].isSwitch() || tables.endports[owner].isSwitch();
                if (isOfSwitch == withSwitches && sends(end, lid) && waits(end, lid, held, wanted)) {
                    return Optional.of(new Pair(end, lid));
                }
            }
        }
        return Optional.empty();
    }

    /** Checks whether an end port at a switch sends to a LID. */
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
