package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Objects;

/**
 * The capability mask of GeneralInfo (vendor attribute 0xFF17 of NVIDIA's devices): the vendor attributes that a device
 * supports. Get only. AttributeModifier is {@link #MASK_MODIFIER}; the layouts for other values are not public.
 */
public final class GeneralInfo extends Attribute<GeneralInfo> {
    /** AttributeModifier of the capability mask. */
    public static final int MASK_MODIFIER = 4;

    /** Number of bits of the mask. */
    public static final int CAPABILITY_BITS = 128;

    /** Capability: private linear forwarding tables. */
    public static final int PRIVATE_LFT = 0;

    /** Capability: adaptive routing. */
    public static final int ADAPTIVE_ROUTING = 1;

    /** Capability: adaptive routing, revision 1. */
    public static final int ADAPTIVE_ROUTING_REVISION_1 = 2;

    /** Capability: {@link io.torussm.mad.vport virtual ports}. */
    public static final int VIRTUALIZATION = 15;

    /** Capability: {@link io.torussm.mad.vport.VPortGuidInfo}. */
    public static final int VPORT_GUID_INFO = 22;

    private static final Layout L = new Layout("GeneralInfo", 64);

    /** Four words: capability n is bit n mod 32, counted from the least significant, of word n / 32. */
    public static final Field CAPABILITY_WORDS = L.bits("CapabilityMask", 0, CAPABILITY_BITS);

    static final Field RESERVED_128 = L.bits("reserved", 128, 384);
    public static final AttributeType<GeneralInfo> TYPE = L.type(0xff17, GeneralInfo::new);

    private GeneralInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<GeneralInfo> type() {
        return TYPE;
    }

    /** Returns a mask of capabilities, each 0 to 127. */
    public static GeneralInfo of(int... capabilities) {
        GeneralInfo info = TYPE.zero();
        for (int capability : capabilities) {
            info = info.with(bit(capability), 1);
        }
        return info;
    }

    private static Field bit(int capability) {
        int n = Objects.checkIndex(capability, CAPABILITY_BITS);
        int wordBit = n / Integer.SIZE * Integer.SIZE;
        return new Field("Capability", wordBit + Integer.SIZE - 1 - n % Integer.SIZE, 1);
    }

    /** Checks whether the device has a capability, 0 to 127. */
    public boolean hasCapability(int capability) {
        return get(bit(capability)) != 0;
    }
}
