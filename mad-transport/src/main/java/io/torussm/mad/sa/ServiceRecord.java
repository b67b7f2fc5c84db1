package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;

/** ServiceRecord (IBA 15.2.5.14): a service that a port offers, with data for its users. */
public final class ServiceRecord extends Attribute<ServiceRecord> {
    private static final Layout L = new Layout("ServiceRecord", 176);
    public static final Field SERVICE_ID = L.bits("ServiceID", 0, 64);
    public static final Field SERVICE_GID = L.bits("ServiceGID", 64, 128);
    public static final Field SERVICE_P_KEY = L.bits("ServiceP_Key", 192, 16);
    static final Field RESERVED_208 = L.bits("reserved", 208, 16);

    /** Lease in seconds, or {@link #FOREVER}. */
    public static final Field SERVICE_LEASE = L.bits("ServiceLease", 224, 32);

    public static final Field SERVICE_KEY = L.bits("ServiceKey", 256, 128);
    public static final Field SERVICE_NAME = L.bits("ServiceName", 384, 512);

    static {
        // ServiceData8.1 to 8.16, then 16.1 to 16.8, 32.1 to 32.4, 64.1 and 64.2: 16 bytes of each width.
        int bit = 896;
        for (int width = 8; width <= Long.SIZE; width *= 2) {
            for (int i = 1; i <= 128 / width; i++, bit += width) {
                L.bits("ServiceData" + width + "." + i, bit, width);
            }
        }
    }

    /** ServiceLease without an end. */
    public static final long FOREVER = 0xFFFF_FFFFL;

    public static final AttributeType<ServiceRecord> TYPE = L.type(0x0031, ServiceRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 37);

    private ServiceRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<ServiceRecord> type() {
        return TYPE;
    }

    /** Returns the ServiceGID. */
    public Gid gid() {
        return getGid(SERVICE_GID);
    }
}
