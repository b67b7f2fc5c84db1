package io.torussm.deadlock.transition;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order of change as {@code docs/developer/order-of-change.md} defines it, found by following every packet to each
 * LID from each end port, one SL at a time, through old and new entries. A second opinion on {@link TransitionPlanner}.
 */
final class FollowedPackets {
    private static final byte NO_PATH = (byte) 0xff;

    private final Channels channels;
    private final HeldTables held;
    private final @Nullable Plan previousPlan;
    private final Plan plan;
    private final Certificate certificate;
    private final int topLid;

    FollowedPackets(
            HeldTables held, @Nullable Plan previousPlan, Plan plan, Certificate certificate, RoutingOptions options) {
        this.channels = new Channels(plan, options, held);
        this.held = held;
        this.previousPlan = previousPlan;
        this.plan = plan;
        this.certificate = certificate;
        topLid = Math.max(
                plan.subnet().topLid(),
                previousPlan == null ? 0 : previousPlan.subnet().topLid());
    }

    /** Dependencies of packets: by held channel, then by wanted channel, the LIDs of these packets. */
    private static final class Waits {
        private final TreeMap<Integer, TreeMap<Integer, BitSet>> byChannel = new TreeMap<>();

        private void add(int holds, int wants, int lid) {
            byChannel
                    .computeIfAbsent(holds, any -> new TreeMap<>())
                    .computeIfAbsent(wants, any -> new BitSet())
                    .set(lid);
        }

        private void addAll(Certificate certificate) {
            for (int channel = 0; channel < certificate.unicast().size(); channel++) {
                for (int edge = certificate.unicast().first(channel);
                        edge < certificate.unicast().first(channel + 1);
                        edge++) {
                    add(channel, certificate.unicast().successor(edge), 0);
                }
            }
        }

        private void addGroups(Certificate certificate) {
            MulticastDependencies groups = certificate.groupTraffic();
            for (int channel = 0;
                    groups != null && channel < certificate.unicast().size();
                    channel++) {
                for (int edge = groups.first(channel); edge < groups.first(channel + 1); edge++) {
                    add(channel, groups.wanted(edge), 0);
                }
            }
        }

        private boolean hasCycle() {
            return byChannel.keySet().stream().anyMatch(channel -> leads(channel, channel));
        }

        /** Checks whether a path of one dependency or more leads from one channel to another. */
        private boolean leads(int from, int to) {
            Set<Integer> reached = new HashSet<>();
            Deque<Integer> open = new ArrayDeque<>(Set.of(from));
            while (!open.isEmpty()) {
                for (int next :
                        byChannel.getOrDefault(open.remove(), new TreeMap<>()).keySet()) {
                    if (next == to) {
                        return true;
                    }
                    if (reached.add(next)) {
                        open.add(next);
                    }
                }
            }
            return false;
        }
    }

    /** Returns the highest LID of the old and the new plan. */
    int topLid() {
        return topLid;
    }

    private byte newEntry(int sw, int lid) {
        byte[] lft = plan.lft(sw);
        return lid < lft.length ? lft[lid] : NO_PATH;
    }

    private byte oldEntry(int sw, int lid) {
        byte[] lft = held.lft(sw);
        if (lft == null) {
            return newEntry(sw, lid);
        }
        return lid < lft.length ? lft[lid] : NO_PATH;
    }

    private boolean isChanged(int sw, int lid) {
        return oldEntry(sw, lid) != newEntry(sw, lid);
    }

    /** Checks whether an entry leads to another switch by a link that is not up. */
    private boolean isDown(int sw, byte entry) {
        int link = channels.link(sw, entry & 0xff);
        if (link == Fabric.NONE) {
            return false;
        }
        int port = channels.linkPort(link);
        return !held.isUp(port) || !held.isUp(channels.fabric.peer(port));
    }

