package io.torussm.daemon.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the page, which are part of the program. Immutable. */
final class StaticFiles {
    private static final Map<String, String> TYPES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "torus.css", "text/css; charset=utf-8",
            "icon.svg", "image/svg+xml",
            "app.js", "text/javascript; charset=utf-8",
            "slices.js", "text/javascript; charset=utf-8",
            "plane.js", "text/javascript; charset=utf-8",
            "space.js", "text/javascript; charset=utf-8",
            "model.js", "text/javascript; charset=utf-8",
            "scene.js", "text/javascript; charset=utf-8",
            "panels.js", "text/javascript; charset=utf-8");

    private final Map<String, Reply> byPath = new HashMap<>();

    /** Reads them all. */
    StaticFiles() {
        TYPES.forEach((name, type) -> byPath.put("/" + name, read(name, type)));
        byPath.put("/", read("index.html", TYPES.getOrDefault("index.html", "")));
    }

    private static Reply read(String name, String type) {
        try (InputStream in = StaticFiles.class.getResourceAsStream("web/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks " + name);
            }
            byte[] body = in.readAllBytes();
            return Reply.tagged(type, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Null if there is none. */
    @Nullable
    Reply find(String path) {
        return byPath.get(path);
    }
}
