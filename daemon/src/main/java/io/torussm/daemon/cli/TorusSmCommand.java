package io.torussm.daemon.cli;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.system.Version;
import io.torussm.torus2qos.Torus2QosEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command line of {@code torus-sm}: an option for every {@link Setting} that has one, and options that
 * are no settings.
 */
final class TorusSmCommand {
    static final String NAME = "torus-sm";

    private static final List<Subcommand> SUBCOMMANDS = List.of(
            new PathCommand(),
            new MigrateCommand(),
            new PlanCommand(),
            new WhatIfCommand(),
            new TrafficCommand(),
            new FabricCommand(),
            new ProveCommand(),
            new ReplayCommand(),
            new ShadowSubcommand(),
            new SuggestConfCommand(),
            new CablingCommand(),
            new NewTokenCommand(),
            new CompletionCommand());
    /** The option of the configuration file. */
    static final String FILE = "--config";

    private static final String ONCE = "--once";
    private static final String CHECK = "--check-config";
    private static final String EXPLAIN = "--explain";
    private static final String VERBOSE = "-v";
    private static final String FLAGS = "-D";
    private static final String DAEMON = "-B";

    /** Begins the name of a file with arguments. */
    private static final String ARGUMENT_FILE_PREFIX = "@";

    /** Characters of an option that may stand among others. */
    private static final int SHORT_OPTION_LENGTH = 2;

    /** Columns of a terminal. */
    private static final int WIDTH = 80;

