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
    private static final int WHO = (1 << KIND_SHIFT) - 1;

    final DataLinks links;
    final Packets packets = new Packets();
    final DataPlaneSettings settings;

    /** By channel: the first and the last packet in its queue. */
    final int[] first;

    final int[] last;

    /** By channel: free bytes of the buffer at its far end. Hosts accept everything. */
    final int[] credits;

    final VlArbiter[] arbiters;

    private final Hosts hosts;
    private final ForwardingTables tables;
    private final Workload workload;
    private final EventWheel events = new EventWheel();

    /** By link: bit n if packets wait for VL n. */
    private final int[] waiting;

    /** By link: time at which the last byte of its packet has left, in picoseconds. */
    private final long[] freeAt;

    /** By link: whether an event is due when it is free. */
    private final boolean[] isToWake;

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
        first = new int[channels];
        last = new int[channels];
        credits = new int[channels];
        Arrays.fill(first, NONE);
        waiting = new int[links.count()];
        freeAt = new long[links.count()];
        isToWake = new boolean[links.count()];
        arbiters = new VlArbiter[links.count()];
        for (int link = 0; link < links.count(); link++) {
            arbiters[link] = new VlArbiter(tables.arbitration(links.from[link]));
            int room = links.toSwitch[link] == NONE ? Integer.MAX_VALUE : settings.bufferBytes();
            Arrays.fill(credits, link << VL_BITS, link + 1 << VL_BITS, room);
        }
        marks = new PacketMarks(this, hosts.count());
        lifetimes = new QueueLifetimes(this);
        tally = new TrafficCounters(links.count(), 0);
        traffic = new PortTraffic(links, events::now);
        senders = new Senders(this, hosts, tables, sls, workload);
    }

    /** Returns the time, in nanoseconds. */
    public long nowNs() {
        return events.now();
    }

    /** Returns the counters since the start, or since {@link #countAnew}. */
    public TrafficCounters tally() {
        return tally;
    }

    /** Resets the counters, for instance after a warm-up. */
    public TrafficCounters countAnew() {
        tally = new TrafficCounters(links.count(), events.now() * PS_PER_NS);
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
        return packets.live();
    }

    /** Checks whether no event is left. */
    public boolean isIdle() {
        return events.isEmpty();
    }

    /** Returns the share of its capacity that a port has sent since the counters were reset, 0 to 1. */
    public double utilization(int port) {
        long ps = events.now() * PS_PER_NS - tally.sincePs;
        return ps <= 0 ? 0 : sendingPs(port) / (double) ps;
    }

    /** Returns the time for which a port has been sending since the counters were reset, in picoseconds. */
    public long sendingPs(int port) {
        int link = links.ofPort[port];
        return link == NONE ? 0 : tally.sentBytes(link) * links.psPerByte[link];
    }

    /**
     * Sets the state of a cable in the direction in which packets leave by a port. When it goes down, packets
     * in its queue and on it are lost.
     */
    public void setUp(int port, boolean isUp) {
        int link = links.ofPort[port];
        links.isDown[link] = !isUp;
        for (int channel = link << VL_BITS; !isUp && channel < link + 1 << VL_BITS; channel++) {
            while (first[channel] != NONE) {
                drop(takeFirst(channel), Drop.NO_ROUTE);
                traffic.discarded(link, PortCounter.INACTIVE_DISCARDS);
            }
        }
    }

    /** Returns packets that wait for each other in a cycle, for ever unless they are dropped. */
    public Optional<Deadlock> deadlock() {
        return new StuckChannels(this).deadlock(hosts);
    }

    /** Runs until a time, or until no event is left. */
    public void run(long untilNs) {
        while (events.take(untilNs)) {
            int who = events.what() & WHO;
            switch (events.what() >>> KIND_SHIFT) {
                case ARRIVE -> arrive(who);
                case WAKE -> wake(who);
                case CREDIT -> credit(who, events.amount());
                case GENERATE -> senders.generate(who);
                case EXPIRE -> expire(who);
                case RELEASE -> senders.release(who);
                case CCTI_TIMER -> senders.expired(who);
                default -> throw new IllegalStateException("event " + events.what());
            }
        }
    }

    private void at(long ps, int kind, int who, int amount) {
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
        traffic.received(link, packets.bytes[packet], packets.dlid[packet] >= FIRST_GROUP);
        if (sw == NONE) {
            deliver(packet, links.to[link]);
            return;
        }
        packets.came[packet] = events.now() * PS_PER_NS;
        int in = links.toPortNum[link];
        int dlid = packets.dlid[packet];
        if (dlid >= FIRST_GROUP) {
            replicate(packet, sw, in);
        } else {
            forward(packet, sw, in, tables.out(sw, dlid));
        }
    }

    private void deliver(int packet, int port) {
        int host = hosts.at(port);
        int dlid = packets.dlid[packet];
        boolean isAddressed =
                host != NONE && (dlid >= FIRST_GROUP || hosts.subnet().portOfLid(dlid) == port);
        if (isAddressed && packets.congestion[packet] != 0) {
            senders.congested(packet, host);
        }
        if (!isAddressed) {
            tally.drop(Drop.STRAY);
        } else if (packets.congestion[packet] != Packets.CNP) {
            tally.deliver(packets.bytes[packet], packets.born[packet], events.now() * PS_PER_NS);
            if (packets.ends[packet] > 0) {
                workload.arrived(host, packets.source[packet], packets.ends[packet], events.now());
                senders.resume(host);
            }
        }
        packets.free(packet);
    }

    private void replicate(int packet, int sw, int in) {
        int[] outs = ForwardingTables.ports(tables.group(sw, packets.dlid[packet]), in);
        if (outs.length == 0) {
            leave(packet, events.now() * PS_PER_NS, 0);
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
        int link = out > links.fabric.numPorts(sw) ? NONE : links.ofPort[links.fabric.port(sw, out)];
        if (link == NONE || links.isDown[link]) {
            if (link == NONE) {
                traffic.refused(packets.channel[packet] >> VL_BITS, PortCounter.DLID_MAPPING_ERRORS);
            } else {
                traffic.discarded(link, PortCounter.INACTIVE_DISCARDS);
            }
            drop(packet, Drop.NO_ROUTE);
            return;
        }
        int vl = tables.vl(sw, in, out, packets.sl[packet]);
        if (vl == ForwardingTables.DROP_VL) {
            traffic.refused(packets.channel[packet] >> VL_BITS, PortCounter.VL_MAPPING_ERRORS);
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
        leave(packet, events.now() * PS_PER_NS, 0);
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
        marks.enter(packet, channel);
        if (first[channel] == NONE) {
            first[channel] = packet;
            waiting[link] |= bit(channel);
            lifetimes.becomesFirst(channel, packet);
            last[channel] = packet;
        } else if (isInFront) {
            packets.next[packet] = first[channel];
            first[channel] = packet;
        } else {
            packets.next[last[channel]] = packet;
            last[channel] = packet;
        }
        if (freeAt[link] <= events.now() * PS_PER_NS && !isToWake[link]) {
            send(link, events.now() * PS_PER_NS);
        } else if (!isToWake[link]) {
            isToWake[link] = true;
            at(freeAt[link], WAKE, link, 0);
        }
    }

    private void wake(int link) {
        isToWake[link] = false;
        send(link, freeAt[link]);
    }

    private void credit(int channel, int bytes) {
        credits[channel] += bytes;
        int link = channel >> VL_BITS;
        long now = events.now() * PS_PER_NS;
        if (waiting[link] != 0 && !isToWake[link] && freeAt[link] <= now) {
            send(link, now);
        }
    }

    /** Sends a packet by a free link, if arbitration selects one. */
    private void send(int link, long nowPs) {
        int ready = 0;
        for (int rest = waiting[link]; rest != 0; rest &= rest - 1) {
            int vl = Integer.numberOfTrailingZeros(rest);
            int channel = link << VL_BITS | vl;
            if (credits[channel] >= packets.bytes[first[channel]]) {
                ready |= 1 << vl;
            }
        }
        marks.lackCredits(link, waiting[link] & ~ready);
        int vl = ready == 0 ? VlArbiter.NONE : arbiters[link].pick(ready);
        if (vl == VlArbiter.NONE) {
            if (waiting[link] != 0) {
                traffic.waits(link, nowPs);
            }
            return;
        }
        int channel = link << VL_BITS | vl;
        int packet = takeFirst(channel);
        int bytes = packets.bytes[packet];
        arbiters[link].send(bytes);
        tally.send(link, bytes);
        traffic.sent(link, bytes, packets.dlid[packet] >= FIRST_GROUP, nowPs);
        long end = nowPs + (long) bytes * links.psPerByte[link];
        freeAt[link] = end;
        if (links.toSwitch[link] != NONE) {
            credits[channel] -= bytes;
        }
        if (waiting[link] != 0) {
            isToWake[link] = true;
            at(end, WAKE, link, 0);
        }
        long starvedPs = marks.mark(packet, channel);
        leave(packet, end, starvedPs);
        packets.channel[packet] = channel;
        at(arrival(link, nowPs, end), ARRIVE, packet, 0);
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
        int packet = first[channel];
        first[channel] = packets.next[packet];
        marks.remove(packet, channel);
        if (first[channel] == NONE) {
            waiting[channel >> VL_BITS] &= ~bit(channel);
            if (waiting[channel >> VL_BITS] == 0) {
                traffic.waitsNoMore(channel >> VL_BITS, events.now() * PS_PER_NS);
            }
        } else {
            lifetimes.becomesFirst(channel, first[channel]);
        }
        return packet;
    }

    /**
     * Frees the space of a packet: in a buffer, once its last copy has left, or in the queue of its host.
     *
     * @param ps time at which its last byte leaves
     * @param starvedPs time by which its credits return later
     */
    private void leave(int packet, long ps, long starvedPs) {
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
            senders.left(packet, ps);
        } else if (links.toSwitch[channel >> VL_BITS] != NONE) {
            at(ps + starvedPs + (long) settings.cableNs() * PS_PER_NS, CREDIT, channel, packets.bytes[packet]);
        }
    }

    /** Schedules a look at the first packet of a channel, which may have expired then. */
    void expireAt(long ns, int channel) {
        events.add(ns, EXPIRE << KIND_SHIFT | channel, 0);
    }

    /** Schedules the end of a pause of a flow. */
    void releaseAt(long ps, int flow) {
        at(ps, RELEASE, flow, 0);
    }

    /** Schedules the end of a timer of a host and an SL. */
    void countDownAfter(long ns, int timer) {
        events.add(events.now() + ns, CCTI_TIMER << KIND_SHIFT | timer, 0);
    }

    /** Schedules the next messages of a host. */
    void generateAt(long ps, int host) {
        at(ps, GENERATE, host, 0);
    }

    private void expire(int channel) {
        PortCounter reason = lifetimes.expired(channel);
        if (reason == null) {
            return;
        }
        int link = channel >> VL_BITS;
        traffic.discarded(link, reason);
        drop(takeFirst(channel), Drop.EXPIRED);
        if (!isToWake[link] && freeAt[link] <= events.now() * PS_PER_NS) {
            send(link, events.now() * PS_PER_NS);
        }
    }
}
