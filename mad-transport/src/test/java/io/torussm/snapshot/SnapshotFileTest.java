package io.torussm.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.sim.RecordedFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.topology.TopologyException;
import io.torussm.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class SnapshotFileTest {
    private static final int MUTATIONS = 2_000;

    private static String write() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SnapshotFile.write(SnapshotDifferenceTest.smallSnapshot(), out);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static FabricSnapshot read(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
            zipped.write(text.getBytes(UTF_8));
        }
        return SnapshotFile.read(new ByteArrayInputStream(out.toByteArray()), "file");
    }

    @Test
    void writtenFilesCanBeRead() throws Exception {
        assertThat(read(write())).isEqualTo(SnapshotDifferenceTest.smallSnapshot());
    }

    @Test
    void errorsAreNamedWithTheirLines() throws Exception {
        String text = write();
        assertThatThrownBy(() -> read(text.replaceFirst("\nr ", "\nr zz")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("file line 5 cannot be used");
        assertThatThrownBy(() -> read(text.replace("# end\n", "")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it was cut off");
        assertThatThrownBy(() -> read("something else\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no snapshot");
        assertThatThrownBy(() -> read(text.replaceFirst("cable (\\S+) \\d+", "cable $1 200")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a cable at a port that it does not have");
    }

    /** A file is either rejected with a message or gives a fabric. */
    @Test
    void mutatedFilesAreRefusedOrMakeAFabric() throws Exception {
        String text = write();
        Random random = Seeds.random(1);
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            StringBuilder mutant = new StringBuilder(text);
            for (int change = random.nextInt(3); change >= 0; change--) {
                int at = random.nextInt(mutant.length());
                switch (random.nextInt(3)) {
                    case 0 -> mutant.setCharAt(at, "0123456789abcdef \n-".charAt(random.nextInt(19)));
                    case 1 -> mutant.deleteCharAt(at);
                    default -> mutant.insert(at, "0f \n9".charAt(random.nextInt(5)));
                }
            }
            try {
                RecordedFabric.of(read(mutant.toString())).start(new VirtualLoop());
            } catch (IOException | TopologyException e) {
                assertThat(e).hasMessageMatching("(?s).{10,}");
                refused++;
            }
        }
        assertThat(refused).isBetween(MUTATIONS / 10, MUTATIONS - 1);
    }
}
