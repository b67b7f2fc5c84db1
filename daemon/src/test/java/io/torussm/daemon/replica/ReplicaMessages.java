package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads messages for tests elsewhere. */
public final class ReplicaMessages {
    private ReplicaMessages() {}

    /** The file and its version, as in the log; empty unless the file contains the text. */
    public static String containing(String text, byte[] message) {
        try {
            ReplicaMessage decoded = ReplicaMessage.decode(message);
            return new String(decoded.content(), UTF_8).contains(text) ? decoded.name() + " " + decoded.version() : "";
        } catch (ReplicaMessage.Malformed e) {
            throw new AssertionError(e);
        }
    }
}
