package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * ExtendedPortInfo of Mellanox (vendor attribute 0xFF90). It has the speed FDR10, between QDR and FDR, for which
 * PortInfo has no code. AttributeModifier is the port number.
 */
public final class MlnxExtPortInfo extends Attribute<MlnxExtPortInfo> {
    /** Bit of FDR10 in the fields of speeds. */
    public static final int FDR10 = 1;

    /** VendorID of Bull. */
    private static final int BULL = 0x119f;

    private static final Layout L = new Layout("MlnxExtPortInfo", 64);
    static final Field RESERVED_0 = L.bits("reserved", 0, 24);

    /** 1 in a Set if a change of the enabled speeds retrains the link immediately. */
    public static final Field STATE_CHANGE_ENABLE = L.bits("StateChangeEnable", 24, 8);

    static final Field RESERVED_32 = L.bits("reserved", 32, 24);
    public static final Field LINK_SPEED_SUPPORTED = L.bits("LinkSpeedSupported", 56, 8);
    static final Field RESERVED_64 = L.bits("reserved", 64, 24);
    public static final Field LINK_SPEED_ENABLED = L.bits("LinkSpeedEnabled", 88, 8);
    static final Field RESERVED_96 = L.bits("reserved", 96, 24);
    public static final Field LINK_SPEED_ACTIVE = L.bits("LinkSpeedActive", 120, 8);
    static final Field RESERVED_128 = L.bits("reserved", 128, 384);
    public static final AttributeType<MlnxExtPortInfo> TYPE = L.type(0xff90, MlnxExtPortInfo::new);

    private MlnxExtPortInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<MlnxExtPortInfo> type() {
        return TYPE;
    }

    /**
     * Checks by DeviceID whether a device is of a model with this attribute; other models reject it or do not respond.
     * The list of models is OpenSM's (is_mlnx_ext_port_info_supported).
     */
    public static boolean isSupportedBy(NodeInfo info) {
        int device = (int) info.get(NodeInfo.DEVICE_ID);
        return (device >= 0xc738 && device <= 0xc73b)
                || device == 0xc839
                || device == 0xcb20
                || device == 0xcf08
                || device == 0xcf09
                || device == 0xd2f0
                || device == 0xa2d2
                || (device >= 0x1003 && device <= 0x101b)
                || (info.get(NodeInfo.VENDOR_ID) == BULL && isOfBull(device));
    }

    private static boolean isOfBull(int device) {
        return switch (device) {
            case 0x1b02, 0x1b50, 0x1ba0, 0x1bf0, 0x1b33, 0x1b73, 0x1b40, 0x1b41, 0x1b60, 0x1b61 -> true;
            case 0x1b83, 0x1b93, 0x1b94, 0x1bb4, 0x1bb5, 0x1bc4, 0x1bc5, 0x1bc6 -> true;
            default -> device >= 0x1bd0 && device <= 0x1bd5;
        };
    }
}
