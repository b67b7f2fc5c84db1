package io.torussm.sim;

import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.Loop;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Data packets between all hosts, at a low and steady rate, over the current tables of switches. They show whether a
 * fabric carries traffic while an SM programs it, a cable fails, or another SM takes over. Every packet arrives or is
 * lost for a {@link PacketLoss}. Ports count a packet like a MAD, which has the same length.
 *
 * <p>A packet crosses the fabric in one step. The data plane ({@code io.torussm.dataplane}) models buffers, credits and
 * arbitration. A host sends and receives only while its port is ACTIVE and has a LID; other packets are counted as not
 * sent. Sources and destinations are random numbers of a seed.
 *
 * <p>Owner thread: the loop of the fabric. A packet costs a look-up per switch, and a port with counts 300 bytes.
 */
public final class SimTraffic {
    /** Max packets per second. */
    public static final int MAX_RATE = 100_000;

    /** Max lost packets that are kept. */
    private static final int MAX_LAST_LOSSES = 32;

    private static final int MAD_BYTES = 256;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Loop loop;
    private final List<SimPort> hosts;
    private final SplittableRandom random;
    private final Wires wires;
    private final byte[] payload = new byte[MAD_BYTES];
    private final ArrayDeque<Loss> recentLosses = new ArrayDeque<>();
    private final EnumMap<PacketLoss, Long> lost = new EnumMap<>(PacketLoss.class);
    private IntBinaryOperator sls = (slid, dlid) -> 0;
    private int rate;
    private Loop.@Nullable Timer timer;
    /** Time of the last tick. */
    private long lastTickNs;
    /** Time for which packets have not been sent yet. */
    private long dueNs;

    private long sent;
    private long arrived;
    private long unsent;

    /**
     * The outcome of the packets.
     *
     * @param rate current packets per second; 0 for none
     * @param sent packets that left a host
     * @param arrived packets that arrived at the port with their DLID
     * @param unsent packets that were not sent because an end was not ACTIVE or had no LID
     * @param lost lost packets by reason; only reasons with lost packets
     */
    public record Tally(int rate, long sent, long arrived, long unsent, Map<PacketLoss, Long> lost) {
        /** Returns the number of lost packets. */
        public long losses() {
            return sent - arrived;
        }
    }

    /**
     * A lost packet.
     *
     * @param atNs time of the loop
     * @param from node and port of the source
     * @param to node and port of the destination
     * @param location node and port at which the packet was lost
     */
    public record Loss(long atNs, PacketLoss reason, String from, String to, int dlid, String location) {}

    /**
     * Creates traffic with rate 0.
     *
     * @param seed seed of sources and destinations
     */
    public SimTraffic(SimFabric fabric, Loop loop, long seed) {
        this.loop = loop;
        random = new SplittableRandom(seed);
        wires = new Wires(random.split());
        wires.countMads();
        hosts = fabric.devices().stream()
                .filter(device -> !device.isSwitch)
                .flatMap(device -> device.endPorts().stream())
                .filter(port -> port.cable != null)
                .toList();
    }

    /** Sets the SL of all packets, 0 to 15 (default: 0). It matters only if SL2VL maps it to VL 15. */
    public void setSl(int newSl) {
        if (newSl < 0 || newSl > 15) {
            throw new IllegalArgumentException("SL " + newSl + "; use 0 to 15");
        }
        setSls((slid, dlid) -> newSl);
    }

    /**
     * Sets the SLs of pairs of hosts, as the SA granted them.
     *
     * @param slOf function from SLID and DLID to an SL, 0 to 15
     */
    public void setSls(IntBinaryOperator slOf) {
        loop.requireInLoop();
        sls = slOf;
    }

    /**
     * Sets the rate, from which packets are sent immediately.
     *
     * @param packetsPerSecond rate of all hosts together, 0 (stop) to {@value #MAX_RATE}
     */
    public void setRate(int packetsPerSecond) {
        loop.requireInLoop();
        if (packetsPerSecond < 0 || packetsPerSecond > MAX_RATE) {
            throw new IllegalArgumentException("packets a second are 0 to " + MAX_RATE + ", not " + packetsPerSecond);
        }
        rate = packetsPerSecond;
        lastTickNs = loop.nowNs();
        dueNs = 0;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        if (rate > 0 && hosts.size() > 1) {
            waitForNext();
        }
    }

    private void waitForNext() {
        timer = loop.schedule(Math.max(TICK_NS, TimeUnit.SECONDS.toNanos(1) / rate), this::tick);
    }

    /** Sends the packets that are due. After a delay of the loop, at most the packets of a tenth of a second. */
    private void tick() {
        waitForNext();
        long nowNs = loop.nowNs();
        long periodNs = TimeUnit.SECONDS.toNanos(1) / rate;
        dueNs += Math.min(nowNs - lastTickNs, Math.max(periodNs, TimeUnit.MILLISECONDS.toNanos(100)));
        lastTickNs = nowNs;
        for (; dueNs >= periodNs; dueNs -= periodNs) {
            int from = random.nextInt(hosts.size());
            int to = random.nextInt(hosts.size() - 1);
            send(hosts.get(from), hosts.get(to < from ? to : to + 1));
        }
    }

    /** Sends a packet from every host to every other host. */
    public void sendAll() {
        loop.requireInLoop();
        for (SimPort from : hosts) {
            for (SimPort to : hosts) {
                if (from != to) {
                    send(from, to);
                }
            }
        }
    }

    private void send(SimPort from, SimPort to) {
        if (!canCommunicate(from) || !canCommunicate(to)) {
            unsent++;
            return;
        }
        sent++;
        Packet packet = new Packet(payload, from.lid(), to.lid(), sls.applyAsInt(from.lid(), to.lid()), 2, 0);
        SimPort end = wires.follow(packet, from);
        if (end != null && end.device.endPort(end) != to) {
            packet.markLost(end, PacketLoss.WRONG_END);
        }
        PacketLoss loss = packet.loss;
        if (loss == null) {
            arrived++;
            return;
        }
        lost.merge(loss, 1L, Long::sum);
        if (recentLosses.size() == MAX_LAST_LOSSES) {
            recentLosses.remove();
        }
        recentLosses.add(new Loss(
                loop.nowNs(),
                loss,
                from.toString(),
                to.toString(),
                to.lid(),
                packet.lossPort == null ? "" : packet.lossPort.toString()));
    }

    private static boolean canCommunicate(SimPort host) {
        return !host.device.isFailed && host.isActive() && host.get(PortInfo.LID) != 0;
    }

    /** Returns the counts since the beginning, or since {@link #resetCounts}. */
    public Tally tally() {
        loop.requireInLoop();
        return new Tally(rate, sent, arrived, unsent, Collections.unmodifiableMap(new EnumMap<>(lost)));
    }

    /** Returns the last lost packets, the newest last, at most {@value #MAX_LAST_LOSSES}. */
    public List<Loss> lastLosses() {
        loop.requireInLoop();
        return List.copyOf(recentLosses);
    }

    /** Resets the counts to 0. */
    public void resetCounts() {
        loop.requireInLoop();
        sent = 0;
        arrived = 0;
        unsent = 0;
        lost.clear();
        recentLosses.clear();
    }
}
