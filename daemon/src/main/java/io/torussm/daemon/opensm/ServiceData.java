package io.torussm.daemon.opensm;

import java.util.List;

/** The data of a service as OpenSM names them, in the order of the record (IBA 15.2.5.14). */
final class ServiceData {
    /** The size of each field of data. */
    static final int BYTES = 16;

    /** Each of 16 bytes, written as two numbers of 64 bits. */
    static final List<String> ALL = List.of("data8", "data16", "data32", "data64");

    private ServiceData() {}
}
