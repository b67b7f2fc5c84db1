package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.paths.PrefixRoutes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file is read, and what happens when it cannot be used. */
class PrefixRoutesFileTest {
    @TempDir
    Path dir;

    private static SmOptions options(Map<Setting, String> given) throws ConfigurationException {
        Map<Setting, Configuration.Given> overrides = new EnumMap<>(Setting.class);
        given.forEach((setting, value) -> overrides.put(setting, new Configuration.Given("--test", value)));
        return Configuration.read(null, overrides);
    }

    private Path file() {
        return dir.resolve("prefix-routes.conf");
    }

    private SmOptions named() throws ConfigurationException {
        return options(Map.of(Setting.PREFIX_ROUTES_FILE, file().toString()));
    }

    @Test
    void withoutAFileThereAreNoRoutes() throws Exception {
        assertThat(new PrefixRoutesFile(file()).routes(options(Map.of()))).isSameAs(PrefixRoutes.NONE);
    }

    @Test
    void theUsualFileIsReadIfItIsThereAndAgainEachTime() throws Exception {
        PrefixRoutesFile reader = new PrefixRoutesFile(file());
        Files.writeString(file(), "* *\n");
        assertThat(reader.routes(options(Map.of())).size()).isEqualTo(1);
        Files.writeString(file(), "0xfec0000000000001 *\n* *\n");
        assertThat(reader.routes(options(Map.of())).size()).isEqualTo(2);
    }

    @Test
    void afterAnErrorWhatWasInForceStays() throws Exception {
        PrefixRoutesFile reader = new PrefixRoutesFile(dir.resolve("none"));
        Files.writeString(file(), "* *\n");
        PrefixRoutes good = reader.routes(named());
        Files.writeString(file(), "* *\n* *\noops\n");
        assertThat(reader.routes(named())).isSameAs(good);
        Files.delete(file());
        assertThat(reader.routes(named())).isSameAs(good);
    }

    @Test
    void theCheckOfAConfigurationReadsItToo() throws Exception {
        SmOptions options =
                options(Map.of(Setting.ROUTING_ENGINE, "minhop", Setting.PREFIX_ROUTES_FILE, file().toString()));
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options))
                .hasMessageContaining(file() + " cannot be read: there is no such file; see prefix_routes_file");
        Files.writeString(file(), "* *\n\noops\n");
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options)).hasMessageContaining(file() + ":3: ");
        Files.writeString(file(), "* *\n");
        assertThat(ConfigurationCheck.warnings(options)).isEmpty();
    }
}
