package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.FIRST_GROUP;
import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.VL_BITS;

import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.FecnMarking;
import org.jspecify.annotations.Nullable;

/** The switches' part of congestion control on packets; does nothing if no switch marks or returns credits late. */
final class PacketMarks {
    private final DataPlane plane;
    private final DataLinks links;
    private final Packets packets;
    private final @Nullable FecnMarking marking;

    /** The counters; null without congestion control. */
    final @Nullable CongestionCounters counters;

    PacketMarks(DataPlane plane, int hosts) {
        this.plane = plane;
        links = plane.links;
        packets = plane.packets;
        CongestionParameters congestion = plane.settings.congestion();
        if (congestion == null) {
            counters = null;
            marking = null;
        } else {
            counters = new CongestionCounters(links.fabric.portCount(), hosts);
            FecnMarking ofSwitches = new FecnMarking(
                    congestion, counters, this::hasBytes, links.directions(), plane.settings.bufferBytes());
            marking = ofSwitches.canMark() || ofSwitches.isStarving() ? ofSwitches : null;
        }
    }

    /** Checks whether any switch marks packets. */
    boolean canMark() {
        return marking != null && marking.canMark();
    }

    /** Counts along the queue, mostly one packet. A sum for each channel would be changed by each packet twice. */
    private boolean hasBytes(int channel, int bytes) {
        int sum = 0;
        for (int packet = plane.firstPacket[channel]; packet != NONE && sum < bytes; packet = packets.next[packet]) {
            sum += packets.bytes[packet];
        }
        return sum >= bytes;
    }

    /**
     * Notes that first packets lack credits although their port is free.
     *
     * @param vls bit n: that of VL n
     */
    void lackCredits(int link, int vls) {
        if (vls != 0 && marking != null) {
            marking.lackCredits(link, vls);
        }
    }

    /** Sets FECN in a packet that begins to leave; returns the time by which its credits return later. */
    long mark(int packet, int channel) {
        if (marking == null) {
            return 0;
        }
        int bytes = packets.bytes[packet];
        boolean isExempt = packets.dlid[packet] >= FIRST_GROUP || packets.congestion[packet] == Packets.CNP;
        if (marking.markOnLeave(channel, bytes, isExempt)) {
            packets.congestion[packet] = Packets.FECN;
        }
        if (!marking.isStarving() || packets.channel[packet] == NONE) {
            return 0;
        }
        int in = packets.channel[packet] >> VL_BITS;
        return marking.starvationPs(in, channel, (long) bytes * links.psPerByte[in]);
    }
}
