package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.smp.Notice;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The content of a Report, byte by byte (IBA 13.4.8.2, 14.2.5.1). */
class ReportedNoticeTest {
    private static final Gid SM = new Gid(0xfe80_0000_0000_0000L, 0x0102_0304_0506_0708L);
    private static final Gid PORT = new Gid(0xfe80_0000_0000_0000L, 0x1112_1314_1516_1718L);

    @Test
    void thePortIsInTheDetailsAndTheIssuerBehindThem() {
        Notice notice = Notice.ofSubnet(Notice.TRAP_GID_OUT_OF_SERVICE, 0x1234, PORT);
        ReportedNotice reported = ReportedNotice.of(notice, SM);
        assertThat(HexFormat.of().formatHex(reported.toBytes()))
                .isEqualTo("83000004" + "0041" + "1234" + "0000"
                        + "000000000000" + "fe800000000000001112131415161718" + "00".repeat(32)
                        + "fe800000000000000102030405060708");
        assertThat(reported.notice()).isEqualTo(notice);
        assertThat(reported.notice().gid()).isEqualTo(PORT);
        assertThat(reported.issuerGid()).isEqualTo(SM);
    }

    @Test
    void anMKeyThatWasTriedIsNotPrinted() {
        byte[] details = new byte[54];
        details[14] = 0x7e;
        Notice badKey = Notice.linkErrors(Notice.TRAP_BAD_M_KEY, 1, 5, 1).with(Notice.DATA_DETAILS, details);
        assertThat(ReportedNotice.of(badKey, SM).toString())
                .doesNotContain("7e00")
                .contains("DataDetails=*");
        Notice other = badKey.with(Notice.TRAP_NUMBER, Notice.TRAP_BAD_P_KEY);
        assertThat(ReportedNotice.of(other, SM).toString()).contains("7e00");
    }
}
