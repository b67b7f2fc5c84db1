package io.torussm.sim.fault;

import static io.torussm.sim.fault.Bench.EAST_PORT;
import static io.torussm.sim.fault.Bench.WEST;
import static io.torussm.sim.fault.Bench.WEST_GUID;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lines typed one after the other, with waits and files. */
class FaultSessionTest {
    private final Bench bench = new Bench();
    private final List<String> shown = new ArrayList<>();
    private final Map<String, List<String>> files = Map.of(
            "cut", List.of("Unlink " + WEST + "[5]", "Wait 2", "ReLink " + WEST + "[5]"),
            "self", List.of("!self"));

    private FaultSession session(FaultSession.@Nullable Reader reader) {
        return new FaultSession(bench.console, "test", reader, new FaultSession.Screen() {
            @Override
            public void show(ConsoleReply answer) {
                if (!answer.text().isEmpty()) {
                    shown.add(answer.text());
                }
            }

            @Override
            public void prompt() {
                shown.add("sim> ");
            }
        });
    }

    private List<String> read(String name) throws IOException {
        List<String> lines = files.get(name);
        if (lines == null) {
            throw new NoSuchFileException(name);
        }
        return lines;
    }

    @Test
    void waitHoldsBackLaterInput() {
        FaultSession session = session(null);
        session.type("Wait 5");
        session.type("Unlink " + WEST + "[5]");
        bench.pass(4_999);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(shown).isEmpty();
        bench.pass(1);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(shown).containsExactly("sim> ", "sim> ");
    }

    @Test
    void linesOfAFileComeBeforeLaterInput() {
        FaultSession session = session(this::read);
        session.type("! cut ");
        session.type("Verbose");
        bench.pass(1_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(shown).isEmpty();
        bench.pass(1_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(shown).containsExactly("sim> ", "simulator verbose level is 0\n", "sim> ");
    }

    @Test
    void unreadableFilesAreReported() {
        FaultSession session = session(this::read);
        session.type("!nothing");
        session.type("!self");
        session.type("!");
        session(null).type("!cut");
        assertThat(shown)
                .containsExactly(
                        "# cannot read file 'nothing': nothing\n",
                        "sim> ",
                        "# files that run files are 8 deep already: self\n",
                        "sim> ",
                        "# no file name; write !filename\n",
                        "sim> ",
                        "# files are read only for the console of the process itself; send the lines\n",
                        "sim> ");
    }

    @Test
    void anEndedSessionDoesNothingMore() {
        FaultSession session = session(null);
        session.type("Wait 5");
        session.type("Unlink " + WEST + "[5]");
        session.end();
        bench.pass(10_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }
}
