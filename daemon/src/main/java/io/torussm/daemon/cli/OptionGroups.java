package io.torussm.daemon.cli;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.SettingGroup;
import io.torussm.daemon.config.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** The options of {@code torus-sm}: their groups in {@code --help}, and their spellings. */
final class OptionGroups {
    /** Settings that most command lines name. */
    private static final List<Setting<?>> COMMON = List.of(
            Settings.GUID,
            Settings.SIMULATE,
            Settings.ROUTING_ENGINE,
            Settings.TORUS_CONFIG,
            Settings.QOS,
            Settings.STATE_DIR,
            Settings.LOG_FILE);

    private OptionGroups() {}

    /** Returns the section of options of a help text, with a heading for each group. */
    static String section(Help help) {
        Map<String, Setting<?>> settings = new HashMap<>();
        Settings.all().forEach(setting -> setting.options().forEach(name -> settings.put(name, setting)));
        List<OptionSpec> common = new ArrayList<>();
        Map<SettingGroup, List<OptionSpec>> grouped = new EnumMap<>(SettingGroup.class);
        for (OptionSpec option : help.commandSpec().options()) {
            Setting<?> setting = settings.get(option.longestName());
            if (setting == null || COMMON.contains(setting)) {
                common.add(option);
            } else {
                grouped.computeIfAbsent(setting.group(), group -> new ArrayList<>())
                        .add(option);
            }
        }
        StringBuilder text = new StringBuilder(section(help, "Common", common));
        grouped.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getKey() == SettingGroup.ROUTING))
                .forEach(each -> text.append(section(help, heading(each.getKey()), each.getValue())));
        return text.toString();
    }

    private static String heading(SettingGroup group) {
        String title = group.title();
        return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
    }

    private static String section(Help help, String heading, List<OptionSpec> options) {
        Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
        layout.addOptions(options, help.parameterLabelRenderer());
        return System.lineSeparator() + heading + ":" + System.lineSeparator() + layout;
    }

    /**
     * Returns the arguments with names of options as they are declared: {@code _} and {@code -} within a long option
     * are alike.
     */
    static String[] canonical(String... arguments) {
        Map<String, String> declared = new HashMap<>();
        Settings.all()
                .forEach(setting -> setting.options().forEach(name -> declared.put(name.replace('_', '-'), name)));
        return Arrays.stream(arguments)
                .map(argument -> canonical(argument, declared))
                .toArray(String[]::new);
    }

    private static String canonical(String argument, Map<String, String> declared) {
        int end = argument.indexOf('=') < 0 ? argument.length() : argument.indexOf('=');
        String name = argument.substring(0, end);
        if (!name.startsWith("--") || declared.containsValue(name)) {
            return argument;
        }
        String plain = name.replace('_', '-');
        String known = declared.get(plain);
        if (known == null) {
            known = plain.indexOf('-', 2) < 0 ? name : findInCommands(name, plain);
        }
        return known + argument.substring(end);
    }

    /** Returns the option of any command that is spelled so, or the name if there is none. */
    private static String findInCommands(String name, String plain) {
        CommandLine program = TorusSmCommand.commandLine();
        return Stream.concat(Stream.of(program), program.getSubcommands().values().stream())
                .flatMap(command -> command.getCommandSpec().optionsMap().keySet().stream())
                .filter(option -> option.replace('_', '-').equals(plain))
                .findFirst()
                .orElse(name);
    }
}
