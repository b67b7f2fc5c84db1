package io.torussm.dataplane;

import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.fabric.Fabric;
import io.torussm.sim.model.PortCounter;
import java.util.Arrays;
import java.util.Optional;

/**
 * The packets in a fabric: links that take time, buffers of input ports for each VL, credits for free buffer
 * space, and tables that forward packets. Event-driven; the same workload gives the same run. One thread.
 *
 * <p>A link and a VL are a <em>channel</em>, {@code link * 16 + vl}. A channel has a queue of packets at its
 * near switch that are to leave by it, and a buffer with credits at its far end. A packet leaves when the
 * link is free, arbitration selects its VL, and there are credits for all of it. It then fills space in the
 * far buffer, and frees its previous space when its last byte has left.
 */
public final class DataPlane {
    static final int NONE = Fabric.NONE;
    static final int VL_BITS = 4;

    static final int PS_PER_NS = 1_000;
    static final int FIRST_GROUP = 0xC000;

    /** Types of events, in the upper bits of their code. */
    private static final int ARRIVE = 0;

    private static final int WAKE = 1;
    private static final int CREDIT = 2;
    private static final int GENERATE = 3;
    private static final int EXPIRE = 4;
    private static final int RELEASE = 5;
    private static final int CCTI_TIMER = 6;
    private static final int KIND_SHIFT = 28;
    private static final int SUBJECT_MASK = (1 << KIND_SHIFT) - 1;

    final DataLinks links;
    final Packets packets = new Packets();
    final DataPlaneSettings settings;

    /** By channel: the first and the last packet in its queue. */
    final int[] firstPacket;

    final int[] lastPacket;

    /** By channel: free bytes of the buffer at its far end. Hosts accept everything. */
    final int[] credits;

    final VlArbiter[] arbiters;

    private final Hosts hosts;
    private final ForwardingTables tables;
    private final Workload workload;
    private final EventWheel events = new EventWheel();

    /** By link: bit n if packets wait for VL n. */
    private final int[] waitingVls;

    /** By link: time at which the last byte of its packet has left, in picoseconds. */
    private final long[] freeAtPs;

    /** By link: whether an event is due when it is free. */
    private final boolean[] hasWakeEvent;

    private final QueueLifetimes lifetimes;

    final PacketMarks marks;

    private final Senders senders;
    private TrafficCounters tally;
    final PortTraffic traffic;

    /** Starts without packets. */
    public DataPlane(
            Hosts hosts, ForwardingTables tables, SlChoice sls, Workload workload, DataPlaneSettings settings) {
        this.hosts = hosts;
        this.tables = tables;
        this.workload = workload;
        this.settings = settings;
        links = new DataLinks(hosts.subnet().fabric());
        int channels = links.count() << VL_BITS;
        firstPacket = new int[channels];
        lastPacket = new int[channels];
        credits = new int[channels];
        Arrays.fill(firstPacket, NONE);
        waitingVls = new int[links.count()];
        freeAtPs = new long[links.count()];
        hasWakeEvent = new boolean[links.count()];
        arbiters = new VlArbiter[links.count()];
        for (int link = 0; link < links.count(); link++) {
            arbiters[link] = new VlArbiter(tables.arbitration(links.nearPort[link]));
            int room = links.toSwitch[link] == NONE ? Integer.MAX_VALUE : settings.bufferBytes();
            Arrays.fill(credits, link << VL_BITS, link + 1 << VL_BITS, room);
        }
        marks = new PacketMarks(this, hosts.count());
        lifetimes = new QueueLifetimes(this);
        tally = new TrafficCounters(links.count(), 0);
        traffic = new PortTraffic(links, events::nowNs);
        senders = new Senders(this, hosts, tables, sls, workload);
    }

    /** Returns the time, in nanoseconds. */
    public long nowNs() {
        return events.nowNs();
    }

    /** Returns the counters since the start, or since {@link #resetCounters}. */
    public TrafficCounters tally() {
        return tally;
    }

    /** Resets the counters, for instance after a warm-up. */
    public TrafficCounters resetCounters() {
        tally = new TrafficCounters(links.count(), events.nowNs() * PS_PER_NS);
        return tally;
    }

