package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sa.PathsAlone;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AgentProfile.ExtendedSpeeds;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A row of switches with a host at each, cables of all speeds, and agents that report extended speeds only on
 * request.
 */
class ExtendedSpeedsTest {
    /** Cables from host to switch, then from switch to switch. */
    private static final List<String> HOSTS = List.of("4xXDR", "4xNDR", "4xHDR", "2xHDR", "4xEDR", "4xFDR", "4xQDR");

    private static final List<String> CABLES = List.of("8xXDR", "4xXDR", "2xXDR", "4xNDR", "8xFDR", "12xEDR");

    /** Speeds in Gb/s by name, and their IBA codes. */
    private static final Map<String, Integer> CODES = Map.of(
            "4xXDR", 23, "8xXDR", 25, "2xXDR", 21, "4xNDR", 21, "4xHDR", 17, "2xHDR", 16, "4xEDR", 16, "4xFDR", 12,
            "4xQDR", 7, "8xFDR", 13);

    private static final Map<Integer, Integer> GBPS =
            Map.of(7, 40, 12, 56, 13, 112, 16, 100, 17, 200, 18, 300, 21, 400, 23, 800, 25, 1600);

    private static int code(String rate) {
        return rate.equals("12xEDR") ? 18 : CODES.get(rate);
    }

    private static Topology row() {
        StringBuilder text = new StringBuilder();
        for (int sw = 0; sw < HOSTS.size(); sw++) {
            text.append("switchguid=0x%x(%x)%nSwitch 3 \"S-%d\" # \"sw %d\"%n".formatted(16 + sw, 16 + sw, sw, sw));
            text.append("[1] \"H-%d\"[1] # %s%n".formatted(sw, HOSTS.get(sw)));
            if (sw > 0) {
                text.append("[2] \"S-%d\"[3] # %s%n".formatted(sw - 1, CABLES.get(sw - 1)));
            }
            if (sw < CABLES.size()) {
                text.append("[3] \"S-%d\"[2] # %s%n".formatted(sw + 1, CABLES.get(sw)));
            }
        }
        for (int host = 0; host < HOSTS.size(); host++) {
            String name = host == 0 ? SweepHarness.HOST : "host " + host;
            text.append("caguid=0x%x%nCa 1 \"H-%d\" # \"%s\"%n".formatted(0x100 + 16 * host, host, name));
            text.append("[1](%x) \"S-%d\"[1] # %s%n".formatted(0x101 + 16 * host, host, HOSTS.get(host)));
        }
        return SweepHarness.topology(text.toString());
    }

    private final SweepHarness harness = new SweepHarness(row(), FaultPlan.NONE);

    private void agents(ExtendedSpeeds mode) {
        harness.topology
                .nodes()
                .forEach(node -> harness.fabric.setAgent(node.nodeGuid(), AgentProfile.CONFORMING.showing(mode)));
    }

    /** Returns the rate of the slowest cable of the path. */
    private static int expected(int from, int to) {
        List<String> way = new ArrayList<>(List.of(HOSTS.get(from), HOSTS.get(to)));
        way.addAll(CABLES.subList(Math.min(from, to), Math.max(from, to)));
        return way.stream()
                .map(ExtendedSpeedsTest::code)
                .min((a, b) -> Integer.compare(gbps(a), gbps(b)))
                .orElseThrow();
    }

    private static int gbps(int code) {
        return Objects.requireNonNull(GBPS.get(code));
    }

