package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.SmEvent;
import io.torussm.paths.PrefixRoutes;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file of prefix routes that is read: the named or the default file, again each time. After an error the previous
 * content stays effective.
 */
class PrefixRoutesFileTest {
    @TempDir
    Path dir;

    @Test
    void withoutAFileThereAreNoRoutes() throws Exception {
        assertThat(ReloadedFiles.prefixRoutes(file()).read(options(Map.of()))).isSameAs(PrefixRoutes.NONE);
    }

    @Test
    void theDefaultFileIsReadAtEachSweepIfItExists() throws Exception {
        ReloadedFile<PrefixRoutes> reader = ReloadedFiles.prefixRoutes(file());
        Files.writeString(file(), "* *\n");
        assertThat(reader.read(options(Map.of())).size()).isEqualTo(1);
        Files.writeString(file(), "0xfec0000000000001 *\n* *\n");
        assertThat(reader.read(options(Map.of())).size()).isEqualTo(2);
    }

    @Test
    void afterAnErrorTheActiveContentStays() throws Exception {
        ReloadedFile<PrefixRoutes> reader = ReloadedFiles.prefixRoutes(dir.resolve("none"));
        Files.writeString(file(), "* *\n");
        PrefixRoutes good = reader.read(optionsWithFile());
        Files.writeString(file(), "* *\n* *\noops\n");
        assertThat(reader.read(optionsWithFile())).isSameAs(good);
        Files.delete(file());
        assertThat(reader.read(optionsWithFile())).isSameAs(good);
        Files.writeString(file(), "* *\n");
        try (LoggedEvents log = new LoggedEvents().listen()) {
            reader.read(optionsWithFile());
            log.only(SmEvent.PREFIX_ROUTES_TAKEN);
        }
    }

    @Test
    void theCheckOfAConfigurationReadsItToo() throws Exception {
        SmOptions options = options(Map.of(
                Settings.ROUTING_ENGINE, "minhop",
                Settings.PREFIX_ROUTES_FILE, file().toString(),
                Settings.M_KEY, "0x77",
                Settings.M_KEY_PROTECTION_LEVEL, "1",
                Settings.SM_KEY, "0x5e"));
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options))
                .hasMessageContaining(file() + " cannot be read: there is no such file; see prefix_routes_file");
        Files.writeString(file(), "* *\n\noops\n");
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options)).hasMessageContaining(file() + ":3: ");
        Files.writeString(file(), "* *\n");
        assertThat(ConfigurationCheck.warnings(options)).isEmpty();
    }

    private static SmOptions options(Map<Setting<?>, String> values) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> overrides = new TreeMap<>();
        values.forEach((setting, value) -> overrides.put(setting, new Configuration.CommandLineValue("--test", value)));
        return Configuration.read(null, overrides);
    }

    private Path file() {
        return dir.resolve("prefix-routes.conf");
    }

    private SmOptions optionsWithFile() throws ConfigurationException {
        return options(Map.of(Settings.PREFIX_ROUTES_FILE, file().toString()));
    }
}
