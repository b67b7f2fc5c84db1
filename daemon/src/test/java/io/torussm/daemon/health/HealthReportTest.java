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
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
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
 * The checks of the health report. The fabric is that of {@link Views#twoSwitches}, whose ports are all in order but
 * for an open ring; a test changes one thing. The SM is a {@link FakeControl} with a standby. Its statistics have a
 * device that is left out, a port that reports errors, congestion, a defect, and firmware of two versions.
 */
class HealthReportTest {
    /** Sets of widths and speeds, a bit each. */
    private static final int WIDTHS_1X_4X = LinkWidth.X1.code() | LinkWidth.X4.code();

    private static final int WIDTHS_1X_4X_12X = WIDTHS_1X_4X | LinkWidth.X12.code();
    private static final int SPEEDS_SDR_DDR = LinkSpeed.SDR.active() | LinkSpeed.DDR.active();
    private static final int SPEEDS_SDR_DDR_QDR = SPEEDS_SDR_DDR | LinkSpeed.QDR.active();

    /** Codes of MTUs. */
    private static final int MTU_1024 = 3;

    private static final int MTU_2048 = 4;

    /** The LID of host-0, behind those of the two switches. */
    private static final int LID_OF_HOST_0 = 3;

    private static final int PRIORITY = 5;
    private static final boolean AT_BOTH_ENDS = true;
    private static final boolean AT_ONE_END = false;

    private final FakeControl control = new FakeControl();
    private PublishedView view = Views.twoSwitches();

    @BeforeEach
    void setUpHealthyFabric() {
        control.becomeMaster(PRIORITY, standby(0x42));
        Fabric fabric = view.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                Subnet subnet = view.subnet();
                int addressed = fabric.isEndport(port) ? subnet.lid(port) : 0;
                change(
                        port,
                        info.with(PortInfo.LID, addressed)
                                .with(PortInfo.LINK_WIDTH_SUPPORTED, WIDTHS_1X_4X)
                                .with(PortInfo.LINK_WIDTH_ENABLED, WIDTHS_1X_4X)
                                .with(PortInfo.LINK_SPEED_SUPPORTED, SPEEDS_SDR_DDR_QDR)
                                .with(PortInfo.LINK_SPEED_ENABLED, SPEEDS_SDR_DDR_QDR)
                                .with(PortInfo.MTU_CAP, MTU_2048)
                                .with(PortInfo.NEIGHBOR_MTU, MTU_2048));
            }
        }
    }

    private static RemoteSm standby(long portGuid) {
        boolean isProved = true;
        return new RemoteSm(portGuid, 4, SmState.STANDBY, null, new SmHost("other", 9), isProved);
    }

    /** Those are the faults that the class comment names. */
    @Test
    void aReportHasTheVerdictOfItsWorstCheck() {
        HealthReport report = report();
        assertThat(report.verdict()).isEqualTo(Verdict.BAD);
        assertThat(report.checks().stream().filter(check -> check.verdict().compareTo(Verdict.GOOD) < 0))
                .extracting(Check::name)
                .containsExactly(
                        "left out", "rings", "link errors", "congestion", "this program", "firmware", "conditions");
    }

    @Test
    void aReportHasALineForEachCheck() {
        HealthReport report = report();
        assertThat(report.checks()).hasSizeGreaterThan(12);
        assertThat(report.lines()).contains("warning  rings            1 whole, 0 thinned, 1 open, 0 cut");
    }

    @Test
    void mixedFirmwareOfADeviceTypeIsAWarningWithTheDevicesThatDiffer() {
        Check check = check("firmware");
        assertThat(check.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check.findings())
                .containsExactly("0x101b MT_0000000223: 20.39.1002 at 2 devices, 20.35.2000 at 1 device"
                        + " (0x0000000000000077)");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultOfALinkIsNamedWithItsEnds(String name, Field field, int value, boolean isAtBothEnds, String text) {
        change(near(), field, value);
        if (isAtBothEnds) {
            change(far(), field, value);
        }
        Check check = check(name);
        assertThat(check.verdict()).isNotEqualTo(Verdict.GOOD);
        assertThat(check.findings()).singleElement().asString().contains("sw-a", "sw-b", "port 3", text);
    }

    @Test
    void aSpeedThatSettingsLimitIsReportedAndGood() {
        changeBothEnds(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.DDR.active());
        changeBothEnds(PortInfo.LINK_SPEED_ENABLED, SPEEDS_SDR_DDR);
        assertThat(check("link speed").findings())
                .containsExactly("1 link: DDR, and both ends support QDR (more is not enabled there)");
        assertThat(check("link speed").verdict()).isEqualTo(Verdict.GOOD);
    }

    /** Makes all ports capable of 12x, with no more than 4x enabled, as in nearly all switches. */
    private void enable4xOf12x() {
        Fabric fabric = view.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.portInfo(port) != null) {
                change(port, PortInfo.LINK_WIDTH_SUPPORTED, WIDTHS_1X_4X_12X);
                change(port, PortInfo.LINK_WIDTH_ENABLED, WIDTHS_1X_4X);
                change(port, PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X4.code());
            }
        }
    }

    @Test
    void allWidthsThatAreNotEnabledAreReportedInOneLine() {
        enable4xOf12x();
        assertThat(check("link width").verdict()).isEqualTo(Verdict.GOOD);
        assertThat(check("link width").findings())
                .singleElement()
                .asString()
                .matches("\\d+ links: 4x, and both ends support 12x \\(more is not enabled there\\)");
    }

    @Test
    void aLinkBelowItsEnabledWidthIsAWarningBesideThatLine() {
        enable4xOf12x();
        changeBothEnds(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X1.code());
        assertThat(check("link width").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("link width").findings())
                .hasSize(2)
                .first()
                .asString()
                .contains("sw-a", "1x, and both ends support 12x");
    }

    @Test
    void aLinkAtTheMaxSpeedOfOneEndIsGood() {
        changeBothEnds(PortInfo.LINK_SPEED_ACTIVE, LinkSpeed.SDR.active());
        change(far(), PortInfo.LINK_SPEED_SUPPORTED, LinkSpeed.SDR.active());
        assertThat(check("link speed").verdict()).isEqualTo(Verdict.GOOD);
    }

    @Test
    void aPortWithAnotherLidThanAssignedIsBad() {
        Fabric fabric = view.subnet().fabric();
        int port = IntStream.range(0, fabric.portCount())
                .filter(each -> view.subnet().lid(each) == LID_OF_HOST_0)
                .findFirst()
                .orElseThrow();
        change(port, PortInfo.LID, 77);
        Check check = check("LIDs");
        assertThat(check.verdict()).isEqualTo(Verdict.BAD);
        assertThat(check.findings()).singleElement().asString().contains("host-0", "has LID 77", "should have 3");
    }

    @Test
    void aNameOfSeveralDevicesIsReportedWithTheirGuids() {
        Fabric fabric = view.subnet().fabric();
        Fabric.Node second = fabric.node(1);
        String nameOfFirst = fabric.node(0).description();
        view = view.on(fabric.with(1, new Fabric.Node(second.info(), nameOfFirst, second.switchInfo(), second.path())));
        assertThat(check("names").findings())
                .singleElement()
                .asString()
                .contains("\"sw-a\": 0x0000000000200000, 0x0000000000200001");
    }

    @Test
    void aMissingStandbyIsAWarning() {
        control.becomeMaster(PRIORITY);
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
        control.becomeMaster(PRIORITY, standby(fabric.portGuid(port)));
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

    /** Returns the report after all of nine devices were read once. */
    private static DriftReport driftReport(int found, DriftReport.Drift... shown) {
        return new DriftReport(false, 0, Instant.EPOCH, 1, 1, 9, found, List.of(shown));
    }

    @Test
    void driftIsAWarning() {
        control.drift = driftReport(0);
        assertThat(check("drift").verdict()).isEqualTo(Verdict.GOOD);
        control.drift = driftReport(
                3,
                new DriftReport.Drift(
                        Instant.EPOCH, 0x20, "sw-a", "LinearForwardingTable", "LID 7", "port 3", "no path", 2));
        assertThat(check("drift").verdict()).isEqualTo(Verdict.WARNING);
        assertThat(check("drift").findings())
                .containsExactly("sw-a: LinearForwardingTable LID 7: wanted port 3, found no path, and 2 more");
    }

    @Test
    void creditLoopsOfPathsAreBad() {
        control.slVerdicts = new SlVerdicts(true, List.of(0, 1), List.of(0, 1), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.GOOD);
        assertThat(check("SLs").summary()).endsWith("and beside them with SLs 0-1");
        control.slVerdicts = new SlVerdicts(false, List.of(), List.of(), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.BAD);
    }

    /** UCX and NCCL give all packets SL 0 as installed, beside IPoIB, which follows path records. */
    @ParameterizedTest
    @CsvSource({"'','',none", "'0,1',1,1", "'0,8','8,9',8-9"})
    void creditLoopsOfPacketsWithSl0MakeTheVerdictUnknown(String alone, String beside, String safe) {
        control.slVerdicts = new SlVerdicts(true, sls(alone), sls(beside), false, List.of());
        assertThat(check("SLs").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(check("SLs").summary()).contains("SL 0").contains("safe SLs: " + safe + ";");
    }

    @Test
    void aCheckWithoutDataIsUnknown() {
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
    void aConditionIsListedUpToTheMaxNumberOfFindings() {
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

    /** A name of a device may contain HTML. */
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
    void aCableThatFlappedRecentlyIsNamed() {
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

    private void changeBothEnds(Field field, int value) {
        change(near(), field, value);
        change(far(), field, value);
    }

    /** Returns the port of the first switch with a cable to the second one. */
    private int near() {
        return view.subnet().fabric().port(0, 3);
    }

    /** Returns the other end of the cable of {@link #near}. */
    private int far() {
        return view.subnet().fabric().peer(near());
    }

    private static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("link states", PortInfo.PORT_STATE, PortInfo.STATE_ARMED, AT_ONE_END, "not active"),
                Arguments.of(
                        "link width",
                        PortInfo.LINK_WIDTH_ACTIVE,
                        LinkWidth.X1.code(),
                        AT_BOTH_ENDS,
                        "1x, and both ends support 4x"),
                Arguments.of(
                        "link speed",
                        PortInfo.LINK_SPEED_ACTIVE,
                        LinkSpeed.SDR.active(),
                        AT_BOTH_ENDS,
                        "SDR, and both ends support QDR"),
                Arguments.of(
                        "link MTU", PortInfo.NEIGHBOR_MTU, MTU_1024, AT_ONE_END, "1024 at one end, 2048 at the other"),
                Arguments.of(
                        "link MTU", PortInfo.NEIGHBOR_MTU, MTU_1024, AT_BOTH_ENDS, "1024, and both ends support 2048"),
                Arguments.of("link VLs", PortInfo.OPERATIONAL_VLS, 3, AT_ONE_END, "code 3 at one end, 4 at the other"));
    }

    private static List<Integer> sls(String list) {
        return list.isEmpty()
                ? List.of()
                : Stream.of(list.split(",")).map(Integer::valueOf).toList();
    }
}
