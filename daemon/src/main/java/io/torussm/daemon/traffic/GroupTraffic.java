package io.torussm.daemon.traffic;

import io.torussm.dataplane.Workload;
import java.util.SplittableRandom;

/** A workload that sends a share of the messages of another workload to a group of all hosts. */
final class GroupTraffic implements Workload {
    /** The first MLID, which is usually that of the broadcast group of IPoIB. */
    static final int MLID = 0xC000;

    static final String MLID_TEXT = "0xC000";

    private final Workload others;
    private final double share;
    private final SplittableRandom random;

    GroupTraffic(Workload others, double share, long seed) {
        this.others = others;
        this.share = share;
        random = new SplittableRandom(seed);
    }

    @Override
    public boolean next(int host, long nowNs, Message message) {
        boolean isSent = others.next(host, nowNs, message);
        if (isSent && random.nextDouble() < share) {
            message.to = MLID;
        }
        return isSent;
    }

    @Override
    public void arrived(int host, int from, int bytes, long nowNs) {
        others.arrived(host, from, bytes, nowNs);
    }

    @Override
    public boolean isEndless() {
        return others.isEndless();
    }
}