    private Map<String, Integer> rates() {
        List<byte[]> answers = new ArrayList<>();
        SubnetAdministrator sa =
                PathsAlone.administrator(() -> harness.view, frame -> answers.add(frame.mad()), Runnable::run);
        Subnet subnet = harness.publishedView().subnet();
        Map<String, Integer> rates = new HashMap<>();
        List<Integer> hosts = harness.hosts();
        for (int from = 0; from < hosts.size(); from++) {
            for (int to = 0; to < hosts.size(); to++) {
                int slid = subnet.lid(hosts.get(from));
                long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID)
                        | PathRecord.COMPONENTS.bit(PathRecord.DLID)
                        | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
                byte[] mad = SaMad.request(Method.GET, from * 100L + to + 1, PathRecord.TYPE.id(), 0, mask);
                PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, slid);
                PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, subnet.lid(hosts.get(to)));
                PathRecord.NUMB_PATH.set(mad, SaMad.DATA_OFFSET, 1);
                sa.onMad(new MadFrame(new MadAddress(slid, 1, 0, 0), mad));
                byte[] answer = answers.remove(0);
                assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.OK);
                rates.put(from + " to " + to, (int) PathRecord.RATE.get(answer, SaMad.DATA_OFFSET));
            }
        }
        return rates;
    }

    private Map<String, Integer> expected() {
        Map<String, Integer> rates = new HashMap<>();
        for (int from = 0; from < HOSTS.size(); from++) {
            for (int to = 0; to < HOSTS.size(); to++) {
                rates.put(from + " to " + to, expected(from, to));
            }
        }
        return rates;
    }

    @ParameterizedTest
    @EnumSource(ExtendedSpeeds.class)
    void allPathsHaveTheRateOfTheirSlowestCable(ExtendedSpeeds mode) {
        agents(mode);
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(rates()).isEqualTo(expected());
        harness.awaitRest();
        harness.sweep();
        assertThat(rates()).as("after another sweep").isEqualTo(expected());
    }

    @Test
    void aHostThatComesBackIsAskedAgain() {
        agents(ExtendedSpeeds.HIDDEN);
        harness.sweep();
        harness.fabric.unlink(0x100 + 16 * 2, 1);
        harness.awaitRest();
        harness.fabric.relink(0x100 + 16 * 2, 1);
        harness.loop.runFor(10_000_000_000L);
        harness.awaitRest();
        assertThat(rates()).isEqualTo(expected());
    }

    /** A switch that supports the bit may refuse a request for another reason. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aSwitchThatRefusesOnceIsNotTakenForSlow(int refusedPort) {
        agents(ExtendedSpeeds.HIDDEN);
        harness.sweep();
        boolean[] isDue = {true};
        harness.changeResponse = answer -> {
            boolean isMeant =
                    isDue[0] && MadHeader.attributeId(answer) == PortInfo.TYPE.id() && isAbout(answer, 3, refusedPort);
            if (isMeant) {
                MadHeader.STATUS.set(answer, 0, MadStatus.INVALID_FIELD);
                isDue[0] = false;
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(isDue[0]).isFalse();
        assertThat(rates()).isEqualTo(expected());
    }

    /** The hidden attribute of a recovered host is read. */
    @Test
    void aHostThatRefusedTheBitIsAskedLater() {
        agents(ExtendedSpeeds.HIDDEN);
        harness.sweep();
        harness.changeResponse = answer -> {
            if (isMarked(answer) && answersAbout(answer, 2)) {
                MadHeader.STATUS.set(answer, 0, MadStatus.INVALID_FIELD);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        harness.changeResponse = answer -> {};
        harness.sweepLight();
        harness.awaitRest();
        assertThat(rates()).isEqualTo(expected());
    }

    private static boolean answersAbout(byte[] mad, int host) {
        var path = Smp.path(mad);
        return path != null && path.hops() == host + 2 && path.port(path.hops() - 1) == 1;
    }

    /**
     * Base port 0 has no link, and a device without extended speeds may interpret the bit as a part of the
     * port number.
     */
    @Test
    void theBitIsOnlySetWhereItIsUnderstood() {
        long dumb = 16 + 3;
        harness.changeResponse = answer -> {
            if (MadHeader.attributeId(answer) == PortInfo.TYPE.id() && isAbout(answer, 3, 0)) {
                long mask = PortInfo.CAPABILITY_MASK.get(answer, Smp.DATA_OFFSET);
                PortInfo.CAPABILITY_MASK.set(answer, Smp.DATA_OFFSET, mask & ~PortInfo.CAP_EXTENDED_SPEEDS);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric fabric = harness.publishedView().subnet().fabric();
        List<String> faults = harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id())
                .filter(mad -> isMarked(mad) && (isAbout(mad, 3, -1) || isBasePort0(mad)))
                .map(mad -> Smp.path(mad) + " " + Integer.toHexString(MadHeader.attributeModifier(mad)))
                .collect(Collectors.toList());
        assertThat(faults).isEmpty();
        assertThat(harness.requests.stream()
                        .filter(ExtendedSpeedsTest::isMarked)
                        .count())
                .isGreaterThan(20);
        assertThat(fabric.nodeByGuid(dumb)).isNotNegative();
    }

    private static boolean isMarked(byte[] mad) {
        return MadHeader.attributeId(mad) == PortInfo.TYPE.id() && MadHeader.attributeModifier(mad) < 0;
    }

    /**
     * Checks whether a MAD goes to, or comes from, a switch of the row, about one of its ports; -1 for any.
     */
    private static boolean isAbout(byte[] mad, int sw, int portNum) {
        var path = Smp.path(mad);
        int port = MadHeader.attributeModifier(mad) & 0xff;
        return path != null
                && path.hops() == sw + 1
                && path.port(sw) == (sw == 0 ? 1 : 3)
                && (portNum < 0 || port == portNum);
    }

    private static boolean isBasePort0(byte[] mad) {
        var path = Smp.path(mad);
        return path != null
                && path.hops() > 0
                && (MadHeader.attributeModifier(mad) & 0xff) == 0
                && path.port(path.hops() - 1) != 1;
    }
}
