package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.FIRST_GROUP;
import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.PS_PER_NS;
import static io.torussm.dataplane.DataPlane.VL_BITS;

import io.torussm.dataplane.Workload.Message;
import io.torussm.dataplane.congestion.ThrottledFlows.Flow;
import io.torussm.dataplane.congestion.ThrottledFlows.QueuedMessage;
import io.torussm.fabric.Fabric;
import io.torussm.sim.model.PortCounter;
import org.jspecify.annotations.Nullable;

/**
 * The hosts: they split messages of the workload into packets, choose LID, SL and VL, and keep some packets
 * in their queue.
 */
final class Senders {
    /** LRH, BTH and both CRCs. */
    private static final int CNP_BYTES = 26;

    private final DataPlane plane;
    private final Hosts hosts;
    private final ForwardingTables tables;
    private final SlChoice sls;
    private final Workload workload;

    /** By host: the present message, and its remaining bytes. */
    private final Message[] sending;

    private final int[] unsent;

    /** By host: number of messages, which use the LIDs of their destinations in turn. */
    private final int[] sentMessages;

    /** By host: packets in the queue, and whether the host has no message or no space. */
    private final int[] backlog;

    private final boolean[] isAsleep;

    /** By host: whether it sleeps for want of space. */
    private final boolean[] lacksSpace;

    /** The part of congestion control; null if it has no effect. */
    private final @Nullable HostThrottle throttle;

    /** Starts with the first messages of every host. */
    Senders(DataPlane plane, Hosts hosts, ForwardingTables tables, SlChoice sls, Workload workload) {
        this.plane = plane;
        this.hosts = hosts;
        this.tables = tables;
        this.sls = sls;
        this.workload = workload;
        sending = new Message[hosts.count()];
        unsent = new int[hosts.count()];
        sentMessages = new int[hosts.count()];
        backlog = new int[hosts.count()];
        isAsleep = new boolean[hosts.count()];
        lacksSpace = new boolean[hosts.count()];
        throttle = HostThrottle.of(plane, this, hosts.count());
        for (int host = 0; host < hosts.count(); host++) {
            sending[host] = new Message();
            isAsleep[host] = true;
            resume(host);
        }
    }

    /** Queues the messages of a host while there is space. The rest of the space is for flows that are due. */
    void generate(int host) {
        queueMessages(host);
        if (throttle != null) {
            throttle.fill(host);
        }
    }

    private void queueMessages(int host) {
        Message message = sending[host];
        long nowNs = plane.nowNs();
        while (backlog[host] < plane.settings.backlog()) {
            if (unsent[host] == 0) {
                if (!workload.next(host, nowNs, message)) {
                    isAsleep[host] = true;
                    return;
                }
                unsent[host] = message.bytes;
                sentMessages[host]++;
            }
            if (message.atPs > nowNs * PS_PER_NS) {
                plane.generateAt(message.atPs, host);
                return;
            }
            int dlid = dlid(host, message);
            int sl = sls.sl(host, dlid, message.level);
            if (throttle != null && message.to < FIRST_GROUP && isHeld(throttle, host, message, dlid, sl)) {
                unsent[host] = 0;
                continue;
            }
            int bytes = Math.min(unsent[host], plane.settings.packetBytes());
            unsent[host] -= bytes;
            int ends = unsent[host] == 0 ? message.bytes : 0;
            if (!queue(host, dlid, sl, bytes, ends, message.atPs, NONE)) {
                plane.generateAt(nowNs * PS_PER_NS + (long) bytes * hosts.psPerByte(host), host);
                return;
            }
        }
        isAsleep[host] = true;
        lacksSpace[host] = true;
    }

    /** Moves the rest of a message to the queue of its flow, if that is slowed down. */
    private boolean isHeld(HostThrottle ofHosts, int host, Message message, int dlid, int sl) {
        Flow flow = ofHosts.flow(host, message.to, sl);
        if (flow == null) {
            return false;
        }
        boolean isNew = unsent[host] == message.bytes;
        if (isNew && workload.isEndless() && !ofHosts.hasSpace(flow)) {
            ofHosts.countWithheld();
        } else {
            ofHosts.queueMessage(
                    flow, new QueuedMessage(message.to, dlid, sl, message.bytes, message.atPs), unsent[host]);
        }
        return true;
    }

