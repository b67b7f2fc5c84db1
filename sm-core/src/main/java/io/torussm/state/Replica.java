package io.torussm.state;

/** Another SM that keeps a copy of what is in the state directory, in case that it has to take over. */
public interface Replica {
    /** There is none. */
    Replica NONE = (file, content) -> {};

    /**
     * A file is to be this from now on. Called on the loop that writes files, before the file is written; returns at once,
     * whatever the way to the other SM is like.
     *
     * @param content all of it, with first and last line; not changed by anybody any more
     */
    void changed(StateFile file, byte[] content);
}
