package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;

/** ServiceRecord (IBA 15.2.5.14): a service that a port offers, with data that only its users understand. */
public final class ServiceRecord extends Attribute<ServiceRecord> {
    private static final Layout L = new Layout("ServiceRecord", 176);
    public static final Field SERVICE_ID = L.bits("ServiceID", 0, 64);
    public static final Field SERVICE_GID = L.bits("ServiceGID", 64, 128);
    public static final Field SERVICE_P_KEY = L.bits("ServiceP_Key", 192, 16);
    static final Field RESERVED_208 = L.bits("reserved", 208, 16);

    /** Seconds; {@link #FOREVER} without end. */
    public static final Field SERVICE_LEASE = L.bits("ServiceLease", 224, 32);

    public static final Field SERVICE_KEY = L.bits("ServiceKey", 256, 128);
    public static final Field SERVICE_NAME = L.bits("ServiceName", 384, 512);

    static {
        int bit = 896;
        for (int width = 8; width <= Long.SIZE; width *= 2) {
            for (int i = 1; i <= 128 / width; i++, bit += width) {
                L.bits("ServiceData" + width + "." + i, bit, width);
            }
        }
    }

    /** A lease that does not end. */
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
