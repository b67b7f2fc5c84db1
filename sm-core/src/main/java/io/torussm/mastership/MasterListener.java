package io.torussm.mastership;

/** Learns that a mastership begins or ends. Called on the loop, before anything else comes of it, if not said otherwise. */
public interface MasterListener {
    /** Does nothing. */
    MasterListener NONE = new MasterListener() {};

    /** From now on this SM is MASTER; no sweep of the new master has given a LID yet. */
    default void begins() {}

    /**
     * Another SM has handed the subnet over: after {@link #begins}, or while this one was MASTER already. What that one wrote last may
     * still be on its way; no sweep of this one has begun.
     */
    default void inherits() {}

    /** From now on it is not; nothing is forgotten yet. */
    default void ends() {}

    /**
     * Another SM is MASTER, for the first time since this one was: what hosts registered is its business. After all that comes of
     * the end; never, if this SM becomes MASTER again without meeting another.
     */
    default void succeeded() {}
}
