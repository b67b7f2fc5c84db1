package io.torussm.dataplane;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * All-reduce over rings of hosts, as in NCCL and other libraries. Every host sends a part of the vector to
 * the next one, and then each part that it received, twice around the ring less two steps. A host sends a
 * part only after it received the previous one.
 */
public final class RingAllReduce extends FiniteWorkload {
    private final int[] next;
    private final int[] steps;
    private final int[] partBytes;
    private final int[] sentParts;
    private final int[] receivedParts;

    /**
     * Makes one vector for each ring.
     *
     * @param ring the next host of each host: cycles; a host that is alone or sends nothing takes no part
     * @param vectorBytes size of each vector, of which a ring of n hosts sends parts of 1/n
     */
    public RingAllReduce(int hosts, Destinations ring, int vectorBytes) {
        SplittableRandom none = new SplittableRandom(0);
        next = IntStream.range(0, hosts).map(host -> ring.next(host, none)).toArray();
        steps = new int[hosts];
        partBytes = new int[hosts];
        sentParts = new int[hosts];
        receivedParts = new int[hosts];
        for (int host = 0; host < hosts; host++) {
            int members = length(host);
            steps[host] = 2 * Math.max(0, members - 1);
            partBytes[host] = Math.max(1, vectorBytes / members);
            addMessages(steps[host], partBytes[host]);
        }
    }

    private int length(int start) {
        int members = 1;
        for (int host = next[start]; host != start; host = next[host]) {
            if (host == Destinations.NO_DESTINATION || members == next.length) {
                return 1;
            }
            members++;
        }
        return members;
    }

    @Override
    public boolean next(int host, long nowNs, Message message) {
        if (sentParts[host] == steps[host] || sentParts[host] > receivedParts[host]) {
            return false;
        }
        sentParts[host]++;
        message.to = next[host];
        message.bytes = partBytes[host];
        message.level = 0;
        message.atPs = 1_000 * nowNs;
        return true;
    }

    @Override
    public void arrived(int host, int from, int size, long nowNs) {
        super.arrived(host, from, size, nowNs);
        receivedParts[host]++;
    }
}
