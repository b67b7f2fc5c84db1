package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.BoundedWait;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A new master checks the remembered view by the routes of the view, and answers before it has found the fabric. */
class ViewCheckTest {
    private static final String TORUS = "torus:5x4x3,hosts=2";
    private static final int SWITCHES = 60;
    private static final int NODES = SWITCHES + 120;
    private static final String MASTER = SweepHarness.HOST;
    private static final String STANDBY = "host-2-2-0-0";
    private static final int CABLE = 3;

    private final SweepHarness harness = new SweepHarness(TORUS);
    private final Candidate candidate = new Candidate();

    private void storeMasterState() {
        harness.sweep();
        harness.awaitRest();
        harness.lastState.store(harness.sweeper.state(), Instant.EPOCH);
    }

    private void takeOver() {
        harness.view = null;
        harness.host = STANDBY;
        harness.restart();
        harness.sweeper.setAuthority(candidate);
        harness.requests.clear();
        harness.sweeper.sweepHeavy();
    }

    /** Lets the standby take over; returns the view served before the fabric is discovered, null if none. */
    private @Nullable PublishedView servedBeforeDiscovery() {
        takeOver();
        BoundedWait.until(
                harness.loop,
                "a view is served, the fabric is discovered, or another SM is found",
                () -> harness.servedView() != null
                        || harness.sweeper.state().found() != null
                        || !candidate.found.isEmpty(),
                TimeUnit.MINUTES.toNanos(1));
        return harness.sweeper.state().found() == null && found() < NODES ? harness.servedView() : null;
    }

    private long found() {
        return count(NodeInfo.TYPE.id());
    }