    /** Checks whether packets are lost by an entry: it leads to no port, to no cable, or to a link that is not up. */
    private boolean isLost(int sw, byte entry) {
        int portNum = entry & 0xff;
        Fabric fabric = channels.fabric;
        return entry != NO_PATH
                && (portNum > fabric.numPorts(sw)
                        || (portNum > 0 && fabric.peer(fabric.port(sw, portNum)) == Fabric.NONE)
                        || isDown(sw, entry));
    }

    boolean isEarly(int sw, int lid) {
        return isChanged(sw, lid) && isDown(sw, newEntry(sw, lid));
    }

    boolean isLate(int sw, int lid) {
        return isChanged(sw, lid) && !isEarly(sw, lid) && isLost(sw, oldEntry(sw, lid));
    }

    /** Returns the links by which packets to a LID may leave a switch, while early and late entries wait or do not. */
    private int[] links(int sw, int lid, boolean isWaiting) {
        boolean isDeferred = isWaiting && (isEarly(sw, lid) || isLate(sw, lid));
        return IntStream.of(newEntry(sw, lid), oldEntry(sw, lid))
                .map(entry -> isDeferred ? Fabric.NONE : channels.link(sw, entry & 0xff))
                .filter(link -> link != Fabric.NONE)
                .distinct()
                .toArray();
    }

    private int sls(int sw, int lid) {
        if (plan.subnet().portOfLid(lid) != Fabric.NONE) {
            return plan.slMask(sw, lid);
        }
        int before = previousPlan == null
                ? Fabric.NONE
                : previousPlan.subnet().fabric().nodeByGuid(channels.fabric.nodeGuid(sw));
        return before == Fabric.NONE || previousPlan == null ? 0 : previousPlan.slMask(before, lid);
    }

    private boolean isVanished(int lid) {
        return plan.subnet().portOfLid(lid) == Fabric.NONE
                && previousPlan != null
                && previousPlan.subnet().portOfLid(lid) != Fabric.NONE;
    }

    private boolean isDestination(int lid) {
        return plan.subnet().portOfLid(lid) != Fabric.NONE || isVanished(lid);
    }

    /** A packet of an SL that has entered a switch in an ingress class. */
    private record Packet(int sw, int ingress, int sl) {}

    private Waits follow(IntPredicate lids, boolean isWaiting) {
        Waits waits = new Waits();
        IntStream.rangeClosed(1, topLid).filter(lids).forEach(lid -> follow(lid, isWaiting, waits));
        return waits;
    }

