package io.torussm.state;

/** The copy of the state directory at another SM, for a takeover. */
public interface Replica {
    /** No replica. */
    Replica NONE = (file, content) -> {};

    /**
     * Receives a new version of a file. Called on the loop that writes files, before the file is written. Returns
     * immediately, independently of the connection to the other SM.
     *
     * @param content the whole file, with first and last line; never modified afterwards
     */
    void onChange(StateFile file, byte[] content);
}
