package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.names.SiteMap;
import io.torussm.routing.Plan;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.ViewDraft;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The limits of many changes, in memory and on the disk. */
class ChangeHistoryBoundTest {
    private static final int SWITCHES = 6;
    private static final long MAX_BYTES = 200_000;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final VirtualLoop loop = new VirtualLoop();
    private final Random random = Seeds.random(Long.getLong("seed", 1));
    private final Subnet subnet = Subnets.of(Sketch.ring(SWITCHES).build());
    private final byte[][] tables = new byte[SWITCHES][subnet.topLid() + 1];

    @TempDir
    Path dir;

    private ChangeHistory history(int changes, long maxBytes) throws IOException {
        return new ChangeHistory(StateDirectory.open(dir, loop), loop, new ChangeHistory.Settings(changes, maxBytes));
    }

    private FabricState state(long sweep) {
        byte[][] lfts = new byte[SWITCHES][];
        for (int sw = 0; sw < SWITCHES; sw++) {
            lfts[sw] = tables[sw].clone();
        }
        PublishedView view = ViewDraft.of(Plan.builder("hand", subnet, lfts).build())
                .qos()
                .sweep(sweep)
                .build();
        return FabricState.of(view, Instant.EPOCH);
    }

    /** Changes a few entries. */
    private FabricState next(ChangeHistory history, long sweep) {
        byte[] table = tables[random.nextInt(SWITCHES)];
        table[1 + random.nextInt(table.length - 1)] ^= (byte) (1 + random.nextInt(255));
        FabricState state = state(sweep);
        history.record(state, Instant.ofEpochSecond(sweep), List::of);
        loop.runFor(0);
        return state;
    }

    private long onDisk() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    @Test
    void tenThousandChangesStayWithinTheirBounds() throws IOException {
        ChangeHistory history =
                new ChangeHistory(StateDirectory.none(loop), loop, new ChangeHistory.Settings(500, MAX_BYTES));
        for (int sweep = 1; sweep <= 10_000; sweep++) {
            FabricState last = next(history, sweep);
            assertThat(history.bytes()).isLessThanOrEqualTo(MAX_BYTES);
            if (sweep % 1000 == 0) {
                Change newest = history.at(sweep).orElseThrow();
                assertThat(history.state(newest, SiteMap.NONE).view().plan().lft(3))
                        .isEqualTo(
                                last.view() == null ? null : last.view().plan().lft(3));
            }
        }
        assertThat(history.changes()).hasSizeBetween(500, 564);
        assertThat(log.all()).isEmpty();
    }

    @Test
    void bytesCountBeforeNumbers() throws IOException {
        ChangeHistory history = history(100_000, 20_000);
        for (int sweep = 1; sweep <= 500; sweep++) {
            next(history, sweep);
            assertThat(history.bytes()).isLessThanOrEqualTo(20_000);
            assertThat(onDisk()).isBetween(history.bytes(), history.bytes() + 5_000);
        }
        assertThat(history.changes()).hasSizeBetween(20, 400);
        ChangeHistory after = history(100_000, 10_000);
        assertThat(after.bytes()).isLessThanOrEqualTo(10_000);
        assertThat(after.changes())
                .isNotEmpty()
                .isEqualTo(tail(history.changes(), after.changes().size()));
    }

    private static List<Change> tail(List<Change> all, int size) {
        return all.subList(all.size() - size, all.size());
    }

    @Test
    void aStateWithoutRoomIsReportedAndNotKept() throws IOException {
        ChangeHistory history = history(100, 50);
        next(history, 1);
        next(history, 2);
        assertThat(history.changes()).isEmpty();
        log.only(SmEvent.HISTORY_TOO_LARGE);
        ChangeHistory off = history(0, MAX_BYTES);
        next(off, 3);
        assertThat(off.changes()).isEmpty();
    }

    /** Numbers of sweeps restart with each start; a number refers to the last start. */
    @Test
    void sweepsAreFoundByNumberAndTime() throws IOException {
        ChangeHistory first = history(100, MAX_BYTES);
        for (int sweep : new int[] {1, 4, 9}) {
            next(first, sweep);
        }
        first.flush();
        ChangeHistory second = history(100, MAX_BYTES);
        for (int sweep : new int[] {2, 5}) {
            next(second, sweep);
        }
        List<Change> all = second.changes();
        assertThat(all.stream().map(Change::sweep)).containsExactly(1L, 4L, 9L, 2L, 5L);
        assertThat(second.at(5)).contains(all.get(4));
        assertThat(second.at(4)).contains(all.get(3));
        assertThat(second.at(77)).contains(all.get(4));
        assertThat(second.at(1)).contains(all.get(0));
        assertThat(second.at(Instant.ofEpochSecond(9))).isPresent();
        assertThat(second.at(Instant.EPOCH)).isEmpty();
    }
}
