package io.torussm.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.TopologyText;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.ServedFabric;
import io.torussm.transport.GsiClient;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Sets of OpenSM 3.3.23 beside ours, as agents of the same fabric receive them with the same options. A line of
 * the recorded files is the GUID of a node and a MAD without its TransactionID, in the order of arrival at the node.
 */
class CongestionSetsTest {
    private static final Path RESOURCES = Path.of("src/test/resources/io/torussm/congestion");
    private static final long[] GUIDS = {0x200000, 0x100000, 0x100010};
    private static final DeviceModels MODELS = DeviceModels.PERFECT.with(
            node -> true, model -> model.counters(each -> each.withCongestion(CongestionProfile.DEFAULT)));
    private static final String TABLE =
            IntStream.range(0, 70).mapToObj(i -> i % 4 + ":" + i).collect(Collectors.joining(","));
    private static final String OPENSM = """
            congestion_control TRUE
            cc_sw_cong_setting_control_map 0x1f
            cc_sw_cong_setting_victim_mask 0x1fe
            cc_sw_cong_setting_credit_mask 0x6
            cc_sw_cong_setting_threshold 0xf
            cc_sw_cong_setting_packet_size 8
            cc_sw_cong_setting_credit_starvation_threshold 5
            cc_sw_cong_setting_credit_starvation_return_delay 1:16
            cc_sw_cong_setting_marking_rate 100
            cc_ca_cong_setting_port_control 1
            cc_ca_cong_setting_control_map 0xffff
            cc_ca_cong_setting_ccti_timer 0 150
            cc_ca_cong_setting_ccti_increase 0 1
            cc_ca_cong_setting_trigger_threshold 1 9
            cc_ca_cong_setting_ccti_min 1 2
            cc_cct\s""" + TABLE + "\n";

    private static final List<Integer> NONE = Collections.nCopies(16, 0);
    private static final CongestionOptions SAME = new CongestionOptions(
            true,
            0,
            500,
            new CongestionOptions.Marking(
                    0x1f,
                    CongestionOptions.mask("0x1fe"),
                    BigInteger.valueOf(6),
                    15,
                    8,
                    5,
                    CongestionOptions.delay("1:16"),
                    100),
            new CongestionOptions.Reaction(
                    1,
                    0xffff,
                    CongestionOptions.bySl("0:150", 0xffff),
                    CongestionOptions.bySl("0:1", 0xff),
                    CongestionOptions.bySl("1:9", 0xff),
                    CongestionOptions.bySl("1:2", 0xff)),
            CongestionOptions.table(TABLE));

    /** The Sets of {@code congestion_control = true} without further options. */
    private static final CongestionOptions DEFAULTS = new CongestionOptions(
            true,
            0,
            500,
            new CongestionOptions.Marking(0, BigInteger.ZERO, BigInteger.ZERO, 0, 0, 0, 0, 0),
            new CongestionOptions.Reaction(0, 0, NONE, NONE, NONE, NONE),
            List.of());

    @TempDir
    Path directory;

    private static List<String> lines(SimFabric fabric) {
        List<String> lines = new ArrayList<>();
        for (long guid : GUIDS) {
            fabric.portCounters()
                    .congestion(guid, guid == GUIDS[0] ? 0 : 1)
                    .sets()
                    .forEach(mad -> {
                        MadHeader.TRANSACTION_ID.set(mad, 0, 0);
                        lines.add(Long.toHexString(guid) + " " + HexFormat.of().formatHex(mad));
                    });
        }
        return lines;
    }

    private static List<String> recorded(String name) throws Exception {
        return Files.readAllLines(RESOURCES.resolve(name));
    }

    private List<String> ofOpenSm(String options) throws Exception {
        Path conf = Files.writeString(directory.resolve("opensm.conf"), options);
        try (ServedFabric fabric = ServedFabric.start(RESOURCES.resolve("two-hosts.topo"), MODELS)) {
            ProcessBuilder opensm = fabric.client(
                    "H-0000000000100000",
                    List.of(Programs.requireProgram("opensm"), "-o", "-F", conf.toString(), "-f", "opensm.log"),
                    directory);
            opensm.environment().put("OSM_TMP_DIR", directory.toString());
            opensm.environment().put("OSM_CACHE_DIR", directory.toString());
            IbSim.ProgramResult ended = IbSim.run(opensm);
            assertThat(ended.status()).as(ended.text()).isZero();
            return fabric.query(CongestionSetsTest::lines);
        }
    }

    private static List<String> ours(CongestionOptions options) throws Exception {
        SweepHarness harness =
                new SweepHarness(TopologyText.read(RESOURCES.resolve("two-hosts.topo")), MODELS, FaultPlan.NONE);
        assertThat(harness.sweep()).startsWith("up");
        GsiClient client = new GsiClient(
                harness.client,
                harness.loop,
                () -> new GsiClient.Settings(500, 0, 100, 1),
                1,
                GsiClient.RedirectionPolicy.withinSubnet(key -> 0));
        CongestionManager manager = new CongestionManager(harness.loop, client, () -> options);
        manager.subnetUp(Objects.requireNonNull(harness.sweeper.view()));
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(manager.statistics().set()).isEqualTo(GUIDS.length);
        return lines(harness.fabric);
    }

    @Test
    @Tag("interop")
    void openSmSendsTheSetsThatWereRecorded() throws Exception {
        List<String> all = ofOpenSm(OPENSM);
        List<String> defaults = ofOpenSm("congestion_control TRUE\n");
        if (Boolean.getBoolean("regenerate")) {
            Files.write(RESOURCES.resolve("opensm-sets.txt"), all);
            Files.write(RESOURCES.resolve("opensm-default-sets.txt"), defaults);
        }
        assertThat(all).isEqualTo(recorded("opensm-sets.txt"));
        assertThat(defaults).isEqualTo(recorded("opensm-default-sets.txt"));
    }

    @Test
    void ourSetsHaveTheTargetsBytesAndOrderOfOpenSm() throws Exception {
        assertThat(ours(SAME)).isEqualTo(recorded("opensm-sets.txt")).hasSize(7);
    }

    /** After power-up devices have the contents of OpenSM's defaults, so that no Set is needed. */
    @Test
    void defaultSettingsSendNoSets() throws Exception {
        assertThat(recorded("opensm-default-sets.txt")).isNotEmpty();
        assertThat(ours(DEFAULTS)).isEmpty();
    }
}
