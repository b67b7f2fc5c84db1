package io.torussm.daemon.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the page, which are part of the program. Immutable. */
public final class StaticFiles {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "js", "text/javascript; charset=utf-8");

    /** The names of all files. No other name is served. */
    public static final List<String> NAMES = List.of(
            "index.html",
            "torus.css",
            "icon.svg",
            "app.js",
            "card.js",
            "columns.js",
            "counters.js",
            "dom.js",
            "marks.js",
            "model.js",
            "names.js",
            "palette.js",
            "panels.js",
            "paths.js",
            "permalink.js",
            "picture.js",
            "plane.js",
            "pointer.js",
            "scene.js",
            "server.js",
            "shape.js",
            "slices.js",
            "space.js",
            "table.js",
            "timeline.js");

    private final Map<String, Reply> byPath = new HashMap<>();

    /** Reads all files from the program. */
    public StaticFiles() {
        NAMES.forEach(name -> byPath.put("/" + name, read(name)));
        byPath.put("/", read("index.html"));
    }

    private static Reply read(String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
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

    /** Returns the file of a path; null if the path names no file. */
    @Nullable
    public Reply find(String path) {
        return byPath.get(path);
    }
}
