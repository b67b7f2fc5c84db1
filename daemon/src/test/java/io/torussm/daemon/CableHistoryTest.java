package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Neighbors;
import io.torussm.testing.MortalLoop;
import io.torussm.view.CableHistory;
import io.torussm.view.CableHistory.EntryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When cables went down and came back, on an embedded fabric whose cables are pulled and plugged in. */
class CableHistoryTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    private FabricSm start(MortalLoop life, int generation) throws Exception {
        FabricSm sm = new FabricSm(
                        life,
                        fabric.attach("host-0-0-0-0", 1),
                        8,
                        ServiceHarness.torusOptions(dir, TORUS),
                        StateDirectory.open(dir.resolve("state"), life),
                        generation)
                .start();
        advance();
        return sm;
    }

    private void advance() {
        loop.runFor(TimeUnit.SECONDS.toNanos(25));
    }

    private Topology.Node node(String name) {
        return topology.node(name).orElseThrow();
    }

    private static List<EntryType> kinds(FabricSm sm, String text) {
        return sm.cables.entries().stream()
                .filter(entry -> entry.isAbout(text))
                .map(CableHistory.Entry::kind)
                .toList();
    }

    @Test
    void aCableThatFlapsIsCountedOverRestarts() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        assertThat(sm.cables.entries()).isEmpty();
        long sw = node("sw-1-1-0").nodeGuid();
        for (int i = 0; i < 2; i++) {
            fabric.unlink(sw, 1);
            advance();
            fabric.relink(sw, 1);
            advance();
        }
        fabric.unlink(sw, 1);
        advance();
        assertThat(kinds(sm, "sw-1-1-0"))
                .containsExactly(EntryType.DOWN, EntryType.UP, EntryType.DOWN, EntryType.UP, EntryType.DOWN);
        List<CableHistory.Entry> entries = sm.cables.entries();
        assertThat(entries.get(0).near().text()).contains("(", "sw-", "port");
        sm.kill();
        FabricSm next = start(new MortalLoop(loop), 2);
        assertThat(next.cables.entries()).isEqualTo(entries);
        fabric.relink(sw, 1);
        advance();
        assertThat(next.cables.cables())
                .singleElement()
                .matches(cable -> cable.failures() == 3 && cable.last().kind() == EntryType.UP);
    }

    /** A cable to a switch that does not answer may be in order: it is lost for the first SM that sees it down. */
    @Test
    void aCableOfASilentSwitchGoesDownWhenItIsSeenDown() throws Exception {
        FabricSm first = start(new MortalLoop(loop), 1);
        first.kill();
        long silent = node("sw-1-1-0").nodeGuid();
        fabric.setAgent(silent, AgentProfile.CONFORMING.droppingAll());
        FabricSm second = start(new MortalLoop(loop), 2);
        assertThat(second.cables.entries()).isEmpty();
        second.kill();
        fabric.failSwitch(silent);
        FabricSm third = start(new MortalLoop(loop), 3);
        assertThat(kinds(third, "sw-1-1-0"))
                .as("to four switches and a host")
                .hasSize(5)
                .containsOnly(EntryType.OFF);
    }

    /** No cable failed: "history flaps", "health" and isolation count none. */
    @Test
    void cablesOfASwitchThatIsOffDoNotGoDown() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        long sw = node("sw-1-1-0").nodeGuid();
        fabric.interventions().powerOff(sw);
        advance();
        assertThat(kinds(sm, "sw-1-1-0")).hasSize(5).containsOnly(EntryType.OFF);
        fabric.interventions().powerOn(sw);
        advance();
        assertThat(kinds(sm, "host-1-1-0-0")).containsExactly(EntryType.OFF, EntryType.UP);
        assertThat(sm.cables.cables()).hasSize(5).allMatch(cable -> cable.failures() == 0);
    }

    @Test
    void aRestartedSwitchIsInTheHistoryOfItsCables() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        long sw = node("sw-1-1-0").nodeGuid();
        fabric.interventions().powerOff(sw);
        fabric.interventions().powerOn(sw);
        advance();
        assertThat(kinds(sm, "sw-1-1-0")).hasSize(5).containsOnly(EntryType.RESTARTED);
        assertThat(kinds(sm, "host-1-1-0-0")).containsExactly(EntryType.RESTARTED);
        assertThat(sm.cables.cables()).allMatch(cable -> cable.failures() == 0);
        fabric.interventions().powerOff(sw);
        advance();
        assertThat(sm.cables.cables()).as("one history each, from either end").hasSize(5);
    }

    /** The cable did not fail: its link trains after the sweep that finds the restart. */
    @Test
    void aLinkThatTrainsLateAfterARestartDoesNotGoDown() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        long sw = node("sw-1-1-0").nodeGuid();
        for (int i = 0; i < 3; i++) {
            fabric.interventions().powerOff(sw);
            fabric.unlink(sw, 1);
            fabric.interventions().powerOn(sw);
            loop.runFor(TimeUnit.SECONDS.toNanos(3));
            fabric.relink(sw, 1);
            advance();
        }
        assertThat(sm.cables.entries())
                .extracting(CableHistory.Entry::kind)
                .containsOnly(EntryType.RESTARTED, EntryType.OFF, EntryType.UP)
                .areExactly(3, new Condition<>(EntryType.OFF::equals, "off"));
        assertThat(sm.cables.cables()).allMatch(cable -> cable.failures() == 0);
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        fabric.unlink(sw, 1);
        advance();
        assertThat(sm.cables.cables().get(0).failures())
                .as("a failure long after it")
                .isEqualTo(1);
    }

    /** A power failure of a moment: one entry for each cable, also between two switches that restarted. */
    @Test
    void allSwitchesThatRestartAreInTheHistory() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        List<Topology.Node> switches =
                topology.nodes().stream().filter(Topology.Node::isSwitch).toList();
        switches.forEach(sw -> fabric.interventions().powerOff(sw.nodeGuid()));
        fabric.unlink(switches.get(8).nodeGuid(), 1);
        switches.forEach(sw -> fabric.interventions().powerOn(sw.nodeGuid()));
        advance();
        fabric.relink(switches.get(8).nodeGuid(), 1);
        advance();
        List<CableHistory.Entry> restarted = sm.cables.entries().stream()
                .filter(entry -> entry.kind() == EntryType.RESTARTED)
                .toList();
        assertThat(restarted).hasSize(27);
        assertThat(restarted).extracting(CableHistory.Entry::ends).doesNotHaveDuplicates();
        assertThat(sm.cables.cables())
                .as("a link that trains late is no failure")
                .allMatch(cable -> cable.failures() == 0);
    }

    @Test
    void aCableThatStaysAwayWhenItsSwitchReturnsIsDown() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        long sw = node("sw-1-1-0").nodeGuid();
        fabric.interventions().powerOff(sw);
        advance();
        fabric.unlink(sw, 1);
        fabric.interventions().powerOn(sw);
        advance();
        assertThat(sm.cables.cables())
                .as("its link may train late")
                .hasSize(5)
                .allMatch(cable -> cable.failures() == 0);
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        sm.sweeper.sweepHeavy();
        advance();
        sm.sweeper.sweepHeavy();
        advance();
        assertThat(sm.cables.cables())
                .filteredOn(cable -> cable.last().kind() != EntryType.UP)
                .singleElement()
                .matches(cable -> cable.failures() == 1 && cable.last().kind() == EntryType.DOWN);
    }

    /** The new master does not know when the switch returned. */
    @Test
    void aCableThatIsOffHasItsMinuteAfterATakeover() throws Exception {
        FabricSm first = start(new MortalLoop(loop), 1);
        long sw = node("sw-1-1-0").nodeGuid();
        fabric.interventions().powerOff(sw);
        advance();
        first.kill();
        fabric.unlink(sw, 1);
        fabric.interventions().powerOn(sw);
        FabricSm second = start(new MortalLoop(loop), 2);
        assertThat(second.cables.cables())
                .as("its link may train late")
                .hasSize(5)
                .allMatch(cable -> cable.failures() == 0);
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        second.sweeper.sweepHeavy();
        advance();
        assertThat(second.cables.cables())
                .filteredOn(cable -> cable.failures() == 1)
                .singleElement()
                .matches(cable -> cable.last().kind() == EntryType.DOWN);
    }

    /** A server boots for longer than a switch. */
    @Test
    void theCableOfAHostThatReturnsAfterItsSwitchIsOff() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        fabric.interventions().powerOff(node("host-1-1-0-0").nodeGuid());
        fabric.interventions().powerOff(node("sw-1-1-0").nodeGuid());
        advance();
        fabric.interventions().powerOn(node("sw-1-1-0").nodeGuid());
        advance();
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        sm.sweeper.sweepHeavy();
        advance();
        sm.sweeper.sweepHeavy();
        advance();
        assertThat(kinds(sm, "host-1-1-0-0")).containsExactly(EntryType.OFF);
    }

    @Test
    void aHostThatIsOffTakesItsCableWithIt() throws Exception {
        FabricSm sm = start(new MortalLoop(loop), 1);
        fabric.unlink(node("host-2-2-0-0").nodeGuid(), 1);
        advance();
        assertThat(kinds(sm, "host-2-2-0-0")).containsExactly(EntryType.DOWN);
        assertThat(kinds(sm, "host-1-2-0-0")).isEmpty();
    }

    /** The cable is excluded while its switch is absent, and stays lost when the switch is present. */
    @Test
    void anExcludedCableThatIsOffIsDownWhenItsSwitchIsPresent() throws Exception {
        CableHistory history = new CableHistory(StateDirectory.open(dir.resolve("state"), loop));
        Instant start = Instant.parse("2026-11-23T22:00:00Z");
        CableHistory.NamedEnd near = new CableHistory.NamedEnd(new Neighbors.CableEnd(1, 1), "a");
        CableHistory.NamedEnd far = new CableHistory.NamedEnd(new Neighbors.CableEnd(2, 1), "b");
        CableHistory.Ends ends = new CableHistory.Ends(near.port(), far.port());
        history.noteLoss(start, near, far, true);
        history.noteLoss(start.plusSeconds(10), near, far, true);
        assertThat(history.isOff(ends)).isTrue();
        assertThat(history.entries()).extracting(CableHistory.Entry::kind).containsExactly(EntryType.OFF);
        history.noteLoss(start.plusSeconds(20), near, far, false);
        history.noteLoss(start.plusSeconds(30), near, far, false);
        assertThat(history.isOff(ends)).isFalse();
        assertThat(history.entries())
                .extracting(CableHistory.Entry::kind)
                .containsExactly(EntryType.OFF, EntryType.DOWN);
    }

    /** Two SMs have seen something, one after the other. */
    @Test
    void theHistoryOfAnotherSmIsAddedInItsPlace() throws Exception {
        StateDirectory directory = StateDirectory.open(dir.resolve("state"), loop);
        CableHistory history = new CableHistory(directory);
        CableHistory other = new CableHistory(StateDirectory.open(dir.resolve("other"), loop));
        Instant start = Instant.parse("2026-11-23T22:00:00Z");
        CableHistory.NamedEnd near = new CableHistory.NamedEnd(new Neighbors.CableEnd(1, 1), "a");
        CableHistory.NamedEnd far = new CableHistory.NamedEnd(new Neighbors.CableEnd(2, 1), "b");
        history.note(start, EntryType.DOWN, near, far);
        other.note(start, EntryType.DOWN, near, far);
        other.note(start.plusSeconds(1), EntryType.UP, near, far);
        history.note(start.plusSeconds(2), EntryType.DOWN, near, far);
        loop.runFor(0);
        directory
                .examine(
                        "cable-history", Files.readAllBytes(dir.resolve("other").resolve("cable-history")))
                .complete();
        assertThat(history.entries())
                .extracting(CableHistory.Entry::kind)
                .containsExactly(EntryType.DOWN, EntryType.UP, EntryType.DOWN);
    }

    /** A file that an editor damaged is set aside, and the history begins again. */
    @Test
    void aDamagedFileIsSetAside() throws Exception {
        Path state = Files.createDirectory(dir.resolve("state"));
        assertThat(read(state, "2026-11-23T22:00:00Z down 0x1/1 0x2/1 a\tb")).hasSize(1);
        for (String line : List.of(
                "2026-11-23T22:00:00Z sideways 0x1/1 0x2/1 a\tb",
                "yesterday down 0x1/1 0x2/1 a\tb",
                "2026-11-23T22:00:00Z down 0x1/0 0x2/1 a\tb",
                "2026-11-23T22:00:00Z down 0x1 0x2/1 a\tb",
                "2026-11-23T22:00:00Z down 0x1/1 0xg/1 a\tb",
                "2026-11-23T22:00:00Z down 0x1/1 0x2/1 a b",
                "2026-11-23T22:00:00Z down 0x1/1 0x2/1 a\t" + "b".repeat(121),
                "down")) {
            assertThat(read(state, line)).as(line).isEmpty();
            assertThat(state.resolve("cable-history.bad")).exists();
        }
    }

    private List<CableHistory.Entry> read(Path state, String line) throws Exception {
        String text = "# torus-sm cable-history version 1\n" + line + "\n";
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                state.resolve("cable-history"), text + String.format("# end crc32c 0x%08x\n", checksum.getValue()));
        return new CableHistory(StateDirectory.open(state, loop)).entries();
    }
}
