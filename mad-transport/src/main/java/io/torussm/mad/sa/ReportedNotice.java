package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.Notice;

/** The Notice of a Report, which an SA forwards (IBA 13.4.8.2): the content of a trap and the GID of its issuer. */
public final class ReportedNotice extends Attribute<ReportedNotice> {
    private static final int NOTICE_BITS = 512;
    private static final Layout L = new Layout("Notice", 80);

    static {
        for (Field field : Notice.TYPE.layout().fields()) {
            L.bits(field.name(), field.offset(), field.width());
        }
    }

    public static final Field ISSUER_GID = L.bits("IssuerGID", NOTICE_BITS, 128);
    public static final AttributeType<ReportedNotice> TYPE = L.type(0x0002, ReportedNotice::new);

    private ReportedNotice(byte[] bytes) {
        super(bytes);
    }

    /** Returns a notice with the GID of its issuer. */
    public static ReportedNotice of(Notice notice, Gid issuer) {
        byte[] bytes = new byte[TYPE.layout().size()];
        notice.write(bytes, 0);
        issuer.write(bytes, NOTICE_BITS / Byte.SIZE);
        return TYPE.read(bytes, 0);
    }

    @Override
    public AttributeType<ReportedNotice> type() {
        return TYPE;
    }

    /** Returns the notice without the GID of its issuer. */
    public Notice notice() {
        return Notice.TYPE.read(toBytes(), 0);
    }

    public Gid issuerGid() {
        return getGid(ISSUER_GID);
    }

    /** Checks whether a field is secret. The data details of trap 256 contain the rejected M_Key. */
    @Override
    protected boolean isSecret(Field field) {
        return field.name().equals(Notice.DATA_DETAILS.name()) && notice().isBadMKey();
    }
}