    private void follow(int lid, boolean isWaiting, Waits waits) {
        Set<Packet> known = new HashSet<>();
        Deque<Packet> open = new ArrayDeque<>();
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int ingress : channels.localClasses[sw]) {
                for (int sl = 0; sl < 16; sl++) {
                    if ((sls(sw, lid) >> sl & 1) != 0) {
                        open.add(new Packet(sw, ingress, sl));
                    }
                }
            }
        }
        while (!open.isEmpty()) {
            Packet packet = open.remove();
            if (known.add(packet)) {
                for (int link : links(packet.sw, lid, isWaiting)) {
                    Packet next = new Packet(channels.linkTo[link], channels.linkClass[link], packet.sl);
                    for (int nextLink : links(next.sw, lid, isWaiting)) {
                        wait(vls(packet, link), link, vls(next, nextLink), nextLink, lid, waits);
                    }
                    open.add(next);
                }
            }
        }
    }

    private int vls(Packet packet, int link) {
        return channels.vls(packet.sw, packet.ingress, link - channels.firstLink[packet.sw], packet.sl);
    }

    private static void wait(int holds, int link, int wants, int nextLink, int lid, Waits waits) {
        for (int vl = 0; vl < Channels.VLS; vl++) {
            for (int nextVl = 0; nextVl < Channels.VLS; nextVl++) {
                if ((holds >> vl & wants >> nextVl & 1) != 0) {
                    waits.add(link * Channels.VLS + vl, nextLink * Channels.VLS + nextVl, lid);
                }
            }
        }
    }

    private boolean isAnyRowChanged(int sw) {
        return IntStream.range(0, channels.degree(sw)).anyMatch(out -> channels.isRowChanged(sw, out));
    }

    /** Checks whether tables may be written in any order. */
    boolean isFree() {
        IntStream switches = IntStream.range(0, channels.switchCount);
        boolean isAnyUp = IntStream.range(0, channels.linkTo.length).anyMatch(link -> {
            int port = channels.linkPort(link);
            return held.isUp(port) && held.isUp(channels.fabric.peer(port));
        });
        boolean isAnyChange = switches.anyMatch(
                sw -> isAnyRowChanged(sw) || IntStream.rangeClosed(0, topLid).anyMatch(lid -> isChanged(sw, lid)));
        if (!isAnyUp || !isAnyChange) {
            return true;
        }
        Waits waits = follow(this::isDestination, false);
        waits.addAll(certificate);
        waits.addGroups(certificate);
        return !waits.hasCycle();
    }

    /** Checks whether entries of LIDs without a port may stay while all others have their new values. */
    boolean isVanishedLastSafe() {
        Waits waits = follow(this::isVanished, true);
        waits.addAll(certificate);
        waits.addGroups(certificate);
        return !waits.hasCycle();
    }

    /** Returns [switch] the LIDs whose entries are dropped. */
    BitSet[] dropped() {
        Waits all = follow(this::isDestination, true);
        Waits kept = new Waits();
        all.byChannel.forEach((holds, wanted) -> wanted.keySet().stream()
                .filter(wants -> isUpward(holds, wants))
                .forEach(wants -> kept.add(holds, wants, 0)));
        kept.addGroups(certificate);
        BitSet[] dropped = IntStream.range(0, channels.switchCount)
                .mapToObj(sw -> new BitSet())
                .toArray(BitSet[]::new);
        all.byChannel.forEach((holds, wanted) -> wanted.forEach((wants, lids) -> {
            if (isUpward(holds, wants)) {
                return;
            }
            if (holds.equals(wants) || kept.leads(wants, holds)) {
                lids.stream().forEach(lid -> drop(holds / Channels.VLS, wants / Channels.VLS, lid, dropped));
            } else {
                kept.add(holds, wants, 0);
            }
        }));
        return dropped;
    }

    private boolean isUpward(int holds, int wants) {
        int number = number(holds);
        return number != Fabric.NONE && number < number(wants);
    }

    private int number(int channel) {
        return certificate.number(channels.linkPort(channel / Channels.VLS), channel % Channels.VLS);
    }

    /** Checks whether the entry of a switch for a LID changes, or the row of its output. */
    private boolean isAffected(int sw, int lid) {
        int link = channels.link(sw, newEntry(sw, lid) & 0xff);
        return isChanged(sw, lid) || (link != Fabric.NONE && channels.isRowChanged(sw, link - channels.firstLink[sw]));
    }

    private void drop(int link, int nextLink, int lid, BitSet[] dropped) {
        int from = channels.linkSwitch(link);
        int to = channels.linkSwitch(nextLink);
        if (isAffected(to, lid)) {
            dropped[to].set(lid);
        } else if (isAffected(from, lid)) {
            dropped[from].set(lid);
        } else {
            Set<Integer> unaffected = new TreeSet<>(Set.of(from));
            boolean grows = true;
            while (grows) {
                grows = false;
                for (int sw = 0; sw < channels.switchCount; sw++) {
                    boolean leads = Arrays.stream(links(sw, lid, true))
                            .anyMatch(each -> unaffected.contains(channels.linkTo[each]));
                    if (leads && isAffected(sw, lid)) {
                        dropped[sw].set(lid);
                    } else if (leads) {
                        grows |= unaffected.add(sw);
                    }
                }
            }
        }
    }

    /** Returns a description of the tables, for the message of a failure. */
    @Override
    public String toString() {
        Map<String, String> changes = new TreeMap<>();
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int lid = 0; lid <= topLid; lid++) {
                if (isChanged(sw, lid)) {
                    changes.put(sw + " to " + lid, oldEntry(sw, lid) + " > " + newEntry(sw, lid));
                }
            }
        }
        return changes.toString();
    }
}
