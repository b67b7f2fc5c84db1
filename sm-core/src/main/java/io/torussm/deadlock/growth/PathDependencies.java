package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DependencySink;
import io.torussm.fabric.Fabric;

/** The dependencies of packets from the end ports of one switch along a {@link DestinationTree}. */
final class PathDependencies {
    /** VL15 in a set of VLs. A data packet that is mapped to VL15 is discarded. */
    private static final int DISCARDING = 1 << 15;

    private final Channels channels;

    PathDependencies(Channels channels) {
        this.channels = channels;
    }

    /**
     * Follows packets of some SLs from a switch to the destination.
     *
     * @param from a live switch of the tree
     * @param sls SLs (bit n: SL n)
     * @return whether the sink accepted all dependencies, and no packet is discarded
     */
    boolean follow(DestinationTree tree, int from, int sls, DependencySink sink) {
        for (int local : channels.localClasses[from]) {
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                if (!follow(tree, from, local, Integer.numberOfTrailingZeros(rest), sink)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean follow(DestinationTree tree, int from, int local, int sl, DependencySink sink) {
        int ingress = local;
        int held = Fabric.NONE;
        int heldVls = 0;
        for (int sw = from; sw != tree.destination(); ) {
            int link = tree.next[sw];
            int vls = channels.vls(sw, ingress, link - channels.firstLink[sw], sl);
            if ((vls & DISCARDING) != 0 || (held != Fabric.NONE && !sink.acceptAll(held, heldVls, link, vls))) {
                return false;
            }
            held = link;
            heldVls = vls;
            ingress = channels.linkClass[link];
            sw = channels.linkTo[link];
        }
        return true;
    }
}
