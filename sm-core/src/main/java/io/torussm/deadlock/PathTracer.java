package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A tracer of single packets through the tables. Slow and simple: it finds examples of faults for the operator, and
 * verifies a {@link Certificate} independently of the walk. {@link #follow} sets the current path, to which hops of
 * other methods refer. Not thread-safe.
 */
final class PathTracer {
    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final Subnet subnet;
    private final Fabric fabric;
    private final Plan plan;
    /** The links of the current path: the first {@link #hops} elements. */
    private final int[] links;

    /** Number of links of the current path; a value above the number of switches means a loop. */
    private int hops;

    /** The last switch of the current path. */
    private int lastSwitch;

    /**
     * A packet that causes a dependency.
     *
     * @param sourcePort port index of the end port that sends it
     */
    record Example(int sourcePort, int dlid, int sl) {}

    PathTracer(Channels channels) {
        this.channels = channels;
        subnet = channels.subnet;
        fabric = channels.fabric;
        plan = channels.plan;
        links = new int[channels.switchCount + 1];
    }

    /**
     * Follows a LID from a switch to the switch of the LID, or until an entry is no link between switches or a loop is
     * found. The result becomes the current path.
     *
     * @return whether the packet reaches the end port of the LID
     */
    boolean follow(int from, int dlid) {
        hops = 0;
        lastSwitch = from;
        int destination = subnet.switchOfLid(dlid);
        while (lastSwitch != destination && hops < links.length) {
            int link = channels.link(lastSwitch, plan.lft(lastSwitch)[dlid] & 0xff);
            if (link == NONE) {
                return false;
            }
            links[hops++] = link;
            lastSwitch = channels.linkTo[link];
        }
        return lastSwitch == destination && (plan.lft(lastSwitch)[dlid] & 0xff) == channels.subnet.deliveryPort(dlid);
    }

    /** Returns the number of links of the current path. */
    int hops() {
        return hops;
    }

    /** Returns the link of a hop of the current path. */
    int link(int hop) {
        return links[hop];
    }

    /**
     * Returns the ingress class of packets at the switch that a hop of the current path leaves.
     *
     * @param local ingress class of injection, which is the result for hop 0
     */
    int ingress(int hop, int local) {
        return hop == 0 ? local : channels.linkClass[links[hop - 1]];
    }

    /**
     * Returns the out by which a hop of the current path leaves its switch, numbered within the switch.
     *
     * @param from first switch of the path
     */
    int out(int hop, int from) {
        int sw = hop == 0 ? from : channels.linkTo[links[hop - 1]];
        return links[hop] - channels.firstLink[sw];
    }

    /** Returns the first packet that does not reach a LID; null if all packets reach it. */
    @Nullable
    BrokenTables firstLoss(int dlid) {
        for (int sw = 0; sw < channels.switchCount; sw++) {
            int sls = channels.localClasses[sw].length == 0 ? 0 : plan.slMask(sw, dlid) & 0xffff;
            if (sls != 0 && !follow(sw, dlid)) {
                int sl = Integer.numberOfTrailingZeros(sls);
                int source = sourcePort(sw, channels.localClasses[sw][0]);
                return brokenTables(sw, source, dlid, sl);
            }
        }
        return null;
    }

    /** Describes the end of the current path, which does not reach a LID. */
    private BrokenTables brokenTables(int from, int source, int dlid, int sl) {
        String end;
        BrokenTables.TableFault kind;
        int entry = plan.lft(lastSwitch)[dlid] & 0xff;
        if (hops == links.length) {
            kind = BrokenTables.TableFault.LOOP;
            end = "goes in circles through " + loopText();
        } else {
            int port = channels.firstPort[lastSwitch] + entry;
            boolean exists = port < channels.firstPort[lastSwitch + 1] && channels.outOfPort[port] != NONE;
            kind = exists ? BrokenTables.TableFault.MISDELIVERY : BrokenTables.TableFault.DEAD_END;
            String leadsTo = !exists
                    ? "nothing"
                    : channels.outOfPort[port] >= channels.degree(lastSwitch) ? "another end port" : "another switch";
            end = "stops at " + switchName(lastSwitch)
                    + (entry == 0xff
                            ? ", which has no entry for it"
                            : ", whose entry is port " + entry + ", where " + leadsTo + " is");
        }
        return new BrokenTables(
                kind,
                source,
                dlid,
                sl,
                "the path from " + fabric.portName(source) + " at " + switchName(from) + " to " + lidName(dlid)
                        + " with SL " + sl + " " + end);
    }

    /** Returns the names of switches of the loop at the end of the current path, at most eight. */
    private String loopText() {
        int loopEntry = channels.linkTo[links[hops - 1]];
        StringBuilder text = new StringBuilder();
        int switches = 0;
        int sw;
        int hop = hops;
        do {
            sw = channels.linkSwitch(links[--hop]);
            if (switches++ < 8) {
                text.insert(0, switchName(sw) + (switches == 1 ? "" : ", "));
            }
        } while (sw != loopEntry);
        return (switches > 8 ? switches + " switches, among them " : "") + text;
    }

    /**
     * Returns a packet that leaves a switch on one channel and then waits for another.
     *
     * @throws IllegalStateException if there is no such packet
     */
    Example waitingPacket(int channel, int successor) {
        int link = channel / Channels.VLS;
        int sw = channels.linkSwitch(link);
        int entry = fabric.portNum(channels.linkPort(link));
        int to = channels.linkTo[link];
        int nextEntry = fabric.portNum(channels.linkPort(successor / Channels.VLS));
        for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
            int destination = subnet.switchOfLid(dlid);
            if (destination != NONE
                    && destination != sw
                    && destination != to
                    && (plan.lft(sw)[dlid] & 0xff) == entry
                    && (plan.lft(to)[dlid] & 0xff) == nextEntry) {
                for (int from = 0; from < channels.switchCount; from++) {
                    Example example = waitingPacket(from, dlid, channel, successor);
                    if (example != null) {
                        return example;
                    }
                }
            }
        }
        throw new IllegalStateException("no path waits on channel " + channel + " for " + successor);
    }

    private @Nullable Example waitingPacket(int from, int dlid, int channel, int successor) {
        int sls = plan.slMask(from, dlid) & 0xffff;
        if (sls == 0 || channels.localClasses[from].length == 0) {
            return null;
        }
        follow(from, dlid); // packets that are lost also occupy channels up to that hop
        for (int hop = 0; hop + 1 < hops; hop++) {
            if (links[hop] != channel / Channels.VLS) {
                continue;
            }
            for (int local : channels.localClasses[from]) {
                for (int rest = sls; rest != 0; rest &= rest - 1) {
                    int sl = Integer.numberOfTrailingZeros(rest);
                    if ((vls(hop, from, local, sl) >> channel % Channels.VLS & 1) != 0
                            && (vls(hop + 1, from, local, sl) >> successor % Channels.VLS & 1) != 0) {
                        return new Example(sourcePort(from, local), dlid, sl);
                    }
                }
            }
        }
        return null;
    }

    /**
     * Returns the VLs that packets may take on a hop of the current path (bit n: VL n).
     *
     * @param from first switch of the path
     * @param local ingress class of injection
     */
    int vls(int hop, int from, int local, int sl) {
        int sw = hop == 0 ? from : channels.linkTo[links[hop - 1]];
        return channels.vls(sw, ingress(hop, local), out(hop, from), sl);
    }

    /**
     * Returns the first packet that a switch maps to VL15, delivery included.
     *
     * @throws IllegalStateException if there is no such packet
     */
    BrokenTables firstDiscard() {
        for (int dlid = 1; dlid <= subnet.topLid(); dlid++) {
            int destination = subnet.switchOfLid(dlid);
            for (int from = 0; destination != NONE && from < channels.switchCount; from++) {
                for (int local : channels.localClasses[from]) {
                    BrokenTables broken = firstDiscard(from, local, dlid, plan.slMask(from, dlid) & 0xffff);
                    if (broken != null) {
                        return broken;
                    }
                }
            }
        }
        throw new IllegalStateException("no packet is mapped to VL15");
    }

    private @Nullable BrokenTables firstDiscard(int from, int local, int dlid, int sls) {
        if (sls == 0 || !follow(from, dlid)) {
            return null;
        }
        int port = channels.firstPort[lastSwitch] + channels.subnet.deliveryPort(dlid);
        for (int rest = sls; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            for (int hop = 0; hop <= hops; hop++) {
                int vls = hop < hops
                        ? vls(hop, from, local, sl)
                        : channels.vls(lastSwitch, ingress(hop, local), channels.outOfPort[port], sl);
                if (vls == 1 << 15) {
                    int out = hop < hops ? channels.linkPort(links[hop]) : port;
                    return vl15Fault(sourcePort(from, local), dlid, sl, switchName(fabric.nodeOf(out)), out);
                }
            }
        }
        return null;
    }

    private BrokenTables vl15Fault(int source, int dlid, int sl, String where, int out) {
        String text = "packets from " + fabric.portName(source) + " to " + lidName(dlid) + " with SL " + sl
                + " are discarded at " + where + ", which maps them to VL15 on port " + fabric.portNum(out);
        return new BrokenTables(BrokenTables.TableFault.VL15, source, dlid, sl, text);
    }

    /**
     * Returns a packet that its source discards, because the SL2VL table of the end port maps the SL to VL15; null if
     * there is no such packet.
     */
    @Nullable
    BrokenTables firstDiscardAtSource() {
        for (int from = 0; from < channels.switchCount; from++) {
            for (int port = channels.firstPort[from]; port < channels.firstPort[from + 1]; port++) {
                int source = channels.endport(port);
                if (source != NONE && !fabric.isSwitch(fabric.nodeOf(source))) {
                    BrokenTables broken = firstDiscardAtSource(from, source);
                    if (broken != null) {
                        return broken;
                    }
                }
            }
        }
        return null;
    }

    private @Nullable BrokenTables firstDiscardAtSource(int from, int source) {
        int vl15Sls = 0;
        long row = plan.sl2vl(source);
        for (int sl = 0; sl < 16; sl++) {
            vl15Sls |= SlToVlMappingTable.vl(row, sl) == 15 ? 1 << sl : 0;
        }
        for (int dlid = 1; vl15Sls != 0 && dlid <= subnet.topLid(); dlid++) {
            int destination = subnet.switchOfLid(dlid);
            int sl = destination == NONE || (plan.slMask(from, dlid) & vl15Sls) == 0
                    ? -1
                    : firstGrantedSl(source, dlid, vl15Sls);
            if (sl >= 0) {
                return vl15Fault(source, dlid, sl, "their source", source);
            }
        }
        return null;
    }

    /** Returns the first of some SLs (bit n: SL n) that the plan grants to a path from one end port; -1 without one. */
    private int firstGrantedSl(int source, int dlid, int sls) {
        return IntStream.range(0, 16)
                .map(wanted -> plan.pathSl(subnet.lid(source), dlid, wanted))
                .filter(sl -> sl >= 0 && (sls >> sl & 1) != 0)
                .findFirst()
                .orElse(-1);
    }

    /** Returns the first end port with a LID that injects through an ingress class. */
    private int sourcePort(int sw, int ingress) {
        for (int port = channels.firstPort[sw]; port < channels.firstPort[sw + 1]; port++) {
            if (channels.classOfPort[port] == ingress && channels.endport(port) != NONE) {
                return channels.endport(port);
            }
        }
        throw new IllegalStateException(fabric.name(sw) + " has no source in ingress class " + ingress);
    }

    /** Returns the name of a switch, with its coordinates if the plan has some. */
    String switchName(int sw) {
        String place = plan.coordinates(sw);
        return place.isEmpty() ? fabric.name(sw) : fabric.name(sw) + " " + place;
    }

    String lidName(int lid) {
        int port = subnet.portOfLid(lid);
        int node = fabric.nodeOf(port);
        return "LID " + lid + " (" + Guid.format(fabric.portGuid(port)) + " \"" + fabric.nodeName(node) + "\")";
    }
}
