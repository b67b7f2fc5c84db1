package io.torussm.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attribute against bytes that OpenSM and ibsim exchanged, and what others read from them. */
class GoldenAttributeTest {

    static Stream<Arguments> samples() {
        return Stream.of(
                        Map.entry("nodeinfo.hex", NodeInfo.TYPE),
                        Map.entry("switchinfo.hex", SwitchInfo.TYPE),
                        Map.entry("portinfo.hex", PortInfo.TYPE),
                        Map.entry("sminfo.hex", SmInfo.TYPE),
                        Map.entry("notice.hex", Notice.TYPE))
                .flatMap(entry -> HexSamples.read(GoldenAttributeTest.class, entry.getKey()).stream()
                        .map(sample -> Arguments.of(entry.getValue(), sample)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("samples")
    <A extends Attribute<A>> void everyFieldHasTheValueThatOthersRead(AttributeType<A> type, Sample sample) {
        A attribute = type.read(sample.bytes(), 0);
        Map<String, String> read = new LinkedHashMap<>();
        for (Field field : type.layout().fields()) {
            if (!field.name().startsWith("reserved")) {
                read.put(
                        field.name(),
                        field.width() > Long.SIZE
                                ? HexFormat.of().formatHex(attribute.getBytes(field))
                                : "0x" + Long.toHexString(attribute.get(field)));
            }
        }
        assertThat(read).isEqualTo(sample.values());
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("samples")
    <A extends Attribute<A>> void theSameValuesMakeTheSameBytes(AttributeType<A> type, Sample sample) {
        A built = type.zero();
        byte[] expected = sample.bytes().clone();
        for (Field field : type.layout().fields()) {
            if (field.name().startsWith("reserved")) {
                clear(expected, field);
            } else if (field.width() > Long.SIZE) {
                built = built.with(field, HexFormat.of().parseHex(sample.text(field.name())));
            } else {
                built = built.with(field, sample.number(field.name()));
            }
        }
        assertThat(built.toBytes()).isEqualTo(expected);
    }

    private static void clear(byte[] bytes, Field field) {
        for (int bit = field.offset(); bit < field.offset() + field.width(); bit++) {
            bytes[bit / 8] = (byte) (bytes[bit / 8] & ~(0x80 >> bit % 8));
        }
    }

    private static Sample onlySample(String file) {
        List<Sample> all = HexSamples.read(GoldenAttributeTest.class, file);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void eachGuidOfABlockIsReadFromItsPlace() {
        for (Sample sample : HexSamples.read(getClass(), "guidinfo.hex")) {
            GuidInfo info = GuidInfo.TYPE.read(sample.bytes(), 0);
            for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
                assertThat(info.guid(i)).as("%s, GUID %d", sample, i).isEqualTo(sample.number("GUID" + i));
            }
        }
    }

    @Test
    void slToVlTablesReadAsSmpqueryPrintsThem() {
        for (Sample sample : HexSamples.read(getClass(), "sltovl.hex")) {
            SlToVlMappingTable table = SlToVlMappingTable.TYPE.read(sample.bytes(), 0);
            int[] vls =
                    sample.numbers("VL").stream().mapToInt(Integer::intValue).toArray();
            for (int sl = 0; sl < 16; sl++) {
                assertThat(table.vl(sl)).as("%s, SL %d", sample, sl).isEqualTo(vls[sl]);
            }
            assertThat(SlToVlMappingTable.of(SlToVlMappingTable.pack(vls))).isEqualTo(table);
        }
    }

    @Test
    void vlArbitrationTablesReadAsSmpqueryPrintsThem() {
        for (Sample sample : HexSamples.read(getClass(), "vlarb.hex")) {
            VlArbitrationTable table = VlArbitrationTable.TYPE.read(sample.bytes(), 0);
            List<Integer> vls = sample.numbers("VL");
            List<Integer> weights = sample.numbers("Weight");
            for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
                assertThat(table.vl(i)).as("%s, VL %d", sample, i).isEqualTo(i < vls.size() ? vls.get(i) : 0);
                assertThat(table.weight(i))
                        .as("%s, weight %d", sample, i)
                        .isEqualTo(i < weights.size() ? weights.get(i) : 0);
            }
        }
    }

    @Test
    void pKeyTablesReadAsSmpqueryPrintsThem() {
        Sample sample = onlySample("pkeytable.hex");
        PKeyTable table = PKeyTable.TYPE.read(sample.bytes(), 0);
        List<Integer> keys = sample.numbers("P_Key");
        assertThat(keys).hasSize(PKeyTable.KEYS_PER_BLOCK);
        for (int i = 0; i < PKeyTable.KEYS_PER_BLOCK; i++) {
            assertThat(table.pKey(i)).as("P_Key %d", i).isEqualTo(keys.get(i));
        }
    }

    @Test
    void linearForwardingTablesReadAsIbroutePrintsThem() {
        Sample sample = onlySample("lft.hex");
        LinearForwardingTable table = LinearForwardingTable.TYPE.read(sample.bytes(), 0);
        List<Integer> ports = sample.numbers("Port");
        byte[] whole = new byte[1 + ports.size()];
        whole[0] = LinearForwardingTable.NO_PATH_ENTRY;
        for (int i = 0; i < ports.size(); i++) {
            assertThat(table.port(i + 1)).as("LID %d", i + 1).isEqualTo(ports.get(i));
            whole[i + 1] = ports.get(i).byteValue();
        }
        assertThat(table.port(0)).isEqualTo(LinearForwardingTable.NO_PATH);
        assertThat(LinearForwardingTable.blockOf(whole, 0)).isEqualTo(table);
    }

    @Test
    void aBlockBehindTheEndOfATableHasNoPaths() {
        byte[] table = new byte[70];
        assertThat(LinearForwardingTable.blockOf(table, 1).port(5)).isZero();
        assertThat(LinearForwardingTable.blockOf(table, 1).port(6)).isEqualTo(LinearForwardingTable.NO_PATH);
        byte[] none = new byte[LinearForwardingTable.LIDS_PER_BLOCK];
        Arrays.fill(none, (byte) 0xff);
        assertThat(LinearForwardingTable.blockOf(table, 2).toBytes()).isEqualTo(none);
        assertThat(LinearForwardingTable.blockOf(table, 767).toBytes()).isEqualTo(none);
    }

    @Test
    void multicastMasksNameThePortsThatOpensmDumps() {
        Sample sample = onlySample("mft.hex");
        MulticastForwardingTable table = MulticastForwardingTable.TYPE.read(sample.bytes(), 0);
        int mask = 0;
        for (int port : sample.numbers("Ports")) {
            mask |= 1 << port;
        }
        assertThat(table.mask(0)).isEqualTo(mask);
        for (int i = 1; i < MulticastForwardingTable.MLIDS_PER_BLOCK; i++) {
            assertThat(table.mask(i)).isZero();
        }
    }

    @Test
    void aDescriptionReadsAsSmpqueryPrintsIt() {
        Sample sample = onlySample("nodedescription.hex");
        NodeDescription description = NodeDescription.TYPE.read(sample.bytes(), 0);
        assertThat(description.text()).isEqualTo(sample.text("Text"));
        assertThat(NodeDescription.of(sample.text("Text"))).isEqualTo(description);
    }

    @Test
    void aTrapOfOurOwnMakingHasTheFieldsOfIbas() {
        Notice trap = Notice.linkStateChange(0x1234);
        assertThat(HexFormat.of().formatHex(trap.toBytes(), 0, 14)).isEqualTo("8100000200801234000012340000");
    }

    /** The bytes are those of a worked example of the layout; no device was recorded. */
    @Test
    void aTableOfPortStatesHasTwoPortsInAByte() {
        int[] states = {4, 1, 2, 4, 3, 4, 4, 1};
        SwitchPortStateTable table = SwitchPortStateTable.of(states);
        assertThat(HexFormat.of().formatHex(table.toBytes(), 0, 5)).isEqualTo("4124344100");
        for (int portNum = 0; portNum < states.length; portNum++) {
            assertThat(table.portState(portNum)).isEqualTo(states[portNum]);
        }
        assertThat(SwitchPortStateTable.block(127)).isZero();
        assertThat(SwitchPortStateTable.block(128)).isOne();
    }
}
