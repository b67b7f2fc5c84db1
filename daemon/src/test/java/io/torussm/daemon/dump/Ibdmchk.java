package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * ibdmchk of ibutils, a program of others, on our dumps. Its exit code says nothing: after its verdict it
 * crashes, on the files of OpenSM as well.
 */
public final class Ibdmchk {
    private static final int TIMEOUT_S = 60;

    private Ibdmchk() {}

    /** Returns its output on the dumps in a directory. */
    public static String verdict(Path dumps) throws IOException, InterruptedException {
        Path output = dumps.resolve("ibdmchk.txt");
        Process process = new ProcessBuilder(List.of(
                        Programs.requireProgram("ibdmchk"),
                        "-s",
                        "opensm-subnet.lst",
                        "-f",
                        "opensm.fdbs",
                        "-m",
                        "opensm.mcfdbs",
                        "-c",
                        "opensm-path-sl.dump",
                        "-d",
                        "opensm-sl2vl.dump"))
                .directory(dumps.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }
}
