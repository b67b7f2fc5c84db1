package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.opensm.SaDump;
import io.torussm.daemon.proof.CertificateFile;
import io.torussm.daemon.shadow.OfflineShadow;
import io.torussm.daemon.system.ExitCode;
import io.torussm.recording.RecordingFile;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.testing.KeptInputs;
import io.torussm.transport.capture.CaptureReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of any bytes: a reader takes them, or its error names them. */
class FilesFuzzTest {
    private static final Path FILE = file();

    /** The reader of a kind of file. It throws an error with the name of the file, or returns. */
    private interface Reader {
        void read(Path file) throws Exception;
    }

    private static final List<Reader> READERS = List.of(
            CaptureReader::read,
            file -> {
                try (InputStream in = Files.newInputStream(file)) {
                    RecordingFile.read(in, file.toString());
                }
            },
            file -> {
                try (InputStream in = Files.newInputStream(file)) {
                    SnapshotFile.read(in, file.toString());
                }
            },
            TopologyText::read,
            CertificateFile::read,
            SaDump::read,
            OfflineShadow::read,
            configuration("minhop", "--config"),
            configuration("torus-2QoS", "--torus_config"),
            configuration("minhop", "--Pconfig"),
            configuration("minhop", "--qos_policy_file"),
            configuration("minhop", "--prefix_routes_file"),
            configuration("minhop", "--node_name_map_name"),
            configuration("minhop", "--site_map"),
            configuration("updn", "--root_guid_file"),
            configuration("ftree", "--cn_guid_file"),
            configuration("minhop", "--hop_weights_file"),
            configuration("file", "--lfts_file"),
            configuration("file", "--lid_matrix_file"));

    /** Runs an input of the fuzzer, whose first byte selects the reader. */
    public static void fuzzerTestOneInput(byte[] data) throws Exception {
        if (data.length == 0) {
            return;
        }
        Files.write(FILE, Arrays.copyOfRange(data, 1, data.length));
        try {
            READERS.get((data[0] & 0xff) % READERS.size()).read(FILE);
        } catch (IOException | ConfigurationException | TopologyException e) {
            assertThat(e).hasMessageContaining(FILE.getFileName().toString());
        }
    }

    static Stream<byte[]> inputs() {
        return KeptInputs.of(FilesFuzzTest.class).stream();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void aFileIsTakenOrTheErrorNamesIt(byte[] data) throws Exception {
        fuzzerTestOneInput(data);
    }

    private static Reader configuration(String engine, String option) {
        return file -> {
            ConfigurationCheck check = ConfigurationCheck.run("-Q", "-R", engine, option, file.toString());
            assertThat(check.code()).as(check.output()).isIn(ExitCode.OK, ExitCode.BAD_CONFIGURATION);
            assertThat(check.output()).doesNotContain("internal error", "Exception");
            if (check.code() != ExitCode.OK) {
                throw new ConfigurationException(List.of(check.output()));
            }
        };
    }

    private static Path file() {
        try {
            Path directory = Files.createTempDirectory("torus-sm-fuzz");
            directory.toFile().deleteOnExit();
            Path file = directory.resolve("the-file");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
