package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A reader of the messages between replicating SMs, for tests of other packages. */
public final class ReplicaMessages {
    private ReplicaMessages() {}

    /** Returns the name and version of the file in a message, as the log has them; empty if the file lacks a text. */
    public static String containing(String text, byte[] message) {
        try {
            ReplicaMessage decoded = ReplicaMessage.decode(message);
            return new String(decoded.content(), UTF_8).contains(text) ? decoded.name() + " " + decoded.version() : "";
        } catch (ReplicaMessage.Malformed e) {
            throw new AssertionError(e);
        }
    }
}
