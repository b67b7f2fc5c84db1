package io.torussm.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The common header and both forms of SMPs, against MADs that OpenSM, sminfo and ibsim sent. */
class SmpTest {

    static List<Sample> samples() {
        return HexSamples.read(SmpTest.class, "smp.hex");
    }

    private static Sample sample(String title) {
        return samples().stream()
                .filter(s -> s.title().equals(title))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void everyFieldOfTheHeadersHasTheValueThatLibibmadReads(Sample sample) {
        Map<String, String> read = new LinkedHashMap<>();
        for (Layout layout : List.of(MadHeader.LAYOUT, Smp.LAYOUT)) {
            for (Field field : layout.fields()) {
                if (!field.name().startsWith("reserved") && field.width() <= Long.SIZE) {
                    read.put(field.name(), "0x" + Long.toHexString(field.get(sample.bytes(), 0)));
                }
            }
        }
        assertThat(read).isEqualTo(sample.values());
        assertThat(MadHeader.mgmtClass(sample.bytes())).isEqualTo((int) sample.number("MgmtClass"));
        assertThat(MadHeader.method(sample.bytes())).isEqualTo((int) sample.number("Method"));
        assertThat(MadHeader.isResponse(sample.bytes())).isEqualTo(sample.number("Method") >= 0x80);
        assertThat(MadHeader.status(sample.bytes())).isEqualTo((int) sample.number("Status"));
        assertThat(MadHeader.tid(sample.bytes())).isEqualTo(sample.number("TransactionID"));
        assertThat(MadHeader.attributeId(sample.bytes())).isEqualTo((int) sample.number("AttributeID"));
        assertThat(MadHeader.attributeModifier(sample.bytes())).isEqualTo((int) sample.number("AttributeModifier"));
    }

    @Test
    void aRequestIsTheSame256BytesThatOpensmSends() {
        byte[] golden = sample("SubnGet(NodeInfo) along 0,1,5,7").bytes();
        byte[] ours = Smp.directed(Method.GET, 0x128f, NodeInfo.TYPE.id(), 0, 0, DrPath.of(1, 5, 7));
        assertThat(ours).isEqualTo(golden);
        assertThat(Smp.path(golden)).isEqualTo(DrPath.of(1, 5, 7));
    }

    @Test
    void aSetIsTheSame256BytesThatOpensmSends() {
        byte[] golden = sample("SubnSet(SLtoVLMappingTable)").bytes();
        byte[] ours = Smp.directed(Method.SET, 0x1342, SlToVlMappingTable.TYPE.id(), 0, 0, DrPath.of(1));
        SlToVlMappingTable.of(0x0000000011111111L).write(ours, Smp.DATA_OFFSET);
        assertThat(ours).isEqualTo(golden);
    }

    @Test
    void aLidRoutedRequestIsTheSame256BytesThatSminfoSends() {
        byte[] golden = sample("SubnGet(SMInfo), LID routed (sminfo)").bytes().clone();
        // sminfo hands over a state in the data of its Get; a Get has none.
        Arrays.fill(golden, Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE, (byte) 0);
        assertThat(Smp.lidRouted(Method.GET, MadHeader.tid(golden), SmInfo.TYPE.id(), 0, 0))
                .isEqualTo(golden);
    }

    @Test
    void aTrapRepressReturnsTheNotice() {
        byte[] trap = sample("SubnTrap(Notice)").bytes();
        byte[] repress = sample("SubnTrapRepress(Notice)").bytes();
        assertThat(MadHeader.method(repress)).isEqualTo(Method.TRAP_REPRESS);
        assertThat(MadHeader.tid(repress)).isEqualTo(MadHeader.tid(trap));
        assertThat(Notice.TYPE.read(repress, Smp.DATA_OFFSET)).isEqualTo(Notice.TYPE.read(trap, Smp.DATA_OFFSET));
        assertThat(Notice.TYPE.read(trap, Smp.DATA_OFFSET).trapNumber()).isEqualTo(Notice.TRAP_LOCAL_CHANGES);
    }

    @Test
    void theDirectionBitIsNoPartOfTheStatus() {
        byte[] mad = MadHeader.create(MgmtClass.SUBN_DIRECTED_ROUTE, 1, Method.GET_RESP, 1, 0x11, 0);
        mad[4] = (byte) 0x80;
        mad[5] = 0x1c;
        assertThat(MadHeader.status(mad)).isEqualTo(0x001c);
        assertThat(MadHeader.DIRECTION.get(mad, 0)).isEqualTo(1);
    }

    @Test
    void aRouteOfMoreHopsThanAnSmpHoldsIsNoRoute() {
        byte[] mad = Smp.directed(Method.GET, 1, 0x11, 0, 0, DrPath.LOCAL);
        mad[7] = 63;
        assertThat(Smp.path(mad)).isNotNull();
        mad[7] = 64;
        assertThat(Smp.path(mad)).isNull();
        mad[7] = (byte) 255;
        assertThat(Smp.path(mad)).isNull();
    }

    @Test
    void routesEndAt63Hops() {
        DrPath path = DrPath.LOCAL;
        for (int i = 0; i < DrPath.MAX_HOPS; i++) {
            path = path.withHop(i % 255);
        }
        DrPath longest = path;
        assertThat(Smp.path(Smp.directed(Method.GET, 1, 0x11, 0, 0, longest))).isEqualTo(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longest.withHop(1))
                .withMessageContaining("63");
        assertThatIllegalArgumentException().isThrownBy(() -> DrPath.of(256));
        assertThatIllegalArgumentException().isThrownBy(() -> DrPath.LOCAL.withHop(-1));
        assertThat(DrPath.of(1, 200))
                .hasToString("0,1,200")
                .isEqualTo(DrPath.LOCAL.withHop(1).withHop(200));
        assertThat(DrPath.of(1, 200).port(1)).isEqualTo(200);
    }

    @Test
    void theLongestRouteLeavesTheReturnPathAlone() {
        int[] ports = new int[DrPath.MAX_HOPS];
        Arrays.fill(ports, 255);
        byte[] mad = Smp.directed(Method.GET, 1, 0x11, 0, 0, DrPath.of(ports));
        assertThat(mad[Smp.RETURN_PATH - 1]).isEqualTo((byte) 255);
        assertThat(Arrays.copyOfRange(mad, Smp.RETURN_PATH, 256)).containsOnly(0);
    }
}
