package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.nio.ByteBuffer;

/** Notice (IBA 13.4.8.2): an event that a trap reports. AttributeModifier 0. */
public final class Notice extends Attribute<Notice> {
    /** Link state change of some port of a switch (IBA 14.2.5.1). */
    public static final int TRAP_LINK_STATE_CHANGE = 128;

    /** CapabilityMask, NodeDescription, link width or speed, or SM priority changed. */
    public static final int TRAP_LOCAL_CHANGES = 144;

    /** A MAD with a wrong M_Key. */
    public static final int TRAP_BAD_M_KEY = 256;

    /** Where the details of trap 144 have OtherLocalChanges, CapabilityMask and the change flags (IBA 14.2.5.1). */
    private static final int OTHER_CHANGES_AT = 5;

    private static final int CAPABILITY_MASK_AT = 6;
    private static final int CHANGE_FLAGS_AT = 10;
    private static final int DESCRIPTION_CHANGED = 0x01;
    private static final int SM_PRIORITY_CHANGED = 0x08;
    private static final int TYPE_INFORMATIONAL = 4;

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

    /**
     * A generic notice of a channel adapter: trap 144, because the SM on it has another priority.
     *
     * @param capabilityMask of its port
     */
    public static Notice priorityChange(int lid, int capabilityMask) {
        byte[] details = new byte[DATA_DETAILS.width() / Byte.SIZE];
        ByteBuffer.wrap(details).putShort(2, (short) lid).putInt(CAPABILITY_MASK_AT, capabilityMask);
        details[OTHER_CHANGES_AT] = 1;
        details[CHANGE_FLAGS_AT + 1] = SM_PRIORITY_CHANGED;
        return TYPE.zero()
                .with(IS_GENERIC, 1)
                .with(NOTICE_TYPE, TYPE_INFORMATIONAL)
                .with(PRODUCER_TYPE, NodeInfo.CHANNEL_ADAPTER)
                .with(TRAP_NUMBER, TRAP_LOCAL_CHANGES)
                .with(ISSUER_LID, lid)
                .with(DATA_DETAILS, details);
    }

    /** Whether this is a trap 144 that tells of a new NodeDescription and of nothing else. */
    public boolean isOnlyDescriptionChange() {
        byte[] details = getBytes(DATA_DETAILS);
        return isGeneric()
                && trapNumber() == TRAP_LOCAL_CHANGES
                && (details[OTHER_CHANGES_AT] & 1) == 1
                && details[CHANGE_FLAGS_AT] == 0
                && details[CHANGE_FLAGS_AT + 1] == DESCRIPTION_CHANGED;
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
