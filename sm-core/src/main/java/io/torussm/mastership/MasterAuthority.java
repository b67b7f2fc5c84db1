package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permission of a sweeper to read and to write. Called on the loop. */
public interface MasterAuthority {
    /**
     * The outcome of an election.
     *
     * @param isGranted whether this SM is the master, so that the sweep may write
     * @param master the other SM to wait for, if not granted; null if it is not known
     */
    record Decision(boolean isGranted, @Nullable RemoteSm master) {
        static final Decision GRANTED = new Decision(true, null);
    }

    /** The authority of an SM that is always master, whichever SMs it finds. */
    MasterAuthority ALONE = new MasterAuthority() {
        @Override
        public boolean maySweep() {
            return true;
        }

        @Override
        public boolean isMaster() {
            return true;
        }

        @Override
        public Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole) {
            return Decision.GRANTED;
        }

        @Override
        public void portDown(String reason) {}

        @Override
        public void smChanged(DrPath path) {}
    };

    /** Checks whether this SM may read the fabric: it is DISCOVERING or MASTER. */
    boolean maySweep();

    /**
     * Checks whether this SM may be master without a discovery, if no SM is at the known ports: it waits for no silent
     * SM, and no mastership is handed over.
     */
    default boolean isFree() {
        return true;
    }

    /** Checks whether this SM is MASTER. Only a master handles traps. */
    boolean isMaster();

    /**
     * Decides which SM is master, after a discovery.
     *
     * @param others every other SM that answered
     * @param silent ports that report an SM which does not answer
     * @param isWhole false if only a part of the fabric was read; other SMs may exist in the rest, as before
     */
    Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole);

    /** Reports that discovery found nothing because the local port is down or does not answer. */
    void portDown(String reason);

    /** Reports a port at which an SM appeared or changed its priority. */
    void smChanged(DrPath path);
}
