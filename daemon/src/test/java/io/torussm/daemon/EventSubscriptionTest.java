package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MembershipMad;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.port.ForwardingTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reports of whole SMs to hosts of an embedded torus of 4x3 switches, in virtual time. {@link #LISTENER} subscribes,
 * and {@link #AWAY} goes and returns.
 */
class EventSubscriptionTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String FIRST = "host-0-0-0-0";
    private static final String SECOND = "host-2-1-0-0";
    private static final String LISTENER = "host-1-1-0-0";
    private static final String OTHER = "host-1-2-0-0";
    private static final String AWAY = "host-3-2-0-0";
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 1);

    /** Time until a Report without a response is given up. */
    private static final long LOST_MS = 4 * 250 + 100;

    private final Topology topology = TorusSpec.parse(TORUS).topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
    private final Map<String, EventClient> clients = new HashMap<>();

    @TempDir
    Path dir;

    @Test
    void aHostThatGoesAndComesBackIsReported() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient listener = subscribe(sm, LISTENER, EventLines.ALL_TRAPS);
        unlink(AWAY);
        assertThat(withoutTraps(listener)).containsExactly("65 " + guid(AWAY));
        String leaf = Long.toHexString(
                Objects.requireNonNull(node(AWAY).peer(1)).node().nodeGuid());
        assertThat(listener.reports).as("the switch's own trap").contains("128 " + leaf);
        relink(AWAY);
        assertThat(withoutTraps(listener)).containsExactly("65 " + guid(AWAY), "64 " + guid(AWAY));
        assertThat(requestStatus(sm, LISTENER, EventLines.informInfo(0, EventLines.ALL_TRAPS)))
                .isZero();
        listener.reports.clear();
        unlink(AWAY);
        assertThat(listener.reports).isEmpty();
        assertThat(sm.reporter.stats().lost()).isZero();
        assertThat(sm.reporter.stats().answered()).isEqualTo(sm.reporter.stats().sent());
    }

    @Test
    void aGroupIsReportedWhenItIsMadeAndWhenItEnds() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient listener = subscribe(sm, LISTENER, EventLines.ALL_TRAPS);
        assertThat(requestStatus(sm, OTHER, membership(Method.SET, OTHER))).isZero();
        advance(1000);
        assertThat(listener.reports).containsExactly("66 1");
        assertThat(requestStatus(sm, OTHER, membership(Method.DELETE, OTHER))).isZero();
        advance(1000);
        assertThat(listener.reports).containsExactly("66 1", "67 1");
    }

    @Test
    void aReportThatTheFabricLosesArrivesAllTheSame() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient listener = subscribe(sm, LISTENER, 66);
        fabric.setLoss(node(LISTENER).nodeGuid(), 1, 1);
        assertThat(requestStatus(sm, OTHER, membership(Method.SET, OTHER))).isZero();
        advance(300);
        assertThat(listener.reports).isEmpty();
        fabric.setLoss(node(LISTENER).nodeGuid(), 1, 0);
        advance(1000);
        assertThat(listener.reports).containsExactly("66 1");
        assertThat(sm.reporter.stats().resent()).isBetween(1L, 3L);
        assertThat(sm.reporter.stats().lost()).isZero();
    }

    @Test
    void aDeadSubscriberKeepsItsSubscriptionAndDelaysNothing() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient dead = subscribe(sm, OTHER, 65);
        EventClient listener = subscribe(sm, LISTENER, 65);
        dead.isDead = true;
        unlink(AWAY);
        advance(LOST_MS);
        assertThat(listener.reports).containsExactly("65 " + guid(AWAY));
        assertThat(dead.reports).hasSize(4).containsOnly("65 " + guid(AWAY));
        assertThat(sm.reporter.stats().lost()).isEqualTo(1);
        dead.isDead = false;
        dead.reports.clear();
        relink(AWAY);
        unlink(AWAY);
        assertThat(dead.reports).containsExactly("65 " + guid(AWAY));
    }

    @Test
    void aReturningSubscriberReceivesReportsUnlessItWasDropped() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient listener = subscribe(sm, LISTENER, 65);
        unlink(LISTENER);
        relink(LISTENER);
        unlink(AWAY);
        assertThat(listener.reports).containsExactly("65 " + guid(AWAY));
    }

    @Test
    void dropEventSubscriptionsEndsThemWithTheirPort() throws Exception {
        FabricSm sm = master(Map.of(Settings.DROP_EVENT_SUBSCRIPTIONS, "true"));
        EventClient listener = subscribe(sm, LISTENER, 65);
        unlink(LISTENER);
        relink(LISTENER);
        unlink(AWAY);
        assertThat(listener.reports).isEmpty();
        assertThat(sm.saDatabase.subscriptions().view()).isEmpty();
    }

    @Test
    void aRestartKeepsSubscriptionsAndReportsNoUnchangedPorts() throws Exception {
        FabricSm sm = master(Map.of());
        EventClient listener = subscribe(sm, LISTENER, EventLines.ALL_TRAPS);
        advance(2000);
        sm.kill();
        listener.reports.clear();
        FabricSm again = master(Map.of());
        assertThat(withoutTraps(listener)).isEmpty();
        assertThat(again.saDatabase.subscriptions().view()).hasSize(1);
        unlink(AWAY);
        assertThat(withoutTraps(listener)).containsExactly("65 " + guid(AWAY));
    }

    @Test
    void aStandbyReportsNothingUntilItIsMaster() throws Exception {
        FabricSm master = master(Map.of());
        subscribe(master, LISTENER, EventLines.ALL_TRAPS);
        advance(2000);
        copyState();
        FabricSm standby = sm(SECOND, 3, Map.of());
        advance(5000);
        assertThat(standby.state()).isEqualTo(SmState.STANDBY);
        unlink(AWAY);
        assertThat(standby.reporter.stats().sent()).isZero();
        EventClient listener = client(LISTENER);
        listener.reports.clear();
        master.kill();
        awaitUp(standby);
        assertThat(withoutTraps(listener)).isEmpty();
        relink(AWAY);
        assertThat(withoutTraps(listener)).containsExactly("64 " + guid(AWAY));
    }

    @Test
    void aFormerMasterIsSilentAndHasNoSubscribers() throws Exception {
        FabricSm first = sm(SECOND, 3, Map.of());
        awaitUp(first);
        EventClient listener = subscribe(first, LISTENER, 65);
        FabricSm better = sm(FIRST, 8, Map.of());
        awaitUp(better);
        assertThat(loop.runUntil(() -> first.state() == SmState.STANDBY, TimeUnit.SECONDS.toNanos(30)))
                .isTrue();
        assertThat(first.saDatabase.subscriptions().view()).isEmpty();
        listener.reports.clear();
        unlink(AWAY);
        assertThat(listener.reports).isEmpty();
    }

    @Test
    void reportsGoOutWithTheServiceLevelOfTheirPath() throws Exception {
        Map<Integer, Integer> slOfLid = new HashMap<>();
        FabricSm sm = new FabricSm(
                        new MortalLoop(loop),
                        new ForwardingTransport(fabric.attach(FIRST, 1)) {
                            @Override
                            public boolean send(MadFrame frame, int responseTimeoutMs) {
                                if (MadHeader.method(frame.mad()) == Method.REPORT) {
                                    slOfLid.put(frame.peer().lid(), frame.peer().sl());
                                    assertThat(responseTimeoutMs).isPositive();
                                }
                                return super.send(frame, responseTimeoutMs);
                            }
                        },
                        8,
                        ServiceHarness.torusOptions(dir, TorusSpec.parse(TORUS)),
                        StateDirectory.none(loop),
                        1)
                .start();
        awaitUp(sm);
        List<String> hosts = topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .map(Topology.Node::description)
                .filter(name -> !name.equals(FIRST) && !name.equals(AWAY))
                .toList();
        hosts.forEach(host -> subscribe(sm, host, 65));
        unlink(AWAY);
        hosts.forEach(host -> assertThat(client(host).reports).hasSize(1));
        var plan = Objects.requireNonNull(sm.sweeper.view()).plan();
        assertThat(slOfLid).hasSize(hosts.size());
        slOfLid.forEach((lid, sl) -> assertThat(sl).isEqualTo(plan.pathSl(lid(sm), lid, 0)));
        assertThat(slOfLid.values()).as("across the dateline, too").anyMatch(sl -> sl != 0);
    }

    private FabricSm sm(String host, int priority, Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new HashMap<>(more);
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        settings.put(Settings.TORUS_CONFIG, conf);
        StateDirectory state = StateDirectory.open(dir.resolve("state-" + host), loop);
        return new FabricSm(
                        new MortalLoop(loop),
                        fabric.attach(host, 1),
                        priority,
                        ServiceHarness.options(dir, settings),
                        state,
                        1)
                .trustPortsOf(topology)
                .start();
    }

    private FabricSm master(Map<Setting<?>, String> more) throws Exception {
        FabricSm sm = sm(FIRST, 8, more);
        awaitUp(sm);
        return sm;
    }

    private void awaitUp(FabricSm sm) {
        assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(30))).isTrue();
        advance(2000);
    }

    private void advance(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private Topology.Node node(String name) {
        return topology.node(name).orElseThrow();
    }

    private String guid(String name) {
        return Long.toHexString(node(name).portGuid(1));
    }

    private void unlink(String name) {
        fabric.unlink(node(name).nodeGuid(), 1);
        advance(3000);
    }

    private void relink(String name) {
        fabric.relink(node(name).nodeGuid(), 1);
        advance(3000);
    }

    private EventClient client(String name) {
        return clients.computeIfAbsent(name, host -> new EventClient(fabric.attach(host, 1)));
    }

    private static int lid(FabricSm sm) {
        return Objects.requireNonNull(sm.sweeper.view()).subnet().smLid();
    }

    private int requestStatus(FabricSm sm, String name, byte[] request) {
        EventClient client = client(name);
        client.answers.clear();
        client.sendRequest(lid(sm), request);
        advance(10);
        assertThat(client.answers).hasSize(1);
        return MadHeader.status(client.answers.get(0));
    }

    private EventClient subscribe(FabricSm sm, String name, int trapNumber) {
        assertThat(requestStatus(sm, name, EventLines.informInfo(1, trapNumber)))
                .isZero();
        return client(name);
    }

    private byte[] membership(int method, String name) {
        Gid port = new Gid(Gid.DEFAULT_PREFIX, node(name).portGuid(1));
        return MembershipMad.of(method, 1, GROUP, port, MCMemberRecord.FULL_MEMBER, 0xb1b);
    }

    private static List<String> withoutTraps(EventClient client) {
        return client.reports.stream().filter(report -> !report.startsWith("1")).toList();
    }

    /** Copies the state, as the replication does. */
    private void copyState() throws Exception {
        Files.createDirectories(dir.resolve("state-" + SECOND));
        Files.copy(
                dir.resolve("state-" + FIRST).resolve("sa-informs"),
                dir.resolve("state-" + SECOND).resolve("sa-informs"));
    }
}
