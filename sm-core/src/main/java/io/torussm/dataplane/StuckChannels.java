package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.VL_BITS;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The permanently blocked channels of a data plane. A channel is blocked if its first packet lacks credits
 * and the far buffer never gets more space. That is the case if no packet or credit of that buffer is in
 * flight, and every packet in it waits for a blocked channel; of a packet to a group, one copy suffices. The
 * largest such set is found by removing channels that do not satisfy this, until none is left to remove. It
 * does not depend on timers: the channels of the set are blocked for ever.
 */
final class StuckChannels {
    private final DataPlane plane;
    private final Packets packets;
    private final boolean[] isStuck;

    /** By number of the packet that fills a buffer: whether it can never leave. */
    private final boolean[] isHeld;

    /** By channel: bytes and packets in its buffer that can never leave. */
    private final int[] heldBytes;

    private final int[] heldPackets;

    StuckChannels(DataPlane plane) {
        this.plane = plane;
        packets = plane.packets;
        isStuck = new boolean[plane.firstPacket.length];
        isHeld = new boolean[packets.capacity()];
        heldBytes = new int[isStuck.length];
        heldPackets = new int[isStuck.length];
        for (int channel = 0; channel < isStuck.length; channel++) {
            isStuck[channel] = plane.firstPacket[channel] != NONE && isBlocked(channel);
        }
        boolean isChanging = true;
        while (isChanging) {
            markHeldPackets();
            isChanging = false;
            for (int channel = 0; channel < isStuck.length; channel++) {
                if (isStuck[channel] && isServed(channel) && !isFilledForEver(channel)) {
                    isStuck[channel] = false;
                    isChanging = true;
                }
            }
        }
    }

    private boolean isBlocked(int channel) {
        return !isServed(channel) || plane.credits[channel] < packets.bytes[plane.firstPacket[channel]];
    }

    private boolean isServed(int channel) {
        return plane.arbiters[channel >> VL_BITS].hasWeight(channel & (1 << VL_BITS) - 1);
    }

    private boolean isFilledForEver(int channel) {
        return plane.credits[channel] + heldBytes[channel] == plane.settings.bufferBytes();
    }

    /** Marks the packets that wait for blocked channels. */
    private void markHeldPackets() {
        Arrays.fill(isHeld, false);
        Arrays.fill(heldBytes, 0);
        Arrays.fill(heldPackets, 0);
        for (int channel = 0; channel < isStuck.length; channel++) {
            for (int packet = isStuck[channel] ? plane.firstPacket[channel] : NONE;
                    packet != NONE;
                    packet = packets.next[packet]) {
                int origin = packets.origin[packet];
                int fills = packets.channel[origin];
                if (fills != NONE && !isHeld[origin]) {
                    isHeld[origin] = true;
                    heldBytes[fills] += packets.bytes[origin];
                    heldPackets[fills]++;
                }
            }
        }
    }

    /** Returns the cycle, if any channel is blocked. */
    Optional<Deadlock> deadlock(Hosts hosts) {
        int[] inBuffer = new int[isStuck.length];
        int[] waitsFor = new int[isStuck.length];
        Arrays.fill(inBuffer, NONE);
        int stuck = 0;
        int start = NONE;
        for (int channel = isStuck.length - 1; channel >= 0; channel--) {
            if (!isStuck[channel]) {
                continue;
            }
            stuck++;
            start = channel;
            for (int packet = plane.firstPacket[channel]; packet != NONE; packet = packets.next[packet]) {
                int fills = packets.channel[packets.origin[packet]];
                if (fills != NONE) {
                    inBuffer[fills] = packet;
                    waitsFor[fills] = channel;
                }
            }
        }
        if (start == NONE) {
            return Optional.empty();
        }
        int all = Arrays.stream(heldPackets).sum();
        return Optional.of(new Deadlock(stuck, all, waitsOfDeadlock(hosts, start, inBuffer, waitsFor)));
    }

    private List<Deadlock.Wait> waitsOfDeadlock(Hosts hosts, int start, int[] inBuffer, int[] waitsFor) {
        List<Integer> way = new ArrayList<>();
        int channel = start;
        while (!way.contains(channel)) {
            way.add(channel);
            if (!isServed(channel)) {
                return List.of(waitOf(hosts, channel, plane.firstPacket[channel], NONE));
            }
            channel = waitsFor[channel];
        }
        return way.subList(way.indexOf(channel), way.size()).stream()
                .map(each -> waitOf(hosts, each, inBuffer[each], waitsFor[each]))
                .toList();
    }

    private Deadlock.Wait waitOf(Hosts hosts, int channel, int packet, int next) {
        int port = plane.links.nearPort[channel >> VL_BITS];
        int vl = channel & (1 << VL_BITS) - 1;
        int source = hosts.port(packets.source[packet]);
        String text = plane.links.fabric.portName(port) + " VL " + vl + ": "
                + (next == NONE
                        ? "VL arbitration never serves this VL; first waits"
                        : heldPackets[channel] + " packets, " + heldBytes[channel] + " bytes, among them")
                + " one of SL " + packets.sl[packet] + " from " + hosts.name(packets.source[packet]) + " to LID "
                + packets.dlid[packet]
                + (next == NONE
                        ? ""
                        : ", waits for " + plane.links.fabric.portName(plane.links.nearPort[next >> VL_BITS]) + " VL "
                                + (next & (1 << VL_BITS) - 1));
        return new Deadlock.Wait(
                port,
                vl,
                heldPackets[channel],
                heldBytes[channel],
                source,
                packets.dlid[packet],
                packets.sl[packet],
                text);
    }
}