    /** Returns the port counters, which count from the first call. */
    public PortTraffic countPorts() {
        traffic.begin();
        return traffic;
    }

    /** Returns the counters of congestion control; empty without it. */
    public Optional<CongestionCounters> congestion() {
        return Optional.ofNullable(marks.counters);
    }

    /** Returns the number of packets in queues, in buffers and on cables. */
    public int inFlight() {
        return packets.liveCount();
    }

    /** Checks whether no event is left. */
    public boolean isIdle() {
        return events.isEmpty();
    }

    /** Returns the share of its capacity that a port has sent since the counters were reset, 0 to 1. */
    public double utilization(int port) {
        long ps = events.nowNs() * PS_PER_NS - tally.sincePs;
        return ps <= 0 ? 0 : sendingPs(port) / (double) ps;
    }

    /** Returns the time for which a port has been sending since the counters were reset, in picoseconds. */
    public long sendingPs(int port) {
        int link = links.linkOfPort[port];
        return link == NONE ? 0 : tally.sentBytes(link) * links.psPerByte[link];
    }

    /**
     * Sets the state of a cable in the direction in which packets leave by a port. When it goes down, packets
     * in its queue and on it are lost.
     */
    public void setUp(int port, boolean isUp) {
        int link = links.linkOfPort[port];
        links.isDown[link] = !isUp;
        for (int channel = link << VL_BITS; !isUp && channel < link + 1 << VL_BITS; channel++) {
            while (firstPacket[channel] != NONE) {
                drop(takeFirst(channel), Drop.NO_ROUTE);
                traffic.countDiscard(link, PortCounter.INACTIVE_DISCARDS);
            }
        }
    }

    /** Returns packets that wait for each other in a cycle, for ever unless they are dropped. */
    public Optional<Deadlock> deadlock() {
        return new StuckChannels(this).deadlock(hosts);
    }

    /** Runs until a time, or until no event is left. */
    public void run(long untilNs) {
        while (events.removeNext(untilNs)) {
            int who = events.type() & SUBJECT_MASK;
            switch (events.type() >>> KIND_SHIFT) {
                case ARRIVE -> arrive(who);
                case WAKE -> wake(who);
                case CREDIT -> addCredits(who, events.argument());
                case GENERATE -> senders.generate(who);
                case EXPIRE -> expire(who);
                case RELEASE -> senders.release(who);
                case CCTI_TIMER -> senders.onTimerEnd(who);
                default -> throw new IllegalStateException("event " + events.type());
            }
        }
    }

    private void schedule(long ps, int kind, int who, int amount) {
        events.add((ps + PS_PER_NS - 1) / PS_PER_NS, kind << KIND_SHIFT | who, amount);
    }

    /**
     * Handles the arrival of a packet: at a switch its head can be forwarded, at a host its tail has arrived.
     */
    private void arrive(int packet) {
        int link = packets.channel[packet] >> VL_BITS;
        int sw = links.toSwitch[link];
        if (links.isDown[link]) {
            drop(packet, Drop.CUT);
            return;
        }
        traffic.countReceived(link, packets.bytes[packet], packets.dlid[packet] >= FIRST_GROUP);
        if (sw == NONE) {
            deliver(packet, links.farPort[link]);
            return;
        }
        packets.arrivedAtPs[packet] = events.nowNs() * PS_PER_NS;
        int in = links.toPortNum[link];
        int dlid = packets.dlid[packet];
        if (dlid >= FIRST_GROUP) {
            replicate(packet, sw, in);
        } else {
            forward(packet, sw, in, tables.out(sw, dlid));
        }
    }

    private void deliver(int packet, int port) {
        int host = hosts.hostAt(port);
        int dlid = packets.dlid[packet];
        boolean isAddressed =
                host != NONE && (dlid >= FIRST_GROUP || hosts.subnet().portOfLid(dlid) == port);
        if (isAddressed && packets.congestion[packet] != 0) {
            senders.onCongestion(packet, host);
        }
        if (!isAddressed) {
            tally.drop(Drop.STRAY);
        } else if (packets.congestion[packet] != Packets.CNP) {
            tally.deliver(packets.bytes[packet], packets.dueAtPs[packet], events.nowNs() * PS_PER_NS);
            if (packets.completedMessageBytes[packet] > 0) {
                workload.arrived(host, packets.source[packet], packets.completedMessageBytes[packet], events.nowNs());
                senders.resume(host);
            }
        }
        packets.free(packet);
    }