    private long count(int attributeId) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == attributeId)
                .count();
    }

    private long guid(String description) {
        return harness.node(description).nodeGuid();
    }

    private void assertTakesOver() {
        harness.awaitRest();
        assertThat(harness.ends).endsWith("up");
        assertThat(harness.publishedView().isRemembered()).isFalse();
    }

    @Test
    void theSaAnswersBeforeTheFabricIsDiscovered() {
        storeMasterState();
        PublishedView first = Objects.requireNonNull(servedBeforeDiscovery());
        assertThat(first.isRemembered()).isTrue();
        assertThat(first.smPortGuid()).isEqualTo(harness.client.localPort().portGuid());
        assertThat(candidate.found).containsExactly(List.of());
        assertThat(count(SlToVlMappingTable.TYPE.id()))
                .as("a row of each switch")
                .isEqualTo(SWITCHES);
        assertTakesOver();
    }

    /** Kernels send queries to the LID that their port names. */
    @Test
    void hostsGetTheLidOfTheNewMasterBeforeTheFabricIsDiscovered() {
        storeMasterState();
        assertThat(servedBeforeDiscovery()).isNotNull();
        int smLid = harness.fabric.portInfo(guid(STANDBY), 1).lid();
        BoundedWait.until(
                harness.loop,
                "all ports have the LID of this SM",
                () -> namesOfTheMaster().allMatch(lid -> lid == smLid),
                TimeUnit.MINUTES.toNanos(1));
        assertThat(namesOfTheMaster()).hasSize(120).containsOnly(smLid);
        assertThat(harness.sweeper.state().found()).isNull();
        assertTakesOver();
    }

    private IntStream namesOfTheMaster() {
        return TorusSpec.parse(TORUS).topology().nodes().stream()
                .filter(node -> !node.isSwitch())
                .mapToInt(node -> harness.fabric.portInfo(node.nodeGuid(), 1).masterSmLid());
    }

    @Test
    void theHostOfTheMasterMayBeGone() {
        storeMasterState();
        harness.fabric.unlink(guid(MASTER), 1);
        assertThat(servedBeforeDiscovery()).isNotNull();
        assertTakesOver();
    }

    /** Devices that have answered already may have changed since. */
    @Test
    void aChangeThatIsReportedDuringTheCheckIsLeftToTheSweep() {
        storeMasterState();
        takeOver();
        BoundedWait.until(
                harness.loop,
                "the check reads ports",
                () -> count(SwitchInfo.TYPE.id()) >= SWITCHES && count(PortInfo.TYPE.id()) > 2 * SWITCHES,
                TimeUnit.MINUTES.toNanos(1));
        int lid = harness.fabric.portInfo(guid("sw-1-1-0"), 0).lid();
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        harness.sweeper.sweepNeighbourhood(lid);
        BoundedWait.until(
                harness.loop, "the SA has a view", () -> harness.servedView() != null, TimeUnit.MINUTES.toNanos(1));
        assertThat(Objects.requireNonNull(harness.servedView()).isRemembered()).isFalse();
        assertTakesOver();
    }

    /** A trap proves nothing before LIDs are known: its LID may be of no switch. */
    @Test
    void aTrapOfAnUnknownLidEndsNoAnswers() {
        storeMasterState();
        assertThat(servedBeforeDiscovery()).isNotNull();
        harness.sweeper.sweepNeighbourhood(4711);
        assertThat(harness.servedView()).isNotNull();
        assertTakesOver();
    }

    /** The discovery finds the same devices, so the SA answers again before the sweep has ended. */
    @Test
    void aTrapWithoutAChangeEndsTheAnswersUntilTheDiscoveryOnly() {
        storeMasterState();
        assertThat(servedBeforeDiscovery()).isNotNull();
        harness.sweeper.sweepNeighbourhood(
                harness.fabric.portInfo(guid("sw-1-1-0"), 0).lid());
        assertThat(harness.servedView()).isNull();
        BoundedWait.until(
                harness.loop, "the SA has a view", () -> harness.servedView() != null, TimeUnit.MINUTES.toNanos(1));
        assertThat(Objects.requireNonNull(harness.servedView()).isRemembered()).isTrue();
        assertTakesOver();
    }

    /** A host that forges traps of a switch keeps the SM from serving the view, and from reading without end. */
    @Test
    void trapsWithoutEndEndTheCheck() {
        storeMasterState();
        takeOver();
        int lid = harness.fabric.portInfo(guid("sw-1-1-0"), 0).lid();
        harness.changeResponse = mad -> harness.sweeper.sweepNeighbourhood(lid);
        BoundedWait.until(
                harness.loop, "the SA has a view", () -> harness.servedView() != null, TimeUnit.MINUTES.toNanos(1));
        assertThat(Objects.requireNonNull(harness.servedView()).isRemembered()).isFalse();
        assertThat(count(PortInfo.TYPE.id())).as("1,605 without a limit").isLessThan(1400);
        harness.changeResponse = mad -> {};
        assertTakesOver();
    }

    /** The own port reports that it is the port of an SM now. */
    @Test
    void otherCapabilitiesOfAPortEndNoAnswers() {
        storeMasterState();
        assertThat(servedBeforeDiscovery()).isNotNull();
        harness.sweeper.sweepNeighbourhood(0);
        assertThat(harness.servedView()).isNotNull();
        assertTakesOver();
    }

    /** The check may end after the discovery then. */
    @Test
    void aSilentHostContradictsNothing() {
        storeMasterState();
        harness.fabric.setLoss(guid("host-1-1-0-0"), 1, 1);
        servedBeforeDiscovery();
        BoundedWait.until(
                harness.loop, "the SA has a view", () -> harness.servedView() != null, TimeUnit.MINUTES.toNanos(1));
        assertThat(Objects.requireNonNull(harness.servedView()).isRemembered()).isTrue();
    }

    /** The discovery finds it, and the election decides. */
    @Test
    void aReportedSmIsLeftToTheDiscovery() throws TransportException {
        storeMasterState();
        MadTransport other = harness.fabric.attach("host-1-1-0-0", 1);
        other.setIsSm(true);
        assertThat(servedBeforeDiscovery()).isNull();
        assertThat(candidate.found).first().isNotEqualTo(List.of());
    }

    @Test
    void anSmAtASwitchIsLeftToTheDiscovery() throws TransportException {
        storeMasterState();
        harness.fabric.attach("sw-1-1-0", 0).setIsSm(true);
        assertThat(servedBeforeDiscovery()).isNull();
        assertThat(candidate.found).first().isNotEqualTo(List.of());
    }

    /** An SM may be behind it. */
    @Test
    void aCableThatTheViewDoesNotContainIsLeftToTheDiscovery() {
        harness.fabric.unlink(guid("host-1-1-0-0"), 1);
        storeMasterState();
        harness.fabric.relink(guid("host-1-1-0-0"), 1);
        assertThat(servedBeforeDiscovery()).isNull();
        assertTakesOver();
    }

    @Test
    void aLostCableIsLeftToTheDiscovery() {
        storeMasterState();
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        assertThat(servedBeforeDiscovery()).isNull();
        assertTakesOver();
    }

    @Test
    void aSilentSwitchIsLeftToTheDiscovery() {
        storeMasterState();
        harness.fabric.failSwitch(guid("sw-3-2-0"));
        assertThat(servedBeforeDiscovery()).isNull();
        assertTakesOver();
    }

    /** The fabric changes while the view is served, and no switch reports it. */
    @Test
    void aDifferenceThatTheDiscoveryFindsEndsTheAnswers() {
        storeMasterState();
        assertThat(servedBeforeDiscovery()).isNotNull();
        harness.isInboundLost = mad -> true;
        harness.fabric.unlink(guid("sw-4-3-2"), CABLE);
        BoundedWait.until(
                harness.loop, "the view is withdrawn", () -> harness.servedView() == null, TimeUnit.MINUTES.toNanos(1));
        assertThat(harness.servedView()).isNull();
        assertTakesOver();
    }
}
