package io.torussm.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.mad.congestion.CaCongestionSetting;
import io.torussm.mad.congestion.CongestionControlTable;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.mad.congestion.SwitchPortCongestionSetting;
import io.torussm.mad.congestion.TimeStamp;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
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
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.testing.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The properties of every field of every layout. An invalid layout fails at its declaration. */
class LayoutTest {
    private static final List<AttributeType<?>> SMP_TYPES = List.of(
            NodeInfo.TYPE,
            NodeDescription.TYPE,
            SwitchInfo.TYPE,
            PortInfo.TYPE,
            GuidInfo.TYPE,
            PKeyTable.TYPE,
            SlToVlMappingTable.TYPE,
            VlArbitrationTable.TYPE,
            LinearForwardingTable.TYPE,
            MulticastForwardingTable.TYPE,
            SmInfo.TYPE,
            Notice.TYPE);

    private static final List<AttributeType<?>> TYPES = Stream.concat(
                    SMP_TYPES.stream(),
                    Stream.of(
                            ClassPortInfo.TYPE,
                            PortCounters.TYPE,
                            PortCountersExtended.TYPE,
                            PortRcvErrorDetails.TYPE,
                            PortXmitDiscardDetails.TYPE,
                            CongestionInfo.TYPE,
                            CongestionKeyInfo.TYPE,
                            CongestionLog.TYPE,
                            SwitchCongestionSetting.TYPE,
                            SwitchPortCongestionSetting.TYPE,
                            CaCongestionSetting.TYPE,
                            CongestionControlTable.TYPE,
                            TimeStamp.TYPE))
            .toList();

    private static List<Layout> layouts() {
        return Stream.concat(
                        TYPES.stream().map(AttributeType::layout),
                        Stream.of(MadHeader.LAYOUT, Smp.LAYOUT, PerfMad.LAYOUT, CongestionMad.LAYOUT))
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void writingAFieldChangesItsBitsAndNoOthers(long seed) {
        Random random = Seeds.random(seed);
        for (Layout layout : layouts()) {
            for (Field field : layout.fields()) {
                if (field.width() > Long.SIZE) {
                    continue;
                }
                int base = random.nextInt(9);
                byte[] before = new byte[base + layout.size() + 8];
                random.nextBytes(before);
                long value = random.nextLong() >>> (Long.SIZE - field.width());
                byte[] after = before.clone();
                field.set(after, base, value);
                String what = layout.name() + "." + field.name();
                assertThat(new BigInteger(1, after)).as(what).isEqualTo(naiveSet(before, base, field, value));
                assertThat(field.get(after, base)).as(what).isEqualTo(value);
            }
        }
    }

    /** Sets a field as {@link Field#set} does, with the whole buffer as one number. */
    private static BigInteger naiveSet(byte[] bytes, int base, Field field, long value) {
        int shift = (bytes.length - base) * Byte.SIZE - field.offset() - field.width();
        BigInteger mask = BigInteger.ONE.shiftLeft(field.width()).subtract(BigInteger.ONE);
        BigInteger bits = new BigInteger(Long.toUnsignedString(value)).shiftLeft(shift);
        return new BigInteger(1, bytes).andNot(mask.shiftLeft(shift)).or(bits);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aChangedCopyKeepsTheOriginalAndEveryOtherField(long seed) {
        for (AttributeType<?> type : TYPES) {
            checkCopies(type, Seeds.random(seed));
        }
    }

    private static <A extends Attribute<A>> void checkCopies(AttributeType<A> type, Random random) {
        byte[] bytes = new byte[type.layout().size()];
        random.nextBytes(bytes);
        A original = type.read(bytes, 0);
        for (Field field : type.layout().fields()) {
            byte[] value = new byte[field.width() / Byte.SIZE];
            random.nextBytes(value);
            A changed = field.width() > Long.SIZE
                    ? original.with(field, value)
                    : original.with(field, random.nextLong() >>> (Long.SIZE - field.width()));
            assertThat(original.toBytes()).isEqualTo(bytes);
            for (Field other : type.layout().fields()) {
                if (!other.equals(field)) {
                    assertThat(bits(changed, other)).as(field + " and " + other).isEqualTo(bits(original, other));
                }
            }
        }
    }

    private static Object bits(Attribute<?> attribute, Field field) {
        return field.width() > Long.SIZE ? new BigInteger(1, attribute.getBytes(field)) : (Object) attribute.get(field);
    }

    @Test
    void aValueTooWideIsRefusedAndNothingIsWritten() {
        for (Layout layout : layouts()) {
            for (Field field : layout.fields()) {
                byte[] bytes = new byte[layout.size()];
                if (field.width() < Long.SIZE) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> field.set(bytes, 0, 1L << field.width()))
                            .withMessageContaining(field.name());
                    assertThatIllegalArgumentException().isThrownBy(() -> field.set(bytes, 0, -1));
                } else if (field.width() > Long.SIZE) {
                    assertThatIllegalArgumentException().isThrownBy(() -> field.set(bytes, 0, 0));
                    assertThatIllegalArgumentException().isThrownBy(() -> field.get(bytes, 0));
                }
                assertThat(bytes).containsOnly(0);
            }
        }
    }

