package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads letters for tests elsewhere. */
public final class ReplicaMessages {
    private ReplicaMessages() {}

    /** The file and its version, as logs tell them; empty unless the file contains the text. */
    public static String containing(String text, byte[] message) {
        try {
            ReplicaMessage letter = ReplicaMessage.decode(message);
            return new String(letter.content(), UTF_8).contains(text) ? letter.name() + " " + letter.version() : "";
        } catch (ReplicaMessage.Malformed e) {
            throw new AssertionError(e);
        }
    }
}
