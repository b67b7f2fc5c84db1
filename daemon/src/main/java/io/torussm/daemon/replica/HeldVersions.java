package io.torussm.daemon.replica;

import io.torussm.state.StateDirectory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The versions of the state files of this SM: the current ones, and those at the begin of its mastership. Written by
 * the {@code sm} thread, read by any thread.
 */
final class HeldVersions {
    private final StateDirectory directory;

    /** Current versions by name of the file. */
    private final Map<String, FileVersion> held = new ConcurrentHashMap<>();

    /** Versions by name of the file at the begin of the mastership, or of another master that were merged since. */
    private final Map<String, FileVersion> begunWith = new ConcurrentHashMap<>();

    /** Reads the versions from a state directory. */
    HeldVersions(StateDirectory directory) {
        this.directory = directory;
        directory.read(VersionFile.FILE, new VersionFile.VersionLines()).ifPresent(held::putAll);
    }

    /** Returns the current version of a file; {@link FileVersion#NONE} if it was never replicated. */
    FileVersion held(String name) {
        return held.getOrDefault(name, FileVersion.NONE);
    }

    /**
     * Returns the version of a file at the begin of the mastership, or that of another master that was merged since.
     */
    FileVersion begunWith(String name) {
        return begunWith.getOrDefault(name, FileVersion.NONE);
    }

    /** Returns the newest one of the current versions of all files. */
    FileVersion newest() {
        return held.values().stream().max(FileVersion::compareTo).orElse(FileVersion.NONE);
    }

    /** Copies the current versions of all files, by name of the file. */
    Map<String, FileVersion> all() {
        return new LinkedHashMap<>(held);
    }

    /** Formats the current versions as the content of {@link VersionFile}. */
    byte[] content() {
        return VersionFile.FILE.content(VersionFile.lines(held));
    }

    /** Stores the current versions as those at the begin of a mastership. */
    void beginMastership() {
        begunWith.clear();
        begunWith.putAll(held);
    }

    /** Stores a version of another master that was merged into the data of this SM. */
    void merge(String name, FileVersion version) {
        begunWith.put(name, version);
    }

    /** Stores the current version of a file, and writes {@link VersionFile}. */
    void hold(String name, FileVersion version) {
        held.put(name, version);
        Map<String, FileVersion> current = Map.copyOf(held);
        directory.write(VersionFile.FILE, () -> VersionFile.lines(current));
    }
}
