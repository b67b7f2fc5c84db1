package io.torussm.sim.fault;

import static io.torussm.sim.fault.ConsoleHarness.EAST_PORT;
import static io.torussm.sim.fault.ConsoleHarness.WEST;
import static io.torussm.sim.fault.ConsoleHarness.WEST_GUID;
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
    private final ConsoleHarness bench = new ConsoleHarness();
    private final List<String> shownReplies = new ArrayList<>();
    private final Map<String, List<String>> files = Map.of(
            "cut", List.of("Unlink " + WEST + "[5]", "Wait 2", "ReLink " + WEST + "[5]"),
            "self", List.of("!self"));

    private FaultSession session(FaultSession.@Nullable Reader reader) {
        return new FaultSession(bench.console, "test", reader, new FaultSession.Screen() {
            @Override
            public void show(ConsoleReply answer) {
                if (!answer.text().isEmpty()) {
                    shownReplies.add(answer.text());
                }
            }

            @Override
            public void prompt() {
                shownReplies.add("sim> ");
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
        session.enqueue("Wait 5");
        session.enqueue("Unlink " + WEST + "[5]");
        bench.runMs(4_999);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(shownReplies).isEmpty();
        bench.runMs(1);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(shownReplies).containsExactly("sim> ", "sim> ");
    }

    @Test
    void linesOfAFileComeBeforeLaterInput() {
        FaultSession session = session(this::read);
        session.enqueue("! cut ");
        session.enqueue("Verbose");
        bench.runMs(1_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(shownReplies).isEmpty();
        bench.runMs(1_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
        assertThat(shownReplies).containsExactly("sim> ", "simulator verbose level is 0\n", "sim> ");
    }

    @Test
    void unreadableFilesAreReported() {
        FaultSession session = session(this::read);
        session.enqueue("!nothing");
        session.enqueue("!self");
        session.enqueue("!");
        session(null).enqueue("!cut");
        assertThat(shownReplies)
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
        session.enqueue("Wait 5");
        session.enqueue("Unlink " + WEST + "[5]");
        session.end();
        bench.runMs(10_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isTrue();
    }
}
