package io.torussm.daemon.replica;

import io.torussm.state.StateDirectory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The versions of the state files of this SM: the current ones, and those at the begin of its mastership. Written by
 * the {@code sm} thread, read by any thread.
 */
final class FileVersions {
    private final StateDirectory directory;

    /** Current versions by name of the file. */
    private final Map<String, FileVersion> versions = new ConcurrentHashMap<>();

    /** Versions by name of the file at the begin of the mastership, or of another master that were merged since. */
    private final Map<String, FileVersion> baseVersions = new ConcurrentHashMap<>();

    /** Reads the versions from a state directory. */
    FileVersions(StateDirectory directory) {
        this.directory = directory;
        directory.read(VersionFile.FILE, new VersionFile.VersionLines()).ifPresent(versions::putAll);
    }

    /** Returns the current version of a file; {@link FileVersion#NONE} if it was never replicated. */
    FileVersion version(String name) {
        return versions.getOrDefault(name, FileVersion.NONE);
    }

    /**
     * Returns the version of a file at the begin of the mastership, or that of another master that was merged since.
     */
    FileVersion baseVersion(String name) {
        return baseVersions.getOrDefault(name, FileVersion.NONE);
    }

    /** Returns the newest one of the current versions of all files. */
    FileVersion newest() {
        return versions.values().stream().max(FileVersion::compareTo).orElse(FileVersion.NONE);
    }

    /** Copies the current versions of all files, by name of the file. */
    Map<String, FileVersion> all() {
        return new LinkedHashMap<>(versions);
    }

    /** Formats the current versions as the content of {@link VersionFile}. */
    byte[] content() {
        return VersionFile.FILE.content(VersionFile.lines(versions));
    }

    /** Stores the current versions as those at the begin of a mastership. */
    void beginMastership() {
        baseVersions.clear();
        baseVersions.putAll(versions);
    }

    /** Stores a version of another master that was merged into the data of this SM. */
    void merge(String name, FileVersion version) {
        baseVersions.put(name, version);
    }

    /** Stores the current version of a file, and writes {@link VersionFile}. */
    void store(String name, FileVersion version) {
        versions.put(name, version);
        Map<String, FileVersion> current = Map.copyOf(versions);
        directory.write(VersionFile.FILE, () -> VersionFile.lines(current));
    }
}
