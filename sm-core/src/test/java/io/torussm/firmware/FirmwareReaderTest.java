package io.torussm.firmware;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.GsiClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The reading of firmware from the devices of an embedded fabric. */
class FirmwareReaderTest {
    private static final String NEW_VERSION = "28.39.1002";
    private static final String OLD_VERSION = "28.35.2000";
    private static final Topology TORUS = TorusSpec.parse("torus:3x3x1,hosts=4").topology();
    private static final int DEVICES = TORUS.nodes().size();
    private static final long HOST = guid("host-1-1-0-0");
    private static final long OTHER_HOST = guid("host-2-2-0-0");

    private final SweepHarness harness = new SweepHarness(
            TORUS,
            DeviceModels.PERFECT.with(node -> true, model -> model.vendor(vendor -> vendor.withFirmware(NEW_VERSION))),
            FaultPlan.NONE);
    private final GsiClient client = new GsiClient(
            harness.client,
            harness.loop,
            () -> new GsiClient.Settings(500, 100_000, 100, 1),
            1,
            GsiClient.RedirectionPolicy.withinSubnet(key -> 0));
    private boolean isEnabled = true;
    private final FirmwareReader reader = new FirmwareReader(harness.loop, client, () -> isEnabled);

    private static long guid(String name) {
        return TORUS.node(name).orElseThrow().nodeGuid();
    }

    private void sweep() {
        assertThat(harness.sweep()).startsWith("up");
        startReader();
    }

    private void startReader() {
        reader.subnetUp(Objects.requireNonNull(harness.sweeper.view()));
        run(10);
    }

    private void run(long seconds) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private void report(long nodeGuid, String version) {
        harness.fabric.interventions().setFirmware(nodeGuid, version);
    }

    private long sentRequests() {
        return client.stats().sent();
    }

    private String version(long nodeGuid) {
        return reader.census().devices().stream()
                .filter(device -> device.nodeGuid() == nodeGuid)
                .map(DeviceFirmware::version)
                .findFirst()
                .orElse("none");
    }

    @Test
    void eachDeviceIsReadOnceADay() {
        sweep();
        assertThat(reader.census().count(FirmwareOutcome.READ)).isEqualTo(DEVICES);
        assertThat(version(HOST)).isEqualTo(NEW_VERSION);
        assertThat(sentRequests()).isEqualTo(2L * DEVICES);
        sweep();
        run(TimeUnit.HOURS.toSeconds(23));
        assertThat(sentRequests()).as("the same subnet").isEqualTo(2L * DEVICES);
        report(HOST, OLD_VERSION);
        run(TimeUnit.HOURS.toSeconds(2));
        assertThat(sentRequests()).isEqualTo(4L * DEVICES);
        assertThat(version(HOST)).as("a restart that no sweep saw").isEqualTo(OLD_VERSION);
    }

    @Test
    void noRequestIsSentUnlessConfigured() {
        isEnabled = false;
        sweep();
        assertThat(sentRequests()).isZero();
        assertThat(reader.census()).isEqualTo(FirmwareCensus.NONE);
        isEnabled = true;
        reader.settingsChanged();
        run(10);
        assertThat(reader.census().count(FirmwareOutcome.READ)).isEqualTo(DEVICES);
        isEnabled = false;
        reader.settingsChanged();
        run(1);
        assertThat(reader.census()).isEqualTo(FirmwareCensus.NONE);
    }

    @Test
    void aDeviceThatReturnsIsReadAgain() {
        sweep();
        harness.fabric.interventions().powerOff(HOST);
        sweep();
        assertThat(version(HOST)).isEqualTo("none");
        report(HOST, OLD_VERSION);
        harness.fabric.interventions().powerOn(HOST);
        run(1);
        long before = sentRequests();
        sweep();
        assertThat(version(HOST)).isEqualTo(OLD_VERSION);
        assertThat(sentRequests()).isEqualTo(before + 2);
    }

    @Test
    void mixedVersionsOfAKindComeFirstAndTheMostFrequentVersionBeforeTheOthers() {
        report(HOST, OLD_VERSION);
        sweep();
        FirmwareCensus.Model mixed = reader.census().models().get(0);
        assertThat(mixed.isMixed()).isTrue();
        assertThat(mixed.psid()).isEqualTo("SIM_0000000001");
        assertThat(mixed.versions()).element(0).satisfies(version -> {
            assertThat(version.version()).isEqualTo(NEW_VERSION);
            assertThat(version.nodeGuids()).hasSizeGreaterThan(1).doesNotContain(HOST);
        });
        assertThat(mixed.versions()).element(1).isEqualTo(new FirmwareCensus.Version(OLD_VERSION, List.of(HOST)));
    }

    @Test
    void aDeviceThatIsSilentRejectsOrLiesCostsItselfOnly() {
        harness.sweep();
        report(HOST, "0.1.2");
        report(OTHER_HOST, "");
        long silent = guid("host-0-1-0-0");
        harness.fabric.setLoss(silent, 1, 1);
        startReader();
        assertThat(reader.census().outcomes())
                .containsEntry(FirmwareOutcome.READ, DEVICES - 3)
                .containsEntry(FirmwareOutcome.IMPLAUSIBLE, 1)
                .containsEntry(FirmwareOutcome.REJECTED, 1)
                .containsEntry(FirmwareOutcome.SILENT, 1);
        long before = sentRequests();
        report(HOST, OLD_VERSION);
        run(TimeUnit.MINUTES.toSeconds(59));
        assertThat(sentRequests()).as("within the hour").isEqualTo(before);
        run(TimeUnit.MINUTES.toSeconds(11));
        assertThat(version(HOST)).isEqualTo(OLD_VERSION);
        assertThat(sentRequests()).isEqualTo(before + 2 + 1 + 2);
    }

    @Test
    void aCancelledRequestIsNoRejection() {
        harness.sweep();
        client.close();
        startReader();
        assertThat(reader.census().outcomes()).containsExactly(Map.entry(FirmwareOutcome.WAITING, DEVICES));
    }

    @Test
    void moreSilentDevicesThanAreReadSimultaneouslyDelayOthersByTheirTimeOut() {
        harness.sweep();
        long last = guid("host-2-2-0-3");
        TORUS.nodes().stream()
                .filter(node -> !node.isSwitch()
                        && !List.of(guid(SweepHarness.HOST), last).contains(node.nodeGuid()))
                .forEach(node -> harness.fabric.setLoss(node.nodeGuid(), 1, 1));
        startReader();
        assertThat(reader.census().count(FirmwareOutcome.SILENT)).isGreaterThan(FirmwareReader.MAX_DEVICES_IN_PROGRESS);
        assertThat(version(last)).isEqualTo(NEW_VERSION);
    }

    @Test
    void outcomesOfRequestsFromBeforeATakeoverAreDiscarded() {
        harness.sweep();
        reader.subnetUp(Objects.requireNonNull(harness.sweeper.view()));
        harness.loop.runFor(1);
        assertThat(client.outstanding()).isPositive();
        reader.end();
        run(10);
        assertThat(reader.census()).isEqualTo(FirmwareCensus.NONE);
        assertThat(client.outstanding()).isZero();
        run(TimeUnit.DAYS.toSeconds(2));
        assertThat(sentRequests()).as("no second request to a device").isLessThan(DEVICES);
        startReader();
        assertThat(reader.census().count(FirmwareOutcome.READ)).isEqualTo(DEVICES);
    }
}
