package io.torussm.daemon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Commands of torus-sm that start no daemon, with their output. */
abstract class CommandHarness {
    @TempDir
    Path dir;

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Runs a command, whose output follows that of the commands before it. */
    final ExitCode run(String... arguments) throws InterruptedException {
        return Main.run(arguments, CommandHarness::noService, stream(out), stream(err));
    }

    private static SubnetManagerService noService(SmOptions options, SubnetManagerService.Host host) {
        throw new AssertionError("a daemon was started");
    }

    static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    final String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    final String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    final JsonNode json() throws Exception {
        return new ObjectMapper().readTree(out());
    }

    /** Returns a torus as a file, without some nodes. */
    final String file(String spec, String... without) throws Exception {
        StringWriter text = new StringWriter();
        TopologyText.write(TorusSpec.parse(spec).topology(), text);
        String left = text.toString();
        for (String id : without) {
            left = Stream.of(left.split("\n\n", -1))
                    .filter(node -> !node.matches("(?s).*(Switch|Ca)\\s+\\d+ \"" + id + ".*"))
                    .map(node -> node.replaceAll("(?m)^\\[.*\"" + id + "\".*\n?", ""))
                    .collect(Collectors.joining("\n\n"));
        }
        return Files.writeString(dir.resolve("fabric.topo"), left).toString();
    }
}
