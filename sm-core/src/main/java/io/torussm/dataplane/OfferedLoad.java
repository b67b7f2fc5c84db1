package io.torussm.dataplane;

import java.util.SplittableRandom;

/** A load of messages of one size at random moments, which fills a share of every host's cable. */
public final class OfferedLoad implements Workload {
    private final Destinations destinations;
    private final double[] meanGapPs;
    private final int messageBytes;
    private final double level1Share;
    private final SplittableRandom[] random;
    private final long[] nextPs;

    /**
     * Makes endless traffic.
     *
     * @param load share of the capacity of each host's cable, above 0
     * @param messageBytes size of each message
     * @param upperShare share of messages that request QoS level 1, 0 to 1
     */
    public OfferedLoad(
            Hosts hosts, Destinations destinations, double load, int messageBytes, double upperShare, long seed) {
        if (!(load > 0) || messageBytes < 1) {
            throw new IllegalArgumentException("load " + load + ", messages of " + messageBytes + " bytes");
        }
        this.destinations = destinations;
        this.messageBytes = messageBytes;
        this.level1Share = upperShare;
        SplittableRandom seeds = new SplittableRandom(seed);
        meanGapPs = new double[hosts.count()];
        random = new SplittableRandom[hosts.count()];
        nextPs = new long[hosts.count()];
        for (int host = 0; host < random.length; host++) {
            random[host] = seeds.split();
            meanGapPs[host] = messageBytes * (double) hosts.psPerByte(host) / load;
            nextPs[host] = drawGapPs(host);
        }
    }

    private long drawGapPs(int host) {
        return (long) (-Math.log(1 - random[host].nextDouble()) * meanGapPs[host]);
    }

    @Override
    public boolean next(int host, long nowNs, Message message) {
        int to = destinations.next(host, random[host]);
        if (to == Destinations.NO_DESTINATION) {
            return false;
        }
        message.to = to;
        message.bytes = messageBytes;
        message.level = level1Share > 0 && random[host].nextDouble() < level1Share ? 1 : 0;
        message.atPs = nextPs[host];
        nextPs[host] += drawGapPs(host);
        return true;
    }

    @Override
    public boolean isEndless() {
        return true;
    }
}
