package io.torussm.mastership;

/** Learns that a mastership begins or ends. Called on the loop, before anything else comes of it, if not said otherwise. */
public interface MasterListener {
    /** Does nothing. */
    MasterListener NONE = new MasterListener() {};

    /** From now on this SM is MASTER; no sweep of the new master has given a LID yet. */
    default void begins() {}

    /** From now on it is not; nothing is forgotten yet. */
    default void ends() {}

    /**
     * Another SM is MASTER, for the first time since this one was: what hosts registered is its business. After all that comes of
     * the end; never, if this SM becomes MASTER again without meeting another.
     */
    default void succeeded() {}
}
