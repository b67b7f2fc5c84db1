package io.torussm.state;

/**
 * A store that adopts the content of the store of another SM. Called on the loop of the SM.
 *
 * @param <T> value of a file of the store
 */
public interface StateSuccessor<T> {
    /** Replaces the value of this SM, which is older: this SM is not master, or about to become master. */
    void replace(T adopted);

    /**
     * Adds the value of another SM, if this SM was already master when it received the value. Records of this SM stay,
     * and missing records are added. The default adds nothing.
     */
    default void complete(T adopted) {}
}
