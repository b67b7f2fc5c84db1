package io.torussm.daemon;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.ValueType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@code reference.conf} as a document: sections, and in them settings that share a comment. */
record Reference(List<Section> sections) {
    /** Under a heading. */
    record Section(String title, List<Block> blocks) {}

    /** A comment, and the settings below it; without settings it is about all of the section. */
    record Block(String comment, List<Entry> entries) {}

    /** A setting and its default, as it stands in the file. */
    record Entry(Setting setting, String value) {
        /** What it may be, where that is a range or a choice; else empty. */
        String range() {
            if (setting.kind() instanceof ValueType.Int range) {
                return range.min() + " to " + range.max();
            }
            return setting.kind() instanceof ValueType.Word word ? String.join(", ", word.words()) : "";
        }
    }

    static Reference read() throws IOException {
        List<Section> sections = new ArrayList<>();
        StringBuilder comment = new StringBuilder();
        List<Entry> entries = new ArrayList<>();
        for (String line : text().lines().toList()) {
            boolean isHeading = line.startsWith("# --- ");
            if (!entries.isEmpty() && !line.contains(" = ") || isHeading || line.isBlank()) {
                close(sections, comment, entries);
            }
            if (isHeading) {
                sections.add(new Section(line.replaceAll("^# --- | -+$", ""), new ArrayList<>()));
            } else if (line.startsWith("# ")) {
                comment.append(comment.isEmpty() ? "" : " ").append(line.substring(2));
            } else if (line.contains(" = ")) {
                String[] words = line.split(" = ", 2);
                entries.add(new Entry(Setting.valueOf(words[0].toUpperCase(java.util.Locale.ROOT)), words[1]));
            }
        }
        close(sections, comment, entries);
        return new Reference(sections);
    }

    private static void close(List<Section> sections, StringBuilder comment, List<Entry> entries) {
        if (!sections.isEmpty() && (!comment.isEmpty() || !entries.isEmpty())) {
            sections.get(sections.size() - 1).blocks().add(new Block(comment.toString(), List.copyOf(entries)));
        }
        comment.setLength(0);
        entries.clear();
    }

    private static String text() throws IOException {
        try (InputStream in = Reference.class.getResourceAsStream("/reference.conf")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
