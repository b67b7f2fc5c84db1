package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;
import java.nio.ByteBuffer;

/** Notice (IBA 13.4.8.2): the content of a trap. AttributeModifier is 0. */
public final class Notice extends Attribute<Notice> {
    /** A port has become reachable. The SM itself issues traps 64 to 67 (IBA 14.2.5.1). */
    public static final int TRAP_GID_IN_SERVICE = 64;

    /** A port has become unreachable. */
    public static final int TRAP_GID_OUT_OF_SERVICE = 65;

    /** A multicast group was created. */
    public static final int TRAP_GROUP_CREATED = 66;

    /** A multicast group was deleted. */
    public static final int TRAP_GROUP_DELETED = 67;

    /** The link state of a port of a switch has changed (IBA 14.2.5.1). */
    public static final int TRAP_LINK_STATE_CHANGE = 128;

    /** The threshold of local link integrity was reached: the link has symbol errors. */
    public static final int TRAP_LINK_INTEGRITY = 129;

    /** The threshold of excessive buffer overruns was reached. */
    public static final int TRAP_BUFFER_OVERRUN = 130;

    /** The watchdog timer of flow control updates has expired. */
    public static final int TRAP_FLOW_CONTROL = 131;

    /** CapabilityMask, NodeDescription, link width or speed, or SM priority has changed. */
    public static final int TRAP_LOCAL_CHANGES = 144;

    /** SystemImageGUID has changed. */
    public static final int TRAP_SYSTEM_IMAGE_GUID = 145;

    /** A MAD had a wrong M_Key. */
    public static final int TRAP_BAD_M_KEY = 256;

    /** A packet had a P_Key that its destination does not have. */
    public static final int TRAP_BAD_P_KEY = 257;

    /** A datagram had a wrong Q_Key. */
    public static final int TRAP_BAD_Q_KEY = 258;

    /** A packet had a P_Key that a switch port rejects. */
    public static final int TRAP_BAD_P_KEY_AT_SWITCH = 259;

    /**
     * Byte offsets in the details of trap 144: OtherLocalChanges, CapabilityMask and the change flags (IBA 14.2.5.1).
     */
    private static final int OTHER_CHANGES_AT = 5;

    private static final int CAPABILITY_MASK_AT = 6;
    private static final int CHANGE_FLAGS_AT = 10;
    private static final int DESCRIPTION_CHANGED = 0x01;
    private static final int SM_PRIORITY_CHANGED = 0x08;
    private static final int CLASS_MANAGER = 4;
    private static final int TYPE_URGENT = 1;
    private static final int TYPE_SUBNET_MANAGEMENT = 3;
    private static final int TYPE_INFORMATIONAL = 4;

    /** Byte offset of the GID in the details of traps 64 to 67. */
    private static final int GID_AT = 6;

    /** Type of an empty notice (IBA 13.4.8.2). */
    private static final int TYPE_EMPTY = 0x7f;

    private static final Layout L = new Layout("Notice", 64);
    public static final Field IS_GENERIC = L.bits("IsGeneric", 0, 1);
    public static final Field NOTICE_TYPE = L.bits("Type", 1, 7);

    /** Producer type; vendor ID of a notice that is not generic. */
    public static final Field PRODUCER_TYPE = L.bits("ProducerType", 8, 24);

    /** Trap number; device ID of a notice that is not generic. */
    public static final Field TRAP_NUMBER = L.bits("TrapNumber", 32, 16);

    public static final Field ISSUER_LID = L.bits("IssuerLID", 48, 16);
    public static final Field NOTICE_TOGGLE = L.bits("NoticeToggle", 64, 1);
    public static final Field NOTICE_COUNT = L.bits("NoticeCount", 65, 15);
    public static final Field DATA_DETAILS = L.bits("DataDetails", 80, 432);

    /** LID of the port in the details of traps 129 to 131, 144 and 145 (IBA 14.2.5.1). */
    private static final Field LID_ADDRESS = new Field("LIDADDR", 96, 16);

    /** Port number in the details of traps 129 to 131. */
    private static final Field PORT_NUM = new Field("PORTNO", 112, 8);

    /** Source and destination of the packet, and its key, in the details of traps 257 to 259. */
    private static final Field SOURCE_LID = new Field("LIDADDR1", 96, 16);

    private static final Field DESTINATION_LID = new Field("LIDADDR2", 112, 16);
    private static final Field KEY = new Field("KEY", 128, 32);
    private static final Field SWITCH_P_KEY = new Field("P_KEY", 128, 16);

    /** The last 16 bits of a notice that is not generic: the trap number of NVIDIA's devices. */
    private static final Field VENDOR_TRAP_NUMBER = new Field("VendorTrapNumber", 496, 16);

    public static final AttributeType<Notice> TYPE = L.type(0x0002, Notice::new);

