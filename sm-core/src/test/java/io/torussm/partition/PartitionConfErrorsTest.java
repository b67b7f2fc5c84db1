package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.partition.PartitionConf.Parsed;
import io.torussm.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of partitions.conf: their lines, limits of size and number, and random files. */
class PartitionConfErrorsTest {
    /** An example is {@code FILE @LINE TEXT}: a file with | for the end of a line, and its first error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A=1 0x5; @1 no ':'",
                "| |A=1:0x1,|zzz; @4 \"zzz\" is no member; write a port GUID, ALL",
                "A=1:0x0; @1 there is no port GUID 0",
                "A=1:-5; @1 is no member",
                "A=1:0x10000000000000000; @1 is no member",
                "A=1:09; @1 is no member",
                "A=1:|0x10-0x1f=full,|0x30; @2 \"0x10-0x1f\" is a range of GUIDs, as NVIDIA's OpenSM may have it, and"
                        + " ranges are not read; write each GUID",
                "A=1:0x10..0x1f; @1 is a range of GUIDs",
                "A=1,ip0ib:0x5; @1 \"ip0ib\" is no flag of a partition; use mtu, rate, scope",
                "A=1,:0x5; @1 \"\" is no flag",
                "A=1,indx:0x5; @1 \"indx\" is no flag",
                "A=1,defmember=partly:0x5; @1 defmember is full, limited or both",
                "A=1,defmember:0x5; @1 defmember is full, limited or both",
                "A=0x10000:0x5; @1 is not a P_Key, up to 0xffff",
                "A=1x:0x5; @1 is not a P_Key",
                "A=:0x5; @1 is not a P_Key",
                "A=1,mtu=6:0x5; @1 \"6\" is no MTU; write bytes, 256 to 4096, or a code, 1 (256 bytes) to 5 (4096"
                        + " bytes)",
                "A=1,mtu=0:0x5; @1 \"0\" is no MTU",
                "A=1,mtu=1500:0x5; @1 \"1500\" is no MTU",
                "A=1,mtu=0x100000004:0x5; @1 is no MTU",
                "A=1,mtu:0x5; @1 \"\" is no MTU",
                "A=1,rate=1:0x5; @1 \"1\" is no rate; write Gb/s with the unit, such as 10G, or a code, such as 3 (10"
                        + " Gb/s)",
                "A=1,rate=100:0x5; @1 \"100\" is no rate code; 100 Gb/s is rate=100G",
                "A=1,rate=99G:0x5; @1 \"99G\" is no rate",
                "A=1,rate=G:0x5; @1 \"G\" is no rate",
                "A=1,rate:0x5; @1 \"\" is no rate",
                "A=1,scope=16:0x5; @1 is not a scope",
                "A=1,scope=0:0x5; @1 scope is 1 to 15",
                "A=1,sl=16:0x5; @1 is not an SL, 0 to 15",
                "A=1,Q_Key=0x100000000:0x5; @1 is not a Q_Key of up to 32 bits",
                "A=1,TClass=256:0x5; @1 is not a TClass",
                "A=1,FlowLabel=0x100000:0x5; @1 is not a FlowLabel",
                "A=1:|mgid=fe80::1|; @2 \"fe80::1\" is no multicast GID; write one such as ff12:401b::16",
                "A=1:|mgid=ff12::1::2|; @2 is no multicast GID",
                "A=1:|mgid=|; @2 is no multicast GID",
                "A=1:|mgid=ff12::1,ALL=full|; @2 \"ALL\" is no flag of a multicast group",
                "A=1:|mgid=ff12:401b:8002::1|; @2 names P_Key 0x8002, but the partition is 0x0001",
                "A=1:|mgid=ff12:401b::1,mtu=5|; @2 has the MTU and the rate of its partition's broadcast group, 2048"
                        + " bytes and 10 Gb/s",
                "A=1:0x5|B=2:0x6; @2 there is a second ':'",
                "ShareIO = 0x80 : defmember=limited : 0x123456; @1 there is a second ':'",
                "A=1:0x5;|;B=2:0x6; @2 there is nothing before ';'",
                "A=1:0x5;|B=2:|0x6 @2 the partition that begins here has no end; write ';'"
            })
    void anErrorNamesItsLineAndTheWholeFileIsAbandoned(String example) {
        String[] parts = example.split(" @", 2);
        String[] expected = parts[1].split(" ", 2);
        Parsed parsed = PartitionConf.parse("p.conf", parts[0].replace('|', '\n'), true);
        assertThat(parsed.conf()).isNull();
        Finding firstFinding = parsed.findings().get(0);
        assertThat(firstFinding.severity()).isEqualTo(Finding.Severity.ERROR);
        assertThat(firstFinding.text())
                .startsWith("p.conf:" + expected[0] + ": ")
                .contains(expected[1]);
    }

    /** Each file exceeds one limit, which the message names, by one. */
    @Test
    void excessiveFilesAreRefused() {
        int maxChars = 4 << 20;
        assertThat(firstError(" ".repeat(maxChars + 1))).contains("more than " + maxChars + " characters");
        int maxLine = 1 << 16;
        assertThat(firstError("A=1:0x1," + " ".repeat(maxLine) + ";"))
                .contains("p.conf:1: the line has more than " + maxLine + " characters");
        int maxOfAKind = 1024;
        assertThat(firstError("A=1:" + "ALL,\n".repeat(maxOfAKind + 1) + ";"))
                .contains("p.conf:1025:", "more than " + maxOfAKind + " times");
        int maxName = 64;
        assertThat(firstError("n".repeat(maxName + 1) + "=1:;")).contains("at most " + maxName + " characters");
        StringBuilder groups = new StringBuilder("A=1:\n");
        for (int i = 1; i <= maxOfAKind + 1; i++) {
            groups.append("mgid=ff12::").append(Integer.toHexString(i)).append('\n');
        }
        assertThat(firstError(groups.append(';').toString())).contains("more than " + maxOfAKind + " multicast groups");
    }

