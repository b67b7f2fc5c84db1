package io.torussm.daemon.replay;

import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.transport.LocalPort;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The note at the begin of a recording, about the recorded SM.
 *
 * @param version version of the program that made the recording
 * @param port port of the SM
 * @param outstanding max number of SMPs without a response on the port
 * @param gmps max number of requests without a response on QP1 of the port
 * @param returnsUnanswered true if the port returned requests that got no response
 */
record StartNote(String version, LocalPort port, int outstanding, int gmps, boolean returnsUnanswered) {
    /**
     * Reads the note of a recording.
     *
     * @throws IOException if the note is missing or incomplete
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
