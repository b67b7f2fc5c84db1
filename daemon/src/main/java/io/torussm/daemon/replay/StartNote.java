package io.torussm.daemon.replay;

import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.transport.LocalPort;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The note at the beginning of a recording.
 *
 * @param version version of the program that made it
 * @param outstanding number of SMPs that its port carried simultaneously
 * @param gmps number of requests that its port carried simultaneously on QP1
 * @param returnsUnanswered true if its port returned requests without a response
 */
record StartNote(String version, LocalPort port, int outstanding, int gmps, boolean returnsUnanswered) {
    /**
     * Reads it.
     *
     * @throws IOException if it is not there, or not complete
     */
    static StartNote of(Recording recording) throws IOException {
        Map<String, String> values = new HashMap<>();
        recording.notes(NoteKind.START).limit(1).forEach(note -> {
            for (String line : note.text().split("\n", -1)) {
                String[] words = line.split(" ", 2);
                values.put(words[0], words.length == 2 ? words[1] : "");
            }
        });
        try {
            return new StartNote(
                    values.getOrDefault("version", ""),
                    new LocalPort(
                            values.getOrDefault("device", ""),
                            number(values, "port"),
                            Long.parseUnsignedLong(values.getOrDefault("guid", ""), 16)),
                    number(values, "outstanding"),
                    number(values, "gmps"),
                    Boolean.parseBoolean(values.get("returns")));
        } catch (NumberFormatException e) {
            throw new IOException("the recording does not say how it began: " + e.getMessage(), e);
        }
    }

    private static int number(Map<String, String> values, String name) {
        return Math.max(1, Integer.parseInt(values.getOrDefault(name, "")));
    }
}
