package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand virtual ports under alias GUIDs keep their paths when the SM is started again after its death. For another
 * SM that takes over, see ReplicatedPairTest.
 */
class AliasRestartTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=15");
    private static final String SM_HOST = "host-0-0-0-0";
    private static final int GUIDS = 8;
    private static final long FIRST_ALIAS = 0x1234_0000_0000_0000L;

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);

    @TempDir
    Path dir;

    @Test
    void pathsToAliasesAreThereAgainAfterADeathAndAnOrderlyEnd() throws Exception {
        FabricSm first = start(1);
        requestAliases(first);
        advance(5);
        Map<Long, PathRecord> before = paths(first);
        assertThat(before).hasSizeGreaterThan(1000);
        first.kill();
        FabricSm second = start(2);
        assertThat(paths(second)).isEqualTo(before);
        second.end();
        advance(5);
        assertThat(paths(start(3))).isEqualTo(before);
    }

    private FabricSm start(int generation) throws Exception {
        FabricSm sm = new FabricSm(
                        new MortalLoop(loop),
                        fabric.attach(SM_HOST, 1),
                        8,
                        ServiceHarness.torusOptions(dir, TORUS),
                        StateDirectory.open(dir.resolve("state"), loop),
                        generation)
                .start();
        advance(30);
        assertThat(sm.isUp()).isTrue();
        return sm;
    }

    private void advance(int seconds) {
        loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private List<Topology.Node> hosts() {
        return topology.nodes().stream()
                .filter(node -> !node.isSwitch() && !node.description().equals(SM_HOST))
                .toList();
    }

    private int lid(Topology.Node host) {
        return fabric.portInfo(host.nodeGuid(), 1).lid();
    }

    private byte[] request(FabricSm sm, int lid, byte[] mad) {
        List<MadFrame> answers = new ArrayList<>();
        sm.administrator(answers::add).onMad(new MadFrame(new MadAddress(lid, 1, 0, 0), mad));
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(answers).hasSize(1);
        return answers.get(0).mad();
    }

    private static long mask(ComponentMask components, Field... fields) {
        long mask = 0;
        for (Field field : fields) {
            mask |= components.bit(field);
        }
        return mask;
    }

    private static long alias(int host, int index) {
        return FIRST_ALIAS + host * 256L + index;
    }

    /**
     * Requests the eight aliases of block 1 at each of 134 hosts, since index 0 of block 0 is the GUID of the port
     * itself.
     */
    private void requestAliases(FabricSm sm) {
        List<Topology.Node> hosts = hosts();
        for (int host = 0; host < hosts.size(); host++) {
            long mask = mask(GuidInfoRecord.COMPONENTS, GuidInfoRecord.LID, GuidInfoRecord.BLOCK_NUM);
            GuidInfoRecord record = GuidInfoRecord.TYPE
                    .zero()
                    .with(GuidInfoRecord.LID, lid(hosts.get(host)))
                    .with(GuidInfoRecord.BLOCK_NUM, 1);
            for (int index = 0; index < GUIDS; index++) {
                record = record.with(GuidInfoRecord.guid(index), alias(host, index));
                mask |= mask(GuidInfoRecord.COMPONENTS, GuidInfoRecord.guid(index));
            }
            byte[] mad = SaMad.request(Method.SET, 1, GuidInfoRecord.TYPE.id(), 0, mask);
            record.write(mad, SaMad.DATA_OFFSET);
            assertThat(MadHeader.status(request(sm, lid(hosts.get(host)), mad))).isEqualTo(MadStatus.OK);
        }
    }

    /** Returns the path to each alias, as the SA answers it to the host of the next one. */
    private Map<Long, PathRecord> paths(FabricSm sm) {
        Map<Long, PathRecord> paths = new TreeMap<>();
        List<Topology.Node> hosts = hosts();
        for (int host = 0; host < hosts.size(); host++) {
            Topology.Node asker = hosts.get((host + 1) % hosts.size());
            for (int index = 0; index < GUIDS; index++) {
                long mask = mask(PathRecord.COMPONENTS, PathRecord.DGID, PathRecord.SGID, PathRecord.NUMB_PATH);
                byte[] mad = SaMad.request(Method.GET, 2, PathRecord.TYPE.id(), 0, mask);
                PathRecord.TYPE
                        .zero()
                        .with(PathRecord.SGID, new Gid(Gid.DEFAULT_PREFIX, asker.portGuid(1)))
                        .with(PathRecord.DGID, new Gid(Gid.DEFAULT_PREFIX, alias(host, index)))
                        .with(PathRecord.NUMB_PATH, 1)
                        .write(mad, SaMad.DATA_OFFSET);
                byte[] answer = request(sm, lid(asker), mad);
                assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.OK);
                PathRecord path = PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
                assertThat(path.get(PathRecord.DLID)).isEqualTo(lid(hosts.get(host)));
                paths.put(alias(host, index), path);
            }
        }
        return paths;
    }
}