    private void replicate(int packet, int sw, int in) {
        int[] outs = ForwardingTables.ports(tables.group(sw, packets.dlid[packet]), in);
        if (outs.length == 0) {
            freeSpace(packet, events.nowNs() * PS_PER_NS, 0);
            packets.free(packet);
            return;
        }
        int[] copies = new int[outs.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = packets.copy(packet);
        }
        for (int i = 0; i < copies.length; i++) {
            forward(copies[i], sw, in, outs[i]);
        }
    }

    private void forward(int packet, int sw, int in, int out) {
        int link = out > links.fabric.numPorts(sw) ? NONE : links.linkOfPort[links.fabric.port(sw, out)];
        if (link == NONE || links.isDown[link]) {
            if (link == NONE) {
                traffic.countRelayError(packets.channel[packet] >> VL_BITS, PortCounter.DLID_MAPPING_ERRORS);
            } else {
                traffic.countDiscard(link, PortCounter.INACTIVE_DISCARDS);
            }
            drop(packet, Drop.NO_ROUTE);
            return;
        }
        int vl = tables.vl(sw, in, out, packets.sl[packet]);
        if (vl == ForwardingTables.DROP_VL) {
            traffic.countRelayError(packets.channel[packet] >> VL_BITS, PortCounter.VL_MAPPING_ERRORS);
            drop(packet, Drop.VL_15);
            return;
        }
        enqueue(packet, link << VL_BITS | vl, false);
    }

    private void drop(int packet, Drop reason) {
        tally.drop(reason);
        if (packets.congestion[packet] != Packets.CNP) {
            workload.lost(packets.source[packet], packets.dlid[packet], reason);
        }
        freeSpace(packet, events.nowNs() * PS_PER_NS, 0);
        packets.free(packet);
    }

    /**
     * Adds a packet to a queue.
     *
     * @param isInFront before all others, as a host sends CNPs
     */
    void enqueue(int packet, int channel, boolean isInFront) {
        int link = channel >> VL_BITS;
        packets.next[packet] = NONE;
        if (firstPacket[channel] == NONE) {
            firstPacket[channel] = packet;
            waitingVls[link] |= bit(channel);
            lifetimes.beginLifetime(channel, packet);
            lastPacket[channel] = packet;
        } else if (isInFront) {
            packets.next[packet] = firstPacket[channel];
            firstPacket[channel] = packet;
        } else {
            packets.next[lastPacket[channel]] = packet;
            lastPacket[channel] = packet;
        }
        if (freeAtPs[link] <= events.nowNs() * PS_PER_NS && !hasWakeEvent[link]) {
            send(link, events.nowNs() * PS_PER_NS);
        } else if (!hasWakeEvent[link]) {
            hasWakeEvent[link] = true;
            schedule(freeAtPs[link], WAKE, link, 0);
        }
    }

    private void wake(int link) {
        hasWakeEvent[link] = false;
        send(link, freeAtPs[link]);
    }

    private void addCredits(int channel, int bytes) {
        credits[channel] += bytes;
        int link = channel >> VL_BITS;
        long now = events.nowNs() * PS_PER_NS;
        if (waitingVls[link] != 0 && !hasWakeEvent[link] && freeAtPs[link] <= now) {
            send(link, now);
        }
    }

