package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Messages longer than a MAD at the border to libibumad, with a library that behaves as its manual says. */
class KernelRmppTest {
    private static final int SA_METHODS = 1 << Method.GET;

    private final IbUmadDouble library = new IbUmadDouble();
    private final LibIbUmad umad = new LibIbUmad(library, new IbUmadDouble.NoFiles());

    private static byte[] message(int length) {
        byte[] mad = new byte[length];
        byte[] header = MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET_MULTI, 9, 0x3a, 0);
        System.arraycopy(header, 0, mad, 0, SaMad.DATA_OFFSET);
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
    void receivesAMessageLongerThanTheDefaultBuffer() throws ErrnoException {
        umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        for (int length : new int[] {256, 300, 2048, 2049, 50_000}) {
            library.arriving.add(message(length));
            MadFrame frame = Objects.requireNonNull(umad.receive(1, 0));
            assertThat(frame.mad()).hasSize(length).endsWith(77);
        }
    }

    @Test
    void aTooLongMessageIsDiscardedAndTheNextOneIsReceived() throws ErrnoException {
        umad.registerKernelRmpp(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        library.arriving.add(message(LibIbUmad.MAX_MESSAGE_BYTES + 1));
        library.arriving.add(message(256));
        assertThat(umad.receive(1, 0)).isNull();
        assertThat(umad.receive(1, 0)).isNotNull();
    }

    @Test
    void withoutItMessagesLongerThanAMadAreNone() throws ErrnoException {
        umad.register(1, MgmtClass.SUBN_ADM, 2, SA_METHODS);
        library.arriving.add(message(300));
        assertThat(umad.receive(1, 0)).isNull();
        assertThat(library.arriving).isEmpty();
    }
}
