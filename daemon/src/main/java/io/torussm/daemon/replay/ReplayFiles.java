package io.torussm.daemon.replay;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SettingsText;
import io.torussm.daemon.config.SmOptions;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a recording in a temporary directory, which {@link #close} deletes. */
final class ReplayFiles implements AutoCloseable {
    private static final String STATE_NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,100}";

    private final Path dir;
    private final Path state;

    /** Temporary files by the recorded name. */
    private final Map<String, Path> files = new LinkedHashMap<>();

    /** A note of a file. The first line feed separates the name from the content. */
    private record Named(String name, byte[] content) {
        static Named of(Entry.Note note) {
            byte[] all = note.content();
            int end = 0;
            while (end < all.length && all[end] != '\n') {
                end++;
            }
            return new Named(
                    new String(all, 0, end, StandardCharsets.UTF_8),
                    Arrays.copyOfRange(all, Math.min(end + 1, all.length), all.length));
        }
    }

    /** Writes the files with which the recorded SM began. */
    ReplayFiles(Recording recording) throws IOException {
        dir = Files.createTempDirectory("torus-sm-replay");
        state = Files.createDirectory(dir.resolve("state"));
        for (Entry.Note note : recording.notes(NoteKind.STATE).toList()) {
            Named file = Named.of(note);
            if (file.name().matches(STATE_NAME)) { // so that no recorded name leads out of the directory
                Files.write(state.resolve(file.name()), file.content());
            }
        }
        for (Entry.Note note : recording.notes(NoteKind.FILE).toList()) {
            String name = Named.of(note).name();
            if (!files.containsKey(name)) {
                files.put(name, dir.resolve("file-" + files.size()));
                write(note);
            }
        }
    }

    /** Writes the file of a note. A file that the recorded SM did not begin with is ignored. */
    void write(Entry.Note note) {
        Named file = Named.of(note);
        Path own = files.get(file.name());
        if (own != null) {
            try {
                Files.write(own, file.content());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Reads the options of a note. The names of files are replaced by those of the temporary files.
     *
     * @throws ConfigurationException if this version does not accept the options
     */
    SmOptions options(Entry.Note settings) throws ConfigurationException, IOException {
        String text = settings.text();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            text = text.replace(
                    SettingsText.quoted(file.getKey()),
                    SettingsText.quoted(file.getValue().toString()));
        }
        Path conf = Files.writeString(dir.resolve("torus-sm.conf"), text);
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        values.put(Settings.STATE_DIR, new Configuration.CommandLineValue("replay", state.toString()));
        return Configuration.read(conf, values);
    }

    /** Returns the temporary state directory. */
    Path state() {
        return state;
    }

    /** Replaces the names of temporary files in a text by the recorded names. */
    String withRecordedNames(String text) {
        String own = text;
        if (own.contains(dir.toString())) {
            for (Map.Entry<String, Path> file : files.entrySet()) {
                own = own.replace(file.getValue().toString(), file.getKey());
            }
            own = own.replace(dir.toString(), "(replay)");
        }
        return own;
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(dir)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
