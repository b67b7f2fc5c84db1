package io.torussm.daemon.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SettingValues;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Standard input of {@code torus-sm fabric}, beside a torus of three switches. */
class FabricProcessTest {
    /** The process continues with the next line. */
    @Test
    @Timeout(60)
    void ignoresALineThatIsTooLong() throws Exception {
        SmOptions options =
                SmOptions.of(SettingValues.defaults().with(Settings.SIMULATE, "torus:1x1x3,mesh=z,hosts=1"));
        List<ListenAddress> noAddresses = List.of();
        List<Path> noScripts = List.of();
        FabricProcess.ProcessParameters plan = new FabricProcess.ProcessParameters(
                options.port(), noAddresses, ServeLimits.DEFAULT, noScripts, 0, LabServers.ServerAddresses.NONE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        InputStream input = new SequenceInputStream(
                new ByteArrayInputStream(new byte[1 << 20]),
                new ByteArrayInputStream("\r\nnonsense\nQuit\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(new FabricProcess(plan, new PrintStream(out, true, StandardCharsets.UTF_8)).run(input))
                .isEqualTo(ExitCode.OK);
        String shown = out.toString(StandardCharsets.UTF_8);
        assertThat(shown)
                .contains("# ignored: line 1 has more than 65536 characters")
                .as("the response to the next line")
                .contains("nonsense");
        assertThat(shown.length()).as("the long line is not echoed").isLessThan(2_000);
    }
}
