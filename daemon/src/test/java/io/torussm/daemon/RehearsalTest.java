package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.SimulatedDevices;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Hardware;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/operator/rehearsing.md, in virtual time. */
class RehearsalTest {
    private static final Path PAGE = Path.of("..", "docs", "operator", "rehearsing.md");
    private static final long BUSY_SWITCH = 0x200010;
    private static final long SILENT_SWITCH = 0x200040;
    private static final long LARGE = 0x200080;
    private static final int NODES = 27;

    private final VirtualLoop loop = new VirtualLoop();

    @TempDir
    Path dir;

    @Test
    void theExampleMatchesThePage() throws Exception {
        TorusSpec torus = TorusSpec.parse(spec());
        Map<Setting<?>, String> settings = new HashMap<>();
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, torus));
        settings.put(Settings.SIMULATE, spec());
        settings.put(
                Settings.SIMULATE_DEVICES,
                Files.writeString(dir.resolve("devices.conf"), example()).toString());
        SmOptions options = ServiceHarness.options(dir, settings);
        SimulatedDevices devices = SimulatedDevices.of(options.port());
        SimFabric fabric = new SimFabric(torus.topology(), devices.models(), loop, devices.faults());
        FabricSm sm = new FabricSm(
                        new MortalLoop(loop),
                        fabric.attach("host-0-0-0-0", 1),
                        8,
                        options,
                        StateDirectory.open(dir.resolve("state"), loop),
                        1)
                .start();
        assertThat(fabric.portInfo(0x1_0000_0000L, 1).get(PortInfo.VL_CAP)).isEqualTo(Hardware.VL0_TO_3);
        assertThat(fabric.portInfo(LARGE, 1).get(PortInfo.VL_ARBITRATION_LOW_CAP))
                .isEqualTo(64);
        assertThat(fabric.switchInfo(LARGE).get(SwitchInfo.OUTBOUND_ENFORCEMENT_CAP))
                .isZero();
        advance(58);
        assertThat(members(sm)).hasSize(18);
        assertThat(nodes(sm)).isEqualTo(NODES);
        sm.mastership.sweepHeavy();
        advance(40);
        assertThat(nodes(sm)).as("while %x hangs", SILENT_SWITCH).isEqualTo(NODES - 3);
        advance(22);
        sm.mastership.sweepHeavy();
        advance(60);
        assertThat(nodes(sm)).isEqualTo(NODES);
        assertThat(members(sm)).hasSize(18);
        assertThat(fabric.switchInfo(BUSY_SWITCH).get(SwitchInfo.LINEAR_FDB_TOP))
                .isPositive();
    }

    /** The daemon itself, as {@code --check-config} and the start read it. */
    @Test
    void theProgramTakesTheFile() throws Exception {
        Path file = Files.writeString(dir.resolve("devices.conf"), example());
        Map<Setting<?>, Configuration.CommandLineValue> values = new HashMap<>();
        values.put(Settings.SIMULATE, new Configuration.CommandLineValue("--simulate", spec()));
        values.put(
                Settings.SIMULATE_DEVICES, new Configuration.CommandLineValue("--simulate-devices", file.toString()));
        assertThat(SimulatedDevices.of(Configuration.read(null, values).port())
                        .faults()
                        .seed())
                .isEqualTo(1);
    }

    private static String example() throws Exception {
        Matcher block = Pattern.compile("```\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static String spec() throws Exception {
        Matcher spec = Pattern.compile("example for `--simulate (\\S+)`").matcher(Files.readString(PAGE));
        assertThat(spec.find()).isTrue();
        return spec.group(1);
    }

    private void advance(int seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private static int nodes(FabricSm sm) {
        return sm.view().subnet().fabric().nodeCount();
    }

    private static Set<Long> members(FabricSm sm) {
        Set<Long> members = new TreeSet<>();
        sm.memberships.view().groups().stream()
                .filter(group -> group.mgid().equals(GroupClient.IPOIB_BROADCAST))
                .forEach(group -> group.members()
                        .forEach(member -> members.add(member.portGid().guid())));
        return members;
    }
}
