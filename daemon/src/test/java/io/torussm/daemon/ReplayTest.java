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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ReplayTest {
    private static final long ALL = 1L << 30;

    @TempDir
    Path dir;

    private static Recording fileOf(Recording recording) throws Exception {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        RecordingFile.write(recording, file);
        return RecordingFile.read(new ByteArrayInputStream(file.toByteArray()), "storm");
    }

    private static List<String> lines(Replay replay) throws Exception {
        List<String> lines = new ArrayList<>();
        replay.run(Long.MAX_VALUE, decision -> lines.add(decision.line()));
        return lines;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {2, 4})
    void decidesTheSame(long seed) throws Exception {
        Storm storm = new Storm(Storm.SMALL, seed, dir);
        storm.record(ALL);
        storm.run(2);
        Recording recording = fileOf(Objects.requireNonNull(storm.recording()));
        List<String> first = lines(StormReplay.of(recording, storm.priority()));
        List<String> second = lines(StormReplay.of(recording, storm.priority()));
        assertThat(second).isEqualTo(first);
        List<String> recorded = new Replay(recording, "storm")
                .recordedDecisions().stream()
                        .filter(decision -> decision.kind() != Decision.Kind.EVENT)
                        .map(decision -> decision.atNs() + " " + decision.what())
                        .toList();
        List<String> replayed = new ArrayList<>();
        StormReplay.of(recording, storm.priority()).run(Long.MAX_VALUE, decision -> {
            if (decision.kind() != Decision.Kind.EVENT) {
                replayed.add(decision.atNs() + " " + decision.what());
            }
        });
        assertThat(recorded).hasSizeGreaterThan(100);
        int same = 0;
        while (same < Math.min(replayed.size(), recorded.size())
                && replayed.get(same).equals(recorded.get(same))) {
            same++;
        }
        assertThat(replayed.subList(same, Math.min(same + 5, replayed.size())))
                .as("after %d of %d decisions", same, recorded.size())
                .isEqualTo(recorded.subList(same, Math.min(same + 5, recorded.size())));
    }
}
