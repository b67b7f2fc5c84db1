package io.torussm.mastership;

/**
 * A consumer of changes of mastership. Called on the loop before the actions that follow, unless a method says
 * otherwise.
 */
public interface MasterListener {
    /** A consumer that does nothing. */
    MasterListener NONE = new MasterListener() {};

    /** Handles that this SM became MASTER. No sweep of this mastership has assigned a LID yet. */
    default void onBegin() {}

    /**
     * Handles a handover by another SM, after {@link #onBegin} or while this SM was MASTER already. The last writes of
     * the other SM may still be in flight. No sweep of this SM has begun since the handover.
     */
    default void onHandover() {}

    /** Handles that this SM is no longer MASTER. No state is discarded yet. */
    default void onEnd() {}

    /**
     * Handles that another SM is MASTER after this one, so that hosts register with the other SM. Called after all
     * actions that follow the end of the mastership. Not called if this SM becomes MASTER again without another MASTER
     * between.
     */
    default void onSuccessor() {}
}