    /**
     * Makes lists of values. The default factory of objects searches every jar for Groovy first, so it is
     * used only for other types.
     */
    private static final CommandLine.IFactory LIST_FACTORY = new CommandLine.IFactory() {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == List.class
                    ? type.cast(new ArrayList<>())
                    : CommandLine.defaultFactory().create(type);
        }
    };

    static {
        System.setProperty(
                "picocli.converters.excludes", ".*"); // of dates and the like, which no option has: a dozen formatters
    }

    private TorusSmCommand() {}

    /**
     * The task of the command line.
     *
     * @param parameters parameters of the daemon
     * @param file file of the configuration, if one is read
     * @param isCheckOnly true if only the configuration is checked
     */
    record Request(Daemon.Setup parameters, @Nullable Path file, boolean isCheckOnly) {}

    /**
     * Returns the grammar for these arguments. The whole grammar takes a fifth of the time until the first
     * SMP. So it is only made for a subcommand, for help, or if the arguments are wrong, for its error
     * message. Otherwise the grammar has only the options that these arguments may name, and treats them like
     * the whole one.
     */
    static CommandLine commandLine(List<String> arguments) {
        boolean isDaemon = SUBCOMMANDS.stream().noneMatch(each -> arguments.contains(each.name()))
                && arguments.stream().noneMatch(each -> each.startsWith(ARGUMENT_FILE_PREFIX));
        CommandLine commandLine = daemon(name -> arguments.stream().anyMatch(each -> mayNameOption(each, name)));
        return isDaemon && isValid(commandLine, arguments) ? commandLine : commandLine();
    }

    /**
     * Checks whether an argument may name an option, alone, with its value, or in a group of options of one
     * letter.
     */
    private static boolean mayNameOption(String argument, String option) {
        return argument.startsWith(option)
                || (option.length() == SHORT_OPTION_LENGTH
                        && !argument.startsWith("--")
                        && argument.indexOf(option.charAt(1)) > 0);
    }

    /**
     * Checks whether the arguments are valid without subcommands, and are no request for help, which would
     * list them.
     */
    private static boolean isValid(CommandLine commandLine, List<String> arguments) {
        try {
            return !commandLine.parseArgs(arguments.toArray(String[]::new)).isUsageHelpRequested();
        } catch (CommandLine.ParameterException e) {
            return false; // The whole grammar reports the fault.
        }
    }

    /** Returns the whole grammar, for parsing and for help. */
    static CommandLine commandLine() {
        CommandLine commandLine = daemon(name -> true);
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroups::section);
        for (Subcommand subcommand : SUBCOMMANDS) {
            CommandSpec own = emptyGrammar();
            own.usageMessage().width(WIDTH).sortOptions(false);
            subcommand.describe(own);
            addHelp(own);
            commandLine.addSubcommand(subcommand.name(), new CommandLine(own, LIST_FACTORY));
        }
        return commandLine;
    }

    private static CommandSpec emptyGrammar() {
        return CommandSpec.wrapWithoutInspection(null, LIST_FACTORY);
    }

    /**
     * Returns the grammar without subcommands.
     *
     * @param isWanted selects options by name
     */
    private static CommandLine daemon(Predicate<String> isWanted) {
        CommandSpec spec = emptyGrammar().name(NAME);
        spec.version(Version.TEXT);
        spec.usageMessage()
                .description("InfiniBand subnet manager.")
                .footer(
                        "Exit codes: 0 subnet up or orderly end, 1 sweep failed or defect, 2 bad configuration or"
                                + " usage,",
                        "3 routing refused or out of memory, 4 no port, 5 another subnet manager is master, 6 halted.")
                .width(WIDTH)
                .sortOptions(false)
                .abbreviateSynopsis(true);
        add(spec, text("FILE", "configuration file, HOCON", "-F", "-c", FILE));
        add(spec, flag("configure the subnet once and end", "-o", ONCE));
        add(spec, flag("check the configuration and end", CHECK));
        add(spec, list("SRC,DST", "with --once: explain this path; SRC and DST: node name, GUID or LID", EXPLAIN));
        for (Setting<?> setting : Settings.all()) {
            if (setting.options().stream().anyMatch(isWanted)) {
                add(spec, option(setting));
            }
        }
        add(
                spec,
                OptionSpec.builder(VERBOSE, "--verbose")
                        .type(boolean[].class)
                        .arity("0")
                        .description("log more; again: still more"));
        add(spec, flag("what OpenSM does with this is done always", "-A", "--ucast_cache"));
        add(spec, text("FLAGS", "log flags of OpenSM: 0x02 info, 0x04 verbose, 0x08 debug, 0x20 frames", FLAGS));
        add(
                spec,
                flag("refused: systemd keeps daemons today", DAEMON, "--daemon").hidden(true));
        add(
                spec,
                OptionSpec.builder("--version")
                        .type(boolean.class)
                        .versionHelp(true)
                        .description("print the version"));
        addHelp(spec);
        return new CommandLine(spec, LIST_FACTORY);
    }

    /** Adds the configuration file, and options for some settings. */
    static void addSettings(CommandSpec spec, Collection<Setting<?>> settings) {
        add(spec, text("FILE", "configuration file, HOCON", "-F", "-c", FILE));
        addOptions(spec, settings);
    }

    /** Adds options for some settings. */
    static void addOptions(CommandSpec spec, Collection<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            if (!setting.options().isEmpty()) {
                add(spec, option(setting));
            }
        }
    }

    private static OptionSpec.Builder option(Setting<?> setting) {
        String[] names = setting.options().toArray(String[]::new);
        return setting.isFlag() ? flag(setting.meaning(), names) : text(setting.label(), setting.meaning(), names);
    }

    private static void addHelp(CommandSpec spec) {
        add(
                spec,
                OptionSpec.builder("-h", "--help")
                        .type(boolean.class)
                        .usageHelp(true)
                        .description("print this"));
    }

    private static void add(CommandSpec spec, OptionSpec.Builder option) {
        spec.addOption(option.build());
    }

    private static OptionSpec.Builder text(String label, String meaning, String... names) {
        return OptionSpec.builder(names[0], rest(names))
                .type(String.class)
                .paramLabel(label)
                .description(meaning);
    }

    private static String[] rest(String[] names) {
        return Arrays.copyOfRange(names, 1, names.length);
    }

    private static OptionSpec.Builder list(String label, String meaning, String name) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(meaning);
    }

    private static OptionSpec.Builder flag(String meaning, String... names) {
        return OptionSpec.builder(names[0], rest(names)).type(boolean.class).description(meaning);
    }

    /**
     * Returns the task of the command line.
     *
     * @throws ConfigurationException if the options or the file cannot be used
     */
    static Request request(ParseResult parsed) throws ConfigurationException {
        if (parsed.hasMatchedOption(DAEMON)) {
            throw new ConfigurationException(List.of("option -B: torus-sm does not put itself into the background; "
                    + "let systemd run it (torus-sm.service), or the shell (&)"));
        }
        if (parsed.hasMatchedOption(CHECK)) {
            UnusedOptions.refuse(parsed, CHECK, List.of(ONCE, EXPLAIN));
        }
        boolean isOnce = parsed.hasMatchedOption(ONCE);
        List<String> explain = parsed.matchedOptionValue(EXPLAIN, List.of());
        if (!explain.isEmpty() && !isOnce) {
            throw new ConfigurationException(
                    List.of("option --explain needs --once; ask a running daemon with torus-smctl path SRC DST"));
        }
        Path file = file(parsed);
        Map<Setting<?>, Configuration.CommandLineValue> values = optionValues(parsed);
        SmOptions options = Configuration.read(file, values);
        return new Request(
                new Daemon.Setup(options, isOnce, explain, () -> Configuration.read(file, values)),
                file,
                parsed.hasMatchedOption(CHECK));
    }

    /**
     * Returns the options for a subcommand.
     *
     * @param parsed options of the subcommand
     * @throws ConfigurationException if the options or the file cannot be used
     */
    static SmOptions options(ParseResult parsed) throws ConfigurationException {
        return Configuration.read(file(parsed), optionValues(parsed));
    }

    /**
     * Returns the options for planning commands: the fabric is their first word, and QoS is on, without which
     * no torus is routed.
     *
     * @param parsed options of the command alone
     * @throws ConfigurationException if the options or the file cannot be used
     */
    static SmOptions planningOptions(ParseResult parsed) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = optionValues(parsed);
        String topology = parsed.matchedPositionalValue(0, "");
        values.put(Settings.SIMULATE, new Configuration.CommandLineValue(PlanningWords.TOPOLOGY, topology));
        if (!hasRoutingChoice(parsed)) {
            values.put(
                    Settings.ROUTING_ENGINE,
                    new Configuration.CommandLineValue(PlanningWords.TOPOLOGY, Torus2QosEngine.NAME));
        }
        values.put(Settings.QOS, new Configuration.CommandLineValue(PlanningWords.TOPOLOGY, "true"));
        return Configuration.read(file(parsed), values);
    }

    /**
     * Returns the options of an SM that takes a fabric over; without a file QoS is on, without which no torus
     * is routed.
     *
     * @throws ConfigurationException if the options or the file cannot be used
     */
    static SmOptions takeoverOptions(ParseResult parsed) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = optionValues(parsed);
        if (file(parsed) == null) {
            values.putIfAbsent(Settings.QOS, new Configuration.CommandLineValue(NAME, "true"));
        }
        return Configuration.read(file(parsed), values);
    }

    /**
     * Returns the options that determine the fabric in the first word of a command; no configuration file is
     * read.
     *
     * @param word name of that word
     * @throws ConfigurationException if the options cannot be used
     */
    static SmOptions fabricOptions(ParseResult parsed, String word) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = optionValues(parsed);
        values.put(Settings.SIMULATE, new Configuration.CommandLineValue(word, parsed.matchedPositionalValue(0, "")));
        return Configuration.read(null, values);
    }

    /** Checks whether a command line names engines, or a file that decides on them. */
    static boolean hasRoutingChoice(ParseResult parsed) throws ConfigurationException {
        return file(parsed) != null || optionValues(parsed).containsKey(Settings.ROUTING_ENGINE);
    }

    /**
     * Parses a command line. Options may stand before the word of a subcommand, too: they are its own.
     *
     * @throws CommandLine.ParameterException if it makes no sense
     */
    static ParseResult parse(CommandLine commandLine, String... arguments) {
        ParseResult parsed = commandLine.parseArgs(arguments);
        ParseResult word = parsed.subcommand();
        if (word == null || parsed.matchedOptions().isEmpty()) {
            return parsed;
        }
        List<String> ordered = new ArrayList<>(Arrays.asList(arguments));
        ordered.remove(word.commandSpec().name()); // the first one: no option takes it for its value
        ordered.add(0, word.commandSpec().name());
        return commandLine.parseArgs(ordered.toArray(String[]::new));
    }

    /**
     * Returns the subcommand that is asked for.
     *
     * @param parsed options of the whole command line
     */
    static Subcommand subcommand(ParseResult parsed) {
        String word = parsed.subcommand().commandSpec().name();
        return SUBCOMMANDS.stream()
                .filter(each -> each.name().equals(word))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable Path file(ParseResult parsed) throws ConfigurationException {
        String name = parsed.matchedOptionValue(FILE, null);
        try {
            return name == null ? null : Path.of(name);
        } catch (java.nio.file.InvalidPathException e) {
            throw new ConfigurationException(List.of("option --config: " + e.getMessage()));
        }
    }

    private static Map<Setting<?>, Configuration.CommandLineValue> optionValues(ParseResult parsed)
            throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        for (Setting<?> setting : Settings.all()) {
            String name = setting.options().isEmpty() ? "" : setting.options().get(0);
            if (!name.isEmpty() && parsed.hasMatchedOption(name)) {
                Object value = parsed.matchedOption(name).getValue();
                values.put(setting, new Configuration.CommandLineValue(name, String.valueOf(value)));
            }
        }
        String level = level(parsed);
        if (!level.isEmpty()) {
            values.put(Settings.LOG_LEVEL, new Configuration.CommandLineValue(FLAGS + " or " + VERBOSE, level));
        }
        return values;
    }

    /** Returns the level that -D and -v ask for, empty if neither was given. */
    private static String level(ParseResult parsed) throws ConfigurationException {
        boolean[] verbose = parsed.matchedOptionValue(VERBOSE, new boolean[0]);
        String flags = parsed.matchedOptionValue(FLAGS, "");
        if (flags.isEmpty() && verbose.length == 0) {
            return "";
        }
        int level = flags.isEmpty() ? SmOptions.Log.LEVELS.indexOf("info") : levelOfFlags(flags);
        return SmOptions.Log.LEVELS.get(Math.min(level + verbose.length, SmOptions.Log.LEVELS.size() - 1));
    }

    private static int levelOfFlags(String text) throws ConfigurationException {
        int flags;
        try {
            flags = Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new ConfigurationException(List.of("option -D: must be log flags, 0 to 0xff, such as 0x03"));
        }
        if (flags < 0 || flags > 0xff) {
            throw new ConfigurationException(List.of("option -D: must be log flags, 0 to 0xff, such as 0x03"));
        }
        return SmOptions.Log.LEVELS.indexOf(SmOptions.Log.levelOfFlags(flags));
    }
}
