package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.mad.Gid;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts that the SM loses sight of while their own links stay up: they know of nothing, and are in their groups again
 * once they are seen. Clients behave as Linux does; see {@link GroupClient}.
 */
class ReturningHostsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=2");
    private static final String LEAF = "sw-1-1-0";
    private static final Gid GROUP = GroupClient.IPOIB_BROADCAST;
    private static final int ALL = 18;

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private boolean isReregistrationSupported = true;

    @TempDir
    Path dir;

    /** A subnet in which all hosts are members of the broadcast group. */
    private final class Subnet {
        final SimFabric fabric;
        final FabricSm sm;

        Subnet(Map<Setting<?>, String> more) throws Exception {
            fabric = new SimFabric(
                    topology,
                    DeviceModels.PERFECT.with(DeviceModels.byDescription("host-*"), model -> model.hardware(
                                    each -> each.reregistering(isReregistrationSupported))
                            .joining(GROUP)),
                    loop,
                    FaultPlan.NONE);
            Map<Setting<?>, String> settings = new HashMap<>(more);
            String conf = ServiceHarness.torusConf(dir, TORUS);
            settings.put(Settings.TORUS_CONFIG, conf);
            sm = new FabricSm(
                            new MortalLoop(loop),
                            fabric.attach("host-0-0-0-0", 1),
                            8,
                            ServiceHarness.options(dir, settings),
                            StateDirectory.open(dir.resolve("state"), loop),
                            1)
                    .start();
            advance(60);
            assertThat(members()).hasSize(ALL);
        }

        Set<Long> members() {
            return sm.memberships.view().groups().stream()
                    .filter(group -> group.mgid().equals(GROUP))
                    .flatMap(group -> group.members().stream())
                    .map(member -> member.portGid().guid())
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Returns the number of end ports that the SM has discovered. */
        int discoveredNodes() {
            return Objects.requireNonNull(sm.sweeper.view()).subnet().fabric().nodeCount();
        }

        long events(Topology.Node host) {
            return fabric.groups(host.nodeGuid(), 1).events();
        }

        /** Disconnects the hosts at the leaf from all others for a sweep. */
        void disconnectLeaf() {
            for (int portNum = 1; portNum <= leaf().numPorts(); portNum++) {
                if (isCable(portNum)) {
                    fabric.unlink(leaf().nodeGuid(), portNum);
                }
            }
            advance(25);
            assertThat(discoveredNodes()).isEqualTo(24);
        }

        void reconnectLeaf() {
            for (int portNum = 1; portNum <= leaf().numPorts(); portNum++) {
                if (isCable(portNum)) {
                    fabric.relink(leaf().nodeGuid(), portNum);
                }
            }
            advance(25);
            assertThat(discoveredNodes()).isEqualTo(27);
        }

        private boolean isCable(int portNum) {
            Topology.PortRef peer = leaf().peer(portNum);
            return peer != null && peer.node().isSwitch();
        }

        /** Silences the agent of the leaf for a sweep, while its data plane continues. */
        void silenceLeafAgent() {
            fabric.setAgent(leaf().nodeGuid(), AgentProfile.CONFORMING.droppingAll());
            sm.mastership.sweepHeavy();
            advance(25);
            assertThat(discoveredNodes()).isEqualTo(24);
            fabric.setAgent(leaf().nodeGuid(), AgentProfile.CONFORMING);
            sm.mastership.sweepHeavy();
            advance(25);
            assertThat(discoveredNodes()).isEqualTo(27);
        }
    }

    @Test
    void afterASplitHealsAllAreMembersAgain() throws Exception {
        Subnet subnet = new Subnet(Map.of());
        subnet.disconnectLeaf();
        subnet.reconnectLeaf();
        assertThat(subnet.members()).hasSize(ALL);
    }

    @Test
    void afterAnAgentWasSilentForASweepAllAreMembersAgain() throws Exception {
        Subnet subnet = new Subnet(Map.of());
        subnet.silenceLeafAgent();
        assertThat(subnet.members()).hasSize(ALL);
    }

    @Test
    void onlyUnseenHostsAreAskedToRegisterAgain() throws Exception {
        Subnet subnet = new Subnet(Map.of());
        Map<Topology.Node, Long> before = topology.nodes().stream()
                .filter(node -> !node.isSwitch())
                .collect(Collectors.toMap(node -> node, subnet::events));
        subnet.silenceLeafAgent();
        before.forEach((host, events) -> assertThat(subnet.events(host))
                .as(host.description())
                .isEqualTo(events + (hostsOfLeaf().contains(host) ? 1 : 0)));
    }

    @Test
    void hostsThatCannotRegisterAgainAreStillMembers() throws Exception {
        isReregistrationSupported = false;
        Subnet subnet = new Subnet(Map.of());
        subnet.disconnectLeaf();
        assertThat(subnet.members()).hasSize(ALL);
        subnet.reconnectLeaf();
        assertThat(subnet.members()).hasSize(ALL);
    }

    @Test
    void hostsThatStayAwayAreNoMembersInTheEnd() throws Exception {
        Subnet subnet = new Subnet(Map.of(Settings.KEEP_MEMBERSHIPS, "2"));
        subnet.disconnectLeaf();
        advance(80);
        assertThat(subnet.members()).hasSize(ALL);
        advance(40);
        assertThat(subnet.members()).hasSize(ALL - 2);
        subnet.reconnectLeaf();
        assertThat(subnet.members()).as("they were told").hasSize(ALL);
    }

    @Test
    void withoutThatTimeTheyLeaveImmediatelyAndAreReported() throws Exception {
        Subnet subnet = new Subnet(Map.of(Settings.KEEP_MEMBERSHIPS, "0"));
        subnet.disconnectLeaf();
        assertThat(subnet.members()).hasSize(ALL - 2);
        subnet.reconnectLeaf();
        assertThat(subnet.members()).hasSize(ALL);
    }

    /** Memberships from before a host was switched off are not those that it wants after its return. */
    @Test
    void aHostWhoseLinkWasDownIsAMemberOfNewlyJoinedGroups() throws Exception {
        Subnet subnet = new Subnet(Map.of());
        Topology.Node host = hostsOfLeaf().get(0);
        subnet.fabric.unlink(host.nodeGuid(), 1);
        subnet.fabric.groups(host.nodeGuid(), 1).clear();
        advance(25);
        assertThat(subnet.discoveredNodes()).isEqualTo(26);
        subnet.fabric.relink(host.nodeGuid(), 1);
        advance(25);
        assertThat(subnet.discoveredNodes()).isEqualTo(27);
        assertThat(subnet.members()).hasSize(ALL - 1);
    }

    private void advance(int seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private Topology.Node leaf() {
        return topology.node(LEAF).orElseThrow();
    }

    private List<Topology.Node> hostsOfLeaf() {
        return topology.nodes().stream()
                .filter(node -> !node.isSwitch()
                        && Objects.requireNonNull(node.peer(1)).node().equals(leaf()))
                .toList();
    }
}
