package io.torussm.mastership;

/** A consumer of changes of mastership. Called on the loop before any consequence, unless a method says otherwise. */
public interface MasterListener {
    /** Does nothing. */
    MasterListener NONE = new MasterListener() {};

    /** Reports that this SM became MASTER. No sweep of the new master has assigned a LID yet. */
    default void begins() {}

    /**
     * Reports that another SM handed the subnet over, after {@link #begins} or while this SM was MASTER
     * already. The last writes of that SM may still be in flight. No sweep of this SM has begun.
     */
    default void inherits() {}

    /** Reports that this SM is MASTER no longer. No state is discarded yet. */
    default void ends() {}

    /**
     * Reports the first other MASTER since this SM was master, which now owns the registrations of hosts. Called after
     * all consequences of the end. Never called if this SM becomes MASTER again without meeting another.
     */
    default void succeeded() {}
}
