package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Programs that tests start have their classes from the archive that the tests share: they would run without it, too,
 * for twice the processor time.
 */
class StartedJvmTest {
    @Test
    void classesComeFromTheArchive() throws Exception {
        List<String> command = new ArrayList<>(IbSim.java("io.torussm.daemon.cli.Main", "--version"));
        command.add(1, "-Xlog:class+load:stdout:none");
        IbSim.ProgramResult ended = IbSim.run(new ProcessBuilder(command));
        assertThat(ended.status()).as(ended.text()).isZero();
        assertThat(ended.text().lines()).contains("io.torussm.daemon.cli.Main source: shared objects file (top)");
    }
}
