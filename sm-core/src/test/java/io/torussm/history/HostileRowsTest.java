package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.names.SiteMap;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.SegmentLog;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.ViewDraft;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records with a correct checksum and invalid contents, as an intruder with access to the files may write
 * them.
 */
class HostileRowsTest {
    private static final Change CHANGE =
            new Change(Instant.EPOCH, 1, true, RoutingState.ROUTED, "hand", 0, Change.Counts.NONE);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final Random random = Seeds.random(Long.getLong("seed", 1));
    private final VirtualLoop loop = new VirtualLoop();

    @TempDir
    Path dir;

    /** Returns the rows of a ring of switches in a lattice, with a multicast tree. */
    private static NavigableMap<RowKey, Row> rows() {
        Subnet subnet = Subnets.of(Sketch.ring(5).build());
        Fabric fabric = subnet.fabric();
        byte[][] lfts = new byte[fabric.switchCount()][subnet.topLid() + 1];
        Lattice lattice = new Lattice(
                new int[] {5, 1, 1},
                new boolean[] {true, true, true},
                IntStream.range(0, 5).mapToLong(fabric::nodeGuid).toArray());
        Plan plan = Plan.builder("hand", subnet, lfts)
                .explainer(new PlanExplainer() {
                    @Override
                    public Optional<Lattice> lattice() {
                        return Optional.of(lattice);
                    }

                    @Override
                    public List<Ring> rings() {
                        return List.of(new Ring("(*,0,0)", 0, 0, RingState.OPEN, List.of("a gap")));
                    }
                })
                .build();
        PublishedView view = ViewDraft.of(plan)
                .subnet(subnet)
                .multicast(MulticastTree.nearest(fabric, 0))
                .qos()
                .build();
        return StateWriter.withConditions(
                StateWriter.rows(FabricState.of(view, Instant.EPOCH), view), List.of("a condition"));
    }

    private static NavigableMap<RowKey, byte[]> bytes(Map<RowKey, Row> rows) throws IOException {
        NavigableMap<RowKey, byte[]> bytes = new TreeMap<>();
        RowBytes one = new RowBytes();
        for (Map.Entry<RowKey, Row> row : rows.entrySet()) {
            bytes.put(row.getKey(), one.hold(row.getValue()).copy());
        }
        return bytes;
    }

    private void corruptRow(Map<RowKey, byte[]> rows) {
        List<RowKey> keys = List.copyOf(rows.keySet());
        RowKey key = keys.get(random.nextInt(keys.size()));
        byte[] row = Objects.requireNonNull(rows.get(key));
        switch (random.nextInt(4)) {
            case 0 -> rows.remove(key);
            case 1 -> rows.put(key, Arrays.copyOf(row, random.nextInt(row.length + 1)));
            case 2 -> rows.put(new RowKey(key.kind(), key.a() + 1 - random.nextInt(3), random.nextInt(3)), row);
            default -> {
                if (row.length > 0) {
                    row[random.nextInt(row.length)] = (byte) random.nextInt(256);
                }
            }
        }
    }

    @Test
    void rowsThatDoNotFitAreRefusedOrMakeAState() throws IOException {
        NavigableMap<RowKey, Row> good = rows();
        int refused = 0;
        for (int trial = 0; trial < 4000; trial++) {
            NavigableMap<RowKey, byte[]> bad = bytes(good);
            for (int i = random.nextInt(3); i >= 0; i--) {
                corruptRow(bad);
            }
            try {
                Differences.of(CHANGE, bytes(good), CHANGE, bad);
                PastState state = StateReader.read(CHANGE, bad, SiteMap.NONE);
                state.view().plan().pathSl(1, 2, 0);
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(400, 3900);
    }

    @Test
    void differencesThatDoNotFitAreRefused() throws IOException {
        byte[] delta = Delta.between(new TreeMap<>(), rows()).bytes();
        int refused = 0;
        for (int trial = 0; trial < 2000; trial++) {
            byte[] bad = delta.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 + random.nextInt(255));
            try {
                Delta.apply(bad, 0, new TreeMap<>());
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    /** For any contents of a segment the history starts, and reports the records that it rejects. */
    @Test
    void recordsOfOthersAreReported() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        SegmentLog segments = state.log(ChangeHistory.LOG);
        for (int i = 0; i < 20; i++) {
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            segments.append(List.of(noise), false);
            segments.roll();
        }
        ChangeHistory history = new ChangeHistory(state, loop, new ChangeHistory.Settings(100, 1 << 20));
        assertThat(history.changes()).isEmpty();
        assertThat(log.of(SmEvent.STATE_LOG_DAMAGED)).hasSize(20);
    }
}
