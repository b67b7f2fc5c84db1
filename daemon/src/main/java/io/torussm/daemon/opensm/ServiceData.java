package io.torussm.daemon.opensm;

import java.util.List;

/** The names of the ServiceData fields in OpenSM's dump, in the order of the ServiceRecord (IBA 15.2.5.14). */
final class ServiceData {
    /** The size of each field, in bytes. */
    static final int BYTES = 16;

    /** The fields. The dump contains each as two numbers of 64 bits. */
    static final List<String> FIELD_NAMES = List.of("data8", "data16", "data32", "data64");

    private ServiceData() {}
}
