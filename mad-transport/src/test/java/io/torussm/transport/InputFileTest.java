package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.sim.topology.TopologyText;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.transport.capture.CaptureReader;
import io.torussm.transport.capture.FramePcap;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
    @TempDir
    Path dir;

    /** A way to read a file. */
    private interface Reading {
        Object of(Path file) throws Exception;
    }

    private static final List<Reading> READINGS =
            List.of(CaptureReader::read, SnapshotFile::read, TopologyText::read, file -> FrameFile.read(file));

    /** Frames as replay reads them. */
    private interface FrameFile {
        static Object read(Path file) throws IOException {
            try (InputStream in = InputFile.open(file)) {
                FramePcap.read(in, file.toString(), 0, (from, time, frame) -> {});
                return file;
            }
        }
    }

    @Test
    @Timeout(30)
    void aFifoIsRefusedAtOnce() throws Exception {
        Path fifo = dir.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        for (Reading reading : READINGS) {
            assertThatThrownBy(() -> reading.of(fifo)).hasMessageContaining("FIFO");
            assertThatThrownBy(() -> reading.of(dir)).hasMessageContaining("directory");
        }
        assertThat(SnapshotFile.isSnapshot(fifo)).isFalse();
        assertThat(CaptureReader.isCapture(fifo)).isFalse();
    }

    @Test
    void damageOfCompressedDataNamesFileAndRemedy() throws Exception {
        byte[] text = "some text, again and again ".repeat(500).getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
            zipped.write(text);
        }
        byte[] whole = out.toByteArray();
        assertThat(InputFile.content(new ByteArrayInputStream(whole), "f").readAllBytes())
                .isEqualTo(text);
        for (int at = 2; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) 0xff;
            try {
                InputFile.content(new ByteArrayInputStream(damaged), "the-file").readAllBytes();
            } catch (EOFException e) {
                // it ends early; the reaction depends on the format
            } catch (IOException e) {
                assertThat(e).hasMessageStartingWith("the-file: it").hasMessageEndingWith("copy or record it again");
            }
        }
        assertThatThrownBy(() -> InputFile.content(new ByteArrayInputStream(whole, 0, 5), "the-file"))
                .hasMessage("the-file: it ends within its first bytes; copy or record it again");
        Path cut = Files.write(dir.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
        for (Reading reading : READINGS) {
            assertThatThrownBy(() -> reading.of(cut)).hasMessageContaining("cut");
        }
    }
}
