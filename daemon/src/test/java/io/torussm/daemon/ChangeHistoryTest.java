package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.history.Change;
import io.torussm.history.ChangeHistory;
import io.torussm.history.StateDifference;
import io.torussm.names.SiteMap;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.view.FabricState;
import io.torussm.view.RoutingState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The history of an embedded fabric with random faults, compared with its real states. */
class ChangeHistoryTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:4x3x2,hosts=1");
    private static final ChangeHistory.Settings ALL = new ChangeHistory.Settings(1000, 8 << 20);
    private static final int STEPS = Integer.getInteger("steps", 12);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private final Random random = Seeds.random(Long.getLong("seed", 1));

    /** All states that ruled, as they were; the full copy that the history is compared with. */
    private final Map<Instant, FabricState> committedStates = new LinkedHashMap<>();

    @TempDir
    Path dir;

    private Path state = Path.of("");

    @BeforeEach
    void find() {
        state = dir.resolve("state");
    }

    @Test
    void activeRoutesAreRestoredInMemoryAndAfterARestart() throws Exception {
        ChangeHistory history = runWithFaults(STEPS, Map.of());
        List<Change> changes = history.changes();
        assertThat(changes).hasSizeGreaterThan(STEPS / 2);
        assertThat(changes.get(0).isFirst()).isTrue();
        check(history, changes);
        history.flush();
        ChangeHistory next = history();
        assertThat(next.changes()).isEqualTo(changes);
        check(next, changes);
        Change last = changes.get(changes.size() - 1);
        assertThat(next.at(last.sweep())).isPresent().get().matches(found -> found.sweep() == last.sweep());
        assertThat(next.at(0)).isEmpty();
        assertThat(log.all()).noneMatch(logged -> logged.event().code().startsWith("TSM-90"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"minhop", "dfsssp", "lash"})
    void anyEngine(String engine) throws Exception {
        ChangeHistory history =
                runWithFaults(STEPS / 2, Map.of(Settings.ROUTING_ENGINE, engine, Settings.ON_CREDIT_LOOP, "warn"));
        assertThat(history.changes()).hasSizeGreaterThan(1).allMatch(change -> change.engine()
                .equals(engine));
        check(history, history.changes());
    }

    @Test
    void activeRoutesWhileNoEngineRoutes() throws Exception {
        ChangeHistory history = runWithFaults(3 * STEPS, Map.of(Settings.ROUTING_ENGINE, "torus-2QoS,no_fallback"));
        assertThat(history.changes()).anyMatch(change -> change.routing() == RoutingState.REFUSED);
        check(history, history.changes());
    }

    @Test
    void aSweepThatFindsNothingNewIsNoChange() throws Exception {
        ChangeHistory history = runWithFaults(2, Map.of());
        List<Change> changes = history.changes();
        FabricState last = committedStates.values().stream().reduce((a, b) -> b).orElseThrow();
        Change change = changes.get(changes.size() - 1);
        List<String> conditions = history.state(change, SiteMap.NONE).conditions();
        history.record(last, change.at().plusSeconds(1), () -> conditions);
        loop.runFor(0);
        assertThat(history.changes()).isEqualTo(changes);
        history.record(last, change.at().plusSeconds(2), () -> List.of("another one"));
        loop.runFor(0);
        assertThat(history.changes()).hasSize(changes.size() + 1);
    }

    /** With a loop that does not come to it: the newest state is kept in any case. */
    @Test
    void statesThatFollowEachOtherTooFastBecomeOneChange() throws Exception {
        runWithFaults(STEPS, Map.of());
        ChangeHistory late = new ChangeHistory(StateDirectory.none(loop), loop, ALL);
        committedStates.forEach((at, now) -> late.record(now, at, () -> List.of("condition of " + at, "always")));
        loop.runFor(0);
        List<Change> changes = late.changes();
        assertThat(changes).hasSizeLessThanOrEqualTo(4);
        Change last = changes.get(changes.size() - 1);
        assertThat(last.merged()).isEqualTo(committedStates.size() - 4);
        assertThat(last.at()).isEqualTo(List.copyOf(committedStates.keySet()).get(committedStates.size() - 1));
        check(late, changes);
    }

    /**
     * A file that is cut anywhere keeps all whole records. The rest of the last record is reported and
     * removed.
     */
    @Test
    void aFileThatIsCutLosesItsEnd() throws Exception {
        ChangeHistory history = runWithFaults(STEPS, Map.of());
        history.flush();
        List<Change> changes = history.changes();
        byte[] whole = Files.readAllBytes(segment());
        int max = 0;
        for (int cut = 0; cut < whole.length; cut += 1 + random.nextInt(whole.length / 60)) {
            Files.write(segment(), Arrays.copyOf(whole, cut));
            log.take();
            ChangeHistory left = history();
            assertThat(left.changes())
                    .isEqualTo(changes.subList(0, left.changes().size()));
            assertThat(left.changes().size()).isBetween(max, max + 2);
            max = left.changes().size();
            check(left, left.changes().subList(Math.max(0, max - 1), max));
            boolean isAtEnd = Files.exists(segmentOrNone()) && Files.size(segmentOrNone()) == cut;
            assertThat(log.take().stream().map(each -> each.event()).toList())
                    .isEqualTo(isAtEnd ? List.of() : List.of(SmEvent.STATE_LOG_TORN));
            Files.write(state.resolve("changes-00000001.log"), whole);
        }
        assertThat(max).isEqualTo(changes.size() - 1);
    }

    /** Any wrong bit is reported with the file. All changes before it are kept, and none of them is altered. */
    @Test
    void aFileWithAWrongBitIsReportedAndCostsTheRest() throws Exception {
        ChangeHistory history = runWithFaults(STEPS, Map.of());
        history.flush();
        List<Change> changes = history.changes();
        byte[] whole = Files.readAllBytes(segment());
        for (int trial = 0; trial < 60; trial++) {
            byte[] flipped = whole.clone();
            int at = random.nextInt(whole.length);
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(segment(), flipped);
            log.take();
            ChangeHistory left = history();
            assertThat(left.changes())
                    .isEqualTo(changes.subList(0, left.changes().size()));
            assertThat(left.changes().size()).isLessThan(changes.size());
            if (!left.changes().isEmpty()) {
                check(
                        left,
                        left.changes()
                                .subList(
                                        left.changes().size() - 1,
                                        left.changes().size()));
            }
            List<LoggedEvents.LoggedEvent> told = log.take();
            assertThat(told).singleElement().matches(each -> List.of(SmEvent.STATE_LOG_DAMAGED, SmEvent.STATE_LOG_TORN)
                    .contains(each.event()));
            assertThat(told.get(0).get(EventField.FILE)).endsWith("changes-00000001.log");
            Files.write(segmentOrNone(), whole);
        }
    }

    @Test
    void differencesNameWhatChanged() throws Exception {
        ChangeHistory history = runWithFaults(STEPS, Map.of());
        List<Change> changes = history.changes();
        Change first = changes.get(0);
        assertThat(history.difference(first, first).isNone()).isTrue();
        for (int i = 1; i < changes.size(); i++) {
            StateDifference found = history.difference(changes.get(i - 1), changes.get(i));
            Change.Counts counts = changes.get(i).counts();
            assertThat(found.entries()).isEqualTo(counts.entries());
            assertThat(found.tables()).hasSize(counts.switches());
            assertThat(found.sls()).isEqualTo(counts.sls());
            assertThat(found.rings()).hasSize(counts.rings());
            assertThat(found.cables()).hasSize(counts.cablesAdded() + counts.cablesRemoved());
            assertThat(found.begun())
                    .containsExactly("condition of " + changes.get(i).at());
            assertThat(found.isNone()).isFalse();
        }
        StateDifference all = history.difference(first, changes.get(changes.size() - 1));
        StateDifference back = history.difference(changes.get(changes.size() - 1), first);
        assertThat(all.cables()).isNotEmpty();
        assertThat(back.cables()).hasSameSizeAs(all.cables());
        assertThat(back.entries()).isEqualTo(all.entries());
        assertThat(all.cables().get(0).near()).contains("sw-", " port ");
    }

    private ChangeHistory history() throws IOException {
        return new ChangeHistory(StateDirectory.open(state, loop), loop, ALL);
    }

    /** Returns an SM whose fabric has faults. */
    private ChangeHistory runWithFaults(int steps, Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TORUS));
        MortalLoop life = new MortalLoop(loop);
        FabricSm sm = new FabricSm(
                life,
                fabric.attach("host-0-0-0-0", 1),
                8,
                ServiceHarness.options(dir, settings),
                StateDirectory.none(life),
                1);
        ChangeHistory history = history();
        sm.discoveryListener = (now, at) -> {
            committedStates.put(at, now);
            history.record(now, at, () -> List.of("condition of " + at, "always"));
        };
        sm.start();
        advance();
        List<Topology.Node> switches = topology.nodes().stream()
                .filter(node -> node.description().startsWith("sw-"))
                .toList();
        List<long[]> pulled = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            if (!pulled.isEmpty() && random.nextInt(4) == 0) {
                long[] back = pulled.remove(random.nextInt(pulled.size()));
                fabric.relink(back[0], (int) back[1]);
            } else {
                int port = 1 + random.nextInt(7);
                long guid = switches.get(random.nextInt(switches.size())).nodeGuid();
                if (!(guid == switches.get(0).nodeGuid() && port == 7)) {
                    fabric.unlink(guid, port);
                    pulled.add(new long[] {guid, port});
                }
            }
            advance();
        }
        sm.kill();
        return history;
    }

    private void advance() {
        loop.runFor(TimeUnit.SECONDS.toNanos(25));
    }

    private void check(ChangeHistory history, List<Change> changes) throws IOException {
        for (Change change : changes) {
            SameState.check(
                    Objects.requireNonNull(committedStates.get(change.at())), history.state(change, SiteMap.NONE));
            assertThat(history.state(change, SiteMap.NONE).conditions())
                    .containsExactly("condition of " + change.at(), "always");
            assertThat(history.at(change.at())).contains(change);
            assertThat(history.at(change.at().plusMillis(1))).contains(change);
        }
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(state)) {
            return files.filter(file -> file.getFileName().toString().startsWith("changes-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Path segmentOrNone() {
        return state.resolve("changes-00000001.log");
    }
}
