package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.console.client.CommandHelp;
import io.torussm.daemon.console.client.Completion;
import io.torussm.daemon.console.client.ConsoleClient;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Help, completion, names of OpenSM and usage errors of the commands, on the console of {@link ConsoleCase}. The last
 * line of an answer is {@code ok} or {@code error}.
 */
class ConsoleHelpTest extends ConsoleCase {
    @Test
    void theClientKnowsWhetherItMadeSense() throws IOException {
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            for (String senseless : List.of("frobnicate", "sweep now", "path 1")) {
                assertThat(client.execute(senseless, SILENCE_MS, line -> {})).isFalse();
                assertThat(client.wasMisused()).as(senseless).isTrue();
            }
            assertThat(client.execute("path 1 77", SILENCE_MS, line -> {})).isFalse();
            assertThat(client.wasMisused()).isFalse();
        }
    }

    @Test
    void helpNeedsNoDaemon() {
        assertThat(CommandHelp.of("help").lines()).anyMatch(line -> line.startsWith("  status "));
        assertThat(CommandHelp.of("help path").lines()).first().asString().contains("path SRC DST");
    }

    @Test
    void helpListsEachCommandInOneGroupOn80Columns() throws IOException {
        List<String> lines = CommandHelp.of("help").lines();
        assertThat(lines).allMatch(line -> line.length() <= 80);
        List<String> grouped = Arrays.stream(CommandGroup.values())
                .flatMap(group -> group.names().stream())
                .toList();
        List<String> known = new ArrayList<>();
        new ObjectMapper()
                .readTree(String.join("", CommandHelp.of("help --json").lines()))
                .path("commands")
                .forEach(each -> known.add(each.path("name").asText()));
        assertThat(grouped).containsExactlyInAnyOrderElementsOf(known);
        assertThat(known)
                .allSatisfy(name -> assertThat(CommandHelp.of("help " + name).lines())
                        .isNotEmpty()
                        .allMatch(line -> line.length() <= 80));
        assertThat(known).allMatch(name -> lines.stream().anyMatch(line -> line.matches("  \\Q" + name + "\\E( .*)?")));
    }

    @Test
    void explainsImpossibleRequests() throws IOException {
        assertThat(execute("frobnicate"))
                .contains("error")
                .first()
                .asString()
                .isEqualTo("there is no command \"frobnicate\"");
        assertThat(execute("condi")).first().asString().endsWith("; did you mean \"conditions\"?");
        assertThat(execute("statsu")).first().asString().endsWith("; did you mean \"status\"?");
        assertThat(execute("help swi")).first().asString().endsWith("; did you mean \"switch\" or \"switches\"?");
        assertThat(execute("sweep now")).containsExactly("usage: sweep [heavy|light|on|off] [--wait]", "error");
        assertThat(execute("path 1 2 16"))
                .containsExactly(
                        "LEVEL is a number from 0 to 15, or both", "usage: path SRC DST [LEVEL|both]", "error");
        assertThat(execute("path 1 77")).contains("no end port has the name, GUID or LID \"77\"", "error");
    }

    @Test
    void listsAllCommandsForManualAndCompletion() throws IOException {
        JsonNode help = json("help --json");
        List<String> names = new ArrayList<>();
        help.path("commands").forEach(each -> names.add(each.path("name").asText()));
        assertThat(names)
                .contains("status", "sweep", "reroute", "priority", "loglevel", "routing", "torus", "changes", "path")
                .contains("port", "node", "switch", "lids", "mcast", "sa", "qos", "sms", "handover", "events", "dump")
                .contains("capture", "check", "help", "switches", "partitions", "version", "quit")
                .doesNotHaveDuplicates();
        for (String name : names) {
            assertThat(execute("help " + name))
                    .contains("ok")
                    .first()
                    .asString()
                    .startsWith("usage: " + name);
        }
        assertThat(help.path("oldNames").path("resweep").asText()).isEqualTo("sweep");
    }

    /** Words that a command does not use would promise more than it does. */
    @Test
    void noCommandIgnoresAWord() throws IOException {
        for (JsonNode command : json("help --json").path("commands")) {
            String name = command.path("name").asText();
            for (String words : List.of(" --nonsense", " --nonsense yes", " a b c d e f --nonsense")) {
                assertThat(execute(name + words)).as(name + words).endsWith("error");
            }
        }
    }

    @Test
    void knowsWhatOpenSmCallsItsCommands() throws IOException {
        assertThat(execute("resweep light")).containsExactly("light sweep requested", "ok");
        assertThat(execute("querylid 3")).contains("port GUID  0x0000001000000001", "ok");
        assertThat(execute("permodlog"))
                .containsExactly(
                        "permodlog is a command of OpenSM; levels are set for the whole program: loglevel LEVEL",
                        "error");
        assertThat(execute("status loop")).contains("error").first().asString().contains("events --follow");
        for (String name : List.of("logflush on", "portstatus", "switchbalance", "lidbalance", "dump_conf", "pm")) {
            assertThat(execute(name)).contains("error").first().asString().contains(" is a command of OpenSM; ");
        }
    }

    @Test
    void completesCommandsWordsAndNames() throws IOException {
        Completion completion = new Completion(request -> {
            List<String> lines = new ArrayList<>();
            try {
                return ConsoleClient.execute(socket, request, SILENCE_MS, lines::add) ? lines : List.of();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(completion.candidates(List.of("s")))
                .contains("status", "sweep", "switch")
                .doesNotContain("path");
        assertThat(completion.candidates(List.of("sweep", "o"))).containsExactly("on", "off");
        assertThat(completion.candidates(List.of("path", "host-0", "host"))).containsExactly("host-0", "host-1");
        assertThat(completion.candidates(List.of("switch", "1,"))).containsExactly("1,0,0");
        assertThat(completion.candidates(List.of("path", "a", "b", ""))).containsExactly("both", "--json");
        assertThat(completion.candidates(List.of("help", "vers"))).containsExactly("version");
        assertThat(completion.candidates(List.of("nothing", "x"))).isEmpty();
    }
}
