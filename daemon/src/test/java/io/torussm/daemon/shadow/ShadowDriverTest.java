package io.torussm.daemon.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.names.Names;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Outcome;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.transport.port.PacedPort;
import io.torussm.transport.port.ReadOnlyPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shadow beside an SM in virtual time: readings, faults, and its reports and events. */
class ShadowDriverTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String MASTER_HOST = "host-0-0-0-0";
    private static final String SHADOW = "host-2-1-0-0";

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TorusSpec.parse(TORUS).topology(), loop, FaultPlan.NONE);
    private final List<ShadowReport> reports = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();

    @Test
    void anEqualMasterIsReportedEqual() throws Exception {
        startMaster(Map.of());
        shadow(Map.of());
        ShadowReport report = next(1);
        assertThat(report.isGood()).as(String.join("\n", report.lines())).isTrue();
        assertThat(report.fabric())
                .isEqualTo(new ShadowReport.Read(12, 12, 36, report.fabric().registers(), 0));
        ShadowReport.Paths paths = Objects.requireNonNull(report.paths());
        assertThat(paths.asked()).isEqualTo(12 * 11);
        assertThat(paths.same()).isEqualTo(12 * 11);
        assertThat(report.proof().sls()).contains("which agrees with all 132");
        assertThat(report.managers()).singleElement().satisfies(sm -> {
            assertThat(sm.state()).isEqualTo("master");
            assertThat(sm.name()).isEqualTo(MASTER_HOST);
        });
        assertThat(sent).allMatch(mad -> MadHeader.method(mad) == Method.GET);
        assertThat(report.mads()).isEqualTo(sent.size());
        ShadowReport later = next(3);
        assertThat(later.drift().changed()).isZero();
        assertThat(later.faults()).isEmpty();
        assertThat(later.readings()).isEqualTo(3);
    }

    @Test
    void aFaultIsNoticedTimedAndCompared() throws Exception {
        startMaster(Map.of());
        shadow(Map.of(Settings.SHADOW_INTERVAL, "86400"));
        next(1);
        loop.runFor(TimeUnit.SECONDS.toNanos(11));
        try (LoggedEvents events = new LoggedEvents().listen()) {
            fabric.unlink(node("sw-1-1-0").nodeGuid(), 1);
            ShadowReport report = next(2);
            assertThat(report.faults()).singleElement().satisfies(fault -> {
                assertThat(fault.what())
                        .singleElement()
                        .asString()
                        .startsWith("down: ")
                        .contains("sw-1-1-0");
                assertThat(fault.seconds()).isBetween(0.1, 20.0);
                assertThat(fault.changes()).isNotEmpty();
                ShadowReport.Response own = Objects.requireNonNull(fault.own());
                assertThat(own.outcome()).isEmpty();
                assertThat(own.changes())
                        .as("this SM does what the same SM did")
                        .isEqualTo(fault.changes());
                assertThat(own.milliseconds()).isPositive();
            });
            events.only(SmEvent.SHADOW_FAULT);
            events.only(SmEvent.SHADOW_FAULT_OVER);
            fabric.relink(node("sw-1-1-0").nodeGuid(), 1);
            ShadowReport back = next(3);
            assertThat(back.faults()).hasSize(2);
            assertThat(back.faults().get(0).what()).singleElement().asString().startsWith("up: ");
            assertThat(back.isGood()).as(String.join("\n", back.lines())).isTrue();
        }
    }

    @Test
    void theEventsOfALossAndOfAReturnNameTheDevice() throws Exception {
        startMaster(Map.of());
        shadow(Map.of(Settings.SHADOW_INTERVAL, "86400"));
        next(1);
        for (String change : List.of("gone: ", "new: ")) {
            try (LoggedEvents events = new LoggedEvents().listen()) {
                if (change.equals("gone: ")) {
                    fabric.unlink(node("host-1-1-0-0").nodeGuid(), 1);
                } else {
                    fabric.relink(node("host-1-1-0-0").nodeGuid(), 1);
                }
                next(reports.size() + 1);
                assertThat(events.only(SmEvent.SHADOW_FAULT).get(EventField.TEXT))
                        .startsWith(change)
                        .contains("\"host-1-1-0-0\"");
            }
        }
    }

    @Test
    void entriesThatChangeWithoutAFaultAreDrift() throws Exception {
        startMaster(Map.of(Settings.SWEEP_INTERVAL, "0", Settings.DRIFT_CHECK_INTERVAL, "0"));
        shadow(Map.of(Settings.SHADOW_INTERVAL, "60"));
        next(1);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            misroute(node("sw-1-1-0").nodeGuid());
            ShadowReport report = next(2);
            assertThat(report.drift().changed()).isEqualTo(1);
            assertThat(report.drift().counts()).containsOnly(Map.entry("lft", 1L));
            assertThat(report.drift().examples()).singleElement().satisfies(change -> {
                assertThat(change.device()).contains("sw-1-1-0");
                assertThat(change.after()).isEqualTo("no port");
            });
            assertThat(report.proof().lost()).isPositive();
            assertThat(Objects.requireNonNull(report.takeover()).changes()).containsEntry("lft", 1L);
            assertThat(report.isGood()).isFalse();
            events.only(SmEvent.SHADOW_DRIFT);
            events.only(SmEvent.SHADOW_UNREACHABLE);
            events.only(SmEvent.SHADOW_DIFFERS);
        }
    }

    @Test
    void anUnreadableFabricIsTriedAgain() throws Exception {
        startMaster(Map.of());
        fabric.unlink(node(SHADOW).nodeGuid(), 1);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            shadow(Map.of());
            assertThat(loop.runUntil(() -> unread.size() > 2, TimeUnit.MINUTES.toNanos(10)))
                    .isTrue();
            fabric.relink(node(SHADOW).nodeGuid(), 1);
            next(1);
            events.only(SmEvent.SHADOW_UNREAD);
            events.only(SmEvent.SHADOW_READ);
        }
    }

    @Test
    void anAbsentMasterIsReported() throws Exception {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            shadow(Map.of());
            ShadowReport report = next(1);
            assertThat(report.managers()).isEmpty();
            assertThat(report.paths()).isNull();
            assertThat(report.isGood()).isFalse();
            events.only(SmEvent.SHADOW_NO_MASTER);
        }
    }

    private SmOptions options(Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)));
        return ServiceHarness.options(dir, settings);
    }

    private VirtualSm startMaster(Map<Setting<?>, String> more) throws Exception {
        VirtualSm sm = VirtualSm.start(
                loop, fabric.attach(MASTER_HOST, 1), VirtualSm.Start.of(options(more)), VirtualSm.Watcher.NONE);
        assertThat(sm.runUntilIdle(TimeUnit.MINUTES.toNanos(5))).isTrue();
        return sm;
    }

    private ShadowDriver shadow(Map<Setting<?>, String> more) throws Exception {
        SmOptions options = options(more);
        MadTransport wire = new ForwardingTransport(fabric.attach(SHADOW, 1)) {
            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                sent.add(frame.mad());
                return super.send(frame, responseTimeoutMs);
            }
        };
        ReadOnlyPort port = new ReadOnlyPort(
                new PacedPort(wire, loop, () -> options.shadow().shadowSmpsPerSecond()));
        SubnetMemory memory =
                SubnetMemory.of(StateDirectory.none(loop), node(SHADOW).portGuid(1), () -> 0, () -> true);
        ShadowDriver[] made = {null};
        MadClient client = new MadClient(
                port,
                loop,
                memory.keys(),
                () -> new MadClient.Settings(16, 2, 200, 3),
                1,
                new MadClient.UnsolicitedReceiver() {
                    @Override
                    public void subnetManagement(MadFrame frame) {
                        throw new AssertionError("a MAD passed the port");
                    }

                    @Override
                    public void subnetAdministration(MadFrame frame) {
                        made[0].received(frame);
                    }

                    @Override
                    public void portLost(String reason) {
                        throw new AssertionError(reason);
                    }
                });
        ShadowDriver driver = new ShadowDriver(
                client, loop, memory, Runnable::run, () -> options, () -> Names.NONE, 7, new ShadowDriver.Listener() {
                    @Override
                    public void reported(ShadowReport report, FabricSnapshot seen) {
                        reports.add(report);
                    }

                    @Override
                    public void readingFailed(String reason) {
                        unread.add(reason);
                    }

                    @Override
                    public void defect(Throwable defect) {
                        throw new AssertionError(defect);
                    }
                });
        made[0] = driver;
        driver.start();
        return driver;
    }

    private ShadowReport next(int count) {
        assertThat(loop.runUntil(() -> reports.size() >= count, TimeUnit.MINUTES.toNanos(30)))
                .isTrue();
        return reports.get(count - 1);
    }

    private static Topology.Node node(String description) {
        return TorusSpec.parse(TORUS).topology().node(description).orElseThrow();
    }

    /** Writes an entry that cuts a host off. */
    private void misroute(long switchGuid) {
        byte[] lft = fabric.lft(switchGuid);
        int lid = fabric.portInfo(node("host-3-2-0-0").nodeGuid(), 1).lid();
        byte[] block = new byte[LinearForwardingTable.LIDS_PER_BLOCK];
        Arrays.fill(block, (byte) 0xff);
        System.arraycopy(lft, 0, block, 0, Math.min(lft.length, block.length));
        block[lid] = (byte) 0xff;
        MadTransport port = fabric.attach("host-1-1-0-0", 1);
        MadClient client = new MadClient(
                port,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(16, 2, 200, 3),
                9,
                new MadClient.UnsolicitedReceiver() {
                    @Override
                    public void subnetManagement(MadFrame frame) {}

                    @Override
                    public void subnetAdministration(MadFrame frame) {}

                    @Override
                    public void portLost(String reason) {}
                });
        client.scope().set(LinearForwardingTable.TYPE.read(block, 0), DrPath.of(1), 0, outcome -> assertThat(outcome)
                .isInstanceOf(Outcome.Reply.class));
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        port.close();
    }
}
