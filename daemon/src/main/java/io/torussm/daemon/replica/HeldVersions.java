package io.torussm.daemon.replica;

import io.torussm.state.StateDirectory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The versions of the state files of this SM, now and at the beginning of its mastership. Written on the loop of the
 * SM; read by any thread.
 */
final class HeldVersions {
    private final StateDirectory directory;
    private final Map<String, FileVersion> held = new ConcurrentHashMap<>();

    /** The versions at the beginning of the mastership, or merged since. */
    private final Map<String, FileVersion> begunWith = new ConcurrentHashMap<>();

    /** Reads the versions of a directory. */
    HeldVersions(StateDirectory directory) {
        this.directory = directory;
        directory.read(VersionFile.FILE, new VersionFile.VersionLines()).ifPresent(held::putAll);
    }

    FileVersion held(String name) {
        return held.getOrDefault(name, FileVersion.NONE);
    }

    /** Returns the version at the beginning of the mastership, or the one that was merged since. */
    FileVersion begunWith(String name) {
        return begunWith.getOrDefault(name, FileVersion.NONE);
    }

    /** Returns the newest version of any file. */
    FileVersion newest() {
        return held.values().stream().max(FileVersion::compareTo).orElse(FileVersion.NONE);
    }

    Map<String, FileVersion> all() {
        return new LinkedHashMap<>(held);
    }

    /** Returns the content of the file of versions. */
    byte[] content() {
        return VersionFile.FILE.content(VersionFile.lines(held));
    }

    /** Records the versions with which a mastership begins. */
    void beginMastership() {
        begunWith.clear();
        begunWith.putAll(held);
    }

    /** Records a version of another master that was merged into the data of this one. */
    void merge(String name, FileVersion version) {
        begunWith.put(name, version);
    }

    /** Records the version of a file of this SM, and writes the file of versions. */
    void hold(String name, FileVersion version) {
        held.put(name, version);
        Map<String, FileVersion> current = Map.copyOf(held);
        directory.write(VersionFile.FILE, () -> VersionFile.lines(current));
    }
}
