package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.sm.SubnetManagerService;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every command that takes a topology reads the output of ibnetdiscover, and counts ignored lines in one
 * warning.
 */
class TopologyFileFormsTest {
    private static final String GROUPED = """
            ibwarn: [2217] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,14)

            Chassis 1 (guid 0x8f10400410015)

            # Line Nodes
            vendid=0x8f1
            switchguid=0x200000(200000)\t# Line 1 Chip 1
            Switch\t8 "S-0000000000200000"\t\t# "leaf" base port 0 lid 1 lmc 0
            [1][ext 3]\t"H-0000000000001000"[1](1001) \t\t# "a" lid 2 1xQDR
            [2][ext 4]\t"H-0000000000002000"[1](2001) \t\t# "b" lid 3 4xQDR

            Non-Chassis Nodes

            caguid=0x1000
            Ca\t1 "H-0000000000001000"\t\t# "a"
            [1](1001) \t"S-0000000000200000"[1][ext 3]\t\t# lid 2 lmc 0 "leaf" lid 1 4xQDR

            caguid=0x2000
            Ca\t1 "H-0000000000002000"\t\t# "b"
            [1](2001) \t"S-0000000000200000"[2][ext 4]\t\t# lid 3 lmc 0 "leaf" lid 1 4xQDR
            """;

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plan -R minhop --quick FILE",
                "plan --compare FILE",
                "what-if -R minhop --each link FILE",
                "traffic -R minhop --load 0.5 FILE",
                "suggest-conf FILE",
                "cabling --torus 3x3x1 FILE",
                "path -R minhop --simulate FILE a b"
            })
    void aGroupedOutputWithMessagesIsReadWithOneWarning(String words) throws Exception {
        Path file = Files.writeString(dir.resolve("grouped.topo"), GROUPED);
        Main.run(
                words.replace("FILE", file.toString()).split(" ", -1),
                TopologyFileFormsTest::noService,
                stream(out),
                stream(err));
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("passed over"))
                .containsExactly(
                        "torus-sm: warning: " + file + ": passed over 3 lines, first line 1: \"ibwarn: [2217] mad_rpc:"
                                + " _do_madrpc failed; dport (DR path sl..\"; 1 cable with unlike rates at its ends, the slower one"
                                + " is taken");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static SubnetManagerService noService(SmOptions options, SubnetManagerService.Host host) {
        throw new AssertionError("a daemon was started");
    }
}
