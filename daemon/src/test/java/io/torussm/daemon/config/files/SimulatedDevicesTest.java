package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.vport.VPortModifier;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The errors in a file of faulty devices are reported with their lines. */
class SimulatedDevicesTest {
    @TempDir
    Path dir;

    @Test
    void withoutAFileAllDevicesArePerfect() throws Exception {
        SimulatedDevices perfect =
                SimulatedDevices.of(options("torus:3x3x1", "").port());
        assertThat(perfect.models()).isSameAs(DeviceModels.PERFECT);
        assertThat(perfect.faults()).isSameAs(FaultPlan.NONE);
    }

    @Test
    void aRealFabricHasItsOwnFaults() {
        assertThatThrownBy(() ->
                        SimulatedDevices.of(options("", "/tmp/devices.conf").port()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("needs an embedded fabric")
                .hasMessageContaining("--simulate");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> SimulatedDevices.of(
                        options("torus:3x3x1", dir + "/none.conf").port()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no device file " + dir + "/none.conf");
    }

    @Test
    void seedAndLossBelongToTheFabric() throws Exception {
        FaultPlan faults = read("seed = 7\nloss = 0.25\n").faults();
        assertThat(faults.seed()).isEqualTo(7);
        assertThat(faults.loss()).isEqualTo(0.25);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "colour = red                               | there is no \"colour\" here; did you mean",
                "loss = 2                                   | loss must be a probability from 0 to 1, not \"2\"",
                "seed = x                                   | seed must be a whole number",
                "devices = 3                                | devices must be a list of objects",
                "devices = [ { vls = 4 } ]                  | a device needs either name, in which",
                "devices = [ { name = sw, guid = 1 } ]      | a device needs either name, in which",
                "devices = [ { name = spine-1 } ]           | no node of the topology is called that; the first is",
                "devices = [ { guid = 0x77 } ]              | no node of the topology is called that; the first is",
                "devices = [ { guid = sw-1 } ]              | guid must be a number of up to 64 bits",
                "devices = [ { name = \"sw-*\", deef = true } ] | there is no \"deef\" here; did you mean \"deaf\"?",
                "devices = [ { name = \"sw-*\", deaf = maybe } ] | deaf must be",
                "devices = [ { name = \"sw-*\", vls = 3 } ] | vls must be 1, 2, 4, 8 or 15, not \"3\"",
                "devices = [ { name = \"sw-*\", mtu = 1500 } ] | mtu must be 256, 512, 1024, 2048 or 4096, not \"1500\"",
                "devices = [ { name = \"sw-*\", from = 20 } ] | from must be a time with its unit, such as",
                "devices = [ { name = \"sw-*\", from = 2 s, until = 1 s } ] | until must be later than from",
                "devices = [ { name = \"sw-*\", drop = { attribute = Port } } ] | attribute must be GUIDInfo,",
                "devices = [ { name = \"sw-*\", drop = { status = 1 } } ] | there is no \"status\" here",
                "devices = [ { name = \"sw-*\", refuse = { method = Trap } } ] | method must be Get, Set or any, not",
                "devices = [ { name = \"sw-*\", refuse = PortInfo } ] | refuse must be a list of objects",
                "devices = [ { name = \"sw-*\", busy = 1.1 } ] | busy must be a probability",
                "devices = [ { name = \"sw-*\", disobey = [ LID ] } ] | disobey must be GUIDInfo,",
                "devices = [ { name = \"sw-*\", lies = 3 } ] | lies must be a list of objects",
                "devices = [ { name = \"sw-*\", lies = { attribute = Port, byte = 1 } } ] | attribute must be GUIDInfo,",
                "devices = [ { name = \"sw-*\", lies = { byte = 1, value = 1 } } ] | a lie needs an attribute, and a byte",
                "devices = [ { name = \"sw-*\", lies = { attribute = any, byte = 1 } } ] | a lie needs an attribute, and a byte",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, value = 1 } } ] | a lie needs an attribute, and a byte",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, field = Lidd } } ] | a lie needs an attribute, and a byte",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, byte = 64 } } ] | byte must be",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, byte = 1, value = 256 } } ] | value must fit the 8 bits of byte 1",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, field = VLCap, value = 16 } } ] | value must fit the 4 bits of VLCap",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, field = LID, value = x } } ] | value must be a number of up to 64 bits",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, byte = 1, probability = 2 } } ] | probability must be",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, byte = 1, from = 2 s, until = 1 s } } ] | until must be later",
                "devices = [ { name = \"sw-*\", lies = { attribute = PortInfo, byte = 1, values = 2 } } ] | there is no \"values\" here",
                "devices = [ { name = \"sw-*\", extended_speeds = no } ] | extended_speeds must be hidden,",
                "devices = [ { name = \"sw-*\", bounce = { down = 1 s } } ] | a bounce needs the port",
                "devices = [ { name = \"sw-*\", bounce = { port = 90 } } ] | bounce names port 90 of",
                "devices = [ { name = \"sw-*\", extended_counters = yes } ] | extended_counters must be all, ietf,",
                "devices = [ { name = \"sw-*\", rising = { port = 1 } } ] | a counter that rises needs port, counter and",
                "devices = [ { name = \"sw-*\", rising = { port = 1, counter = Errors, every = 1 s } } ] | counter must be ",
                "devices = [ { name = \"sw-*\", rising = { port = 90, counter = VL15Dropped, every = 1 s } } ] | rising names port 90",
                "devices = [ { name = \"sw-*\", rising = { port = 1, counter = PortXmitData, every = 1 ns, by = 1000000 } } ] | every and by mean",
                "devices = [ { name = \"sw-*\", refuse_congestion = PortInfo } ] | refuse_congestion must be",
                "devices = [ { name = \"host-*\", join = [ \"fe80::1\" ] } ] | join must be ipoib, or MGIDs such as",
            })
    void whatIsWrongIsToldWithItsLine(String line, String problem) {
        assertThatThrownBy(() -> read("# one\n# two\n" + line.strip() + "\n"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("devices.conf:3: " + problem.strip());
    }

    @Test
    void allProblemsAreReportedTogetherAndEachOnce() {
        assertThatThrownBy(() -> read("devices = [\n{ name = \"sw-*\", vls = 3 }\n{ name = \"sw-*\", mtu = 3 }\n]\n"))
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(e.problems())
                        .hasSize(2));
    }

    @Test
    void liesBelongToTheEntry() throws Exception {
        SimulatedDevices devices = read("""
                devices = [
                  { name = "sw-1-1-0", from = 1 s, until = 9 s, lies = [
                    { attribute = NodeInfo, field = NodeGUID, value = 0xfedcba9876543210, probability = 0.5 }
                    { attribute = SwitchInfo, byte = 3, value = 48, from = 2 s, until = 3 s } ] }
                ]
                """);
        SimInterventions interventions = new SimFabric(
                        TorusSpec.parse("torus:3x3x1,hosts=2").topology(),
                        devices.models(),
                        new VirtualLoop(),
                        devices.faults())
                .interventions();
        assertThat(interventions.agent(guid("sw-1-1-0")).falseValues())
                .containsExactly(
                        FalseValue.of(NodeInfo.TYPE.id(), NodeInfo.NODE_GUID, 0xfedcba9876543210L)
                                .with(0.5)
                                .during(1_000_000_000L, 9_000_000_000L),
                        FalseValue.ofByte(SwitchInfo.TYPE.id(), 3, 48).during(2_000_000_000L, 3_000_000_000L));
        assertThat(interventions.agent(guid("sw-0-0-0"))).isEqualTo(AgentProfile.CONFORMING);
    }

    @Test
    void devicesReportTheirFirmware() throws Exception {
        SimulatedDevices devices = read("devices = [ { name = \"host-*\", firmware = \"28.39.1002\" } ]");
        assertThat(devices.models()
                        .of(TorusSpec.parse("torus:3x3x1")
                                .topology()
                                .node("host-0-0-0-0")
                                .orElseThrow())
                        .vendor()
                        .firmware())
                .isEqualTo("28.39.1002");
        assertThatThrownBy(() -> read("devices = [ { name = \"host-*\", firmware = \"28\" } ]"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("firmware");
    }

    @Test
    void hostsHaveVirtualPortsInAllVariants() throws Exception {
        SimulatedDevices devices = read("devices = [ { name = \"host-*\", vports = 4, vport_lids = own, "
                + "vport_order = lower, vport_activation = direct, vport_trap = 1144, no_vport = 65535, "
                + "virtualization = true } ]");
        assertThat(devices.models()
                        .of(TorusSpec.parse("torus:3x3x1")
                                .topology()
                                .node("host-0-0-0-0")
                                .orElseThrow())
                        .vendor()
                        .vports())
                .isEqualTo(VPortModel.of(4)
                        .with(VPortModel.VPortLids.OWN)
                        .with(VPortModifier.VPORT_IN_LOWER_HALF)
                        .with(VPortModel.VPortActivation.DIRECT)
                        .withTrap(1144)
                        .withNoVPort(65535)
                        .enabled());
        assertThatThrownBy(() -> read("devices = [ { name = \"host-*\", vports = 4, vport_lids = many } ]"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("vport_lids");
    }

    @Test
    void aSwitchAnnouncesItsTableOfPortStates() throws Exception {
        SimulatedDevices devices = read("devices = [ { name = \"sw-1-1-0\", port_state_table = true } ]");
        SimFabric fabric = new SimFabric(
                TorusSpec.parse("torus:3x3x1,hosts=2").topology(),
                devices.models(),
                new VirtualLoop(),
                devices.faults());
        int announced = PortInfo.CAP2_SWITCH_PORT_STATE_TABLE;
        assertThat(fabric.portInfo(guid("sw-1-1-0"), 0).hasCapability2(announced))
                .isTrue();
        assertThat(fabric.portInfo(guid("sw-0-0-0"), 0).hasCapability2(announced))
                .isFalse();
    }

    @Test
    void countersBelongToTheEntry() throws Exception {
        SimulatedDevices devices = read("""
                devices = [
                  { name = "sw-1-1-0", extended_counters = all, wrapping_counters = true, counters_reset = 60 s,
                    rising = [ { port = 1, counter = SymbolErrorCounter, every = 100 ms },
                               { port = 2, counter = PortXmitWait, every = 1 s, by = 5000 } ] }
                  { name = "sw-0-*", deaf_counters = true }
                ]
                """);
        VirtualLoop loop = new VirtualLoop();
        SimFabric fabric = new SimFabric(
                TorusSpec.parse("torus:3x3x1,hosts=2").topology(), devices.models(), loop, devices.faults());
        CounterProfile switch11 = fabric.portCounters().profile(guid("sw-1-1-0"));
        assertThat(switch11.extended()).isEqualTo(CounterProfile.Extended.ALL);
        assertThat(switch11.wraps()).isTrue();
        assertThat(switch11.resetPeriodNs()).isEqualTo(60_000_000_000L);
        assertThat(switch11.rising())
                .containsExactly(
                        new CounterProfile.Rising(1, PortCounter.SYMBOL_ERROR, 10),
                        new CounterProfile.Rising(2, PortCounter.XMIT_WAIT, 5_000));
        assertThat(fabric.portCounters().profile(guid("sw-0-2-0")).agent())
                .isEqualTo(AgentProfile.CONFORMING.droppingAll());
        assertThat(fabric.portCounters().profile(guid("sw-2-2-0"))).isEqualTo(CounterProfile.DEFAULT);
    }

    @Test
    void agentsOfCongestionControlAreMadeAsWritten() throws Exception {
        SimulatedDevices devices = read("""
                devices = [
                  { name = "*", congestion_control = true }
                  { name = "sw-1-*", congestion_table_blocks = 1, congestion_delay = 3 ms,
                    refuse_congestion = [ CongestionControlTable ], disobey_congestion = CACongestionSetting }
                  { name = "sw-0-*", deaf_congestion = true }
                ]
                """);
        SimFabric fabric = new SimFabric(
                TorusSpec.parse("torus:3x3x1,hosts=2").topology(),
                devices.models(),
                new VirtualLoop(),
                devices.faults());
        assertThat(fabric.portCounters().profile(guid("sw-2-2-0")).congestion()).isEqualTo(CongestionProfile.DEFAULT);
        AgentProfile manners = AgentProfile.CONFORMING
                .refusing(0x17, AgentProfile.ANY, 0x0c, 1)
                .ignoringSets(0x16);
        assertThat(fabric.portCounters().profile(guid("sw-1-1-0")).congestion())
                .isEqualTo(CongestionProfile.DEFAULT
                        .withTable(1)
                        .withDelay(3_000_000)
                        .withAgent(manners));
        assertThat(fabric.portCounters().profile(guid("sw-0-1-0")).congestion())
                .isEqualTo(CongestionProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.droppingAll()));
    }

    /** An entry changes what it names and keeps the rest, also if an entry before is for the same device. */
    @Test
    void aLaterEntryTakesAwayWhatAnEarlierOneAdded() throws Exception {
        SimulatedDevices devices = read("""
                devices = [
                  { name = "*", congestion_control = true, wrapping_counters = true }
                  { name = "host-*", vports = 4, vport_lids = own, virtualization = true }
                  { name = "sw-1-*", congestion_control = false, wrapping_counters = false }
                  { name = "host-1-*", virtualization = false }
                  { name = "host-2-*", vports = 0 }
                ]
                """);
        CounterProfile switch0 = model(devices, "sw-0-0-0").counters();
        CounterProfile switch1 = model(devices, "sw-1-0-0").counters();
        assertThat(switch0.congestion()).isNotNull();
        assertThat(switch0.wraps()).isTrue();
        assertThat(switch1.congestion()).isNull();
        assertThat(switch1.wraps()).isFalse();
        VPortModel own = VPortModel.of(4).with(VPortModel.VPortLids.OWN);
        assertThat(model(devices, "host-0-0-0-0").vendor().vports()).isEqualTo(own.enabled());
        assertThat(model(devices, "host-1-0-0-0").vendor().vports()).isEqualTo(own);
        assertThat(model(devices, "host-2-0-0-0").vendor().vports()).isEqualTo(VPortModel.NONE);
    }

    @Test
    void keysBesideAnAgentThatIsTakenAwayAreStillChecked() {
        assertThatThrownBy(() -> read(
                        "devices = [ { name = \"*\", congestion_control = false, congestion_table_blocks = 999 } ]"))
                .hasMessageContaining("congestion_table_blocks");
    }

    @Test
    void thePageNamesEveryKey() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "operator", "rehearsing.md"));
        Set<String> named = new TreeSet<>();
        Matcher item =
                Pattern.compile("^- (`\\w+`(?:, `\\w+`)*)", Pattern.MULTILINE).matcher(page);
        while (item.find()) {
            Matcher key = Pattern.compile("`(\\w+)`").matcher(item.group(1));
            while (key.find()) {
                named.add(key.group(1));
            }
        }
        named.add("name");
        named.add("guid");
        assertThat(named).containsExactlyInAnyOrderElementsOf(SimulatedDevice.KEYS);
    }

    private SimulatedDevices read(String text) throws Exception {
        Path file = Files.writeString(dir.resolve("devices.conf"), text);
        return SimulatedDevices.of(
                options("torus:3x3x1,hosts=2", file.toString()).port());
    }

    private static DeviceModel model(SimulatedDevices devices, String name) {
        Topology topology = TorusSpec.parse("torus:3x3x1,hosts=2").topology();
        return devices.models().of(topology.node(name).orElseThrow());
    }

    private static SmOptions options(String simulate, String file) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new HashMap<>();
        values.put(Settings.SIMULATE, new Configuration.CommandLineValue("test", simulate));
        values.put(Settings.SIMULATE_DEVICES, new Configuration.CommandLineValue("test", file));
        return Configuration.read(null, values);
    }

    private static long guid(String name) {
        return TorusSpec.parse("torus:3x3x1,hosts=2")
                .topology()
                .node(name)
                .orElseThrow()
                .nodeGuid();
    }
}
