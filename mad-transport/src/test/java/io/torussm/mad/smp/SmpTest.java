package io.torussm.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The common header and both forms of SMPs, against MADs that OpenSM, sminfo and ibsim sent. The samples of smp.hex
 * have a title, the bytes, and the values of fields that libibmad read from them.
 */
class SmpTest {
    private static final int NODE_INFO = NodeInfo.TYPE.id();

    /** HopCount of a directed route, a byte of the header. */
    private static final int HOP_COUNT = 7;

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
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void theReadersOfTheCommonHeaderReturnItsFields(Sample sample) {
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
        byte[] ours = Smp.directed(Method.GET, MadHeader.tid(golden), NODE_INFO, 0, 0, DrPath.of(1, 5, 7));
        assertThat(ours).isEqualTo(golden);
        assertThat(Smp.path(golden)).isEqualTo(DrPath.of(1, 5, 7));
    }

    @Test
    void aSetIsTheSame256BytesThatOpensmSends() {
        byte[] golden = sample("SubnSet(SLtoVLMappingTable)").bytes();
        byte[] ours = Smp.directed(Method.SET, MadHeader.tid(golden), SlToVlMappingTable.TYPE.id(), 0, 0, DrPath.of(1));
        long sls0To7OnVl0OthersOnVl1 = 0x0000_0000_1111_1111L;
        SlToVlMappingTable.of(sls0To7OnVl0OthersOnVl1).write(ours, Smp.DATA_OFFSET);
        assertThat(ours).isEqualTo(golden);
    }

    @Test
    void aLidRoutedRequestIsTheSame256BytesThatSminfoSends() {
        byte[] golden = sample("SubnGet(SMInfo), LID routed (sminfo)").bytes().clone();
        // sminfo writes a state to the data of its Get, which IBA ignores in a Get; ours is empty.
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
    void theStatusOfADirectedRouteExcludesTheDirectionBit() {
        byte[] mad = MadHeader.create(MgmtClass.SUBN_DIRECTED_ROUTE, 1, Method.GET_RESP, 1, NODE_INFO, 0);
        ByteBuffer.wrap(mad).putShort(4, (short) (0x8000 | MadStatus.INVALID_FIELD));
        assertThat(MadHeader.status(mad)).isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(MadHeader.DIRECTION.get(mad, 0)).isEqualTo(1);
    }

    @Test
    void anSmpWithAHopCountAbove63HasNoRoute() {
        byte[] mad = Smp.directed(Method.GET, 1, NODE_INFO, 0, 0, DrPath.LOCAL);
        mad[HOP_COUNT] = 63;
        assertThat(Smp.path(mad)).isNotNull();
        mad[HOP_COUNT] = 64;
        assertThat(Smp.path(mad)).isNull();
        mad[HOP_COUNT] = (byte) 255;
        assertThat(Smp.path(mad)).isNull();
    }

    private static DrPath longestRoute() {
        DrPath path = DrPath.LOCAL;
        for (int i = 0; i < DrPath.MAX_HOPS; i++) {
            path = path.withHop(i);
        }
        return path;
    }

    @Test
    void aRouteOf63HopsFitsInAnSmp() {
        DrPath longest = longestRoute();
        assertThat(Smp.path(Smp.directed(Method.GET, 1, NODE_INFO, 0, 0, longest)))
                .isEqualTo(longest);
    }

    @Test
    void aRouteHasNo64thHop() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longestRoute().withHop(1))
                .withMessageContaining("63");
    }

    @Test
    void aHopIsAPortNumberFrom0To255() {
        assertThatIllegalArgumentException().isThrownBy(() -> DrPath.of(256));
        assertThatIllegalArgumentException().isThrownBy(() -> DrPath.LOCAL.withHop(-1));
    }

    @Test
    void theTextOfARouteBeginsWithThePort0OfTheSender() {
        assertThat(DrPath.of(1, 200))
                .hasToString("0,1,200")
                .isEqualTo(DrPath.LOCAL.withHop(1).withHop(200));
        assertThat(DrPath.of(1, 200).port(1)).isEqualTo(200);
    }

    @Test
    void theLongestRouteLeavesTheReturnPathEmpty() {
        int[] ports = new int[DrPath.MAX_HOPS];
        Arrays.fill(ports, 255);
        byte[] mad = Smp.directed(Method.GET, 1, NODE_INFO, 0, 0, DrPath.of(ports));
        assertThat(mad[Smp.RETURN_PATH - 1]).isEqualTo((byte) 255);
        assertThat(Arrays.copyOfRange(mad, Smp.RETURN_PATH, mad.length)).containsOnly(0);
    }
}
