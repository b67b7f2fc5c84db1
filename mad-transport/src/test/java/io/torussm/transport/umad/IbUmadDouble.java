package io.torussm.transport.umad;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.torussm.transport.foreign.ForeignMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * libibumad according to its manual, without a kernel. It keeps sent MADs with their headers, and delivers received
 * MADs only into a buffer that is long enough.
 */
final class IbUmadDouble implements IbUmad {
    final Queue<byte[]> arriving = new ArrayDeque<>();
    final List<byte[]> sent = new ArrayList<>();
    final List<byte[]> headers = new ArrayList<>();

    /** The header before the next MAD that arrives. */
    byte[] header = new byte[UserMad.DATA];

    /** Of adapters in two halves; empty if the library does not know of them. */
    List<Umad.Pair> pairs = List.of();

    int rmppVersion = -1;

    /** True while the kernel has MAD devices. */
    boolean isModuleLoaded = true;

    private boolean hasMissedModule;

    @Override
    public int umad_register(int port, int mgmtClass, int version, byte asked, ByteBuffer methods) {
        rmppVersion = asked;
        return 3;
    }

    @Override
    public int umad_send(int port, int agent, ForeignMemory memory, int length, int timeoutMs, int retries) {
        ByteBuffer umad = memory.bytes();
        byte[] mad = new byte[length];
        umad.get(UserMad.DATA, mad, 0, length);
        sent.add(mad);
        byte[] before = new byte[UserMad.DATA];
        umad.get(0, before, 0, before.length);
        headers.add(before);
        return 0;
    }

    @Override
    public int umad_recv(int port, ForeignMemory umad, ForeignMemory size, int timeoutMs) {
        byte[] next = arriving.peek();
        if (next == null) {
            return -ErrnoException.ETIMEDOUT;
        }
        ByteBuffer length = size.bytes();
        int room = length.getInt(0);
        length.putInt(0, next.length);
        if (next.length > room) {
            return -ErrnoException.ENOSPC;
        }
        umad.bytes().put(0, header, 0, header.length);
        umad.bytes().put(UserMad.DATA, next, 0, next.length);
        arriving.remove();
        return 3;
    }

    /** Writes the pairs as a library of 2025 or later does on a host with a pair. An older library throws. */
    @Override
    public int umad_get_smi_gsi_pairs(ByteBuffer memory, long max) {
        if (pairs.isEmpty()) {
            throw new UnsatisfiedLinkError("umad_get_smi_gsi_pairs");
        }
        for (int i = 0; i < pairs.size(); i++) {
            int at = i * UserMad.PAIR_SIZE;
            memory.put(at + UserMad.PAIR_SMI, pairs.get(i).smi().getBytes(US_ASCII));
            memory.put(at + UserMad.PAIR_GSI, pairs.get(i).gsi().getBytes(US_ASCII));
        }
        return pairs.size();
    }

    /**
     * Initializes the library, which remembers for the rest of the process that the module was not loaded, as rdma-core
     * 44 does.
     */
    @Override
    public int umad_init() {
        hasMissedModule |= !isModuleLoaded;
        return hasMissedModule ? -1 : 0;
    }

    @Override
    public int umad_get_cas_names(ByteBuffer names, int max) {
        return 0;
    }

    @Override
    public int umad_get_ca_portguids(ByteBuffer caName, ByteBuffer guids, int max) {
        return 0;
    }

    @Override
    public int umad_get_port(ByteBuffer caName, int portNum, ByteBuffer port) {
        return -1;
    }

    @Override
    public int umad_release_port(ByteBuffer port) {
        return 0;
    }

    @Override
    public int umad_get_issm_path(ByteBuffer caName, int portNum, ByteBuffer path, int max) {
        return -1;
    }

    @Override
    public int umad_open_port(ByteBuffer caName, int portNum) {
        return umad_init() == 0 ? 0 : -ErrnoException.ENOENT;
    }

    @Override
    public int umad_close_port(int port) {
        return 0;
    }

    @Override
    public int umad_register2(int port, ByteBuffer attributes, ByteBuffer agent) {
        return -ErrnoException.EINVAL;
    }

    @Override
    public int umad_unregister(int port, int agent) {
        return 0;
    }

    /** Opens nothing. */
    static final class NoFiles implements LibIbUmad.LibC {
        @Override
        public int open(ByteBuffer path, int flags) {
            return -1;
        }

        @Override
        public int close(int fd) {
            return 0;
        }
    }

    /** The files of the kernel module. */
    final class ModuleFiles implements LibIbUmad.LibC {
        @Override
        public int open(ByteBuffer path, int flags) {
            return isModuleLoaded ? 5 : -1;
        }

        @Override
        public int close(int fd) {
            return 0;
        }
    }
}