    /** Sends a packet by a free link, if arbitration selects one. */
    private void send(int link, long nowPs) {
        int ready = 0;
        for (int rest = waitingVls[link]; rest != 0; rest &= rest - 1) {
            int vl = Integer.numberOfTrailingZeros(rest);
            int channel = link << VL_BITS | vl;
            if (credits[channel] >= packets.bytes[firstPacket[channel]]) {
                ready |= 1 << vl;
            }
        }
        marks.lackCredits(link, waitingVls[link] & ~ready);
        int vl = ready == 0 ? VlArbiter.NONE : arbiters[link].pick(ready);
        if (vl == VlArbiter.NONE) {
            if (waitingVls[link] != 0) {
                traffic.beginWait(link, nowPs);
            }
            return;
        }
        int channel = link << VL_BITS | vl;
        int packet = takeFirst(channel);
        int bytes = packets.bytes[packet];
        arbiters[link].send(bytes);
        tally.send(link, bytes);
        traffic.countSent(link, bytes, packets.dlid[packet] >= FIRST_GROUP, nowPs);
        long end = nowPs + (long) bytes * links.psPerByte[link];
        freeAtPs[link] = end;
        if (links.toSwitch[link] != NONE) {
            credits[channel] -= bytes;
        }
        if (waitingVls[link] != 0) {
            hasWakeEvent[link] = true;
            schedule(end, WAKE, link, 0);
        }
        long starvedPs = marks.mark(packet, channel);
        freeSpace(packet, end, starvedPs);
        packets.channel[packet] = channel;
        schedule(arrival(link, nowPs, end), ARRIVE, packet, 0);
    }

    /**
     * Returns the time at which a packet can be forwarded at the far end of a link, or has arrived at its
     * host.
     */
    private long arrival(int link, long begin, long end) {
        if (links.toSwitch[link] == NONE) {
            return end + (long) settings.cableNs() * PS_PER_NS;
        }
        return (links.isCutThrough[link] ? begin : end) + (long) (settings.cableNs() + settings.switchNs()) * PS_PER_NS;
    }

    private static int bit(int channel) {
        return 1 << (channel & (1 << VL_BITS) - 1);
    }

    private int takeFirst(int channel) {
        int packet = firstPacket[channel];
        firstPacket[channel] = packets.next[packet];
        if (firstPacket[channel] == NONE) {
            waitingVls[channel >> VL_BITS] &= ~bit(channel);
            if (waitingVls[channel >> VL_BITS] == 0) {
                traffic.endWait(channel >> VL_BITS, events.nowNs() * PS_PER_NS);
            }
        } else {
            lifetimes.beginLifetime(channel, firstPacket[channel]);
        }
        return packet;
    }

    /**
     * Frees the space of a packet: in a buffer, once its last copy has left, or in the queue of its host.
     *
     * @param ps time at which its last byte leaves
     * @param starvedPs time by which its credits return later
     */
    private void freeSpace(int packet, long ps, long starvedPs) {
        int origin = packets.origin[packet];
        packets.origin[packet] = packet;
        if (origin != packet) {
            if (--packets.copies[origin] > 0) {
                return;
            }
            packets.free(origin);
        }
        int channel = packets.channel[packet];
        if (channel == NONE) {
            senders.freeSpace(packet, ps);
        } else if (links.toSwitch[channel >> VL_BITS] != NONE) {
            schedule(ps + starvedPs + (long) settings.cableNs() * PS_PER_NS, CREDIT, channel, packets.bytes[packet]);
        }
    }

    /** Schedules a look at the first packet of a channel, which may have expired then. */
    void expireAt(long ns, int channel) {
        events.add(ns, EXPIRE << KIND_SHIFT | channel, 0);
    }

    /** Schedules the end of a pause of a flow. */
    void releaseAt(long ps, int flow) {
        schedule(ps, RELEASE, flow, 0);
    }

    /** Schedules the end of a timer of a host and an SL. */
    void countDownAfter(long ns, int timer) {
        events.add(events.nowNs() + ns, CCTI_TIMER << KIND_SHIFT | timer, 0);
    }

    /** Schedules the next messages of a host. */
    void generateAt(long ps, int host) {
        schedule(ps, GENERATE, host, 0);
    }

    private void expire(int channel) {
        PortCounter reason = lifetimes.onTimerEnd(channel);
        if (reason == null) {
            return;
        }
        int link = channel >> VL_BITS;
        traffic.countDiscard(link, reason);
        drop(takeFirst(channel), Drop.EXPIRED);
        if (!hasWakeEvent[link] && freeAtPs[link] <= events.nowNs() * PS_PER_NS) {
            send(link, events.nowNs() * PS_PER_NS);
        }
    }
}
