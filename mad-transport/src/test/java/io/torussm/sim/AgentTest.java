package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tables and limits of one switch with 22 ports and one host. */
class AgentTest {
    private static final long SWITCH = 0x200000;
    private static final long HOST = 0x1_0000_0000L;
    private static final int SW = 1;

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric =
            new SimFabric(TorusSpec.parse("torus:1x1x1,hosts=16").topology(), loop, FaultPlan.NONE);
    private final Probe probe = new Probe(fabric, loop, "host-0-0-0-0", 1);

    private static byte[] pattern(int seed) {
        byte[] bytes = new byte[64];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (seed * 31 + i);
        }
        return bytes;
    }

    @Test
    void keepsEveryBlockOfTheLinearTable() {
        for (int block : new int[] {0, 15, 16, 767}) {
            LinearForwardingTable written = LinearForwardingTable.TYPE.read(pattern(block), 0);
            assertThat(probe.set(written, block, SW)).isEqualTo(written);
        }
        assertThat(probe.get(LinearForwardingTable.TYPE, 15, SW).toBytes()).isEqualTo(pattern(15));
        byte[] empty = new byte[64];
        Arrays.fill(empty, (byte) 0xff);
        assertThat(probe.get(LinearForwardingTable.TYPE, 14, SW).toBytes()).isEqualTo(empty);
        assertThat(probe.getStatus(LinearForwardingTable.TYPE, 768, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(LinearForwardingTable.TYPE, -1, SW)).isEqualTo(MadStatus.INVALID_FIELD);

        assertThat(fabric.lft(SWITCH)).hasSize(1);
        probe.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 49151), 0, SW);
        assertThat(fabric.lft(SWITCH)).hasSize(49152).endsWith(pattern(767));
    }

    @Test
    void keepsTheMulticastTable() {
        MulticastForwardingTable low = MulticastForwardingTable.TYPE.read(pattern(1), 0);
        MulticastForwardingTable high = MulticastForwardingTable.TYPE.read(pattern(2), 0);
        assertThat(probe.set(low, 31, SW)).isEqualTo(low);
        assertThat(probe.set(high, 1 << 28 | 31, SW)).isEqualTo(high);
        assertThat(probe.get(MulticastForwardingTable.TYPE, 31, SW)).isEqualTo(low);
        assertThat(probe.get(MulticastForwardingTable.TYPE, 30, SW)).isEqualTo(MulticastForwardingTable.TYPE.zero());
        assertThat(fabric.mft(SWITCH, 0xC000 + 31 * 32 + 5)).containsExactly((long) high.mask(5) << 16 | low.mask(5));
        assertThat(probe.getStatus(MulticastForwardingTable.TYPE, 32, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(MulticastForwardingTable.TYPE, 2 << 28, SW)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void keepsOneSl2VlRowForEveryPairOfPorts() {
        for (int in = 0; in <= 22; in++) {
            for (int out = 0; out <= 22; out++) {
                probe.set(SlToVlMappingTable.of(in * 100L + out), in << 8 | out, SW);
            }
        }
        assertThat(probe.get(SlToVlMappingTable.TYPE, 3 << 8 | 22, SW).packed()).isEqualTo(322);
        assertThat(fabric.sl2vl(SWITCH, 22, 3)).isEqualTo(2203);
        assertThat(probe.getStatus(SlToVlMappingTable.TYPE, 23, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(SlToVlMappingTable.TYPE, 23 << 8, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(SlToVlMappingTable.TYPE, 0x30000, SW)).isEqualTo(MadStatus.INVALID_FIELD);

        probe.set(SlToVlMappingTable.of(77), 0xffff);
        assertThat(fabric.sl2vl(HOST, 0, 1)).isEqualTo(77);
    }

    @Test
    void keepsAsManyArbitrationEntriesAsThePortHas() {
        byte[] held = Arrays.copyOf(pattern(3), 16);
        for (int part : new int[] {1, 3}) {
            VlArbitrationTable written = VlArbitrationTable.TYPE.read(pattern(3), 0);
            assertThat(probe.set(written, part << 16 | 22, SW).toBytes())
                    .startsWith(held)
                    .endsWith(new byte[48]);
        }
        assertThat(fabric.vlArbitration(SWITCH, 22, 3).toBytes()).startsWith(held);
        assertThat(fabric.vlArbitration(SWITCH, 21, 3)).isEqualTo(VlArbitrationTable.TYPE.zero());
        assertThat(probe.getStatus(VlArbitrationTable.TYPE, 2 << 16 | 22, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(VlArbitrationTable.TYPE, 23 | 1 << 16, SW)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(VlArbitrationTable.TYPE, 22, SW)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void keepsPKeysPerPort() {
        PKeyTable written = PKeyTable.TYPE.read(pattern(4), 0);
        probe.set(written, 22 << 16 | 1, SW);
        assertThat(probe.get(PKeyTable.TYPE, 22 << 16 | 1, SW)).isEqualTo(written);
        assertThat(probe.get(PKeyTable.TYPE, 22 << 16, SW).pKey(0)).isEqualTo(PKeyTable.DEFAULT_FULL);
        assertThat(probe.get(PKeyTable.TYPE, 21 << 16 | 1, SW)).isEqualTo(PKeyTable.TYPE.zero());
        assertThat(probe.get(PKeyTable.TYPE, 0).pKey(0)).isEqualTo(PKeyTable.DEFAULT_FULL);
        assertThat(probe.getStatus(PKeyTable.TYPE, 2)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(probe.getStatus(PKeyTable.TYPE, 23 << 16, SW)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void keepsGuidsButNotInPlaceOfItsOwn() {
        GuidInfo held = probe.set(GuidInfo.TYPE.read(pattern(5), 0), 0);
        assertThat(held.guid(0)).isEqualTo(HOST + 1);
        assertThat(held.guid(7)).isEqualTo(GuidInfo.TYPE.read(pattern(5), 0).guid(7));
        assertThat(probe.get(GuidInfo.TYPE, 3)).isEqualTo(GuidInfo.TYPE.zero());
        assertThat(probe.getStatus(GuidInfo.TYPE, 4)).isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void setsOfSwitchInfoStoreWritableFields() {
        SwitchInfo ones = SwitchInfo.TYPE
                .zero()
                .with(SwitchInfo.LINEAR_FDB_CAP, 1)
                .with(SwitchInfo.LINEAR_FDB_TOP, 500)
                .with(SwitchInfo.LIFE_TIME_VALUE, 18)
                .with(SwitchInfo.MULTICAST_FDB_TOP, 0xc01f)
                .with(SwitchInfo.DEFAULT_PORT, 3);
        SwitchInfo held = probe.set(ones, 0, SW);
        assertThat(held.linearFdbCap()).isEqualTo(49152);
        assertThat(held.linearFdbTop()).isEqualTo(500);
        assertThat(held.lifeTimeValue()).isEqualTo(18);
        assertThat(held.get(SwitchInfo.MULTICAST_FDB_TOP)).isEqualTo(0xc01f);
        assertThat(held.get(SwitchInfo.DEFAULT_PORT)).isEqualTo(3);
        assertThat(probe.setStatus(ones.with(SwitchInfo.LINEAR_FDB_TOP, 49152), 0, SW))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void reportsUnsupportedAttributes() {
        int unsupported = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        assertThat(probe.getStatus(SwitchInfo.TYPE, 0)).isEqualTo(unsupported);
        assertThat(probe.getStatus(LinearForwardingTable.TYPE, 0)).isEqualTo(unsupported);
        assertThat(probe.getStatus(MulticastForwardingTable.TYPE, 0)).isEqualTo(unsupported);
        assertThat(probe.setStatus(NodeInfo.TYPE.zero(), 0, SW)).isEqualTo(unsupported);
        assertThat(probe.setStatus(NodeDescription.of("x"), 0, SW)).isEqualTo(unsupported);
        assertThat(probe.getStatus(Notice.TYPE, 0, SW)).isEqualTo(unsupported);

        byte[] odd = probe.request(0x15, NodeInfo.TYPE, 0, DrPath.of(SW));
        assertThat(MadHeader.status(Objects.requireNonNull(probe.send(odd)))).isEqualTo(MadStatus.UNSUPPORTED_METHOD);
        byte[] future = probe.request(Method.GET, NodeInfo.TYPE, 0, DrPath.of(SW));
        MadHeader.CLASS_VERSION.set(future, 0, 9);
        assertThat(MadHeader.status(Objects.requireNonNull(probe.send(future))))
                .isEqualTo(MadStatus.UNSUPPORTED_VERSION);
    }

    @Test
    void describesItself() {
        assertThat(probe.get(NodeDescription.TYPE, 0, SW).text()).isEqualTo("sw-0-0-0");
        assertThat(probe.get(NodeDescription.TYPE, 0, SW, 22).text()).isEqualTo("host-0-0-0-15");
    }

    @Test
    void handsSmInfoToTheSmOfThePortOnly() throws Exception {
        Probe other = new Probe(fabric, loop, "host-0-0-0-15", 1);
        int withoutAgent = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        assertThat(probe.getStatus(SmInfo.TYPE, 0, SW)).isEqualTo(withoutAgent);
        assertThat(probe.getStatus(SmInfo.TYPE, 0, SW, 22)).isEqualTo(withoutAgent);
        assertThat(other.received).as("no SM yet").isEmpty();

        other.transport.setIsSm(true);
        assertThat(probe.getStatus(SmInfo.TYPE, 0, SW, 22)).isEqualTo(-1);

        byte[] request = other.received.get(0).mad().clone();
        assertThat(MadHeader.attributeId(request)).isEqualTo(SmInfo.TYPE.id());
        MadHeader.METHOD.set(request, 0, Method.GET_RESP);
        MadHeader.DIRECTION.set(request, 0, 1);
        other.send(request);
        assertThat(probe.received).hasSize(3);
        assertThat(MadHeader.HOP_POINTER.get(probe.received.get(2).mad(), 0)).isZero();
    }

    @Test
    void findsPortsByTheirGuidsToo() {
        assertThat(fabric.attach(0x1_0000_0011L).localPort().portGuid()).isEqualTo(0x1_0000_0011L);
        assertThat(fabric.attach(0x20_0000L).localPort().portNum()).isZero();
        assertThatThrownBy(() -> fabric.attach(0x20_0000L)).hasMessageContaining("has a client already");
        assertThatThrownBy(() -> fabric.attach(0x99L)).hasMessageContaining("no port has GUID 0x0000000000000099");
    }

    @Test
    void aPortHasOneClientAtATime() throws Exception {
        assertThatThrownBy(() -> fabric.attach("H-0000000100000000", 1)).hasMessageContaining("has a client already");
        assertThatThrownBy(() -> fabric.attach("host-0-0-0-1", 2)).hasMessageContaining("use 1 to 1");
        assertThatThrownBy(() -> fabric.attach("sw-0-0-0", 1)).hasMessageContaining("use 0");
        assertThatThrownBy(() -> fabric.attach("absent", 1)).hasMessageContaining("no node is called \"absent\"");

        probe.transport.setIsSm(true);
        assertThat(fabric.portInfo(HOST, 1).hasCapability(PortInfo.CAP_IS_SM)).isTrue();
        probe.transport.close();
        assertThat(fabric.portInfo(HOST, 1).hasCapability(PortInfo.CAP_IS_SM)).isFalse();
        assertThatThrownBy(() -> probe.transport.setIsSm(true)).hasMessageContaining("is closed");
        assertThat(new Probe(fabric, loop, "H-0000000100000000", 1)
                        .get(NodeInfo.TYPE, 0)
                        .nodeGuid())
                .isEqualTo(HOST);
    }
}
