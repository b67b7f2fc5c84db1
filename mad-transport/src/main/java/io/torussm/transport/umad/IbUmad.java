package io.torussm.transport.umad;

import static io.torussm.transport.foreign.ForeignFunction.address;
import static io.torussm.transport.foreign.ForeignLibrary.Parameter.INT;
import static io.torussm.transport.foreign.ForeignLibrary.Parameter.LONG;
import static io.torussm.transport.foreign.ForeignLibrary.Parameter.POINTER;

import io.torussm.transport.foreign.ForeignFunction;
import io.torussm.transport.foreign.ForeignLibrary;
import io.torussm.transport.foreign.ForeignMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libibumad, with the names and parameters of its manual pages. Buffers are direct. A failed function
 * leaves its error in {@link ForeignLibrary#errno}.
 */
interface IbUmad {
    int umad_init();

    int umad_get_cas_names(ByteBuffer names, int max);

    int umad_get_ca_portguids(ByteBuffer caName, ByteBuffer guids, int max);

    int umad_get_port(ByteBuffer caName, int portNum, ByteBuffer port);

    int umad_release_port(ByteBuffer port);

    int umad_get_issm_path(ByteBuffer caName, int portNum, ByteBuffer path, int max);

    int umad_open_port(ByteBuffer caName, int portNum);

    int umad_close_port(int port);

    int umad_register(int port, int mgmtClass, int version, byte rmppVersion, ByteBuffer methods);

    int umad_register2(int port, ByteBuffer attributes, ByteBuffer agent);

    int umad_unregister(int port, int agent);

    int umad_send(int port, int agent, ForeignMemory umad, int length, int timeoutMs, int retries);

    int umad_recv(int port, ForeignMemory umad, ForeignMemory length, int timeoutMs);

    /**
     * Reads the pairs of devices of adapters in two halves.
     *
     * @throws LinkageError if the library is older than rdma-core 56
     */
    int umad_get_smi_gsi_pairs(ByteBuffer pairs, long max);

    /** The functions of a loaded library. */
    final class Loaded implements IbUmad {
        private final ForeignLibrary library;
        private final ForeignFunction init;
        private final ForeignFunction casNames;
        private final ForeignFunction portGuids;
        private final ForeignFunction getPort;
        private final ForeignFunction releasePort;
        private final ForeignFunction isSmPath;
        private final ForeignFunction openPort;
        private final ForeignFunction closePort;
        private final ForeignFunction register;
        private final ForeignFunction register2;
        private final ForeignFunction unregister;
        private final ForeignFunction send;
        private final ForeignFunction recv;

        /**
         * Looks the functions up.
         *
         * @throws LinkageError if the library lacks one of them. {@code umad_get_smi_gsi_pairs} is looked up at each
         *     call, since old libraries lack it.
         */
        Loaded(ForeignLibrary library) {
            this.library = library;
            init = library.function("umad_init");
            casNames = library.function("umad_get_cas_names", POINTER, INT);
            portGuids = library.function("umad_get_ca_portguids", POINTER, POINTER, INT);
            getPort = library.function("umad_get_port", POINTER, INT, POINTER);
            releasePort = library.function("umad_release_port", POINTER);
            isSmPath = library.function("umad_get_issm_path", POINTER, INT, POINTER, INT);
            openPort = library.function("umad_open_port", POINTER, INT);
            closePort = library.function("umad_close_port", INT);
            register = library.function("umad_register", INT, INT, INT, INT, POINTER);
            register2 = library.function("umad_register2", INT, POINTER, POINTER);
            unregister = library.function("umad_unregister", INT, INT);
            send = library.function("umad_send", INT, INT, POINTER, INT, INT, INT);
            recv = library.function("umad_recv", INT, POINTER, POINTER, INT);
        }

        /**
         * Returns the result, and keeps the buffers reachable until the end of the call, since C has only their
         * addresses.
         */
        @SuppressWarnings("ReachabilityFenceUsage") // no statement between the call and the fence can throw
        private static int keepReachable(int result, ByteBuffer first, @Nullable ByteBuffer second) {
            Reference.reachabilityFence(first);
            Reference.reachabilityFence(second);
            return result;
        }

        @Override
        public int umad_init() {
            return init.call();
        }

        @Override
        public int umad_get_cas_names(ByteBuffer names, int max) {
            return keepReachable(casNames.call(address(names), max), names, null);
        }

        @Override
        public int umad_get_ca_portguids(ByteBuffer caName, ByteBuffer guids, int max) {
            return keepReachable(portGuids.call(address(caName), address(guids), max), caName, guids);
        }

        @Override
        public int umad_get_port(ByteBuffer caName, int portNum, ByteBuffer port) {
            return keepReachable(getPort.call(address(caName), portNum, address(port)), caName, port);
        }

        @Override
        public int umad_release_port(ByteBuffer port) {
            return keepReachable(releasePort.call(address(port)), port, null);
        }

        @Override
        public int umad_get_issm_path(ByteBuffer caName, int portNum, ByteBuffer path, int max) {
            return keepReachable(isSmPath.call(address(caName), portNum, address(path), max), caName, path);
        }

        @Override
        public int umad_open_port(ByteBuffer caName, int portNum) {
            return keepReachable(openPort.call(address(caName), portNum), caName, null);
        }

        @Override
        public int umad_close_port(int port) {
            return closePort.call(port);
        }

        @Override
        public int umad_register(int port, int mgmtClass, int version, byte rmppVersion, ByteBuffer methods) {
            return keepReachable(register.call(port, mgmtClass, version, rmppVersion, address(methods)), methods, null);
        }

        @Override
        public int umad_register2(int port, ByteBuffer attributes, ByteBuffer agent) {
            return keepReachable(register2.call(port, address(attributes), address(agent)), attributes, agent);
        }

        @Override
        public int umad_unregister(int port, int agent) {
            return unregister.call(port, agent);
        }

        @Override
        public int umad_send(int port, int agent, ForeignMemory umad, int length, int timeoutMs, int retries) {
            try {
                return send.call(port, agent, umad.address(), length, timeoutMs, retries);
            } finally {
                umad.keepReachable();
            }
        }

        @Override
        public int umad_recv(int port, ForeignMemory umad, ForeignMemory length, int timeoutMs) {
            try {
                return recv.call(port, umad.address(), length.address(), timeoutMs);
            } finally {
                umad.keepReachable();
                length.keepReachable();
            }
        }

        @Override
        public int umad_get_smi_gsi_pairs(ByteBuffer pairs, long max) {
            return keepReachable(
                    library.function("umad_get_smi_gsi_pairs", POINTER, LONG).call(address(pairs), max), pairs, null);
        }
    }
}
