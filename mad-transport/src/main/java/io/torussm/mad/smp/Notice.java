package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** Notice (IBA 13.4.8.2): an event that a trap reports. AttributeModifier 0. */
public final class Notice extends Attribute<Notice> {
    /** Link state change of some port of a switch (IBA 14.2.5.1). */
    public static final int TRAP_LINK_STATE_CHANGE = 128;

    /** CapabilityMask, NodeDescription, link width or speed, or SM priority changed. */
    public static final int TRAP_LOCAL_CHANGES = 144;

    /** A MAD with a wrong M_Key. */
    public static final int TRAP_BAD_M_KEY = 256;

    private static final Layout L = new Layout("Notice", 64);
    public static final Field IS_GENERIC = L.bits("IsGeneric", 0, 1);
    public static final Field NOTICE_TYPE = L.bits("Type", 1, 7);

    /** Or the vendor ID, if not generic. */
    public static final Field PRODUCER_TYPE = L.bits("ProducerType", 8, 24);

    /** Or the device ID, if not generic. */
    public static final Field TRAP_NUMBER = L.bits("TrapNumber", 32, 16);

    public static final Field ISSUER_LID = L.bits("IssuerLID", 48, 16);
    public static final Field NOTICE_TOGGLE = L.bits("NoticeToggle", 64, 1);
    public static final Field NOTICE_COUNT = L.bits("NoticeCount", 65, 15);
    public static final Field DATA_DETAILS = L.bits("DataDetails", 80, 432);
    public static final AttributeType<Notice> TYPE = L.type(0x0002, Notice::new);

    private Notice(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<Notice> type() {
        return TYPE;
    }

    /** The data details of trap 256 hold an M_Key that somebody tried. */
    @Override
    protected boolean isSecret(Field field) {
        return field.equals(DATA_DETAILS) && isGeneric() && trapNumber() == TRAP_BAD_M_KEY;
    }

    public boolean isGeneric() {
        return getFlag(IS_GENERIC);
    }

    public int trapNumber() {
        return getInt(TRAP_NUMBER);
    }

    public int issuerLid() {
        return getInt(ISSUER_LID);
    }

    /** A generic notice of a switch: trap 128. */
    public static Notice linkStateChange(int switchLid) {
        byte[] details = new byte[DATA_DETAILS.width() / Byte.SIZE];
        details[0] = (byte) (switchLid >> 8);
        details[1] = (byte) switchLid;
        return TYPE.zero()
                .with(IS_GENERIC, 1)
                .with(NOTICE_TYPE, 1)
                .with(PRODUCER_TYPE, NodeInfo.SWITCH)
                .with(TRAP_NUMBER, TRAP_LINK_STATE_CHANGE)
                .with(ISSUER_LID, switchLid)
                .with(DATA_DETAILS, details);
    }
}
