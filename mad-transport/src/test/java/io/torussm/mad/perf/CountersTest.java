package io.torussm.mad.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.testing.HexSamples;
import io.torussm.testing.HexSamples.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attribute against bytes that perfquery and ibsim exchanged, and what libibmad reads from them. */
class CountersTest {
    private static final List<CounterSet<?>> SETS = List.of(
            PortCounters.COUNTERS,
            PortCountersExtended.COUNTERS,
            PortRcvErrorDetails.COUNTERS,
            PortXmitDiscardDetails.COUNTERS);

    static Stream<Arguments> samples() {
        return Stream.<Map.Entry<String, AttributeType<?>>>of(
                        Map.entry("portcounters.hex", PortCounters.TYPE),
                        Map.entry("portcountersextended.hex", PortCountersExtended.TYPE),
                        Map.entry("portrcverrordetails.hex", PortRcvErrorDetails.TYPE),
                        Map.entry("portxmitdiscarddetails.hex", PortXmitDiscardDetails.TYPE))
                .flatMap(entry -> HexSamples.read(CountersTest.class, entry.getKey()).stream()
                        .map(sample -> Arguments.of(entry.getValue(), sample)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("samples")
    <A extends Attribute<A>> void everyFieldHasTheValueThatOthersRead(AttributeType<A> type, Sample sample) {
        assertThat(sample.bytes()).hasSize(type.layout().size());
        A attribute = type.read(sample.bytes(), 0);
        Map<String, String> read = new LinkedHashMap<>();
        for (Field field : type.layout().fields()) {
            if (!field.name().startsWith("reserved")) {
                read.put(field.name(), "0x" + Long.toHexString(attribute.get(field)));
            }
        }
        assertThat(read).isEqualTo(sample.values());
    }

    @Test
    void perfqueryClearsWhatItsMaskSays() {
        Sample sample = HexSamples.read(CountersTest.class, "portcounters.hex").stream()
                .filter(each -> each.title().contains("0xf00f"))
                .findFirst()
                .orElseThrow();
        Set<Field> cleared = Set.of(
                PortCounters.SYMBOL_ERROR_COUNTER,
                PortCounters.LINK_ERROR_RECOVERY_COUNTER,
                PortCounters.LINK_DOWNED_COUNTER,
                PortCounters.PORT_RCV_ERRORS,
                PortCounters.PORT_XMIT_DATA,
                PortCounters.PORT_RCV_DATA,
                PortCounters.PORT_XMIT_PKTS,
                PortCounters.PORT_RCV_PKTS);
        assertThat(PortCounters.COUNTERS.clearRequest(1, cleared).toBytes()).isEqualTo(sample.bytes());
        PortCounters read = PortCounters.TYPE.read(sample.bytes(), 0);
        assertThat(PortCounters.COUNTERS.selectedCounters(read)).containsExactlyInAnyOrderElementsOf(cleared);
        assertThat(PortCounters.COUNTERS.port(read)).isEqualTo(1);
    }

    /** The masks with which perfquery of infiniband-diags 44 clears all counters of a port that has them all. */
    @Test
    void allCountersHaveTheBitsOfPerfqueryWithoutAMask() {
        PortCounters all = PortCounters.COUNTERS.clearRequest(3, PortCounters.COUNTERS.counters());
        assertThat(all.get(PortCounters.COUNTER_SELECT)).isEqualTo(0xffff);
        assertThat(all.get(PortCounters.COUNTER_SELECT2)).isEqualTo(0b11);
        PortCountersExtended extended =
                PortCountersExtended.COUNTERS.clearRequest(3, PortCountersExtended.COUNTERS.counters());
        assertThat(extended.get(PortCountersExtended.COUNTER_SELECT)).isEqualTo(0xff);
        assertThat(extended.get(PortCountersExtended.COUNTER_SELECT2)).isEqualTo(0x3fff);
        PortCountersExtended waits = PortCountersExtended.COUNTERS.clearRequest(
                3, List.of(PortCountersExtended.PORT_XMIT_WAIT, PortCountersExtended.QP1_DROPPED));
        assertThat(waits.get(PortCountersExtended.COUNTER_SELECT2)).isEqualTo(1 << 12 | 1 << 13);
    }

    @Test
    void eachCounterHasAFieldAndASelectBitOfItsOwn() {
        for (CounterSet<?> set : SETS) {
            checkBits(set);
        }
    }

    private static <A extends Attribute<A>> void checkBits(CounterSet<A> set) {
        assertThat(set.counters()).doesNotHaveDuplicates();
        assertThat(set.type().layout().fields()).containsAll(set.counters());
        assertThat(set.type().layout().fields().stream().map(Field::name))
                .filteredOn(name -> !name.startsWith("reserved") && !name.contains("Select"))
                .hasSameSizeAs(set.counters());
        for (Field counter : set.counters()) {
            A request = set.clearRequest(CounterSet.ALL_PORTS, List.of(counter));
            assertThat(set.selectedCounters(request)).containsExactly(counter);
            assertThat(set.port(request)).isEqualTo(CounterSet.ALL_PORTS);
            assertThat(request.get(counter)).isZero();
        }
        assertThat(set.selectedCounters(set.readRequest(7))).isEmpty();
    }

    @Test
    void uncountedAttributesCannotBeCleared() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> PortRcvErrorDetails.COUNTERS.clearRequest(1, List.of(PortCounters.LINK_DOWNED_COUNTER)))
                .withMessageContaining("LinkDownedCounter");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PortCounters.COUNTERS.clearRequest(1, List.of(PortCounters.PORT_SELECT)));
    }

    @Test
    void countersStopWhereTheirBitsEnd() {
        assertThat(CounterSet.maximum(PortCounters.LOCAL_LINK_INTEGRITY_ERRORS)).isEqualTo(15);
        assertThat(CounterSet.maximum(PortCounters.LINK_DOWNED_COUNTER)).isEqualTo(255);
        assertThat(CounterSet.maximum(PortCounters.PORT_XMIT_DATA)).isEqualTo(0xffff_ffffL);
        assertThat(CounterSet.maximum(PortCountersExtended.PORT_XMIT_DATA)).isEqualTo(-1L);
    }

    @Test
    void everyAttributeFitsTheDataOfAMad() {
        byte[] mad = PerfMad.request(Method.GET, 9, PortCountersExtended.COUNTERS.readRequest(5));
        assertThat(mad).hasSize(MadHeader.MAD_SIZE);
        assertThat(mad).startsWith(1, 4, 1, 1);
        assertThat(MadHeader.attributeId(mad)).isEqualTo(0x1d);
        assertThat(MadHeader.tid(mad)).isEqualTo(9);
        assertThat(PortCountersExtended.TYPE.read(mad, PerfMad.DATA_OFFSET).get(PortCountersExtended.PORT_SELECT))
                .isEqualTo(5);
        assertThat(SETS)
                .allSatisfy(set -> assertThat(set.type().layout().size()).isLessThanOrEqualTo(PerfMad.DATA_SIZE));
    }
}
