package io.torussm.proof;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The walk of packets to multicast groups. Every end port at a switch with an entry may send, because the ports of
 * send-only members are not in the entry. A switch forwards a packet to all ports of the entry except the ingress port.
 */
final class GroupWalk {
    private static final int NONE = FabricTables.NONE;
    private static final int SLS = 16;

    private final FabricTables tables;

    GroupWalk(FabricTables tables) {
        this.tables = tables;
    }

    /** An end port that sends to a group with an SL. */
    record Sender(int mlid, int end, int sl) {}

    /** Adds the dependencies of packets of all groups. */
    void addTo(WaitGraph graph) {
        tables.groups.forEach((mlid, masks) -> {
            for (int rest = tables.groupSls(); rest != 0; rest &= rest - 1) {
                Flood flood = new Flood(masks, Integer.numberOfTrailingZeros(rest), graph);
                for (int end = 0; end < tables.endports.length; end++) {
                    flood.addSource(end);
                }
                flood.run();
            }
        });
    }

    /** Returns an end port whose packets occupy one channel while they wait for another. */
    Optional<Sender> waitingSender(int held, int wanted) {
        for (Map.Entry<Integer, long[] @Nullable []> group : tables.groups.entrySet()) {
            for (int sl = 0; sl < SLS; sl++) {
                for (int end = 0; (tables.groupSls() >> sl & 1) != 0 && end < tables.endports.length; end++) {
                    WaitGraph own = new WaitGraph();
                    Flood flood = new Flood(group.getValue(), sl, own);
                    flood.addSource(end);
                    flood.run();
                    if (own.hasWait(held, wanted)) {
                        return Optional.of(new Sender(group.getKey(), end, sl));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The packets of some senders to one group, with one SL. */
    private final class Flood {
        /** [switch] four words with a bit for each port of the entry; null without an entry. */
        private final long[] @Nullable [] masks;

        private final int sl;
        private final WaitGraph graph;
        private final BitSet visitedChannels = new BitSet();
        private final Queue<Integer> queue = new ArrayDeque<>();

        Flood(long[] @Nullable [] masks, int sl, WaitGraph graph) {
            this.masks = masks;
            this.sl = sl;
            this.graph = graph;
        }

        /** Adds the packets of an end port. */
        void addSource(int end) {
            int sw = tables.endports[end].sw();
            if (sw != NONE) {
                forward(sw, tables.endports[end].switchPort(), NONE);
            }
        }

        /** Follows packets over channels until no new channel is reached. */
        void run() {
            for (Integer channel = queue.poll(); channel != null; channel = queue.poll()) {
                int port = channel / ChannelRanks.VLS;
                int to = tables.farSwitch[port];
                forward(to, tables.farPort[port] - tables.firstPort[to], channel);
            }
        }

        /**
         * Forwards packets at a switch; {@code held} is the channel that they occupy, NONE for those of an end port.
         */
        private void forward(int sw, int in, int held) {
            long[] mask = masks[sw];
            for (int out = 1; mask != null && out < tables.ports(sw); out++) {
                int port = tables.firstPort[sw] + out;
                int vl = out != in && has(mask, out) && tables.farPort[port] != NONE
                        ? tables.vl(sw, in, out, sl)
                        : FabricTables.DROP_VL;
                if (vl != FabricTables.DROP_VL) {
                    int channel = port * ChannelRanks.VLS + vl;
                    if (held == NONE) {
                        graph.markUsed(channel);
                    } else {
                        graph.addWait(held, channel);
                    }
                    if (!visitedChannels.get(channel)) {
                        visitedChannels.set(channel);
                        queue.add(channel);
                    }
                }
            }
        }
    }

    private static boolean has(long[] mask, int port) {
        return (mask[port >> 6] >> port & 1) != 0;
    }

    /**
     * Returns the faults of the trees of groups, each as a sentence: loops, cables with an entry at only one end,
     * disconnected parts.
     */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        new TreeMap<>(tables.groups).forEach((mlid, masks) -> faults.addAll(faults(mlid, masks)));
        return faults;
    }

    private List<String> faults(int mlid, long[] @Nullable [] masks) {
        List<String> faults = new ArrayList<>();
        String group = String.format("group 0x%04X: ", mlid);
        int[] part = new int[tables.switchCount];
        int parts = 0;
        for (int start = 0; start < part.length; start++) {
            if (masks[start] == null || part[start] != 0) {
                continue;
            }
            parts++;
            int switches = 0;
            int ends = 0;
            Queue<Integer> queue = new ArrayDeque<>(List.of(start));
            part[start] = parts;
            for (Integer sw = queue.poll(); sw != null; sw = queue.poll()) {
                switches++;
                long[] mask = masks[sw];
                for (int out = 1; mask != null && out < tables.ports(sw); out++) {
                    int port = tables.firstPort[sw] + out;
                    int to = tables.farSwitch[port];
                    if (!has(mask, out) || to == NONE) {
                        continue;
                    }
                    long[] far = masks[to];
                    if (far == null || !has(far, tables.farPort[port] - tables.firstPort[to])) {
                        faults.add(group + tables.portName(port) + " sends to " + tables.switchName[to]
                                + ", which does not send back");
                        continue;
                    }
                    ends++;
                    if (part[to] == 0) {
                        part[to] = parts;
                        queue.add(to);
                    }
                }
            }
            if (ends / 2 >= switches) {
                faults.add(group + "packets go in circles among the " + switches + " switches around "
                        + tables.switchName[start]);
            }
        }
        if (parts > 1) {
            faults.add(group + "its switches fall into " + parts + " parts that do not hear each other");
        }
        return faults;
    }
}