    /**
     * Queues a packet; returns false if it is lost immediately. It takes its time on the cable nevertheless.
     *
     * @param ends bytes of the message that it ends, else 0
     * @param flow number of the flow, NONE if that is not slowed down
     */
    boolean queue(int host, int dlid, int sl, int bytes, int ends, long atPs, int flow) {
        int link = plane.links.linkOfPort[hosts.port(host)];
        int vl = vl(host, sl);
        if (vl == ForwardingTables.DROP_VL || plane.links.isDown[link]) {
            Drop reason = sl < 0 ? Drop.NO_PATH : vl == ForwardingTables.DROP_VL ? Drop.VL_15 : Drop.NO_ROUTE;
            plane.tally().drop(reason);
            if (reason == Drop.NO_ROUTE) {
                plane.traffic.countDiscard(link, PortCounter.INACTIVE_DISCARDS);
            }
            workload.lost(host, dlid, reason);
            return false;
        }
        int packet = packet(host, dlid, sl, bytes);
        Packets packets = plane.packets;
        packets.completedMessageBytes[packet] = ends;
        packets.dueAtPs[packet] = atPs;
        packets.flow[packet] = flow;
        backlog[host]++;
        plane.enqueue(packet, link << VL_BITS | vl, false);
        return true;
    }

    /** Queues a CNP before all packets of its VL; it is lost if it cannot leave. */
    boolean queueCnp(int host, int to, int sl) {
        int link = plane.links.linkOfPort[hosts.port(host)];
        int vl = vl(host, sl);
        if (vl == ForwardingTables.DROP_VL || plane.links.isDown[link]) {
            return false;
        }
        int packet = packet(host, hosts.lid(to), sl, CNP_BYTES);
        plane.packets.congestion[packet] = Packets.CNP;
        plane.enqueue(packet, link << VL_BITS | vl, true);
        return true;
    }

    private int packet(int host, int dlid, int sl, int bytes) {
        Packets packets = plane.packets;
        int packet = packets.allocate();
        packets.dlid[packet] = dlid;
        packets.bytes[packet] = bytes;
        packets.sl[packet] = sl;
        packets.source[packet] = host;
        packets.channel[packet] = NONE;
        packets.completedMessageBytes[packet] = 0;
        packets.arrivedAtPs[packet] = plane.nowNs() * PS_PER_NS;
        return packet;
    }

    private int vl(int host, int sl) {
        int port = hosts.port(host);
        Fabric fabric = plane.links.fabric;
        return sl < 0 ? ForwardingTables.DROP_VL : tables.vl(fabric.nodeOf(port), 0, fabric.portNum(port), sl);
    }

    private int dlid(int host, Message message) {
        return message.to < FIRST_GROUP
                ? hosts.lid(message.to) + sentMessages[host] % hosts.lidCount(message.to)
                : message.to;
    }

    /** Checks whether the queue of a host has space for a packet. */
    boolean hasSpace(int host) {
        return backlog[host] < plane.settings.backlog();
    }

    /** Checks whether messages of a host wait for space. */
    boolean waitsForSpace(int host) {
        return isAsleep[host] && lacksSpace[host];
    }

    /** Returns the time of a packet on the cable of a host. */
    long packetPs(int host, int bytes) {
        return (long) bytes * hosts.psPerByte(host);
    }

    /** Handles a packet with FECN, or a CNP, that has arrived at a host. */
    void onCongestion(int packet, int host) {
        if (throttle != null) {
            throttle.onCongestion(packet, host);
        }
    }

    /** Handles the end of a pause of a flow. */
    void release(int flow) {
        if (throttle != null) {
            throttle.release(flow);
        }
    }

    /** Handles the end of a timer of a host and an SL. */
    void onTimerEnd(int timer) {
        if (throttle != null) {
            throttle.onTimerEnd(timer);
        }
    }

    /**
     * Frees the space of a packet that leaves its host.
     *
     * @param endPs time at which its last byte leaves
     */
    void freeSpace(int packet, long endPs) {
        int host = plane.packets.source[packet];
        if (throttle != null) {
            if (plane.packets.congestion[packet] == Packets.CNP) {
                throttle.onCnpLeft(host);
                return;
            }
            backlog[host]--;
            if (throttle.onPacketLeft(packet, endPs)) {
                return;
            }
        } else {
            backlog[host]--;
        }
        resume(host);
    }

    /** Queues messages of a host again, if it had no message or no space. */
    void resume(int host) {
        if (isAsleep[host]) {
            isAsleep[host] = false;
            lacksSpace[host] = false;
            plane.generateAt(plane.nowNs() * PS_PER_NS, host);
        }
    }
}
