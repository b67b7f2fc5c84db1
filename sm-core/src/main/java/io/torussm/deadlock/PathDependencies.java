package io.torussm.deadlock;

import io.torussm.fabric.Fabric;

/** What packets from the end ports of one switch hold and wait for on their way along a {@link DestinationTree}. */
final class PathDependencies {
    private static final int DISCARDING = 1 << 15;

    private final Channels channels;

    /** Takes one dependency, or turns it down. */
    interface Sink {
        /** Returns whether to go on. */
        boolean accept(int held, int wanted);
    }

    PathDependencies(Channels channels) {
        this.channels = channels;
    }

    /**
     * Follows packets with every SL that they may have.
     *
     * @param sls SLs (bit n: SL n)
     * @return whether the sink took all, and no packet is discarded
     */
    boolean follow(DestinationTree tree, int from, int sls, Sink sink) {
        for (int local : channels.localClasses[from]) {
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                if (!follow(tree, from, local, Integer.numberOfTrailingZeros(rest), sink)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean follow(DestinationTree tree, int from, int local, int sl, Sink sink) {
        int ingress = local;
        int held = Fabric.NONE;
        int heldVls = 0;
        for (int sw = from; sw != tree.destination(); ) {
            int link = tree.next[sw];
            int vls = channels.vls(sw, ingress, link - channels.firstLink[sw], sl);
            if ((vls & DISCARDING) != 0 || held != Fabric.NONE && !pairs(held, heldVls, link, vls, sink)) {
                return false;
            }
            held = link;
            heldVls = vls;
            ingress = channels.linkClass[link];
            sw = channels.linkTo[link];
        }
        return true;
    }

    private static boolean pairs(int held, int heldVls, int wanted, int wantedVls, Sink sink) {
        for (int from = heldVls; from != 0; from &= from - 1) {
            for (int to = wantedVls; to != 0; to &= to - 1) {
                int holds = held * Channels.VLS + Integer.numberOfTrailingZeros(from);
                if (!sink.accept(holds, wanted * Channels.VLS + Integer.numberOfTrailingZeros(to))) {
                    return false;
                }
            }
        }
        return true;
    }
}
