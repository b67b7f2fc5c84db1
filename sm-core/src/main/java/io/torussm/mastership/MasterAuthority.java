package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a sweeper asks before it acts. Called on the loop. */
public interface MasterAuthority {
    /**
     * The master.
     *
     * @param isGranted whether it is this SM, and the sweep may write
     * @param master else the SM that has to be waited for; null if it is not known
     */
    record Decision(boolean isGranted, @Nullable RemoteSm master) {
        static final Decision GRANTED = new Decision(true, null);
    }

    /** Of an SM that is alone, whatever it finds. */
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
        public void portDown(String why) {}

        @Override
        public void smChanged(DrPath path) {}
    };

    /** Whether this SM may read the fabric: it is DISCOVERING or MASTER. */
    boolean maySweep();

    /** Whether this SM is MASTER; only then are traps its business. */
    boolean isMaster();

    /**
     * Discovery is over: decides who is master.
     *
     * @param others every other SM that answered
     * @param silent the ways to ports that say that they have an SM, which does not answer
     * @param isWhole false if only a part of the fabric was read: other SMs than these may be there as before
     */
    Decision decision(List<DiscoveredSm> others, List<SilentSm> silent, boolean isWhole);

    /** Discovery found nothing, because the local port is down or does not answer. */
    void portDown(String why);

    /** A port says that there is an SM now, or that its SM has another priority. */
    void smChanged(DrPath path);
}
