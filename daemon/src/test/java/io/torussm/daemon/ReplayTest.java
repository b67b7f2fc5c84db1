package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.replay.Decision;
import io.torussm.daemon.replay.Replay;
import io.torussm.daemon.replay.StormReplay;
import io.torussm.recording.Recording;
import io.torussm.recording.RecordingFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recordings of storms ({@link Storm}) that are replayed: the decisions of the replay are those of the recorded SM, and
 * of a second replay.
 */
@Tag("slow")
class ReplayTest {
    private static final long ALL = 1L << 28;
    private static final int SHOWN = 5;

    @TempDir
    Path dir;

    /**
     * Seeds of storms: six in every build, as many as {@code -Dseeds} says in a campaign, or the one of {@code -Dseed}.
     */
    static LongStream seeds() {
        Long one = Long.getLong("seed");
        return one != null ? LongStream.of(one) : LongStream.rangeClosed(1, Long.getLong("seeds", 6));
    }

    /** One of two SMs receives state from the other that is not recorded, so only two replays are compared. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void decidesTheSame(long seed) throws Exception {
        Storm storm = new Storm(Storm.SMALL, seed, dir);
        storm.record(ALL);
        storm.run(gusts());
        Recording recording = fileOf(Objects.requireNonNull(storm.recording()));
        List<Decision> first = decisions(recording, storm.priority());
        List<Decision> second = decisions(recording, storm.priority());
        assertThat(second.stream().map(Decision::line).toList())
                .isEqualTo(first.stream().map(Decision::line).toList())
                .isNotEmpty();
        boolean isAlone = seed % 2 == 0;
        if (isAlone) {
            assertSame(
                    new Replay(recording, "storm").recordedDecisions(),
                    first.stream()
                            .filter(each -> each.kind() != Decision.DecisionType.EVENT)
                            .toList());
        }
    }

    private static Recording fileOf(Recording recording) throws Exception {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        RecordingFile.write(recording, file);
        return RecordingFile.read(new ByteArrayInputStream(file.toByteArray()), "storm");
    }

    private static int gusts() {
        return Long.getLong("seeds") == null && Long.getLong("seed") == null ? 1 : Integer.MAX_VALUE;
    }

    private static List<Decision> decisions(Recording recording, int priority) throws Exception {
        List<Decision> all = new ArrayList<>();
        StormReplay.of(recording, priority).run(Long.MAX_VALUE, all::add);
        return all;
    }

    /** Asserts that decisions are equal, and made at the same nanosecond. */
    private static void assertSame(List<Decision> recorded, List<Decision> replayed) {
        List<String> then = recorded.stream().map(ReplayTest::timed).toList();
        List<String> now = replayed.stream().map(ReplayTest::timed).toList();
        int same = 0;
        while (same < Math.min(then.size(), now.size()) && then.get(same).equals(now.get(same))) {
            same++;
        }
        assertThat(now.subList(same, Math.min(same + SHOWN, now.size())))
                .as("what follows %d of %d decisions", same, then.size())
                .isEqualTo(then.subList(same, Math.min(same + SHOWN, then.size())));
    }

    private static String timed(Decision decision) {
        return decision.atNs() + " " + decision.description();
    }
}
