package io.torussm.mad.firmware;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * GeneralInfo of the vendor class 0x0A: hardware, firmware and PSID of a device. Get only, AttributeModifier 0. The
 * layout is that of {@code vendstat}; devices were never asked.
 */
public final class FirmwareInfo extends Attribute<FirmwareInfo> {
    /** Byte offset in the MAD. */
    public static final int DATA_OFFSET = 32;

    /** Byte offset of ClassPortInfo in a MAD of this class, which has no key there. */
    public static final int CLASS_PORT_INFO_OFFSET = 24;

    /** ClassVersion of the class. */
    public static final int CLASS_VERSION = 1;

    private static final int BYTE = 0xff;

    /** DeviceIDs of which {@code vendstat} takes the extended version. */
    private static final Set<Long> EXTENDED = Set.of(0x0245L, 0x01b3L, 0xcb20L, 0xcf08L, 0xd2f0L, 0xa2d2L);

    /** The first and the last one of ranges of such DeviceIDs. */
    private static final long[][] EXTENDED_RANGES = {{0xc738, 0xc73b}, {0x1003, 0x101b}};

    private static final Pattern PSID_TEXT = Pattern.compile("([A-Za-z0-9_-]*)\\x00*");
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

    /** Returns the byte offset of an attribute in a MAD of this class. */
    public static int dataAt(AttributeType<?> type) {
        return type.id() == ClassPortInfo.TYPE.id() ? CLASS_PORT_INFO_OFFSET : DATA_OFFSET;
    }

    /**
     * Returns the version of the firmware, such as {@code 27.2010.1202}; null if no form is plausible. Of DeviceIDs
     * that {@code vendstat} does not know, the extended form counts if its major version is that of the short one.
     */
    public @Nullable String version() {
        long major = get(EXTENDED_MAJOR);
        if (isExtended(get(DEVICE_ID)) || (major != 0 && major == get(MAJOR))) {
            return version(major, get(EXTENDED_MINOR), get(EXTENDED_SUB_MINOR));
        }
        return version(get(MAJOR), get(MINOR), get(SUB_MINOR));
    }

    private static boolean isExtended(long deviceId) {
        for (long[] range : EXTENDED_RANGES) {
            if (deviceId >= range[0] && deviceId <= range[1]) {
                return true;
            }
        }
        return EXTENDED.contains(deviceId);
    }

    private static @Nullable String version(long major, long minor, long subMinor) {
        return major == 0 || major > BYTE ? null : major + "." + minor + "." + subMinor;
    }

    /** Returns the PSID; empty if it has other characters than letters, digits, hyphens and underscores. */
    public String psid() {
        Matcher matcher = PSID_TEXT.matcher(new String(getBytes(PSID), StandardCharsets.ISO_8859_1));
        return matcher.matches() ? matcher.group(1) : "";
    }
}
