package io.torussm.state;

/**
 * A store that takes over what the store of another SM held. Called on the loop of the SM.
 *
 * @param <T> what a file of the store says
 */
public interface StateSuccessor<T> {
    /** This SM does not rule, or is about to: whatever it knew itself is older. */
    void replace(T adopted);

    /**
     * This SM ruled already when it first heard of the other one's knowledge: what it found out by itself stays, what it
     * does not know is added. Nothing is, unless the store says otherwise.
     */
    default void complete(T adopted) {}
}
