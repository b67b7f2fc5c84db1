package io.torussm.mad.firmware;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.nio.charset.StandardCharsets;

/**
 * GeneralInfo of the vendor class 0x0A: hardware, firmware and PSID of a device. Get only, AttributeModifier 0. The
 * layout is that of {@code vendstat}; devices were never asked.
 */
public final class FirmwareInfo extends Attribute<FirmwareInfo> {
    /** Byte offset in the MAD. */
    public static final int DATA = 32;

    /** ClassVersion of the class. */
    public static final int CLASS_VERSION = 1;

    private static final int BYTE = 0xff;
    private static final Layout L = new Layout("FirmwareInfo", 100);
    static final Field HARDWARE_REVISION = L.bits("HardwareRevision", 0, 16);

    /** DeviceID. */
    public static final Field DEVICE_ID = L.bits("DeviceID", 16, 16);

    static final Field RESERVED_32 = L.bits("reserved", 32, 192);
    static final Field UPTIME = L.bits("Uptime", 224, 32);
    static final Field RESERVED_256 = L.bits("reserved", 256, 8);
    static final Field MAJOR = L.bits("Major", 264, 8);
    static final Field MINOR = L.bits("Minor", 272, 8);
    static final Field SUB_MINOR = L.bits("SubMinor", 280, 8);
    static final Field BUILD_ID = L.bits("BuildID", 288, 32);
    static final Field DATE = L.bits("Date", 320, 32);
    static final Field HOUR = L.bits("Hour", 352, 32);

    /** PSID: the kind of board, ASCII. */
    public static final Field PSID = L.bits("PSID", 384, 128);

    static final Field INI_VERSION = L.bits("IniFileVersion", 512, 32);
    static final Field EXTENDED_MAJOR = L.bits("ExtendedMajor", 544, 32);
    static final Field EXTENDED_MINOR = L.bits("ExtendedMinor", 576, 32);
    static final Field EXTENDED_SUB_MINOR = L.bits("ExtendedSubMinor", 608, 32);
    static final Field RESERVED_640 = L.bits("reserved", 640, 136);
    static final Field SOFTWARE = L.bits("SoftwareVersion", 776, 24);
    public static final AttributeType<FirmwareInfo> TYPE = L.type(0x0017, FirmwareInfo::new);

    private FirmwareInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<FirmwareInfo> type() {
        return TYPE;
    }

    /**
     * Returns the answer of a device in both forms of the version.
     *
     * @param psid kind of board, at most 16 characters
     */
    public static FirmwareInfo of(int deviceId, String psid, int major, int minor, int subMinor) {
        byte[] name = new byte[PSID.width() / Byte.SIZE];
        byte[] ascii = psid.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, name, 0, Math.min(ascii.length, name.length));
        return TYPE.zero()
                .with(DEVICE_ID, deviceId)
                .with(PSID, name)
                .with(MAJOR, major & BYTE)
                .with(MINOR, minor & BYTE)
                .with(SUB_MINOR, subMinor & BYTE)
                .with(EXTENDED_MAJOR, major)
                .with(EXTENDED_MINOR, minor)
                .with(EXTENDED_SUB_MINOR, subMinor);
    }
}
