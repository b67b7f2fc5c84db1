package io.torussm.mad.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.Notice;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The attributes of vports, and GeneralInfo, against bytes that a C probe of public headers printed. */
class GoldenVirtualizationTest {
    private static byte[] bytes(String hex) {
        return Arrays.copyOf(HexFormat.of().parseHex(hex.replace(" ", "")), 64);
    }

    private static <A extends Attribute<A>> A read(AttributeType<A> type, String hex) {
        return type.read(bytes(hex), 0);
    }

    @Test
    void generalInfoCountsCapabilitiesFromTheLeastBitOfEachWord() {
        GeneralInfo info = read(GeneralInfo.TYPE, "00008002 00000000 00001000 00000000");
        assertThat(IntStream.range(0, GeneralInfo.CAPABILITY_BITS).filter(info::hasCapability))
                .containsExactly(1, 15, 76);
        assertThat(GeneralInfo.of(1, 15, 76)).isEqualTo(info);
        assertThat(GeneralInfo.of(53).toBytes()).isEqualTo(bytes("00000000 00200000"));
        assertThat(GeneralInfo.of(30).toBytes()).isEqualTo(bytes("40000000"));
    }

    @Test
    void vportInfoHasEachFieldInItsPlace() {
        String hex = "4c 01 0000 0000 0000 0021 0000 0011223344556677";
        VPortInfo info = read(VPortInfo.TYPE, hex);
        assertThat(info.state()).isEqualTo(4);
        assertThat(info.isLidRequired()).isTrue();
        assertThat(info.lid()).isEqualTo(33);
        assertThat(info.portGuid()).isEqualTo(0x0011223344556677L);
        VPortInfo built = VPortInfo.TYPE
                .zero()
                .with(VPortInfo.STATE, 4)
                .with(VPortInfo.CLIENT_REREGISTER, 1)
                .with(VPortInfo.LID_REQUIRED, 1)
                .with(VPortInfo.GUID_CAP, 1)
                .with(VPortInfo.LID, 33)
                .with(VPortInfo.PORT_GUID, 0x0011223344556677L);
        assertThat(built.toBytes()).isEqualTo(bytes(hex));
    }

    @Test
    void virtualizationInfoHasItsFlagsInTheFifthByte() {
        VirtualizationInfo info = read(VirtualizationInfo.TYPE, "00 80 00 08 a0 00 00 00");
        assertThat(info.vportCap()).isEqualTo(128);
        assertThat(info.vportIndexTop()).isEqualTo(8);
        assertThat(info.isEnabled()).isTrue();
        assertThat(info.get(VirtualizationInfo.STATE_CHANGE)).isEqualTo(1);
        assertThat(info.get(VirtualizationInfo.CLIENT_REREGISTER)).isZero();
        assertThat(VirtualizationInfo.TYPE
                        .zero()
                        .with(VirtualizationInfo.CLIENT_REREGISTER, 1)
                        .toBytes())
                .isEqualTo(bytes("00 00 00 00 40"));
    }

    @Test
    void vportStatesBeginWithTheUpperHalfOfAByte() {
        VPortStateTable states = read(VPortStateTable.TYPE, "42 10");
        assertThat(IntStream.range(0, 5).map(states::state)).containsExactly(4, 2, 1, 0, 0);
        assertThat(VPortStateTable.of(4, 2, 1, 0)).isEqualTo(states);
        assertThat(VPortStateTable.block(127)).isZero();
        assertThat(VPortStateTable.block(128)).isEqualTo(1);
    }

    @Test
    void vnodeInfoHasEachFieldInItsPlace() {
        VNodeInfo info = read(VNodeInfo.TYPE, "0080 01 02 0011223344556677");
        assertThat(info.partitionCap()).isEqualTo(128);
        assertThat(info.get(VNodeInfo.LOCAL_PORT_NUM)).isEqualTo(1);
        assertThat(info.get(VNodeInfo.NUM_PORTS)).isEqualTo(2);
        assertThat(info.nodeGuid()).isEqualTo(0x0011223344556677L);
    }

    @Test
    void tablesOfVPortsReadAsThoseOfPorts() {
        assertThat(VPortGuidInfo.of(1, 2).toBytes()).isEqualTo(bytes("0000000000000001 0000000000000002"));
        assertThat(VPortGuidInfo.of(1, 2).guid(1)).isEqualTo(2);
        VPortPKeyTable pKeys = VPortPKeyTable.blockOf(new short[] {(short) 0xffff, 0x7001}, 0);
        assertThat(pKeys.toBytes()).isEqualTo(bytes("ffff 7001"));
        assertThat(pKeys.pKey(1)).isEqualTo(0x7001);
        assertThat(VNodeDescription.of("node1 VF 3").text()).isEqualTo("node1 VF 3");
    }

    @Test
    void aTrapOfAVPortHasItsNumberInTheLastTwoBytes() {
        String hex = "04 0002c9 101b 0005 0000 0000 0005 00 00 0000 0000 0000 0003" + "00".repeat(38) + "0478";
        Notice change = read(Notice.TYPE, hex);
        assertThat(VPortNotice.of(VPortNotice.TRAP_VPORT_CHANGE, 0x101b, 5, 3).toBytes())
                .isEqualTo(bytes(hex));
        assertThat(VPortNotice.isVPortTrap(change)).isTrue();
        assertThat(VPortNotice.vport(change)).isEqualTo(3);
        assertThat(change.lidAddress()).isEqualTo(5);
        assertThat(VPortNotice.isVPortTrap(VPortNotice.of(VPortNotice.TRAP_VPORT_STATE, 0x101b, 5, 3)))
                .isTrue();
        assertThat(VPortNotice.isVPortTrap(change.with(Notice.IS_GENERIC, 1))).isFalse();
    }

    @Test
    void bothOrdersOfVPortAndBlockAreReadAsTheyWereMade() {
        assertThat(VPortModifier.VPORT_IN_UPPER_HALF.of(3, 1)).isEqualTo(0x00030001);
        assertThat(VPortModifier.VPORT_IN_LOWER_HALF.of(3, 1)).isEqualTo(0x00010003);
        for (VPortModifier order : VPortModifier.values()) {
            int modifier = order.of(0xfedc, 0xabcd);
            assertThat(order.vport(modifier)).isEqualTo(0xfedc);
            assertThat(order.block(modifier)).isEqualTo(0xabcd);
        }
    }
}
