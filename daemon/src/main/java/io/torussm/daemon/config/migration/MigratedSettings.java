package io.torussm.daemon.config.migration;

import com.typesafe.config.ConfigUtil;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.ValueType;
import io.torussm.daemon.config.migration.MigrationReport.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The settings of the new configuration: values of OpenSM in the notation of this program, and their origins. */
final class MigratedSettings {
    /** A value in HOCON, and its origin for a comment. */
    private record MigratedValue(String text, String origin) {}

    private final OpenSmConf conf;
    private final MigrationReport report;
    private final Map<Setting<?>, MigratedValue> values = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Creates a configuration without settings.
     *
     * @param report receives flags that are neither TRUE nor FALSE
     */
    MigratedSettings(OpenSmConf conf, MigrationReport report) {
        this.conf = conf;
        this.report = report;
    }

    /**
     * Gives a setting a value; a value that is not valid becomes a problem.
     *
     * @param value value in the notation of OpenSM, or the name of a file of this program
     * @param item option from which the value comes, for messages; its value may differ
     */
    void put(Setting<?> setting, String value, OpenSmConf.Item item) {
        try {
            String converted = convert(setting, value, item);
            setting.type().read(converted);
            boolean isBare = setting.isFlag() || converted.matches("-?[0-9]+|0[xX][0-9a-fA-F]+");
            values.put(
                    setting, new MigratedValue(isBare ? converted : ConfigUtil.quoteString(converted), origin(item)));
        } catch (IllegalArgumentException e) {
            String shown = item.isSecret() ? "" : ", not \"" + value + "\"";
            addProblem(item, e.getMessage() + shown + "; correct it, or remove the line");
        }
    }

    /** Returns a value in the notation of this program. */
    private String convert(Setting<?> setting, String value, OpenSmConf.Item item) {
        if (setting.isFlag()) {
            return flag(value, item);
        } else if (setting.type() instanceof ValueType.FileName) {
            return value;
        }
        String converted = OptionValues.decimal(value);
        if (converted.matches("0[0-9]+")) {
            throw new IllegalArgumentException("begins with 0, so that its digits must be 0 to 7");
        }
        return converted;
    }

    /** Returns the value of a flag. For OpenSM any value except TRUE, in capitals, is false. */
    private String flag(String value, OpenSmConf.Item item) {
        if (!value.equals(OptionValues.TRUE) && !value.equals(OptionValues.FALSE)) {
            report.add(
                    Section.NOT_AS_WRITTEN,
                    conf.shown(item) + ": neither TRUE nor FALSE, which OpenSM takes for FALSE");
        }
        return Boolean.toString(value.equals(OptionValues.TRUE));
    }

    private static String origin(OpenSmConf.Item item) {
        return item.isWritten() ? "line " + item.line() + ": " + item.shown() : "OpenSM's default";
    }

    /** Adds the problem of an option, because of which nothing is converted. */
    void addProblem(OpenSmConf.Item item, String problem) {
        problems.add(conf.location(item) + ": " + item.name() + " " + problem);
    }

    /**
     * Ends the conversion.
     *
     * @throws ConfigurationException with all problems, if there is one
     */
    void throwProblems() throws ConfigurationException {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    /** Returns the settings that have values, in the order of the configuration. */
    Set<Setting<?>> settings() {
        return values.keySet();
    }

    /** Checks whether a value is a secret, so that the readers of the file must be restricted. */
    boolean holdSecrets() {
        return values.keySet().stream().anyMatch(Setting::isSecret);
    }

    /** Returns the text of the configuration. Options that are not taken over as written are comments at its end. */
    String text() {
        StringBuilder text = new StringBuilder("# Configuration of torus-sm, made by torus-sm migrate-conf from "
                + conf.file() + ".\n# Other settings have their defaults; see torus-sm.conf(5).\n");
        values.forEach((setting, value) -> text.append("\n# ")
                .append(setting.meaning())
                .append("\n# (")
                .append(value.origin())
                .append(")\n")
                .append(setting.key())
                .append(" = ")
                .append(value.text())
                .append('\n'));
        appendComments(text, "Not as written", Section.NOT_AS_WRITTEN);
        appendComments(text, "Without a counterpart", Section.UNSUPPORTED);
        appendComments(text, "Without effect", Section.WITHOUT_EFFECT);
        return text.toString();
    }

    private void appendComments(StringBuilder text, String title, Section section) {
        List<String> entries = report.entries(section);
        if (!entries.isEmpty()) {
            text.append("\n# ").append(title).append(":\n");
            entries.forEach(entry -> text.append("# ").append(entry).append('\n'));
        }
    }
}
