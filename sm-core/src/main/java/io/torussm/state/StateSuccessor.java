package io.torussm.state;

/**
 * A store that takes over the contents of the store of another SM. Called on the loop of the SM.
 *
 * @param <T> value of a file of the store
 */
public interface StateSuccessor<T> {
    /** Replaces the own value, which is older: this SM is not master, or only about to become it. */
    void replace(T adopted);

    /**
     * Adds the value of another SM, when this SM was master already before it received it. Own findings stay,
     * and missing ones are added. Without an override nothing is added.
     */
    default void complete(T adopted) {}
}
