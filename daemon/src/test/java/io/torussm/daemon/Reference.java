package io.torussm.daemon;

import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.SettingGroup;
import io.torussm.routing.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings as documents: {@code reference.conf}, the list in {@code docs/operator/options.md}, and the manual page. */
final class Reference {
    private static final int WIDTH = 118;
    private static final int HEADING_WIDTH = 104;

    private Reference() {}

    /** A commented line for each setting, as an operator could write it. */
    static String conf() {
        StringBuilder text = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            String heading = "# --- " + group.title() + " ";
            text.append('\n')
                    .append(heading)
                    .append("-".repeat(HEADING_WIDTH - heading.length()))
                    .append("\n\n");
            if (!group.about().isEmpty()) {
                text.append(comment(group.about())).append('\n');
            }
            for (Setting<?> setting : group.settings()) {
                text.append(comment(setting.description()))
                        .append(setting.key())
                        .append(" = ")
                        .append(value(setting))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static String comment(String sentences) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("#");
        for (String word : sentences.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return lines.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    /** The default as it stands in the configuration file. */
    private static String value(Setting<?> setting) {
        String text = setting.standard();
        return text.matches("-?[0-9]+|0x[0-9a-f]+|true|false") ? text : "\"" + text + "\"";
    }

    /** A table for each group. */
    static String markdown() {
        StringBuilder page = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            String title = group.title();
            page.append("\n## ")
                    .append(title.substring(0, 1).toUpperCase(Locale.ROOT))
                    .append(title.substring(1))
                    .append("\n\n");
            if (!group.about().isEmpty()) {
                page.append(group.about()).append("\n\n");
            }
            page.append("| setting and default | may be | options | changed | meaning |\n|---|---|---|---|---|\n");
            group.settings().forEach(setting -> page.append(row(setting)));
        }
        Engines.ALL.forEach(engine -> page.append(settingsOf(engine)));
        return page.toString();
    }

    private static String settingsOf(Engine engine) {
        return engine.settings().isEmpty()
                ? ""
                : "\n## " + engine.name()
                        + " { ... }\n\nSettings of this engine, in an object of its name; those that are"
                        + " listed above by the same name may stand there instead.\n\n"
                        + engine.settings().stream()
                                .map(each -> "- `" + each.key() + " = \"" + each.byDefault() + "\"` ("
                                        + each.kind().name().toLowerCase(Locale.ROOT) + "): " + each.meaning() + ".\n")
                                .collect(Collectors.joining());
    }

    private static String row(Setting<?> setting) {
        String options =
                setting.options().stream().map(option -> "`" + option + "`").collect(Collectors.joining(", "));
        String former = setting.formerKey().isEmpty() ? "" : " Formerly `" + setting.formerKey() + "`.";
        return Stream.of(
                                "`" + setting.key() + " = " + value(setting) + "`",
                                setting.kind().range(),
                                options,
                                setting.reload().text(),
                                setting.description().replace("|", "\\|").replace("*", "\\*") + former)
                        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                        .collect(Collectors.joining("", "|", ""))
                + "\n";
    }

    /** A tagged paragraph for each setting. */
    static String troff() {
        StringBuilder page = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            page.append(".SS ").append(GeneratedPart.troff(group.title())).append('\n');
            if (!group.about().isEmpty()) {
                page.append(GeneratedPart.troff(group.about())).append('\n');
            }
            for (Setting<?> setting : group.settings()) {
                String range = setting.kind().range();
                page.append(".TP\n\\fB" + GeneratedPart.troff(setting.key()) + "\\fR = "
                                + GeneratedPart.troff(value(setting))
                                + (range.isEmpty() ? "" : "   (" + GeneratedPart.troff(range) + ")"))
                        .append('\n')
                        .append(GeneratedPart.troff(setting.description()))
                        .append(" A change takes effect " + setting.reload().text() + ".\n");
            }
        }
        return page.toString();
    }
}
