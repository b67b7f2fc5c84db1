package io.torussm.mad.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attribute of congestion control against what libibmad reads from the same bytes, and Sets of ibccconfig. */
class CongestionAttributesTest {
    private static final HexFormat HEX = HexFormat.of();

    private record Declared(int size, Map<String, Field> fields) {
        static Declared of(Layout layout) {
            Map<String, Field> fields = new LinkedHashMap<>();
            layout.fields().stream()
                    .filter(field -> !field.name().startsWith("reserved")
                            && !field.name().contains("Element")
                            && !field.name().endsWith("_List"))
                    .forEach(field -> fields.put(field.name(), field));
            return new Declared(layout.size(), fields);
        }

        static Declared of(Layout layout, Map<String, Field> fields) {
            return new Declared(layout.size(), fields);
        }
    }

    static Stream<Arguments> samples() {
        Layout log = CongestionLog.TYPE.layout();
        Map<String, Field> ofSwitch = Map.of(
                "LogType", CongestionLog.LOG_TYPE,
                "CongestionFlags", CongestionLog.CONGESTION_FLAGS,
                "LogEventsCounter", CongestionLog.EVENT_COUNTER,
                "CurrentTimeStamp", CongestionLog.SWITCH_TIME,
                "PortMap", CongestionLog.PORT_MAP);
        Map<String, Field> ofAdapter = Map.of(
                "LogType", CongestionLog.LOG_TYPE,
                "CongestionFlags", CongestionLog.CONGESTION_FLAGS,
                "ThresholdEventCounter", CongestionLog.EVENT_COUNTER,
                "ThresholdCongestionEventMap", CongestionLog.EVENT_MAP,
                "CurrentTimeStamp", CongestionLog.ADAPTER_TIME);
        return Stream.of(
                        Map.entry("congestioninfo", Declared.of(CongestionInfo.TYPE.layout())),
                        Map.entry("congestionkeyinfo", Declared.of(CongestionKeyInfo.TYPE.layout())),
                        Map.entry("congestionlog-switch", Declared.of(log, ofSwitch)),
                        Map.entry("congestionlog-event-switch", Declared.of(CongestionLog.SWITCH_EVENT)),
                        Map.entry("congestionlog-ca", Declared.of(log, ofAdapter)),
                        Map.entry("congestionlog-event-ca", Declared.of(CongestionLog.ADAPTER_EVENT)),
                        Map.entry("switchcongestionsetting", Declared.of(SwitchCongestionSetting.TYPE.layout())),
                        Map.entry(
                                "switchportcongestionsetting-element",
                                Declared.of(SwitchPortCongestionSetting.ELEMENT)),
                        Map.entry("cacongestionsetting", Declared.of(CaCongestionSetting.TYPE.layout())),
                        Map.entry("congestioncontroltable", Declared.of(CongestionControlTable.TYPE.layout())),
                        Map.entry("congestioncontroltable-entry", Declared.of(CongestionControlTable.ENTRY)),
                        Map.entry("timestamp", Declared.of(TimeStamp.TYPE.layout())))
                .flatMap(entry -> HexSamples.read(CongestionAttributesTest.class, entry.getKey() + ".hex").stream()
                        .map(sample -> Arguments.of(entry.getKey(), entry.getValue(), sample)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("samples")
    void everyFieldHasTheValueThatLibibmadReads(String name, Declared declared, Sample sample) {
        assertThat(sample.bytes()).hasSize(declared.size());
        Map<String, String> read = new LinkedHashMap<>();
        declared.fields().forEach((field, at) -> read.put(field, text(at, sample.bytes())));
        assertThat(read).isEqualTo(sample.values());
    }

    private static String text(Field field, byte[] bytes) {
        int from = field.offset() / Byte.SIZE;
        return field.width() > Long.SIZE
                ? HEX.formatHex(bytes, from, from + field.width() / Byte.SIZE)
                : "0x" + Long.toHexString(field.get(bytes, 0));
    }

    /** {@code ibccconfig SS LID 0x1F 0xfe 0x0 0xF 8 5 1:16 100}. */
    @Test
    void aSwitchIsSetAsByIbccconfig() {
        byte[] victims = new byte[32];
        victims[31] = (byte) 0xfe;
        SwitchCongestionSetting setting = SwitchCongestionSetting.TYPE
                .zero()
                .with(SwitchCongestionSetting.CONTROL_MAP, 0x1f)
                .with(SwitchCongestionSetting.VICTIM_MASK, victims)
                .with(SwitchCongestionSetting.THRESHOLD, 0xf)
                .with(SwitchCongestionSetting.PACKET_SIZE, 8)
                .with(SwitchCongestionSetting.CS_THRESHOLD, 5)
                .with(SwitchCongestionSetting.CS_RETURN_DELAY, 1 << 14 | 16)
                .with(SwitchCongestionSetting.MARKING_RATE, 100);
        byte[] mad = CongestionMad.request(Method.SET, 1, 0, 0, setting);
        assertThat(mad).hasSize(MadHeader.MAD_SIZE).startsWith(1, 0x21, 2, 2);
        assertThat(HEX.formatHex(mad, 64, 64 + 76))
                .isEqualTo("0000001f" + "00".repeat(31) + "fe" + "00".repeat(32) + "f0085000" + "40100064");
    }

    /** {@code ibccconfig SP LID 3 1 0 15 8 1}, and an element of credit starvation. */
    @Test
    void elementsOfPortsAreFourBytesEach() {
        byte[] bytes = new byte[128];
        byte[] marking = HEX.parseHex("8f080001");
        System.arraycopy(marking, 0, bytes, 12, 4);
        System.arraycopy(HEX.parseHex("c3000000"), 0, bytes, 16, 4);
        SwitchPortCongestionSetting block = SwitchPortCongestionSetting.TYPE.read(bytes, 0);
        assertThat(block.element(3)).isEqualTo(marking);
        assertThat(SwitchPortCongestionSetting.VALID.get(block.element(3), 0)).isEqualTo(1);
        assertThat(SwitchPortCongestionSetting.THRESHOLD.get(block.element(3), 0))
                .isEqualTo(15);
        assertThat(SwitchPortCongestionSetting.CONTROL_TYPE.get(block.element(4), 0))
                .isEqualTo(1);
        assertThat(SwitchPortCongestionSetting.THRESHOLD.get(block.element(4), 0))
                .isEqualTo(3);
        assertThat(SwitchPortCongestionSetting.VALID.get(block.element(5), 0)).isZero();
    }

    /** {@code ibccconfig CS LID 1 0x3 150 1 0 0}. */
    @Test
    void anAdapterIsSetAsByIbccconfig() {
        CaCongestionSetting setting = CaCongestionSetting.TYPE
                .zero()
                .with(CaCongestionSetting.PORT_CONTROL, 1)
                .with(CaCongestionSetting.CONTROL_MAP, 3);
        for (int sl = 0; sl < 2; sl++) {
            setting = setting.with(CaCongestionSetting.entry(sl).timer(), 150)
                    .with(CaCongestionSetting.entry(sl).increase(), 1);
        }
        assertThat(HEX.formatHex(setting.toBytes()))
                .isEqualTo("00010003" + "0096010000000000".repeat(2) + "00".repeat(112));
    }

    /** {@code ibccconfig CT LID 2 0 0:0 3:5 1:16}. */
    @Test
    void aTableIsSetAsByIbccconfig() {
        CongestionControlTable table = CongestionControlTable.of(2, 0, 3 << 14 | 5, 1 << 14 | 16);
        assertThat(HEX.formatHex(table.toBytes())).isEqualTo("000200000000c0054010" + "00".repeat(122));
        assertThat(table.entry(1)).isEqualTo(0xc005);
        assertThat(table.entry(63)).isZero();
    }

    /** {@code ibccconfig -c 0x77 CK LID 0x0011223344556677 1 60 5}. */
    @Test
    void aKeyIsSetAsByIbccconfigAndNotShownInText() {
        CongestionKeyInfo info = CongestionKeyInfo.TYPE
                .zero()
                .with(CongestionKeyInfo.CC_KEY, 0x0011223344556677L)
                .with(CongestionKeyInfo.PROTECT_BIT, 1)
                .with(CongestionKeyInfo.LEASE_PERIOD, 60)
                .with(CongestionKeyInfo.VIOLATIONS, 5);
        assertThat(HEX.formatHex(info.toBytes())).isEqualTo("00112233445566778000003c0005");
        assertThat(info.toString()).contains("CC_Key=*").doesNotContain("11223344556677");
        byte[] mad = CongestionMad.request(Method.SET, 9, 0x77, 0, info);
        assertThat(HEX.formatHex(mad, 24, 32)).isEqualTo("0000000000000077");
    }

    @Test
    void aLogRunsFromByte32AndNamesThePortsThatMark() {
        byte[] portMap = new byte[32];
        portMap[31] = 2;
        portMap[30] = 1;
        byte[] event = HEX.parseHex("00040009300000000000270f");
        CongestionLog log = CongestionLog.TYPE
                .zero()
                .with(CongestionLog.LOG_TYPE, CongestionLog.LOG_TYPE_SWITCH)
                .with(CongestionLog.EVENT_COUNTER, 3)
                .with(CongestionLog.PORT_MAP, portMap)
                .withEvent(14, event);
        byte[] mad = CongestionMad.request(Method.GET, 1, 0, 0, log);
        assertThat(HEX.formatHex(mad, 32, 36)).isEqualTo("01000003");
        assertThat(CongestionLog.TYPE.read(mad, CongestionMad.dataAt(CongestionLog.TYPE)))
                .isEqualTo(log);
        assertThat(log.markingPorts()).containsExactly(1, 8);
        assertThat(log.event(14)).isEqualTo(event);
        assertThat(CongestionLog.SL.get(event, 0)).isEqualTo(3);
        assertThat(CongestionLog.EVENT_TIME.get(event, 0)).isEqualTo(9999);
    }

    /** A switch has 15 events of 12 bytes from byte 40 on, a channel adapter 13 of 16 bytes from byte 12 on. */
    @ParameterizedTest
    @CsvSource({"1, 12, 40, 15", "2, 16, 12, 13"})
    void eventsFollowOneAnotherWithoutGaps(int logType, int size, int first, int count) {
        CongestionLog log = CongestionLog.TYPE.zero().with(CongestionLog.LOG_TYPE, logType);
        byte[] expected = log.toBytes();
        for (int i = 0; i < count; i++) {
            byte[] event = new byte[size];
            Arrays.fill(event, (byte) (i + 1));
            Arrays.fill(expected, first + i * size, first + (i + 1) * size, (byte) (i + 1));
            log = log.withEvent(i, event);
            assertThat(log.event(i)).isEqualTo(event);
        }
        assertThat(log.toBytes()).isEqualTo(expected);
        CongestionLog full = log;
        assertThatIllegalArgumentException()
                .as("the size of an event of the other type")
                .isThrownBy(() -> full.withEvent(0, new byte[28 - size]));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> full.event(count));
    }

    @Test
    void theOtherSideOfAnEventIsReadInBothForms() {
        byte[] erratum = new byte[16];
        CongestionLog.LOCAL_LID.set(erratum, 0, 4);
        CongestionLog.REMOTE_LID.set(erratum, 0, 9);
        byte[] first = new byte[16];
        CongestionLog.LOCAL_LID.set(first, 0, 9);
        assertThat(List.of(CongestionLog.remoteLid(erratum), CongestionLog.remoteLid(first)))
                .containsExactly(9, 9);
    }

    @Test
    void aViolationOfTheKeyIsReadAsItIsWritten() {
        KeyViolation violation = new KeyViolation(7, 2, 0x16, 1, 1, 0xbadL, new Gid(0xfe80L << 48, 5));
        Notice notice = violation.notice(NodeInfo.SWITCH, 9);
        assertThat(KeyViolation.of(notice)).isEqualTo(violation);
        assertThat(notice.trapNumber()).isEqualTo(KeyViolation.TRAP);
        byte[] bytes = notice.toBytes();
        assertThat(HEX.formatHex(Arrays.copyOfRange(bytes, 10, 34)))
                .isEqualTo("0007" + "02" + "00" + "0016" + "0000" + "00000001" + "00000001" + "0000000000000bad");
    }

    @Test
    void everyAttributeFitsItsMad() {
        for (AttributeType<?> type : List.<AttributeType<?>>of(
                CongestionInfo.TYPE,
                CongestionKeyInfo.TYPE,
                CongestionLog.TYPE,
                SwitchCongestionSetting.TYPE,
                SwitchPortCongestionSetting.TYPE,
                CaCongestionSetting.TYPE,
                CongestionControlTable.TYPE,
                TimeStamp.TYPE)) {
            Attribute<?> zero = type.zero();
            byte[] mad = CongestionMad.request(Method.GET, 3, 0, 2, zero);
            assertThat(MadHeader.attributeId(mad)).isEqualTo(type.id());
            assertThat(MadHeader.attributeModifier(mad)).isEqualTo(2);
            assertThat(type.read(mad, CongestionMad.dataAt(type))).isEqualTo(zero);
        }
    }
}
