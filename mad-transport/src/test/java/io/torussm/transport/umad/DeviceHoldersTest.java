package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for real processes, with a file in place of a device. */
class DeviceHoldersTest {
    @TempDir
    Path dir;

    @Test
    void namesOtherProcessesThatHaveADeviceOpen() throws IOException {
        Path device = Files.createFile(dir.resolve("issm0")).toRealPath();
        assertThat(DeviceHolders.of(device)).isEmpty();
        // cat keeps its output open until its input ends.
        Process holder =
                new ProcessBuilder("cat").redirectOutput(device.toFile()).start();
        try {
            holder.getOutputStream().flush();
            assertThat(DeviceHolders.of(device))
                    .singleElement()
                    .asString()
                    .contains("pid " + holder.pid(), ", since 2");
        } finally {
            holder.destroyForcibly().onExit().join();
        }
        assertThat(DeviceHolders.of(device)).isEmpty();
    }
}
