package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages longer than a MAD at the border to libibumad, with a library that behaves as its manual says. */
class KernelRmppTest {
    private static final int SA_METHODS = 1 << Method.GET;

    private final Library library = new Library();
    private final LibIbUmad umad = new LibIbUmad(library, new NoFiles());

    /** Keeps what is sent; hands out what arrives, but only into a buffer that is long enough. */
    private static final class Library implements LibIbUmad.IbUmad {
        final Queue<byte[]> arriving = new ArrayDeque<>();
        final List<byte[]> sent = new ArrayList<>();
        int rmppVersion = -1;

        @Override
        public int umad_register(int port, int mgmtClass, int version, byte asked, @Nullable Pointer methods) {
            rmppVersion = asked;
            return 3;
        }

        @Override
        public int umad_send(int port, int agent, Pointer umad, int length, int timeoutMs, int retries) {
            byte[] mad = new byte[length];
            umad.get(UserMad.DATA, mad, 0, length);
            sent.add(mad);
            return 0;
        }

        @Override
        public int umad_recv(int port, Pointer umad, Pointer length, int timeoutMs) {
            byte[] next = arriving.peek();
            if (next == null) {
                return -ErrnoException.ETIMEDOUT;
            }
            int room = length.getInt(0);
            length.putInt(0, next.length);
            if (next.length > room) {
                return -ErrnoException.ENOSPC;
            }
            umad.put(UserMad.DATA, next, 0, next.length);
            arriving.remove();
            return 3;
        }

        @Override
        public int umad_init() {
            return 0;
        }

        @Override
        public int umad_get_cas_names(Pointer names, int max) {
            return 0;
        }

        @Override
        public int umad_get_ca_portguids(String caName, Pointer guids, int max) {
            return 0;
        }

        @Override
        public int umad_get_port(String caName, int portNum, Pointer port) {
            return -1;
        }

        @Override
        public int umad_release_port(Pointer port) {
            return 0;
        }

        @Override
        public int umad_get_issm_path(String caName, int portNum, Pointer path, int max) {
            return -1;
        }

        @Override
        public int umad_open_port(String caName, int portNum) {
            return 0;
        }

        @Override
        public int umad_close_port(int port) {
            return 0;
        }

        @Override
        public int umad_register2(int port, Pointer attributes, Pointer agent) {
            return -ErrnoException.EINVAL;
        }

        @Override
        public int umad_unregister(int port, int agent) {
            return 0;
        }
    }

    private static final class NoFiles implements LibIbUmad.LibC {
        @Override
        public int open(String path, int flags) {
            return -1;
        }

        @Override
        public int close(int fd) {
            return 0;
        }
    }

    private static byte[] message(int length) {
        byte[] mad = new byte[length];
        byte[] header = MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET_MULTI, 9, 0x3a, 0);
        System.arraycopy(header, 0, mad, 0, SaMad.DATA);
        SaMad.RMPP_FLAGS.set(mad, 0, SaMad.FLAG_ACTIVE);
        mad[length - 1] = 77;
        return mad;
    }

    @Test
    void registersWithTheVersionOfRmpp() throws ErrnoException {
        assertThat(umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS))
                .isEqualTo(3);
        assertThat(library.rmppVersion).isEqualTo(1);
        umad.register(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        assertThat(library.rmppVersion).isZero();
    }

    @Test
    void sendsAMessageWithItsWholeLength() throws ErrnoException {
        umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        for (int length : new int[] {56, 168, 257, 100_000}) {
            umad.send(1, 3, new MadFrame(new MadAddress(5, 1, 0, 0), message(length)), 0);
        }
        assertThat(library.sent.stream().map(mad -> mad.length)).containsExactly(56, 168, 257, 100_000);
        assertThat(library.sent.get(3)).endsWith(77);
    }

    @Test
    void receivesAMessageThatIsLongerThanTheUsualBuffer() throws ErrnoException {
        umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        for (int length : new int[] {256, 300, 2048, 2049, 50_000}) {
            library.arriving.add(message(length));
            MadFrame frame = Objects.requireNonNull(umad.receive(1, 0));
            assertThat(frame.mad()).hasSize(length).endsWith(77);
        }
    }

    @Test
    void aMessageThatIsTooLongIsReadAndForgottenSoThatTheNextOneComes() throws ErrnoException {
        umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        library.arriving.add(message(LibIbUmad.LONGEST_MESSAGE + 1));
        library.arriving.add(message(256));
        assertThat(umad.receive(1, 0)).isNull();
        assertThat(umad.receive(1, 0)).isNotNull();
    }

    @Test
    void withoutItWhatIsLongerThanAMadIsNone() throws ErrnoException {
        umad.register(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        library.arriving.add(message(300));
        assertThat(umad.receive(1, 0)).isNull();
        assertThat(library.arriving).isEmpty();
    }
}
