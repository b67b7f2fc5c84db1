package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.paths.PrefixRoutes;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths to other subnets. Hosts 7 and 8 of the torus are routers. */
class PrefixRoutesTest {
    private static final ComponentMask C = PathRecord.COMPONENTS;
    private static final long REMOTE_PREFIX = 0xfec0_0000_0000_9999L;
    private static final Gid REMOTE_GID = new Gid(REMOTE_PREFIX, 0x1234_5678_9abc_def0L);

    private final SmallTorus torus = new SmallTorus(0, (guid, portNum, usual) -> usual, 2);
    private final SaHarness harness = new SaHarness(torus);

    private static PrefixRoutes routes(String text) {
        PrefixRoutes.Parsed parsed = PrefixRoutes.parse("prefix-routes.conf", text);
        assertThat(parsed.findings()).isEmpty();
        return Objects.requireNonNull(parsed.routes());
    }

    private SaHarness.Request path(Gid dgid) {
        return harness.get(PathRecord.TYPE.id())
                .with(C, PathRecord.SGID, new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(0) + 1))
                .with(C, PathRecord.DGID, dgid);
    }

    private static String guid(int host) {
        return Long.toHexString(SmallTorus.hostGuid(host) + 1);
    }

    /** Returns the LID in a path to another subnet; 0 if there is no path. */
    private int router(String text) {
        harness.paths.setPrefixRoutes(routes(text));
        byte[] answer = path(REMOTE_GID).answer();
        if (MadHeader.status(answer) == MadStatus.SA_NO_RECORDS) {
            return 0;
        }
        PathRecord record = PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
        assertThat(record.dgid()).isEqualTo(REMOTE_GID);
        assertThat(record.get(PathRecord.HOP_LIMIT)).isEqualTo(255);
        assertThat(record.slid()).isEqualTo(torus.hostLid(0));
        return record.dlid();
    }

    @Test
    void thePathLeadsToTheRouterOfTheFirstLineThatFits() {
        assertThat(router("")).isZero();
        assertThat(router("* *")).isEqualTo(torus.hostLid(7));
        assertThat(router("fec0000000009999 0x" + guid(8) + " # second\n* *")).isEqualTo(torus.hostLid(8));
        assertThat(router("0xfec0000000009998 " + guid(8) + "\n\n  *\t* ")).isEqualTo(torus.hostLid(7));
        assertThat(router("0xfec0000000009998 *")).isZero();
    }

    @Test
    void aPortThatIsNoRouterLeadsToNoOtherSubnet() {
        assertThat(router("* " + guid(1))).as("a host").isZero();
        assertThat(router("* 0x4711")).as("absent").isZero();
        SaHarness plain = new SaHarness(new SmallTorus());
        plain.paths.setPrefixRoutes(routes("* *"));
        assertThat(plain.get(0x35).with(C, PathRecord.DGID, REMOTE_GID).status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void ownAddressesAndSourcesAreNeverRouted() {
        harness.paths.setPrefixRoutes(routes("* *"));
        for (long prefix : new long[] {SmallTorus.PREFIX, Gid.DEFAULT_PREFIX}) {
            byte[] answer = path(new Gid(prefix, SmallTorus.hostGuid(3) + 1)).answer();
            assertThat(PathRecord.DLID.get(answer, SaMad.DATA_OFFSET)).isEqualTo(torus.hostLid(3));
            assertThat(PathRecord.HOP_LIMIT.get(answer, SaMad.DATA_OFFSET)).isZero();
        }
        assertThat(harness.get(PathRecord.TYPE.id())
                        .with(C, PathRecord.SGID, REMOTE_GID)
                        .status())
                .isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void aDlidBesidesMustBeTheRouters() {
        harness.paths.setPrefixRoutes(routes("* *"));
        assertThat(path(REMOTE_GID).with(C, PathRecord.DLID, torus.hostLid(7)).status())
                .isZero();
        assertThat(path(REMOTE_GID).with(C, PathRecord.DLID, torus.hostLid(8)).status())
                .isEqualTo(MadStatus.SA_REQ_INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "'*', a route is a subnet prefix",
        "'* * *', a route is a subnet prefix",
        "'nonsense *', subnet prefix \"nonsense\"",
        "'0 *', subnet prefix \"0\"",
        "'* 0x12345678901234567', router port GUID",
        "'ffffffffffffffff *', subnet prefix",
        "'* -1', router port GUID \"-1\""
    })
    void errorsSayFileLineAndRemedy(String line, String fault) {
        PrefixRoutes.Parsed parsed = PrefixRoutes.parse("p.conf", "# a comment\n* *\n" + line + "\n");
        assertThat(parsed.routes()).isNull();
        assertThat(parsed.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.text()).startsWith("p.conf:3: ").contains(fault, "write ");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"* *\n", "oops\n"})
    void aFileWithoutEndIsRefusedInFewWords(String line) {
        for (int lines : new int[] {5_000, 50_000}) {
            PrefixRoutes.Parsed parsed = PrefixRoutes.parse("p.conf", line.repeat(lines));
            assertThat(parsed.routes()).isNull();
            assertThat(parsed.findings()).hasSizeBetween(1, 100);
        }
    }
}
