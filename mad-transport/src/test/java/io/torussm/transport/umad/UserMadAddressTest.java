package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.testing.Seeds;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever address the kernel tells with a request, an answer goes out with the same. */
class UserMadAddressTest {
    private static final int AGENT = 3;

    private final IbUmadDouble library = new IbUmadDouble();
    private final LibIbUmad umad = new LibIbUmad(library, new IbUmadDouble.NoFiles());
    private final byte[] mad = MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 9, 0x35, 0);

    private MadAddress receive(byte[] header) throws ErrnoException {
        library.header = header;
        library.arriving.add(mad);
        return Objects.requireNonNull(umad.receive(1, 0)).peer();
    }

    private byte[] addressOfAnswer(MadAddress to) throws ErrnoException {
        umad.send(1, AGENT, new MadFrame(to, mad), 0);
        byte[] header = library.headers.get(library.headers.size() - 1);
        return Arrays.copyOfRange(header, UserMad.QPN_BE, UserMad.PKEY_INDEX + 2);
    }

    /** Returns the header for QP 1 with its Q_Key, and arbitrary other fields. */
    private static byte[] header(String hexOfLidAndWhatFollows) {
        byte[] header = new byte[UserMad.DATA];
        byte[] address = HexFormat.of().parseHex("0000000180010000" + hexOfLidAndWhatFollows);
        System.arraycopy(address, 0, header, UserMad.QPN_BE, address.length);
        return header;
    }

    @Test
    void theGlobalRouteAndThePathBitsAreRead() throws ErrnoException {
        MadAddress peer = receive(header("1234" + "05" + "03" + "01" + "02" + "40" + "1c" + "fec0000000000007"
                + "0002c90300001234" + "000abcde" + "0700"));
        assertThat(peer)
                .isEqualTo(new MadAddress(
                        0x1234,
                        1,
                        5,
                        7,
                        3,
                        new GlobalRoute(
                                new Gid(0xfec0_0000_0000_0007L, 0x0002_c903_0000_1234L), 2, 0x40, 0x1c, 0xabcde)));
    }

    @Test
    void anAnswerHasTheBytesOfTheRequest() throws ErrnoException {
        Random random = Seeds.random(4);
        for (int i = 0; i < 1_000; i++) {
            byte[] rest = new byte[30];
            random.nextBytes(rest);
            rest[2] &= 0xf; // SL
            rest[3] &= 0x7f; // path bits
            rest[4] = 1; // GRH present
            byte[] header = header(HexFormat.of().formatHex(rest));
            assertThat(addressOfAnswer(receive(header)))
                    .isEqualTo(Arrays.copyOfRange(header, UserMad.QPN_BE, UserMad.PKEY_INDEX + 2));
        }
    }

    @Test
    void pairsAreReadWhereTheLibraryKnowsThem() {
        assertThat(umad.pairs()).as("an older library").isEmpty();
        library.pairs = List.of(new Umad.Pair("smi1", "mlx5_0"), new Umad.Pair("", "mlx5_4"));
        assertThat(umad.pairs()).isEqualTo(library.pairs);
    }

    @Test
    void anAnswerWithoutOneIsNotSentWithTheOneBefore() throws ErrnoException {
        addressOfAnswer(receive(header("0001000001" + "00".repeat(25))));
        assertThat(addressOfAnswer(receive(header("0001" + "00".repeat(28))))[UserMad.GRH_PRESENT - UserMad.QPN_BE])
                .isZero();
    }
}
