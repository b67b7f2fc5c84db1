package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.FIRST_GROUP;
import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.PS_PER_NS;
import static io.torussm.dataplane.DataPlane.VL_BITS;

import io.torussm.dataplane.Workload.Message;
import io.torussm.sim.model.PortCounter;

/**
 * The hosts: they split messages of the workload into packets, choose LID, SL and VL, and keep some packets
 * in their queue.
 */
final class Senders {
    private final DataPlane plane;
    private final Hosts hosts;
    private final ForwardingTables tables;
    private final SlChoice sls;
    private final Workload workload;

    /** By host: the present message, and its remaining bytes. */
    private final Message[] sending;

    private final int[] unsent;

    /** By host: number of messages, which use the LIDs of their destinations in turn. */
    private final int[] sent;

    /** By host: packets in the queue, and whether the host has no message or no space. */
    private final int[] backlog;

    private final boolean[] isAsleep;

    /** Starts with the first messages of every host. */
    Senders(DataPlane plane, Hosts hosts, ForwardingTables tables, SlChoice sls, Workload workload) {
        this.plane = plane;
        this.hosts = hosts;
        this.tables = tables;
        this.sls = sls;
        this.workload = workload;
        sending = new Message[hosts.count()];
        unsent = new int[hosts.count()];
        sent = new int[hosts.count()];
        backlog = new int[hosts.count()];
        isAsleep = new boolean[hosts.count()];
        for (int host = 0; host < hosts.count(); host++) {
            sending[host] = new Message();
            isAsleep[host] = true;
            resume(host);
        }
    }

    /** Queues the messages of a host while there is space. */
    void generate(int host) {
        Message message = sending[host];
        long nowNs = plane.nowNs();
        while (backlog[host] < plane.settings.backlog()) {
            if (unsent[host] == 0) {
                if (!workload.next(host, nowNs, message)) {
                    isAsleep[host] = true;
                    return;
                }
                unsent[host] = message.bytes;
                sent[host]++;
            }
            if (message.atPs > nowNs * PS_PER_NS) {
                plane.generateAt(message.atPs, host);
                return;
            }
            int bytes = Math.min(unsent[host], plane.settings.packetBytes());
            unsent[host] -= bytes;
            if (!queue(host, message, bytes)) {
                plane.generateAt(nowNs * PS_PER_NS + (long) bytes * hosts.psPerByte(host), host);
                return;
            }
        }
        isAsleep[host] = true;
    }

    /**
     * Queues a packet; returns false if it is lost immediately. It takes its time on the cable nevertheless.
     */
    private boolean queue(int host, Message message, int bytes) {
        int dlid = message.to < FIRST_GROUP ? hosts.lid(message.to) + sent[host] % hosts.lids(message.to) : message.to;
        int port = hosts.port(host);
        DataLinks links = plane.links;
        int sl = sls.sl(host, dlid, message.level);
        int vl = sl < 0
                ? ForwardingTables.DROP_VL
                : tables.vl(links.fabric.nodeOf(port), 0, links.fabric.portNum(port), sl);
        if (vl == ForwardingTables.DROP_VL || links.isDown[links.ofPort[port]]) {
            Drop reason = sl < 0 ? Drop.NO_PATH : vl == ForwardingTables.DROP_VL ? Drop.VL_15 : Drop.NO_ROUTE;
            plane.tally().drop(reason);
            if (reason == Drop.NO_ROUTE) {
                plane.traffic.discarded(links.ofPort[port], PortCounter.INACTIVE_DISCARDS);
            }
            workload.lost(host, dlid, reason);
            return false;
        }
        Packets packets = plane.packets;
        int packet = packets.take();
        packets.dlid[packet] = dlid;
        packets.bytes[packet] = bytes;
        packets.sl[packet] = sl;
        packets.source[packet] = host;
        packets.channel[packet] = NONE;
        packets.ends[packet] = unsent[host] == 0 ? message.bytes : 0;
        packets.born[packet] = message.atPs;
        packets.came[packet] = plane.nowNs() * PS_PER_NS;
        backlog[host]++;
        plane.enqueue(packet, links.ofPort[port] << VL_BITS | vl);
        return true;
    }

    /** Frees the space of a packet that left its host. */
    void left(int host) {
        backlog[host]--;
        resume(host);
    }

    /** Queues messages of a host again, if it had no message or no space. */
    void resume(int host) {
        if (isAsleep[host]) {
            isAsleep[host] = false;
            plane.generateAt(plane.nowNs() * PS_PER_NS, host);
        }
    }
}
