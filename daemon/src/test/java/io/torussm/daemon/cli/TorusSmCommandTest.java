package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The grammar of the command line of {@code torus-sm}. A start makes only the options that its arguments may name,
 * which must not change the meaning of any command line.
 */
class TorusSmCommandTest {
    private static final int COMMAND_LINES = 1_000;
    private static final int MAX_WORDS = 6;
    private static final List<String> WORDS = List.of(
            "3", "x", "-", "--", "-Q", "-Qo", "-vv", "-Qp3", "-oF", "-zz", "--no-such", "@none", "--config", "-h");

    /** A start makes the options only that its arguments may name. */
    @Test
    void theGrammarOfAStartEqualsTheWholeOne() {
        List<String> words = new ArrayList<>(WORDS);
        Settings.all().forEach(setting -> setting.options().forEach(option -> {
            words.add(option);
            words.add(option + "=7");
            words.add(option + "7");
        }));
        CommandLine whole = TorusSmCommand.commandLine();
        Random random = Seeds.random(1);
        for (int i = 0; i < COMMAND_LINES; i++) {
            List<String> arguments = random.ints(1 + random.nextInt(MAX_WORDS), 0, words.size())
                    .mapToObj(words::get)
                    .toList();
            assertThat(meaning(TorusSmCommand.commandLine(arguments), arguments))
                    .as("meaning of %s", arguments)
                    .isEqualTo(meaning(whole, arguments));
        }
    }

    @Test
    void groupsOptionsOn80ColumnsWithRoutingLast() {
        String help = TorusSmCommand.commandLine().getUsageMessage(CommandLine.Help.Ansi.OFF);
        assertThat(help.lines()).allMatch(line -> line.length() <= 80);
        assertThat(help.lines().filter(line -> line.matches("[A-Z].*:")))
                .startsWith("Common:")
                .contains("Sweeps and SMPs:")
                .endsWith("Routing:", "Commands:");
        Settings.all().forEach(setting -> setting.options()
                .forEach(option -> assertThat(help).contains(option)));
    }

    @Test
    void takesUnderscoresAndHyphensAlike() {
        assertThat(OptionGroups.canonical(
                        "--routing-engine=a_b", "--sim_host", "x-y", "--state-dir", "-F", "--check_config"))
                .containsExactly("--routing_engine=a_b", "--sim-host", "x-y", "--state-dir", "-F", "--check-config");
    }

    /** Of all commands of the program; those of torus-smctl are in ConsoleTest. */
    @Test
    void eachCommandHasHelpOn80ColumnsAndTakesBothSpellings() {
        List<CommandLine> commands = new ArrayList<>(List.of(TorusSmCommand.commandLine()));
        commands.addAll(commands.get(0).getSubcommands().values());
        assertThat(commands).hasSizeGreaterThan(10);
        for (CommandLine command : commands) {
            assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF).lines())
                    .as(command.getCommandName())
                    .allMatch(line -> line.length() <= 80);
            Set<String> options = command.getCommandSpec().optionsMap().keySet();
            for (String option : options) {
                assertThat(options)
                        .contains(OptionGroups.canonical(option, option.replace('_', '-'), underscored(option)));
            }
        }
    }

    @Test
    void hasOnlyNamedOptions() {
        CommandLine grammar = TorusSmCommand.commandLine(List.of("-Q", "--routing_engine=updn"));
        assertThat(grammar.getCommandSpec().optionsMap())
                .containsKeys("-Q", "-R", "--config")
                .doesNotContainKey("--lmc");
    }

    @Test
    void knowsAllOptionsWhereAFileHoldsArguments(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("arguments"), "--lmc 3");
        List<String> arguments = List.of("@" + file);
        assertThat(meaning(TorusSmCommand.commandLine(arguments), arguments))
                .contains("--lmc")
                .contains("3");
    }

    /** Returns the result of a grammar for a command line: options and values, or the error. */
    private static String meaning(CommandLine grammar, List<String> arguments) {
        try {
            CommandLine.ParseResult parsed = TorusSmCommand.parse(grammar, arguments.toArray(String[]::new));
            TreeMap<String, String> options = new TreeMap<>();
            parsed.matchedOptions()
                    .forEach(option -> options.put(
                            option.longestName(), option.stringValues() + " " + option.originalStringValues()));
            return options.toString();
        } catch (CommandLine.ParameterException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String underscored(String option) {
        return option.startsWith("--") ? "--" + option.substring(2).replace('-', '_') : option;
    }
}
