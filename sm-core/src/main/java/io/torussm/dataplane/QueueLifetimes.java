package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.PS_PER_NS;

import io.torussm.sim.model.PortCounter;
import org.jspecify.annotations.Nullable;

/** HOQLife and LifeTimeValue: a timer for each queue whose first packet may expire. Packets expire in switches only. */
final class QueueLifetimes {
    private final DataPlane plane;
    private final DataPlaneSettings settings;
    private final boolean canExpire;

    /** By channel: the time since which its first packet is the first, and whether a timer runs for it. */
    private final long[] firstSinceNs;

    private final boolean[] hasTimer;

    QueueLifetimes(DataPlane plane) {
        this.plane = plane;
        settings = plane.settings;
        canExpire = settings.canExpire();
        firstSinceNs = new long[canExpire ? plane.firstPacket.length : 0];
        hasTimer = new boolean[firstSinceNs.length];
    }

    /** Handles a packet that becomes the first of its queue. */
    void beginLifetime(int channel, int packet) {
        if (canExpire && plane.packets.channel[packet] != NONE) {
            firstSinceNs[channel] = plane.nowNs();
            if (!hasTimer[channel]) {
                hasTimer[channel] = true;
                plane.expireAt(deadlineNs(channel), channel);
            }
        }
    }

    private long deadlineNs(int channel) {
        long inSwitchNs = plane.packets.arrivedAtPs[plane.firstPacket[channel]] / PS_PER_NS;
        long deadline = Math.min(
                DataPlaneSettings.after(firstSinceNs[channel], settings.headOfQueueNs()),
                DataPlaneSettings.after(inSwitchNs, settings.lifetimeNs()));
        return Math.max(deadline, plane.nowNs() + 1);
    }

    /**
     * Handles the end of a timer.
     *
     * @return the counter of the limit that the first packet of the channel has exceeded; null if none has
     */
    @Nullable
    PortCounter onTimerEnd(int channel) {
        hasTimer[channel] = false;
        if (plane.firstPacket[channel] == NONE) {
            return null;
        }
        long next = plane.nowNs() + 1;
        if (deadlineNs(channel) > next) {
            hasTimer[channel] = true;
            plane.expireAt(deadlineNs(channel), channel);
            return null;
        }
        return DataPlaneSettings.after(firstSinceNs[channel], settings.headOfQueueNs()) <= next
                ? PortCounter.SW_HOQ_LIFETIME_LIMIT_DISCARDS
                : PortCounter.SW_LIFETIME_LIMIT_DISCARDS;
    }
}