    private Notice(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<Notice> type() {
        return TYPE;
    }

    /** Checks whether a field is secret. The details of trap 256 contain the rejected M_Key. */
    @Override
    protected boolean isSecret(Field field) {
        return field.equals(DATA_DETAILS) && isBadMKey();
    }

    public boolean isGeneric() {
        return getFlag(IS_GENERIC);
    }

    /** Checks whether this is trap 256. */
    public boolean isBadMKey() {
        return isGeneric() && trapNumber() == TRAP_BAD_M_KEY;
    }

    /** Checks whether this is a trap about errors of a link: 129 to 131. */
    public boolean isAboutLink() {
        return isGeneric() && trapNumber() >= TRAP_LINK_INTEGRITY && trapNumber() <= TRAP_FLOW_CONTROL;
    }

    /** Checks whether the number of a generic trap is 256 to 259, which only trusted subscribers receive. */
    public static boolean isAboutKeys(int trapNumber) {
        return trapNumber >= TRAP_BAD_M_KEY && trapNumber <= TRAP_BAD_P_KEY_AT_SWITCH;
    }

    /** Returns the GID in traps 64 to 67: of the port or the multicast group. */
    public Gid gid() {
        return Gid.read(getBytes(DATA_DETAILS), GID_AT);
    }

    /** Returns the vendor of a notice that is not generic, as its IEEE identifier. */
    public int vendorId() {
        return getInt(PRODUCER_TYPE);
    }

    /**
     * Returns the trap number of a notice of NVIDIA's devices that is not generic; without meaning for other vendors,
     * usually 0.
     */
    public int vendorTrapNumber() {
        return getInt(VENDOR_TRAP_NUMBER);
    }

    public int trapNumber() {
        return getInt(TRAP_NUMBER);
    }

    public int issuerLid() {
        return getInt(ISSUER_LID);
    }

    /** Checks whether the notice conforms to IBA: it is not empty, and a generic one has a defined producer type. */
    public boolean isWellFormed() {
        int producer = getInt(PRODUCER_TYPE);
        return getInt(NOTICE_TYPE) != TYPE_EMPTY
                && (!isGeneric() || (producer >= NodeInfo.CHANNEL_ADAPTER && producer <= CLASS_MANAGER));
    }

    /** Returns the LID of the port in traps 129 to 131, 144 and 145. */
    public int lidAddress() {
        return getInt(LID_ADDRESS);
    }

    /** Returns the number of the port in traps 129 to 131. */
    public int portNum() {
        return getInt(PORT_NUM);
    }

    /** Returns the source LID of the packet in traps 257 to 259. */
    public int sourceLid() {
        return getInt(SOURCE_LID);
    }

    /** Returns the destination LID of the packet in traps 257 to 259. */
    public int destinationLid() {
        return getInt(DESTINATION_LID);
    }

    /** Returns the P_Key or Q_Key of the packet in traps 257 to 259. */
    public long key() {
        return get(trapNumber() == TRAP_BAD_P_KEY_AT_SWITCH ? SWITCH_P_KEY : KEY);
    }

    /** Checks whether a trap 144 reports a changed NodeDescription. */
    public boolean hasNewDescription() {
        return (changeFlags() & DESCRIPTION_CHANGED) != 0;
    }

    /** Checks whether a trap 144 reports a changed priority of the SM at the port. */
    public boolean hasNewSmPriority() {
        return (changeFlags() & SM_PRIORITY_CHANGED) != 0;
    }

    /**
     * Returns the flags of a trap 144 for changes other than of the CapabilityMask; 0 unless OtherLocalChanges is set.
     */
    private int changeFlags() {
        byte[] details = getBytes(DATA_DETAILS);
        boolean isListed = (details[OTHER_CHANGES_AT] & 1) == 1;
        return isListed ? (details[CHANGE_FLAGS_AT] & 0xff) << 8 | details[CHANGE_FLAGS_AT + 1] & 0xff : 0;
    }

    /**
     * Returns a generic notice about errors of a link.
     *
     * @param trapNumber 129, 130 or 131
     * @param producerType NodeType of the issuer
     * @param lid LID of the issuer, which has the port
     * @param portNum port number
     */
    public static Notice linkErrors(int trapNumber, int producerType, int lid, int portNum) {
        byte[] bytes = TYPE.zero()
                .with(IS_GENERIC, 1)
                .with(NOTICE_TYPE, TYPE_URGENT)
                .with(PRODUCER_TYPE, producerType)
                .with(TRAP_NUMBER, trapNumber)
                .with(ISSUER_LID, lid)
                .toBytes();
        LID_ADDRESS.set(bytes, 0, lid);
        PORT_NUM.set(bytes, 0, portNum);
        return TYPE.read(bytes, 0);
    }

    /**
     * Returns trap 144 of a channel adapter whose SM has changed its priority.
     *
     * @param capabilityMask CapabilityMask of the port
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

    /** Checks whether this is trap 144 about a changed NodeDescription and no other change. */
    public boolean isOnlyDescriptionChange() {
        return isGeneric() && trapNumber() == TRAP_LOCAL_CHANGES && changeFlags() == DESCRIPTION_CHANGED;
    }

    /**
     * Returns trap 64, 65, 66 or 67, which the SM issues.
     *
     * @param smLid LID of the SM
     * @param gid GID of the port or of the multicast group
     */
    public static Notice ofSubnet(int trapNumber, int smLid, Gid gid) {
        byte[] details = new byte[DATA_DETAILS.width() / Byte.SIZE];
        gid.write(details, GID_AT);
        return TYPE.zero()
                .with(IS_GENERIC, 1)
                .with(NOTICE_TYPE, TYPE_SUBNET_MANAGEMENT)
                .with(PRODUCER_TYPE, CLASS_MANAGER)
                .with(TRAP_NUMBER, trapNumber)
                .with(ISSUER_LID, smLid)
                .with(DATA_DETAILS, details);
    }

    /** Returns trap 128 of a switch. */
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
