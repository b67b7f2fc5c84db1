package io.torussm.routing;

import org.jspecify.annotations.Nullable;

/**
 * A file that a setting of an engine names, as it was read for one run.
 *
 * @param name name for messages
 * @param text content of the file; null if it could not be read
 * @param problem reason why the file could not be read; empty if it was read
 */
public record EngineFile(String name, @Nullable String text, String problem) {
    /** Returns a file that was read. */
    public static EngineFile read(String name, String text) {
        return new EngineFile(name, text, "");
    }

    /** Returns a file that cannot be read. */
    public static EngineFile unreadable(String name, String problem) {
        return new EngineFile(name, null, problem);
    }
}
