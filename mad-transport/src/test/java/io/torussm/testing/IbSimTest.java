package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture itself: each test that uses it would miss an error that it hides. */
@Tag("interop")
class IbSimTest {
    private static final Path TWO_HOSTS = Path.of("src/test/resources/ibsim/two-hosts.topo");

    @TempDir
    Path directory;

    @Test
    void saysWhyIbSimDidNotStart() throws IOException {
        IbSim.assumeInstalled();
        Path half = Files.writeString(directory.resolve("half.topo"), "Switch 8 \"S-1\"\n[1] \"H-1\"[1]\n[2 \"H");
        assertThatIOException()
                .isThrownBy(() -> IbSim.start(half))
                .withMessageContaining("ibsim did not start")
                .withMessageContaining("parsing failed");
    }

    @Test
    void answersEachCommandWithItsOwnOutput() throws IOException {
        try (IbSim sim = IbSim.start(TWO_HOSTS)) {
            String whole = sim.command("Dump \"S-0000000000200000\"");
            assertThat(whole).contains("[1]\t\"H-0000000000100000\"[1]", "Init/LinkUp");
            assertThat(sim.command("Unlink \"S-0000000000200000\"[1]")).doesNotContain("H-0000000000100000");
            assertThat(sim.command("Dump \"S-0000000000200000\""))
                    .contains("Switch 8", "[2]\t\"H-0000000000100010\"[1]")
                    .doesNotContain("[1]\t\"H-0000000000100000\"[1]");
            assertThat(sim.command("Nonsense")).contains("ommand");
        }
    }

    @Test
    void keepsSimulatorsApartAndEndsThem() throws Exception {
        long before = simulators();
        try (IbSim one = IbSim.start(TWO_HOSTS);
                IbSim two = IbSim.start(TWO_HOSTS)) {
            assertThat(simulators()).isEqualTo(before + 2);
            String first = socketName(one);
            assertThat(first).isNotEqualTo(socketName(two));
        }
        assertThat(simulators()).isEqualTo(before);
    }

    private String socketName(IbSim sim) {
        return String.valueOf(
                sim.client("H", List.of("/bin/true"), directory).environment().get("IBSIM_SOCKNAME"));
    }

    private static long simulators() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info().command().orElse("").endsWith("ibsim"))
                .count();
    }
}
