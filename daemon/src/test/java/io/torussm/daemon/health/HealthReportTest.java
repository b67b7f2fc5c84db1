package io.torussm.daemon.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.health.Check.Verdict;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.subnet.Drains;
import io.torussm.subnet.Drains.Drain;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.testing.ViewDraft;
import io.torussm.view.CableHistory;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The checks of the health report. The fabric is that of {@link Views#twoSwitches}, whose ports are all in order; a
 * test changes one thing. The SM is a {@link FakeControl} with a standby.
 */
class HealthReportTest {
    private final FakeControl control = new FakeControl();
    private PublishedView view = Views.twoSwitches();

    /** All of it in order but for an open ring. */
    @BeforeEach
    void setUpHealthyFabric() {
        control.becomeMaster(5, new RemoteSm(0x42, 4, SmState.STANDBY, null, new SmHost("other", 9), true));
        Fabric fabric = view.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                Subnet subnet = view.subnet();
                int addressed = fabric.isEndport(port) ? subnet.lid(port) : 0;
                change(
                        port,
                        info.with(PortInfo.LID, addressed)
                                .with(PortInfo.LINK_WIDTH_SUPPORTED, 3)
                                .with(PortInfo.LINK_WIDTH_ENABLED, 3)
                                .with(PortInfo.LINK_SPEED_SUPPORTED, 7)
                                .with(PortInfo.LINK_SPEED_ENABLED, 7)
                                .with(PortInfo.MTU_CAP, 4)
                                .with(PortInfo.NEIGHBOR_MTU, 4));
            }
        }
    }

    /** The SM of the test has left a device out, knows a port that complains, has a defect, and read firmware. */
    @Test
    void aHealthySubnetIsReportedGood() {
        HealthReport report = report();
        assertThat(report.verdict()).isEqualTo(Verdict.BAD);
        assertThat(report.checks().stream().filter(check -> check.verdict().compareTo(Verdict.GOOD) < 0))
                .extracting(Check::name)
                .containsExactly(
                        "left out", "rings", "link errors", "congestion", "this program", "firmware", "conditions");
        assertThat(report.checks()).hasSizeGreaterThan(12);
        assertThat(report.lines()).contains("warning  rings            1 whole, 0 thinned, 1 open, 0 cut");
    }

    @Test
    void mixedFirmwareOfAKindIsAWarningWithTheDevicesThatDiffer() {
        Check check = check("firmware");
        assertThat(check.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check.findings())
                .containsExactly("0x101b MT_0000000223: 20.39.1002 at 2 devices, 20.35.2000 at 1 device"
                        + " (0x0000000000000077)");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void faultsOfLinksAreFound(String name, Field field, int value, boolean isAtBothEnds, String text) {
        int[] cable = cable();
        change(cable[0], field, value);
        if (isAtBothEnds) {
            change(cable[1], field, value);
        }
        Check check = check(name);
        assertThat(check.verdict()).isNotEqualTo(Verdict.GOOD);
        assertThat(check.findings()).singleElement().asString().contains("sw-a", "sw-b", "port 3", text);
    }

    @Test
    void limitsBySettingsAreReported() {
        int[] cable = cable();
        for (int port : cable) {
            change(port, PortInfo.LINK_SPEED_ACTIVE, 2);
            change(port, PortInfo.LINK_SPEED_ENABLED, 3);
        }
        assertThat(check("link speed").findings())
                .containsExactly("1 link: DDR, and both ends support QDR (more is not enabled there)");
        assertThat(check("link speed").verdict()).isEqualTo(Verdict.GOOD);
    }

    /**
     * As in nearly all switches: ports are capable of 12x, with no more than 4x enabled. One such link is a
     * fault.
     */
    @Test
    void widthsThatAreNotEnabledAreOneLine() {
        Fabric fabric = view.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.portInfo(port) != null) {
                change(port, PortInfo.LINK_WIDTH_SUPPORTED, 1 | 2 | 8);
                change(port, PortInfo.LINK_WIDTH_ENABLED, 1 | 2);
                change(port, PortInfo.LINK_WIDTH_ACTIVE, 2);
            }
        }
        assertThat(check("link width").verdict()).isEqualTo(Verdict.GOOD);
        assertThat(check("link width").findings())
                .singleElement()
                .asString()
                .matches("\\d+ links: 4x, and both ends support 12x \\(more is not enabled there\\)");
        for (int port : cable()) {
            change(port, PortInfo.LINK_WIDTH_ACTIVE, 1);
        }
        assertThat(check("link width").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("link width").findings())
                .hasSize(2)
                .first()
                .asString()
                .contains("sw-a", "1x, and both ends support 12x");
    }

    /** An end that cannot do more is no fault. */
    @Test
    void slowerDevicesAreNoFault() {
        int[] cable = cable();
        for (int port : cable) {
            change(port, PortInfo.LINK_SPEED_ACTIVE, 1);
        }
        change(cable[1], PortInfo.LINK_SPEED_SUPPORTED, 1);
        assertThat(check("link speed").verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void aPortWithAnotherLidIsFound() {
        Fabric fabric = view.subnet().fabric();
        int port = IntStream.range(0, fabric.portCount())
                .filter(each -> view.subnet().lid(each) == 3)
                .findFirst()
                .orElseThrow();
        change(port, PortInfo.LID, 77);
        Check check = check("LIDs");
        assertThat(check.verdict()).isEqualTo(Verdict.BAD);
        assertThat(check.findings()).singleElement().asString().contains("host-0", "has LID 77", "should have 3");
    }

    @Test
    void namesThatSeveralHaveAreFound() {
        Fabric fabric = view.subnet().fabric();
        Fabric.Node one = fabric.node(0);
        view = view.on(fabric.with(
                1,
                new Fabric.Node(
                        fabric.node(1).info(),
                        one.description(),
                        fabric.node(1).switchInfo(),
                        fabric.node(1).path())));
        assertThat(check("names").findings())
                .singleElement()
                .asString()
                .contains("\"sw-a\": 0x0000000000200000, 0x0000000000200001");
    }

    @Test
    void aMissingStandbyIsAWarning() {
        control.becomeMaster(5);
        assertThat(check("subnet managers").summary()).contains("no standby SM is ready");
        assertThat(check("subnet managers").verdict()).isEqualTo(Verdict.WARNING);
    }

    @Test
    void subnetManagersOnOneSwitchAreAWarning() {
        Fabric fabric = view.subnet().fabric();
        assertThat(check("subnet managers").verdict()).isEqualTo(Verdict.GOOD);
        int port = IntStream.range(0, fabric.portCount())
                .filter(each -> fabric.isEndport(each) && fabric.switchOf(each) == fabric.localSwitch())
                .findFirst()
                .orElseThrow();
        control.becomeMaster(
                5, new RemoteSm(fabric.portGuid(port), 4, SmState.STANDBY, null, new SmHost("neighbor", 9), true));
        assertThat(check("subnet managers").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("subnet managers").findings())
                .singleElement()
                .asString()
                .contains("all of them are attached to");
    }

    @Test
    void drainsAndIsolationsAreWarnings() {
        assertThat(check("drained").verdict()).isEqualTo(Verdict.GOOD);
        control.drains = List.of(
                new Drain(0x20, 3, "link a to b", Instant.EPOCH),
                new Drain(0x21, 3, "link c to d", Instant.EPOCH, Drains.Cause.ISOLATION));
        assertThat(check("drained").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("drained").findings())
                .containsExactly(
                        "link a to b is drained since 1970-01-01T00:00:00Z",
                        "link c to d is isolated since 1970-01-01T00:00:00Z");
    }

    @Test
    void driftIsAWarning() {
        control.drift = new DriftReport(false, 0, Instant.EPOCH, 1, 1, 9, 0, List.of());
        assertThat(check("drift").verdict()).isEqualTo(Verdict.GOOD);
        control.drift = new DriftReport(
                false,
                0,
                Instant.EPOCH,
                1,
                1,
                9,
                3,
                List.of(new DriftReport.Drift(
                        Instant.EPOCH, 0x20, "sw-a", "LinearForwardingTable", "LID 7", "port 3", "no path", 2)));
        assertThat(check("drift").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("drift").findings())
                .containsExactly("sw-a: LinearForwardingTable LID 7: wanted port 3, found no path, and 2 more");
    }

    @Test
    void creditLoopsOfSlsAreBad() {
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1), List.of(0, 1), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.GOOD);
        assertThat(check("SLs").summary()).endsWith("and beside them with SLs 0-1");
        control.slVerdicts = new SlVerdicts(false, List.of(), List.of(), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.BAD);
    }

    /** UCX and NCCL give all packets SL 0 as installed, beside IPoIB, which follows path records. */
    @ParameterizedTest
    @CsvSource({"'','',none", "'0,1',1,1", "'0,8','8,9',8-9"})
    void creditLoopsWithTheSlOfJobsAsInstalledAreNotGood(String alone, String beside, String safe) {
        control.slVerdicts = new SlVerdicts(true, sls(alone), sls(beside), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(check("SLs").summary()).contains("SL 0").contains("safe SLs: " + safe + ";");
    }

    @Test
    void aCheckWithoutDataIsNotGood() {
        control.slVerdicts = null;
        control.drift = DriftReport.NOTHING;
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(check("drift").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(check("inventory").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(report().lines())
                .anyMatch(line -> line.startsWith("unknown  inventory        nothing was accepted"));
    }

    @Test
    void portsWithoutAPartitionAreAWarning() {
        assertThat(check("partitions").verdict()).isEqualTo(Verdict.GOOD);
        PartitionSettings nobody = new PartitionSettings(
                new PartitionConf("absent", List.of(), List.of()), PartitionSettings.Enforcement.OFF, true, false);
        PartitionPlan none = PartitionPlan.of(nobody, view.subnet().fabric(), port -> PortKeys.NONE);
        view = ViewDraft.of(view).partitions(none).build();
        assertThat(check("partitions").findings())
                .anyMatch(text -> text.contains("host-0") && text.contains("no partition"));
    }

    @Test
    void conditionsAreListedAndBounded() {
        for (int i = 0; i < 30; i++) {
            control.journal.add(
                    Instant.EPOCH,
                    "error",
                    SmEvent.CONFIGURATION_KEPT.code(),
                    "kept f" + i,
                    Map.of(EventField.FILE.key(), "f" + i));
        }
        Check check = check("conditions");
        assertThat(check.verdict()).isEqualTo(Verdict.BAD);
        assertThat(check.findings()).hasSize(Check.MAX_FINDINGS);
        assertThat(check.more()).isEqualTo(Condition.all(control).size() - Check.MAX_FINDINGS);
        assertThat(report().lines())
                .contains("bad      conditions       " + Condition.all(control).size() + " found");
    }

    /** A device may be called anything. */
    @Test
    void thePageShowsNamesAsText() {
        control.journal.add(Instant.EPOCH, "error", SmEvent.CONFIGURATION_KEPT.code(), "<script>&\"", Map.of());
        String page = String.join("\n", HealthPage.of(report(), "torus-sm <1>"));
        assertThat(page)
                .contains("&lt;script&gt;&amp;&quot;", "torus-sm &lt;1&gt;", "<td class=\"bad\">bad<td>conditions")
                .doesNotContain("<script>");
        assertThat(report().checks().stream().map(Check::name).collect(Collectors.toList()))
                .allMatch(name -> page.contains("<td>" + name));
    }

    @Test
    void namesCablesThatFlap() {
        assertThat(check("flapping").verdict()).isEqualTo(Verdict.GOOD);
        CableHistory.NamedEnd near = new CableHistory.NamedEnd(new Neighbors.CableEnd(1, 1), "leaf-1 port 1");
        CableHistory.NamedEnd far = new CableHistory.NamedEnd(new Neighbors.CableEnd(2, 1), "spine-1 port 1");
        Instant longAgo = Instant.EPOCH.minusSeconds(100_000);
        for (int i = 0; i < 3; i++) {
            control.cableHistory().note(longAgo, CableHistory.EntryType.DOWN, far, near);
        }
        assertThat(check("flapping").verdict()).isEqualTo(Verdict.GOOD);
        for (int i = 0; i < 3; i++) {
            control.cableHistory().note(Instant.EPOCH.minusSeconds(9 - i), CableHistory.EntryType.DOWN, near, far);
        }
        assertThat(check("flapping").findings())
                .containsExactly("leaf-1 port 1 - spine-1 port 1 went down 3 times, last change 1969-12-31T23:59:53Z");
    }

    private void change(int port, PortInfo info) {
        view = view.on(view.subnet().fabric().with(port, info));
    }

    private void change(int port, Field field, int value) {
        PortInfo info = Objects.requireNonNull(view.subnet().fabric().portInfo(port));
        change(port, info.with(field, value));
    }

    private HealthReport report() {
        control.view = view;
        return HealthReport.of(control, view.placed(), Instant.EPOCH);
    }

    private Check check(String name) {
        return report().checks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** By index: the port of the first switch that leads to the second, and that one's. */
    private int[] cable() {
        Fabric fabric = view.subnet().fabric();
        int near = fabric.port(0, 3);
        return new int[] {near, fabric.peer(near)};
    }

    private static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("link states", PortInfo.PORT_STATE, PortInfo.STATE_ARMED, false, "not active"),
                Arguments.of("link width", PortInfo.LINK_WIDTH_ACTIVE, 1, true, "1x, and both ends support 4x"),
                Arguments.of("link speed", PortInfo.LINK_SPEED_ACTIVE, 1, true, "SDR, and both ends support QDR"),
                Arguments.of("link MTU", PortInfo.NEIGHBOR_MTU, 3, false, "1024 at one end, 2048 at the other"),
                Arguments.of("link MTU", PortInfo.NEIGHBOR_MTU, 3, true, "1024, and both ends support 2048"),
                Arguments.of("link VLs", PortInfo.OPERATIONAL_VLS, 3, false, "code 3 at one end, 4 at the other"));
    }

    private static List<Integer> sls(String list) {
        return list.isEmpty()
                ? List.of()
                : Stream.of(list.split(",")).map(Integer::valueOf).toList();
    }
}
