package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The permission of a sweeper to read and to write. Its methods are called on the loop. */
public interface MasterAuthority {
    /**
     * The outcome of an election.
     *
     * @param isGranted whether this SM is the master, so that the sweep may write
     * @param master the other SM to wait for; null if it is unknown, or this SM is the master
     */
    record Decision(boolean isGranted, @Nullable RemoteSm master) {
        static final Decision GRANTED = new Decision(true, null);
    }

    /** The authority of an SM that is always master, even if discovery finds other SMs. */
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
        public void onPortDown(String reason) {}

        @Override
        public void onSmChange(DrPath path) {}
    };

    /** Checks whether this SM may read the fabric: it is DISCOVERING or MASTER. */
    boolean maySweep();

    /**
     * Checks whether this SM may become master without a discovery, if there is no SM at the known ports. It may not
     * while it waits for a silent SM, or a handover of mastership is in progress.
     */
    default boolean mayBecomeMaster() {
        return true;
    }

    /** Checks whether this SM is MASTER. Only a master handles traps. */
    boolean isMaster();

    /**
     * Decides which SM is master, after a discovery.
     *
     * @param others all other SMs that answered
     * @param silent SMs that do not answer although their ports report them
     * @param isWhole whether the whole fabric was read; otherwise the known SMs in the rest are assumed to exist still
     */
    Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole);

    /** Handles a discovery that found nothing, because the local port is down or does not answer. */
    void onPortDown(String reason);

    /** Handles the report of a port at which an SM appeared or changed its priority. */
    void onSmChange(DrPath path);
}