    @Test
    void anAttributeCutShortIsRefusedAtEveryLength() {
        for (AttributeType<?> type : TYPES) {
            int size = type.layout().size();
            for (int length = 0; length < size; length++) {
                byte[] cut = new byte[length];
                byte[] behindOthers = new byte[100 + length];
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> type.read(cut, 0))
                        .withMessageContaining(type.layout().name());
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> type.read(behindOthers, 100));
            }
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> type.read(new byte[size], -1));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> type.read(new byte[size], Integer.MAX_VALUE));
            byte[] longer = new byte[size + 7];
            Arrays.fill(longer, 3, 3 + size, (byte) 0x5a);
            assertThat(type.read(longer, 3).toBytes()).containsOnly(0x5a);
        }
    }

    @Test
    void smpAttributesFillTheDataOfAnSmp() {
        assertThat(SMP_TYPES)
                .allSatisfy(type -> assertThat(type.layout().size()).isEqualTo(Smp.DATA_SIZE));
    }

    @Test
    void aGapOrAnOverlapFailsAtDeclaration() {
        Layout gap = new Layout("Gap", 4);
        gap.bits("first", 0, 8);
        assertThatIllegalStateException()
                .isThrownBy(() -> gap.bits("second", 16, 8))
                .withMessageContaining("Gap.second");
        Layout overlap = new Layout("Overlap", 4);
        overlap.bits("first", 0, 8);
        assertThatIllegalStateException().isThrownBy(() -> overlap.bits("second", 7, 8));
        Layout outside = new Layout("Outside", 4);
        assertThatIllegalStateException().isThrownBy(() -> outside.bits("first", 0, 33));
        assertThatIllegalStateException().isThrownBy(() -> outside.bits("none", 0, 0));
        Layout unfinished = new Layout("Unfinished", 4);
        unfinished.bits("first", 0, 31);
        assertThatIllegalStateException().isThrownBy(unfinished::complete).withMessageContaining("31 of 32");
        Layout straddling = new Layout("Straddling", 16);
        straddling.bits("first", 0, 4);
        assertThatIllegalStateException().isThrownBy(() -> straddling.bits("second", 4, 64));
    }

    @Test
    void onlyAGidFitsAGidAndOnlyItsBytesFitATable() {
        NodeInfo info = NodeInfo.TYPE.zero();
        assertThatIllegalArgumentException().isThrownBy(() -> info.with(NodeInfo.NODE_GUID, new Gid(1, 2)));
        NodeDescription description = NodeDescription.TYPE.zero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> description.with(NodeDescription.STRING, new byte[63]))
                .withMessageContaining("63");
    }

    @Test
    void gidsStandInNetworkOrder() {
        byte[] bytes = new byte[17];
        Gid gid = new Gid(Gid.DEFAULT_PREFIX, 0x0002c90300000001L);
        gid.write(bytes, 1);
        assertThat(bytes[1]).isEqualTo((byte) 0xfe);
        assertThat(bytes[16]).isEqualTo((byte) 1);
        assertThat(Gid.read(bytes, 1)).isEqualTo(gid);
        assertThat(gid.isMulticast()).isFalse();
        assertThat(new Gid(0xff12401bffff0000L, 0).isMulticast()).isTrue();
    }
}