    @Test
    void aFileFullOfErrorsIsNotALogFullOfErrors() {
        Parsed parsed = PartitionConf.parse("p.conf", "A=1:" + "?,".repeat(10_000) + ";", true);
        assertThat(parsed.findings()).hasSize(101);
        assertThat(parsed.findings().get(100).text()).isEqualTo("p.conf: 9900 more errors");
    }

    @Test
    void allKeysInUseIsAnError() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 0x7fff; i++) {
            text.append("p").append(i).append(":0x1;\n");
        }
        assertThat(firstError(text.toString())).contains("p.conf:32767: all P_Keys are in use");
    }

    /** Any file gives a configuration or a list of errors with their lines, and never an exception. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void anythingIsAConfigurationOrAnError(long seed) {
        Random random = Seeds.random(seed);
        String[] pieces = {
            "A",
            "=",
            ":",
            ";",
            ",",
            "\n",
            "0x7fff",
            "ALL",
            "full",
            "mgid",
            "ff12:401b::1",
            "::",
            "ipoib",
            "mtu",
            "sl",
            "9",
            "#",
            " ",
            "indx0",
            "defmember",
            "both",
            "0x123",
            "\u0000",
            "\u00ff",
            "-1",
            "SELF"
        };
        for (int file = 0; file < 200; file++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            Parsed parsed = PartitionConf.parse("p.conf", text.toString(), random.nextBoolean());
            boolean hasError =
                    parsed.findings().stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
            assertThat(parsed.conf() == null).as(text.toString()).isEqualTo(hasError);
            assertThat(parsed.findings())
                    .allSatisfy(finding -> assertThat(finding.text()).matches("p\\.conf:([0-9]+:)? [ -~]+"));
        }
    }

    /** Returns the text of the first error of a file. */
    private static String firstError(String text) {
        Parsed parsed = PartitionConf.parse("p.conf", text, true);
        assertThat(parsed.conf()).isNull();
        return parsed.findings().get(0).text();
    }
}
