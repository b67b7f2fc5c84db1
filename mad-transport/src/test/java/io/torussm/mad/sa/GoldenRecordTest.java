package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every record against bytes that OpenSM sent, and against what its structures read from arbitrary ones. */
class GoldenRecordTest {

    static Stream<Arguments> samples() {
        return Stream.<Map.Entry<String, AttributeType<?>>>of(
                        Map.entry("pathrecord.hex", PathRecord.TYPE),
                        Map.entry("noderecord.hex", NodeRecord.TYPE),
                        Map.entry("portinforecord.hex", PortInfoRecord.TYPE),
                        Map.entry("mcmemberrecord.hex", MCMemberRecord.TYPE),
                        Map.entry("classportinfo.hex", ClassPortInfo.TYPE),
                        Map.entry("lftrecord.hex", LinearForwardingTableRecord.TYPE),
                        Map.entry("mftrecord.hex", MulticastForwardingTableRecord.TYPE),
                        Map.entry("sl2vlrecord.hex", SlToVlMappingTableRecord.TYPE),
                        Map.entry("vlarbrecord.hex", VlArbitrationTableRecord.TYPE),
                        Map.entry("pkeytablerecord.hex", PKeyTableRecord.TYPE),
                        Map.entry("linkrecord.hex", LinkRecord.TYPE),
                        Map.entry("sminforecord.hex", SmInfoRecord.TYPE),
                        Map.entry("guidinforecord.hex", GuidInfoRecord.TYPE),
                        Map.entry("servicerecord.hex", ServiceRecord.TYPE),
                        Map.entry("informinfo.hex", InformInfo.TYPE),
                        Map.entry("informinforecord.hex", InformInfoRecord.TYPE),
                        Map.entry("switchinforecord.hex", SwitchInfoRecord.TYPE),
                        Map.entry("multipathrecord.hex", MultiPathRecord.TYPE))
                .flatMap(entry -> HexSamples.read(GoldenRecordTest.class, entry.getKey()).stream()
                        .map(sample -> Arguments.of(entry.getValue(), sample)));
    }

    static List<Sample> headers() {
        return HexSamples.read(GoldenRecordTest.class, "samad.hex");
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("samples")
    <A extends Attribute<A>> void everyFieldHasTheValueThatOthersRead(AttributeType<A> type, Sample sample) {
        assertThat(sample.bytes()).hasSize(type.layout().size());
        assertThat(read(type.layout(), sample.bytes())).isEqualTo(sample.values());
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("samples")
    <A extends Attribute<A>> void theSameValuesMakeTheSameBytes(AttributeType<A> type, Sample sample) {
        A built = type.read(sample.bytes(), 0);
        byte[] expected = built.toBytes();
        for (Field field : type.layout().fields()) {
            if (!isReserved(field) && field.width() <= Long.SIZE) {
                built = built.with(field, ~sample.number(field.name()) & mask(field));
                assertThat(built.toBytes()).as(field.name()).isNotEqualTo(expected);
                built = built.with(field, sample.number(field.name()));
            }
        }
        assertThat(built.toBytes()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("headers")
    void everyFieldOfTheHeaderHasTheValueThatOthersRead(Sample sample) {
        byte[] mad = Arrays.copyOf(sample.bytes(), MadHeader.MAD_SIZE);
        Map<String, String> read = read(SaMad.LAYOUT, mad);
        read.remove("SubnAdminData");
        assertThat(read).isEqualTo(sample.values());
    }

    private static Map<String, String> read(Layout layout, byte[] bytes) {
        Map<String, String> read = new LinkedHashMap<>();
        for (Field field : layout.fields()) {
            int from = field.offset() / 8;
            if (!isReserved(field)) {
                read.put(
                        field.name(),
                        field.width() > Long.SIZE
                                ? HexFormat.of().formatHex(bytes, from, from + field.width() / 8)
                                : "0x" + Long.toHexString(field.get(bytes, 0)));
            }
        }
        return read;
    }

    private static boolean isReserved(Field field) {
        return field.name().startsWith("reserved");
    }

    private static long mask(Field field) {
        return field.width() == Long.SIZE ? -1L : (1L << field.width()) - 1;
    }
}
