package io.torussm.mad.congestion;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.smp.Notice;

/**
 * A request with a wrong CC_Key: trap 0 of congestion control, in a generic {@link Notice}.
 *
 * @param slid LID of the requester
 * @param method method
 * @param attributeId AttributeID
 * @param modifier AttributeModifier
 * @param qp QP
 * @param key CC_Key
 * @param sgid GID
 */
public record KeyViolation(int slid, int method, int attributeId, int modifier, int qp, long key, Gid sgid) {
    /** TrapNumber. */
    public static final int TRAP = 0;

    private static final int TYPE_SECURITY = 2;
    private static final int SGID_AT = 34;
    private static final Field SLID = new Field("SLID", 80, 16);
    private static final Field METHOD = new Field("Method", 96, 8);
    private static final Field ATTRIBUTE_ID = new Field("AttributeID", 112, 16);
    private static final Field MODIFIER = new Field("AttributeModifier", 144, 32);
    private static final Field QP = new Field("QP", 184, 24);
    private static final Field KEY = new Field("CC_Key", 208, 64);

    /** Returns the notice of the port that rejected the request. */
    public Notice notice(int producerType, int issuerLid) {
        byte[] bytes = Notice.TYPE
                .zero()
                .with(Notice.IS_GENERIC, 1)
                .with(Notice.NOTICE_TYPE, TYPE_SECURITY)
                .with(Notice.PRODUCER_TYPE, producerType)
                .with(Notice.TRAP_NUMBER, TRAP)
                .with(Notice.ISSUER_LID, issuerLid)
                .toBytes();
        SLID.set(bytes, 0, slid);
        METHOD.set(bytes, 0, method);
        ATTRIBUTE_ID.set(bytes, 0, attributeId);
        MODIFIER.set(bytes, 0, modifier & 0xffff_ffffL);
        QP.set(bytes, 0, qp);
        KEY.set(bytes, 0, key);
        sgid.write(bytes, SGID_AT);
        return Notice.TYPE.read(bytes, 0);
    }

    /** Reads the notice of a violation. */
    public static KeyViolation of(Notice notice) {
        byte[] bytes = notice.toBytes();
        return new KeyViolation(
                (int) SLID.get(bytes, 0),
                (int) METHOD.get(bytes, 0),
                (int) ATTRIBUTE_ID.get(bytes, 0),
                (int) MODIFIER.get(bytes, 0),
                (int) QP.get(bytes, 0),
                KEY.get(bytes, 0),
                Gid.read(bytes, SGID_AT));
    }
}
