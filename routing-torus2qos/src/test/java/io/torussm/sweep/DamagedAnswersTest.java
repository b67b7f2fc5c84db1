package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.LinkSpeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are damaged at random leave nothing behind (ADR 23). */
class DamagedAnswersTest {
    /** The share of damaged answers. */
    private static final double DAMAGED_SHARE = 0.1;

    private static final int SEEDS = 6;
    private static final int SEEDS_OF_CAMPAIGN = 150;

    @TempDir
    Path dir;

    private List<String> violations(String engine, DamageTrial.TrialEvent meanwhile, int seeds) throws IOException {
        List<String> broken = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            Path state = Files.createDirectories(dir.resolve(engine + " " + meanwhile + " " + seed));
            List<String> violations = DamageTrial.run(engine, meanwhile, seed, DAMAGED_SHARE, state);
            if (!violations.isEmpty()) {
                broken.add("seed " + seed + ": " + violations.size() + " " + violations.get(0));
            }
        }
        return broken;
    }

    /** Set {@code -Dseeds} for more. */
    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void twoLightSweepsMendWhatDamagedAnswersHaveMoved(DamageTrial.TrialEvent meanwhile) throws IOException {
        int seeds = Integer.getInteger("seeds", SEEDS);
        assertThat(violations("torus-2QoS", meanwhile, seeds)).isEmpty();
        assertThat(violations("updn", meanwhile, seeds)).isEmpty();
    }

    /** The answer to a Set of SwitchInfo was damaged, and the next Set wrote the damage into the switch. */
    @Test
    void aDamagedAnswerToASetIsNotWrittenBack() throws IOException {
        assertThat(DamageTrial.run("dnup", DamageTrial.TrialEvent.LOST_CABLE, 111, DAMAGED_SHARE, dir))
                .isEmpty();
    }

    /** Each answer differs from all others, so no two are alike. */
    @Test
    void aPortThatNeverRepeatsAnAnswerHoldsNoSweepUp() {
        SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=1");
        harness.keepsRequests = false;
        harness.sweep();
        int liar = harness.publishedView().subnet().lid(harness.hosts().get(0));
        AtomicInteger answers = new AtomicInteger();
        harness.changeResponse = mad -> {
            if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && PortInfo.TYPE.read(mad, Smp.DATA_OFFSET).lid() == liar) {
                PortInfo.M_KEY_LEASE_PERIOD.set(mad, Smp.DATA_OFFSET, answers.incrementAndGet() & 0xffff);
            }
        };
        harness.restart();
        harness.sweep();
        assertThat(answers).hasPositiveValue().hasValueLessThan(100);
    }

    private static final SweepSettings KEEPING_SETTINGS = keepingSettings();

    /** Returns settings that leave widths, speeds and QoS as they are. */
    private static SweepSettings keepingSettings() {
        LinkSettings links = new LinkSettings(5, 18, 16, 7, 7, 8, 8, new LinkSpeeds(0, 0, 0, 0, List.of()));
        SweepSettings usual = SweepHarness.settings(links);
        return new SweepSettings(
                usual.gidPrefix(), 0, false, false, 0, 0, 0, 18, 18, links, false, 0, usual.disablesBabblers());
    }

    /** Returns a field of all ports, or of all switches, by the name of the device. */
    private static Map<String, Long> values(SweepHarness harness, int attributeId, Field field) {
        Map<String, Long> values = new TreeMap<>();
        for (Topology.Node node : LieTrial.TOPOLOGY.nodes()) {
            if (attributeId == PortInfo.TYPE.id()) {
                for (int port = node.isSwitch() ? 0 : 1; port <= node.numPorts(); port++) {
                    PortInfo info = harness.fabric.portInfo(node.nodeGuid(), port);
                    values.put(node.description() + "/" + port, info.get(field));
                }
            } else if (node.isSwitch()) {
                values.put(
                        node.description(),
                        harness.fabric.switchInfo(node.nodeGuid()).get(field));
            }
        }
        return values;
    }

    /**
     * One answer to an SM without memory has a false field that no SM computes. A Set would make the value permanent.
     */
    @ParameterizedTest
    @CsvSource({
        "LinkWidthEnabled, 1",
        "LinkSpeedEnabled, 1",
        "LinkSpeedExtEnabled, 1",
        "VLHighLimit, 7",
        "DefaultPort, 3",
        "DefaultMulticastPrimaryPort, 3",
        "DefaultMulticastNotPrimaryPort, 3",
    })
    void oneFalseAnswerIsNotWrittenBack(String name, long value) {
        Field ofPort = PortInfo.TYPE.layout().fields().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
        Field field = ofPort != null
                ? ofPort
                : SwitchInfo.TYPE.layout().fields().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        int attributeId = ofPort != null ? PortInfo.TYPE.id() : SwitchInfo.TYPE.id();
        for (int number = 1; number <= 10; number++) {
            SweepHarness harness = new SweepHarness(LieTrial.TOPOLOGY, FaultPlan.NONE, KEEPING_SETTINGS);
            Map<String, Long> before = values(harness, attributeId, field);
            int falseOne = number;
            AtomicInteger answers = new AtomicInteger();
            harness.changeResponse = mad -> {
                boolean isAnswer = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                        && MadHeader.attributeId(mad) == attributeId;
                if (isAnswer && answers.incrementAndGet() == falseOne) {
                    field.set(mad, Smp.DATA_OFFSET, value);
                }
            };
            assertThat(harness.sweep()).isEqualTo("up");
            assertThat(answers).hasValueGreaterThanOrEqualTo(falseOne);
            assertThat(values(harness, attributeId, field))
                    .as("answer %d", number)
                    .isEqualTo(before);
        }
    }

    /** A value is usual once a port has given it twice, not when it was heard first. */
    @Test
    void theSameFalseAnswerOfTwoPortsIsNotWrittenBack() {
        SweepHarness harness = new SweepHarness(LieTrial.TOPOLOGY, FaultPlan.NONE, KEEPING_SETTINGS);
        Map<String, Long> before = values(harness, PortInfo.TYPE.id(), PortInfo.VL_HIGH_LIMIT);
        Set<String> ports = new HashSet<>();
        harness.changeResponse = mad -> {
            if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && ports.add(Smp.path(mad) + " " + MadHeader.attributeModifier(mad))
                    && ports.size() <= 10) {
                PortInfo.VL_HIGH_LIMIT.set(mad, Smp.DATA_OFFSET, 7);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(ports).hasSizeGreaterThanOrEqualTo(10);
        assertThat(values(harness, PortInfo.TYPE.id(), PortInfo.VL_HIGH_LIMIT)).isEqualTo(before);
    }

    /** An SM without memory finds widths that another SM has forced. */
    @Test
    void settingsThatAllPortsHaveAreNotReadTwiceForAll() {
        SweepHarness harness = new SweepHarness("torus:10x10x1,hosts=1");
        Map<String, Integer> readings = new HashMap<>();
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && MadHeader.method(mad) == Method.GET_RESP
                    && harness.sweeper.state().found() == null) {
                PortInfo.LINK_WIDTH_ENABLED.set(mad, Smp.DATA_OFFSET, 1);
                readings.merge(Smp.path(mad) + " " + MadHeader.attributeModifier(mad), 1, Integer::sum);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(readings.values().stream().filter(count -> count > 1).count())
                .as("those whose first answer comes before a port has confirmed the width")
                .isLessThan(2L * readings.size() / 3);
    }

    /** All engines; takes some minutes. */
    @Test
    @Tag("campaign")
    void twoLightSweepsMendDamagedAnswersOfAllEngines() throws IOException {
        List<String> broken = new ArrayList<>();
        for (String engine : LieTrial.ENGINES.keySet()) {
            for (DamageTrial.TrialEvent meanwhile : DamageTrial.TrialEvent.values()) {
                violations(engine, meanwhile, SEEDS_OF_CAMPAIGN)
                        .forEach(each -> broken.add(engine + " " + meanwhile + " " + each));
            }
        }
        assertThat(broken).isEmpty();
    }
}
