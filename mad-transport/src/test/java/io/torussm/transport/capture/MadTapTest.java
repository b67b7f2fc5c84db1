package io.torussm.transport.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.testing.QuietTransport;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.ScriptedTransport;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class MadTapTest {
    private static final int RECORD_BYTES =
            InfinibandPcap.PACKET_HEADER + InfinibandPcap.ERF_HEADER + InfinibandPcap.MAD_OFFSET + 256 + 6;
    private static final long LARGE_LIMIT_BYTES = 1 << 20;

    @TempDir
    Path dir;

    private final MadTap tap = new MadTap(new QuietTransport());

    @AfterEach
    void close() {
        tap.close();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(tap.send(new MadFrame(new MadAddress(7, 0, 0, 0), new byte[256]), 0))
                    .isTrue();
        }
    }

    private MadTap.Capture awaitEnd() {
        MadTap.Capture capture = Objects.requireNonNull(tap.capture());
        while (capture.isRunning()) {
            Thread.onSpinWait();
            capture = Objects.requireNonNull(tap.capture());
        }
        return capture;
    }

    @Test
    void capturesFromStartToStop() throws Exception {
        Path file = dir.resolve("a.pcap");
        send(1);
        assertThat(tap.capture()).isNull();
        assertThat(tap.start(file, Duration.ofMinutes(1), LARGE_LIMIT_BYTES)).isTrue();
        assertThat(tap.start(dir.resolve("b.pcap"), Duration.ofMinutes(1), LARGE_LIMIT_BYTES))
                .as("a second one")
                .isFalse();
        send(3);
        tap.stop();
        send(1);
        assertThat(awaitEnd()).isEqualTo(new MadTap.Capture(file.toString(), 3, 0, false));
        assertThat(Files.size(file)).isEqualTo(InfinibandPcap.FILE_HEADER + 3L * RECORD_BYTES);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(tap.start(dir.resolve("b.pcap"), Duration.ofMinutes(1), LARGE_LIMIT_BYTES))
                .as("the next one")
                .isTrue();
    }

    @Test
    void forwardsAllReportsOfThePort() {
        ScriptedTransport port = new ScriptedTransport();
        port.returnsTimedOutRequests = true;
        List<String> heard = new ArrayList<>();
        try (MadTap before = new MadTap(port)) {
            before.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    heard.add("a frame" + (frame.isUndelivered() ? ", back" : ""));
                }

                @Override
                public void transportFailed(String reason) {
                    heard.add(reason);
                }

                @Override
                public void portChanged(boolean isUsable, String reason) {
                    heard.add(isUsable + reason);
                }
            });
            assertThat(before.returnsTimedOutRequests()).isTrue();
            assertThat(before.maxOutstanding()).isEqualTo(port.maxOutstanding);
            MadFrame frame = new MadFrame(MadAddress.DIRECTED, new byte[256]);
            port.deliver(frame);
            port.returnUndelivered(frame);
            port.changePort(false, ": no link");
            port.changePort(true, "");
            port.failPort("gone");
        }
        assertThat(heard).containsExactly("a frame", "a frame, back", "false: no link", "true", "gone");
    }

    @Test
    void endsWhereItsBoundsAre() throws Exception {
        Path file = dir.resolve("small.pcap");
        tap.start(file, Duration.ofMinutes(1), InfinibandPcap.FILE_HEADER + 2L * RECORD_BYTES);
        send(5);
        assertThat(awaitEnd().mads()).isEqualTo(2);
        assertThat(Files.size(file)).isEqualTo(InfinibandPcap.FILE_HEADER + 2L * RECORD_BYTES);
        tap.start(dir.resolve("short.pcap"), Duration.ZERO, LARGE_LIMIT_BYTES);
        assertThat(awaitEnd().mads()).isZero();
    }

    @Test
    void overwritesNothing() throws Exception {
        Path file = Files.writeString(dir.resolve("precious"), "text");
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("elsewhere"));
        for (Path each : new Path[] {file, link}) {
            assertThatThrownBy(() -> tap.start(each, Duration.ofMinutes(1), LARGE_LIMIT_BYTES))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(file).hasContent("text");
        assertThat(dir.resolve("elsewhere")).doesNotExist();
    }
}
