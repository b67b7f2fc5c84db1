package io.torussm.mad;

/** ClassPortInfo (IBA 13.4.8.1): the capabilities of a management class at a port. */
public final class ClassPortInfo extends Attribute<ClassPortInfo> {
    /** CapabilityMask bit of every class: the agent sends traps. */
    public static final int CAP_SENDS_TRAPS = 1;

    /**
     * CapabilityMask bit of every class: the agent has a queue of notices, which Get(Notice) reads and Set(Notice)
     * clears.
     */
    public static final int CAP_HAS_NOTICES = 1 << 1;

    private static final int MAX_TIME_VALUE = 31;
    private static final Layout L = new Layout("ClassPortInfo", 72);
    public static final Field BASE_VERSION = L.bits("BaseVersion", 0, 8);
    public static final Field CLASS_VERSION = L.bits("ClassVersion", 8, 8);
    public static final Field CAPABILITY_MASK = L.bits("CapabilityMask", 16, 16);
    public static final Field CAPABILITY_MASK2 = L.bits("CapabilityMask2", 32, 27);
    public static final Field RESP_TIME_VALUE = L.bits("RespTimeValue", 59, 5);
    public static final Field REDIRECT_GID = L.bits("RedirectGID", 64, 128);
    public static final Field REDIRECT_TC = L.bits("RedirectTC", 192, 8);
    public static final Field REDIRECT_SL = L.bits("RedirectSL", 200, 4);
    public static final Field REDIRECT_FL = L.bits("RedirectFL", 204, 20);
    public static final Field REDIRECT_LID = L.bits("RedirectLID", 224, 16);
    public static final Field REDIRECT_P_KEY = L.bits("RedirectP_Key", 240, 16);
    static final Field RESERVED_256 = L.bits("reserved", 256, 8);
    public static final Field REDIRECT_QP = L.bits("RedirectQP", 264, 24);
    public static final Field REDIRECT_Q_KEY = L.bits("RedirectQ_Key", 288, 32);
    public static final Field TRAP_GID = L.bits("TrapGID", 320, 128);
    public static final Field TRAP_TC = L.bits("TrapTC", 448, 8);
    public static final Field TRAP_SL = L.bits("TrapSL", 456, 4);
    public static final Field TRAP_FL = L.bits("TrapFL", 460, 20);
    public static final Field TRAP_LID = L.bits("TrapLID", 480, 16);
    public static final Field TRAP_P_KEY = L.bits("TrapP_Key", 496, 16);
    public static final Field TRAP_HL = L.bits("TrapHL", 512, 8);
    public static final Field TRAP_QP = L.bits("TrapQP", 520, 24);
    public static final Field TRAP_Q_KEY = L.bits("TrapQ_Key", 544, 32);
    public static final AttributeType<ClassPortInfo> TYPE = L.type(0x0001, ClassPortInfo::new);

    /**
     * Returns the RespTimeValue for a response within a time.
     *
     * @param ms time in milliseconds
     * @return the lowest n for which 4.096 us x 2^n is at least this time, 0 to 31
     */
    public static int responseTimeValue(int ms) {
        int n = 0;
        while (n < MAX_TIME_VALUE && (4096L << n) < ms * 1_000_000L) {
            n++;
        }
        return n;
    }

    private ClassPortInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<ClassPortInfo> type() {
        return TYPE;
    }
}
