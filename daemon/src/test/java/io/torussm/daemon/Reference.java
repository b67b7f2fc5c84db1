package io.torussm.daemon;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.SettingGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings as documents: {@code reference.conf}, the list in {@code docs/operator/options.md}, and the manual page.
 */
final class Reference {
    /** Columns of comments and of headings of reference.conf, and of pages. */
    private static final int COMMENT_WIDTH = 118;

    private static final int HEADING_WIDTH = 104;
    private static final int PAGE_WIDTH = 110;

    /** The last sentence of a setting of some engines only, such as "Of ftree and updn." */
    private static final Pattern OF_ENGINES = Pattern.compile(" Of ([^.]+)\\.$");

    /** A word, or several that are a span of code. */
    private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|\\S)+");

    private Reference() {}

    /**
     * Returns reference.conf: for each setting a comment, and a line with the default as an operator could write it.
     */
    static String conf() {
        StringBuilder text = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            String heading = "# --- " + group.title() + " ";
            text.append('\n')
                    .append(heading)
                    .append("-".repeat(HEADING_WIDTH - heading.length()))
                    .append("\n\n");
            if (!group.description().isEmpty()) {
                text.append(comment(group.description())).append('\n');
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
            if (line.length() + 1 + word.length() > COMMENT_WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder("#");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return lines.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    /** Returns the default as it is written in the configuration file. */
    private static String value(Setting<?> setting) {
        String text = setting.defaultText();
        return text.matches("-?[0-9]+|0x[0-9a-f]+|true|false") ? text : "\"" + text + "\"";
    }

    /** Returns docs/operator/options.md: a list of settings for each group, those of some engines apart. */
    static String markdown() {
        StringBuilder page = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            String title = group.title();
            page.append("\n## ")
                    .append(title.substring(0, 1).toUpperCase(Locale.ROOT))
                    .append(title.substring(1))
                    .append("\n\n");
            if (!group.description().isEmpty()) {
                page.append(wrapped(group.description(), "")).append('\n');
            }
            itemsByHeading(group)
                    .forEach((heading, items) -> page.append(heading).append(items));
        }
        return page.toString();
    }

    /**
     * Returns the items of a list by heading: none, or "Settings of ENGINES". Settings with equal facts share an item.
     */
    private static Map<String, StringBuilder> itemsByHeading(SettingGroup group) {
        Map<String, List<Setting<?>>> settingsByFacts = new LinkedHashMap<>();
        group.settings().forEach(setting -> settingsByFacts
                .computeIfAbsent(facts(setting), text -> new ArrayList<>())
                .add(setting));
        Map<String, StringBuilder> items = new LinkedHashMap<>();
        settingsByFacts.forEach((facts, settings) -> {
            Matcher engines = OF_ENGINES.matcher(facts);
            String heading = engines.find() ? "\nSettings of " + engines.group(1) + ":\n\n" : "";
            items.computeIfAbsent(heading, any -> new StringBuilder())
                    .append(wrapped("- " + names(settings) + engines.replaceFirst(""), "  "));
        });
        return items;
    }

    private static String names(List<Setting<?>> settings) {
        return settings.stream()
                .map(setting -> "`" + setting.key() + " = " + value(setting) + "`")
                .collect(Collectors.joining(", "));
    }

    /** Returns the range, effect and meaning of a setting, which several settings may have in common. */
    private static String facts(Setting<?> setting) {
        String facts = Stream.of(
                        setting.type().range(),
                        setting.options().stream()
                                .map(option -> "`" + option + "`")
                                .collect(Collectors.joining(", ")),
                        setting.reload().name().toLowerCase(Locale.ROOT).replaceFirst(".*_", ""))
                .filter(fact -> !fact.isEmpty())
                .collect(Collectors.joining("; "));
        String former = setting.formerKey().isEmpty() ? "" : " Formerly `" + setting.formerKey() + "`.";
        return " (" + facts + "): " + setting.description().replace("*", "\\*") + former;
    }

    /** Breaks a text into lines of a page between words and spans of code. */
    static String wrapped(String text, String indent) {
        return wrapped(text, indent, WORD);
    }

    /** Breaks a text into lines of a page between words of a pattern. */
    static String wrapped(String text, String indent, Pattern word) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (MatchResult part : word.matcher(text).results().toList()) {
            if (column > 0 && column + 1 + part.group().length() > PAGE_WIDTH) {
                lines.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(part.group());
            column += part.group().length();
        }
        return lines.append('\n').toString();
    }

    /** Returns the settings for the manual page: a tagged paragraph each. */
    static String troff() {
        StringBuilder page = new StringBuilder();
        for (SettingGroup group : SettingGroup.values()) {
            page.append(".SS ").append(GeneratedPart.troff(group.title())).append('\n');
            if (!group.description().isEmpty()) {
                page.append(GeneratedPart.troff(group.description())).append('\n');
            }
            for (Setting<?> setting : group.settings()) {
                String range = setting.type().range();
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
