package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.transport.MadAddress;
import io.torussm.transport.rmpp.Rmpp;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Paths from and to virtual ports, which have the LID of their physical port. */
class VPortPathTest extends PathRecordCase {
    private static final long VPORT = 0x77;
    private static final int HOST = 3;

    private SaHarness.Request toVPort(int from) {
        return harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(from))
                .with(COMPONENTS, PathRecord.DGID, gid(VPORT));
    }

    @Test
    void aVPortIsReachedByTheLidOfItsPortAndAGrh() {
        harness.aliases.setVPorts(guid -> guid == VPORT ? SmallTorus.hostGuid(HOST) + 1 : 0);
        PathRecord toPort = read(path(1, HOST).answer());
        PathRecord toVPort = read(toVPort(1).answer());
        assertThat(toVPort.get(PathRecord.DLID)).isEqualTo(toPort.get(PathRecord.DLID));
        assertThat(toVPort.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
        assertThat(toPort.get(PathRecord.HOP_LIMIT)).isZero();
        PathRecord fromVPort = read(harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, gid(VPORT))
                .with(COMPONENTS, PathRecord.DGID, hostGid(1))
                .answer());
        assertThat(fromVPort.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
    }

    @Test
    void aVPortThatWentHasNoPath() {
        assertThat(MadHeader.status(toVPort(1).answer())).isEqualTo(NO_RECORDS);
    }

    /** Vports of one port with P_Keys of their own. */
    private void setVPortKeys(Map<Long, PortKeys> keysOfVPorts) {
        harness.aliases.setVPorts(new VPortGuids() {
            @Override
            public long portOf(long guid) {
                return keysOfVPorts.containsKey(guid) ? SmallTorus.hostGuid(HOST) + 1 : 0;
            }

            @Override
            public @Nullable PortKeys keysOf(long guid) {
                return keysOfVPorts.get(guid);
            }

            @Override
            public PartitionSet keysAt(long portGuid) {
                return portGuid == SmallTorus.hostGuid(HOST) + 1
                        ? PartitionSet.of(keysOfVPorts.values())
                        : PartitionSet.NONE;
            }
        });
    }

    private SaHarness.Request within(int pKey, long source, long destination) {
        return harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, gid(source))
                .with(COMPONENTS, PathRecord.DGID, gid(destination))
                .with(COMPONENTS, PathRecord.P_KEY, pKey);
    }

    @Test
    void thePKeysOfAVPortAreItsOwn() {
        setVPortKeys(Map.of(VPORT, PortKeys.of(0xffff, 0x8005), VPORT + 1, PortKeys.of(0xffff, 0x0005)));
        PathRecord among = read(within(0x8005, VPORT, VPORT + 1).answer());
        assertThat(among.get(PathRecord.P_KEY)).isEqualTo(0x8005);
        long physical = SmallTorus.hostGuid(HOST) + 1;
        assertThat(MadHeader.status(within(0x8005, VPORT, physical).answer()))
                .as("its port is no member")
                .isEqualTo(NO_RECORDS);
        assertThat(MadHeader.status(within(0x8005, physical, VPORT).answer())).isEqualTo(NO_RECORDS);
        assertThat(MadHeader.status(within(0x8006, VPORT, VPORT + 1).answer())).isEqualTo(NO_RECORDS);
    }

    @Test
    void aVPortHasNoPathInThePartitionsOfItsPort() {
        setVPortKeys(Map.of(VPORT, PortKeys.of(0x8005), VPORT + 1, PortKeys.of(0x8005)));
        assertThat(MadHeader.status(toVPort(1).answer())).isEqualTo(NO_RECORDS);
        assertThat(MadHeader.status(within(0x8005, VPORT, VPORT + 1).answer()))
                .as("asked from a host without the partition")
                .isEqualTo(NO_RECORDS);
        harness.requester = new MadAddress(torus.hostLid(HOST), 1, 0, 0);
        assertThat(read(within(0x8005, VPORT, VPORT + 1).answer()).get(PathRecord.P_KEY))
                .as("asked from the host of both, whose port is no member")
                .isEqualTo(0x8005);
    }

    /** Returns a GetMulti of the paths between two ports, by their GUIDs. */
    private SaHarness.Request between(long source, long destination) {
        SaHarness.Request request = harness.request(Method.GET_MULTI, MultiPathRecord.TYPE.id())
                .with(MultiPathRecord.COMPONENTS, MultiPathRecord.SGID_COUNT, 1)
                .with(MultiPathRecord.COMPONENTS, MultiPathRecord.DGID_COUNT, 1);
        gid(source).write(request.mad, SaMad.DATA_OFFSET + 24);
        gid(destination).write(request.mad, SaMad.DATA_OFFSET + 40);
        return request.set(SaMad.RMPP_VERSION, 1)
                .set(SaMad.RMPP_TYPE, Rmpp.DATA)
                .set(SaMad.RMPP_FLAGS, 7)
                .set(SaMad.DATA1, 1)
                .set(SaMad.DATA2, 20 + 56);
    }

    @Test
    void aPathAmongSeveralIsThatOfTheVPortToo() {
        setVPortKeys(Map.of(VPORT, PortKeys.of(0x8005), VPORT + 1, PortKeys.of(0x8005)));
        harness.requester = new MadAddress(torus.hostLid(HOST), 1, 0, 0);
        PathRecord among = PathRecord.TYPE.read(
                between(VPORT, VPORT + 1)
                        .records(PathRecord.TYPE.layout().size())
                        .get(0),
                0);
        assertThat(among.get(PathRecord.P_KEY)).isEqualTo(0x8005);
        assertThat(among.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
        assertThat(Gid.guid(among.toBytes(), PathRecord.DGID.offset() / 8)).isEqualTo(VPORT + 1);
        long physical = SmallTorus.hostGuid(HOST) + 1;
        assertThat(between(VPORT, physical).records(PathRecord.TYPE.layout().size()))
                .as("its port is in another partition")
                .isEmpty();
    }

    private int register(long guid) {
        return harness.request(Method.SET, ServiceRecord.TYPE.id())
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_ID, 7)
                .with(ServiceRecord.COMPONENTS, ServiceRecord.SERVICE_GID, gid(guid))
                .status();
    }

    @Test
    void aServiceOfAVPortWithoutAPKeyIsVisibleWithinItsPartitions() {
        setVPortKeys(Map.of(VPORT, PortKeys.of(0x8005), VPORT + 1, PortKeys.of(0xffff)));
        harness.requester = new MadAddress(torus.hostLid(1), 1, 0, 0);
        assertThat(register(VPORT)).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(register(VPORT + 1)).isZero();
        harness.requester = new MadAddress(torus.hostLid(HOST), 1, 0, 0);
        assertThat(register(VPORT)).isZero();
    }
}
