package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.Replication;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mastership.SmState;
import io.torussm.routing.Plan;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadTransport;
import io.torussm.view.PublishedView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A torus whose only seed is in one half is cut in two, with an SM in each, and joined: both halves are served
 * throughout, and hosts stay members of their groups. MLIDs stay, too, but at a new master without a replica of the
 * groups.
 */
class SplitTorusTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:6x5x1,hosts=1");
    private static final int SWITCHES = 30;
    private static final String SEEDED = "host-1-0-0-0";
    private static final String SEEDLESS = "host-4-2-0-0";
    private static final String NEW_HOST = "host-3-4-0-0";
    private static final Gid EVEN = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_0000_0e0eL);
    private static final Gid SEEDED_PART = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_0000_0f0fL);
    private static final Set<Gid> MGIDS = Set.of(GroupClient.IPOIB_BROADCAST, EVEN, SEEDED_PART);
    private static final String CONF = "torus 6 5 1\nxp_link 0x200000 0x200050\nyp_link 0x200000 0x200010\n";

    private final VirtualLoop loop = new VirtualLoop();
    private final Topology topology = TORUS.topology();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"9, torus-2QoS, false", "3, torus-2QoS, true", "3, 'torus-2QoS,no_fallback', false"})
    void servesBothHalvesAndIsJoinedAgain(int priority, String engines, boolean replicates) throws Exception {
        StormWire wire = replicates ? new StormWire() : null;
        FabricSm seeded = sm(SEEDED, 5, engines, wire);
        settle();
        FabricSm seedless = sm(SEEDLESS, priority, engines, wire);
        settle();
        FabricSm master = priority > 5 ? seedless : seeded;
        Map<String, Integer> before = lidsAndSls(master);
        assertThat(before).doesNotContainValue(-1);
        join();
        Map<String, Integer> joined = groups(master);
        assertThat(joined).hasSize(30 + 15 + 18);
        cut(true);
        settle();
        for (FabricSm each : List.of(seeded, seedless)) {
            assertThat(each.state()).isEqualTo(SmState.MASTER);
            assertThat(switches(each)).isEqualTo(SWITCHES / 2);
            Plan plan = each.view().plan();
            assertThat(plan.degradation()).isEmpty();
            assertThat(plan.retention()).isEmpty();
            assertThat(before).containsAllEntriesOf(lidsAndSls(each));
            Map<String, Integer> kept = groups(each);
            assertThat(kept).hasSize(15 + (each == seeded ? 15 : 0) + 9);
            assertThat(joined).containsKeys(kept.keySet().toArray(String[]::new));
            if (replicates || each == master) {
                assertThat(joined).containsAllEntriesOf(kept);
            }
        }
        cut(false);
        settle();
        settle();
        assertThat(List.of(seeded.state(), seedless.state()))
                .containsExactlyInAnyOrder(SmState.MASTER, SmState.STANDBY);
        assertThat(master.isUp()).isTrue();
        assertThat(switches(master)).isEqualTo(SWITCHES);
        assertThat(lidsAndSls(master)).isEqualTo(before);
        assertThat(groups(master)).isEqualTo(joined);
    }

    /** The LID of the master that is cut off, and all others of its half, are not given to a host that comes. */
    @Test
    void givesANewHostNoLidOfTheOtherHalf() throws Exception {
        long newcomer = topology.node(NEW_HOST).orElseThrow().nodeGuid();
        fabric.unlink(newcomer, 1);
        FabricSm seeded = sm(SEEDED, 5, "torus-2QoS", null);
        settle();
        FabricSm seedless = sm(SEEDLESS, 3, "torus-2QoS", null);
        settle();
        Map<String, Integer> before = lidsAndSls(seeded);
        cut(true);
        settle();
        fabric.relink(newcomer, 1);
        settle();
        Subnet half = seedless.view().subnet();
        int lid = half.lid(half.fabric().port(half.fabric().nodeByGuid(newcomer), 1));
        assertThat(lid).isPositive();
        assertThat(before).doesNotContainValue(lid);
        cut(false);
        settle();
        settle();
        assertThat(lidsAndSls(seeded)).containsAllEntriesOf(before);
        Subnet whole = seeded.view().subnet();
        assertThat(whole.lid(whole.fabric().port(whole.fabric().nodeByGuid(newcomer), 1)))
                .isEqualTo(lid);
    }

    private SmOptions options(String engines) throws Exception {
        Map<Setting<?>, String> settings = new HashMap<>();
        settings.put(
                Settings.TORUS_CONFIG,
                Files.writeString(dir.resolve("torus-2QoS.conf"), CONF).toString());
        settings.put(Settings.ROUTING_ENGINE, engines);
        return ServiceHarness.options(dir, settings);
    }

    private FabricSm sm(String host, int priority, String engines, @Nullable StormWire wire) throws Exception {
        MortalLoop life = new MortalLoop(loop);
        StateDirectory state = StateDirectory.open(dir.resolve(host), life);
        SmOptions options = options(engines);
        MadTransport port = fabric.attach(host, 1);
        Replication replication = wire == null
                ? null
                : new Replication(
                        state,
                        life,
                        life,
                        wire.end(host, life),
                        options.sweep().gidPrefix(),
                        port.localPort().portGuid());
        return new FabricSm(life, port, priority, options, state, 1, replication)
                .trustPortsOf(topology)
                .start();
    }

    private void settle() {
        loop.runFor(TimeUnit.SECONDS.toNanos(40));
    }

    /** Removes or restores the cables between x = 2 and 3, and between 5 and 0. */
    private void cut(boolean isCut) {
        for (int y = 0; y < 5; y++) {
            for (long sw : new long[] {0x200000L + 0x10L * (2 * 5 + y), 0x200000L + 0x10L * (5 * 5 + y)}) {
                if (isCut) {
                    fabric.unlink(sw, 1);
                } else {
                    fabric.relink(sw, 1);
                }
            }
        }
    }

    /** Returns the LID by port GUID, and the SL by pair of port GUIDs. */
    private static Map<String, Integer> lidsAndSls(FabricSm sm) {
        PublishedView view = sm.view();
        Subnet subnet = view.subnet();
        Fabric found = subnet.fabric();
        Map<String, Integer> promises = new TreeMap<>();
        for (int from = 0; from < found.portCount(); from++) {
            if (subnet.lid(from) != 0) {
                promises.put(Long.toHexString(found.portGuid(from)), subnet.lid(from));
                for (int to = 0; to < found.portCount(); to++) {
                    if (subnet.lid(to) != 0) {
                        promises.put(
                                Long.toHexString(found.portGuid(from)) + ">" + Long.toHexString(found.portGuid(to)),
                                view.plan().pathSl(subnet.lid(from), subnet.lid(to), 0));
                    }
                }
            }
        }
        return promises;
    }

    /**
     * Lets all hosts join the group of IPoIB, those of the part with the seed another group, and those with an even
     * number in y a third one. Its MLID is not the first free one of the part without the seed.
     */
    private void join() {
        join(GroupClient.IPOIB_BROADCAST, "host-.*");
        join(SEEDED_PART, "host-[0-2]-.*");
        join(EVEN, "host-\\d-[024]-.*");
    }

    private void join(Gid mgid, String hosts) {
        for (Topology.Node node : topology.nodes()) {
            if (node.description().matches(hosts)) {
                fabric.groups(node.nodeGuid(), 1).join(mgid);
            }
        }
        settle();
    }

    /** Returns the MLID by MGID and port GUID, of members in the fabric of an SM. */
    private static Map<String, Integer> groups(FabricSm sm) {
        Fabric found = sm.view().subnet().fabric();
        Set<Long> ports = new TreeSet<>();
        for (int port = 0; port < found.portCount(); port++) {
            ports.add(found.portGuid(port));
        }
        Map<String, Integer> groups = new TreeMap<>();
        sm.memberships.view().groups().stream()
                .filter(group -> MGIDS.contains(group.mgid()))
                .forEach(group -> group.members().stream()
                        .map(member -> member.portGid().guid())
                        .filter(ports::contains)
                        .forEach(guid -> groups.put(group.mgid() + " " + Long.toHexString(guid), group.mlid())));
        return groups;
    }

    private static int switches(FabricSm sm) {
        return sm.view().subnet().fabric().switchCount();
    }
}
