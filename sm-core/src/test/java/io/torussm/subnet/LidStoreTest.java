package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LidStoreTest {
    @TempDir
    Path dir;

    @Test
    void startsEmptyAndMakesItsDirectory() throws IOException {
        LidStore store = LidStore.open(dir.resolve("a/b"));
        assertThat(store.lids()).isEmpty();
        assertThat(dir.resolve("a/b")).isDirectory();
    }

    @Test
    void readsTheFileThatOpenSmWrites() throws IOException {
        Files.writeString(
                dir.resolve("guid2lid"), "0x0000000100000001 0x0004 0x0004\n\n0x0000000000200000 0x0008 0x000b\n\n");
        assertThat(LidStore.open(dir).lids())
                .containsEntry(0x100000001L, 4)
                .containsEntry(0x200000L, 8)
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x1 0x4",
                "0x1 0x4 0x4 0x5",
                "guid 0x4 0x4",
                "0x1 four 0x4",
                "0x0 0x4 0x4",
                "0x1 0x0 0x0",
                "0x1 0xc000 0xc000",
                "0x1 0x5 0x4",
                "0x1 0x4 0x6",
                "0x1 0x5 0x6",
                "0x1 0x4 0x4\n0x2 0x4 0x4",
                "0x1 0x4 0x4\n0x1 0x5 0x5",
                "\u0000\u0001\u0002"
            })
    void setsADamagedFileAsideAndTrustsNoneOfIt(String text) throws IOException {
        Files.writeString(dir.resolve("guid2lid"), "0x7 0x9 0x9\n" + text + "\n");
        assertThat(LidStore.open(dir).lids()).isEmpty();
        assertThat(dir.resolve("guid2lid")).doesNotExist();
        assertThat(dir.resolve("guid2lid.bad")).content().contains("0x7 0x9 0x9");
    }
}
