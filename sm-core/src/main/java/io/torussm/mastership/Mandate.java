package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a sweeper asks before it acts. Called on the loop. */
public interface Mandate {
    /**
     * Who rules.
     *
     * @param isGranted whether it is this SM, and the sweep may write
     * @param ruler else the SM that has to be waited for; null if nobody knows
     */
    record Ruling(boolean isGranted, @Nullable RemoteSm ruler) {
        static final Ruling GRANTED = new Ruling(true, null);
    }

    /** Of an SM that is alone, whatever it finds. */
    Mandate ALONE = new Mandate() {
        @Override
        public boolean maySweep() {
            return true;
        }

        @Override
        public boolean isMaster() {
            return true;
        }

        @Override
        public Ruling ruling(List<FoundSm> others, List<DrPath> silent, boolean isWhole) {
            return Ruling.GRANTED;
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
     * Discovery is over: decides who rules.
     *
     * @param others every other SM that answered
     * @param silent the ways to ports that say that they have an SM, which does not answer
     * @param isWhole false if only a part of the fabric was read: other SMs than these may be there as before
     */
    Ruling ruling(List<FoundSm> others, List<DrPath> silent, boolean isWhole);

    /** Discovery found nothing, because the local port is down or does not answer. */
    void portDown(String why);

    /** A port says that there is an SM now, or that its SM has another priority. */
    void smChanged(DrPath path);
}
