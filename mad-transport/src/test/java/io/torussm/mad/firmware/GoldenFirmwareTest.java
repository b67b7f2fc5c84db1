package io.torussm.mad.firmware;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The version of a MAD against what vendstat showed of the same bytes. */
class GoldenFirmwareTest {
    private static final String PSID = HexFormat.of().formatHex("MT_0000000063".getBytes(StandardCharsets.US_ASCII));

    private final byte[] mad = new byte[MadHeader.MAD_SIZE];

    private void put(int offset, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        System.arraycopy(bytes, 0, mad, offset, bytes.length);
    }

    private FirmwareInfo info() {
        return FirmwareInfo.TYPE.read(mad, FirmwareInfo.dataAt(FirmwareInfo.TYPE));
    }

    @Test
    void theExtendedVersionIsThatOfVendstat() {
        put(34, "d2f0");
        put(72, "05172023");
        put(80, PSID);
        put(100, "0000001b 000007da 000004b2");
        put(128, "00010203");
        assertThat(info().version()).isEqualTo("27.2010.1202");
        assertThat(info().psid()).isEqualTo("MT_0000000063");
        assertThat(info().get(FirmwareInfo.DEVICE_ID)).isEqualTo(0xd2f0);
        assertThat(info().get(FirmwareInfo.DATE)).isEqualTo(0x05172023);
        assertThat(info().get(FirmwareInfo.SOFTWARE)).isEqualTo(0x010203);
    }

    @Test
    void theShortVersionIsThatOfVendstat() {
        put(34, "b924");
        put(64, "00070400");
        put(100, "00090807");
        assertThat(info().version()).isEqualTo("7.4.0");
        assertThat(info().psid()).isEmpty();
    }

    @Test
    void theExtendedVersionOfAnUnknownDeviceNeedsTheMajorVersionOfTheShortOne() {
        put(34, "1021");
        put(64, "001c27ea");
        put(100, "0000001c 00000027 000003ea");
        assertThat(info().version()).isEqualTo("28.39.1002");
        put(100, "0000001d");
        assertThat(info().version()).isEqualTo("28.39.234");
        put(64, "00000000");
        assertThat(info().version()).isNull();
    }

    @Test
    void aVersionThatIsImplausibleIsNone() {
        put(34, "101b");
        assertThat(info().version()).as("all zero").isNull();
        put(64, "001c2701");
        put(100, "00000100 00000001 00000001");
        assertThat(info().version()).as("a major version of 256").isNull();
        put(100, "ffffffff ffffffff ffffffff");
        assertThat(info().version()).isNull();
    }

    @Test
    void aPsidWithOtherCharactersIsNone() {
        for (String bytes : new String[] {"4d5422", "4d540a31", "4d5400 31", "ff", "20"}) {
            put(80, "00".repeat(16));
            put(80, bytes);
            assertThat(info().psid()).as(bytes).isEmpty();
        }
        put(80, "41".repeat(16));
        assertThat(info().psid()).isEqualTo("A".repeat(16));
    }

    @Test
    void classPortInfoHasNoKeyBeforeIt() {
        assertThat(FirmwareInfo.dataAt(ClassPortInfo.TYPE)).isEqualTo(24);
    }
}
