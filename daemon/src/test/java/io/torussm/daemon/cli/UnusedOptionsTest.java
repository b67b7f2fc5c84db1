package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.system.ExitCode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** An option without effect is an error that names it, in each mode of each command. */
class UnusedOptionsTest extends CommandHarness {
    private static final String SHAPE = "torus:3x3,hosts=1";
    private static final String OF_DATA_PLANE = "--sl --packet --buffer --hoq";
    private static final String OF_LOADS = OF_DATA_PLANE + " --pattern --shift --load --upper-share --message --length"
            + " --seed --lose --fail --dump --json";

    @Test
    void eachCommandHasItsModesHere() {
        assertThat(modes().map(mode -> command((String) mode.get()[0])))
                .containsAll(TorusSmCommand.commandLine().getSubcommands().keySet());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void anOptionWithoutEffectIsAnError(String mode, String used) throws Exception {
        List<String> words = new ArrayList<>();
        for (String word : mode.split(" ", -1)) {
            words.add(
                    switch (word) {
                        case "FILE", "OTHER" ->
                            Files.writeString(dir.resolve(word), "{}").toString();
                        case "DIR" -> dir.toString();
                        default -> word;
                    });
        }
        Set<String> ofSettings = Settings.all().stream()
                .flatMap(setting -> setting.options().stream())
                .collect(Collectors.toSet());
        Set<String> others = new TreeSet<>(Arrays.asList(used.split(" ", -1)));
        CommandLine subcommand = Objects.requireNonNull(
                TorusSmCommand.commandLine().getSubcommands().get(command(mode)));
        for (OptionSpec option : subcommand.getCommandSpec().options()) {
            String name = option.longestName();
            boolean isOfRole = used.startsWith("ROLES") && option.description()[0].startsWith("file of");
            if (others.contains(name)
                    || isOfRole
                    || words.contains(name)
                    || ofSettings.contains(name)
                    || Set.of("--help", "--config").contains(name)) {
                continue;
            }
            List<String> given = new ArrayList<>(words);
            given.add(1, name);
            if (option.arity().max() > 0) {
                given.add(2, "1");
            }
            assertThat(run(given.toArray(String[]::new)))
                    .as(given + " " + out() + err())
                    .isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).as(String.join(" ", given)).contains(name);
            assertThat(out()).isEmpty();
            err.reset();
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void anUnknownOptionIsAnError(String mode, String used) throws Exception {
        List<String> commandLine = new ArrayList<>(Arrays.asList(mode.split(" ", -1)));
        commandLine.add(1, "--nonsense");
        assertThat(run(commandLine.toArray(String[]::new))).as(used).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("there is no option --nonsense");
    }

    /** All engines are compared; a suggestion and a comparison of cables route by none. */
    @Test
    void anEngineWithoutEffectIsAnError() throws Exception {
        for (String command :
                List.of("plan --compare", "traffic --compare updn", "suggest-conf", "cabling --torus 3x3")) {
            List<String> commandLine = new ArrayList<>(List.of(command.split(" ")));
            commandLine.addAll(List.of("--routing_engine", "updn", SHAPE));
            assertThat(run(commandLine.toArray(String[]::new))).as(command).isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).as(command).contains("--routing_engine");
            err.reset();
        }
    }

    @Test
    void aCheckOfTheConfigurationStartsNothing() throws Exception {
        for (String option : List.of("--once", "--explain=a,b")) {
            assertThat(run("--check-config", option)).isEqualTo(ExitCode.BAD_CONFIGURATION);
            assertThat(err()).contains(option.replaceFirst("=.*", "") + " does not apply to --check-config: omit it");
        }
    }

    /** Returns the mode of a command: its words, and the options that it uses beside settings. */
    private static Arguments mode(String words, String used) {
        return Arguments.of(words, used);
    }

    private static Stream<Arguments> modes() {
        return Stream.of(
                mode("path a b", ""),
                mode("migrate-conf FILE", "--output --guid2lid --sa-dump --state-dir"),
                mode("plan " + SHAPE, "--quick --compare --sl-map --worst-case --json"),
                mode("plan --compare " + SHAPE, "--json"),
                mode("what-if --fail 0,0,0 " + SHAPE, "--list --json"),
                mode("what-if --fail 0,0,0 --json " + SHAPE, ""),
                mode("what-if --each link " + SHAPE, "--every --json"),
                mode("what-if --pairs " + SHAPE, "--json"),
                mode(
                        "traffic " + SHAPE,
                        OF_LOADS + " --group-share --html --compare --shifts --all-reduce --trace" + " --congestion"),
                mode("traffic --compare updn " + SHAPE, OF_LOADS + " --group-share"),
                mode("traffic --congestion off " + SHAPE, OF_LOADS + " --tune-cc"),
                mode("traffic --congestion off --tune-cc 1 " + SHAPE, OF_LOADS + " --cc-conf"),
                mode("traffic --shifts " + SHAPE, "--lose --fail --dump --json"),
                mode("traffic --shifts --lose 1 " + SHAPE, "--fail --seed --json"),
                mode("traffic --trace FILE " + SHAPE, OF_DATA_PLANE + " --lose --fail --dump --json"),
                mode(
                        "traffic --all-reduce 1000 --pattern ring " + SHAPE,
                        OF_DATA_PLANE + " --lose --fail --dump --json"),
                mode(
                        "fabric " + SHAPE,
                        "--listen --max-clients --timeout --script --traffic --control-socket --http-listen"
                                + " --https-listen"),
                mode("prove DIR", "ROLES --certificate --check --sl --switch-sl --group-sls --lmc --json"),
                mode("prove --check FILE DIR", "ROLES --json"),
                mode("prove FILE", "--certificate --json"),
                mode("replay FILE", "--from --until --compare --recorded --listen --json"),
                mode("replay --compare OTHER FILE", "--from --until --recorded"),
                mode("replay --compare recorded FILE", "--from --until"),
                mode("replay --listen 127.0.0.1:0 FILE", ""),
                mode("shadow FILE", "--html --json"),
                mode("suggest-conf " + SHAPE, "--output"),
                mode("cabling " + SHAPE, "--torus --json"),
                mode("new-token read olga", ""),
                mode("generate-completion", ""));
    }

    private static String command(String words) {
        return words.split(" ", 2)[0];
    }
}
