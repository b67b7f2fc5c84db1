package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policy file that is read: the named or the default file, again each time. After an error the previous policy
 * stays effective.
 */
class QosPolicyFileTest {
    private static final String GOOD = "qos-ulps\ndefault : 0\nsdp : 8\nend-qos-ulps\n";
    private static final String OTHER = "qos-ulps\ndefault : 8\nend-qos-ulps\n";

    /** Parses, but there is no such partition. */
    private static final String UNSUITABLE = "qos-ulps\ndefault : 8\nipoib, pkey 0x33 : 0\nend-qos-ulps\n";

    @TempDir
    Path dir;

    private final PublishedView view = Views.twoSwitches();
    private ReloadedFile<QosPolicy> reader = ReloadedFiles.qosPolicy(Path.of(""));

    @BeforeEach
    void begin() {
        reader = ReloadedFiles.qosPolicy(file());
    }

    @Test
    void withoutAFileThereIsNoPolicy() throws Exception {
        assertThat(reader.read(defaultOptions(), policy -> policy.check(view))).isSameAs(QosPolicy.NONE);
        assertThat(reader.check(defaultOptions())).isEmpty();
    }

    @Test
    void theDefaultFileIsReadAtEachSweepIfItExists() throws Exception {
        write(GOOD);
        assertThat(reader.readUnchecked(defaultOptions())).isEqualTo(policy(GOOD));
        assertThat(reader.read(defaultOptions(), policy -> policy.check(view))).isEqualTo(policy(GOOD));
        write(OTHER);
        assertThat(reader.read(defaultOptions(), policy -> policy.check(view))).isEqualTo(policy(OTHER));
        Files.delete(file());
        assertThat(reader.read(defaultOptions(), policy -> policy.check(view))).isSameAs(QosPolicy.NONE);
    }

    @Test
    void aFileThatDidNotChangeIsTheSamePolicy() throws Exception {
        write(GOOD);
        QosPolicy first = reader.read(defaultOptions(), policy -> policy.check(view));
        assertThat(reader.read(defaultOptions(), policy -> policy.check(view))).isSameAs(first);
    }

    @Test
    void withoutQosItIsNotRead() throws Exception {
        write("what");
        SmOptions options = options(Map.of(Settings.QOS_POLICY_FILE, file().toString()));
        assertThat(reader.read(options, policy -> policy.check(view))).isSameAs(QosPolicy.NONE);
        assertThat(reader.check(options)).isEmpty();
    }

    @Test
    void afterAnErrorTheActiveContentStays() throws Exception {
        write("what");
        assertThat(reader.readUnchecked(optionsWithFile())).isSameAs(QosPolicy.NONE);
        assertThat(reader.read(optionsWithFile(), policy -> policy.check(view)))
                .as("at the start")
                .isSameAs(QosPolicy.NONE);
        write(GOOD);
        QosPolicy good = reader.read(optionsWithFile(), policy -> policy.check(view));
        write(OTHER + "what\n");
        assertThat(reader.read(optionsWithFile(), policy -> policy.check(view))).isSameAs(good);
        write(UNSUITABLE);
        assertThat(reader.read(optionsWithFile(), policy -> policy.check(view)))
                .as("does not suit the subnet")
                .isSameAs(good);
        Files.delete(file());
        assertThat(reader.read(optionsWithFile(), policy -> policy.check(view)))
                .as("named, but gone")
                .isSameAs(good);
    }

    @Test
    void aReturnOfTheFileIsLoggedEvenIfItsContentIsTheSame() throws Exception {
        write(GOOD);
        reader.read(optionsWithFile());
        try (LoggedEvents log = new LoggedEvents().listen()) {
            write("what");
            reader.read(optionsWithFile());
            log.only(SmEvent.QOS_POLICY_KEPT);
            write(GOOD);
            reader.read(optionsWithFile());
            reader.read(optionsWithFile());
            log.only(SmEvent.QOS_POLICY_IN_FORCE);
            write("what");
            reader.read(optionsWithFile());
            write(OTHER);
            reader.read(optionsWithFile());
            assertThat(log.of(SmEvent.QOS_POLICY_IN_FORCE)).hasSize(2);
        }
    }

    @Test
    void aFileThatWasNamedMustBeThere() throws Exception {
        SmOptions options = optionsWithFile();
        assertThatThrownBy(() -> reader.check(options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file() + " cannot be read: there is no such file; see qos_policy_file");
    }

    @Test
    void theCheckNamesFileAndLineOfEachError() throws Exception {
        write("qos-ulps\nsdp : 16\nwhat\ndefault : 0\nend-qos-ulps");
        SmOptions options = optionsWithFile();
        assertThatThrownBy(() -> ConfigurationCheck.warnings(options))
                .isInstanceOfSatisfying(ConfigurationException.class, e -> assertThat(e.problems())
                        .satisfiesExactly(
                                first -> assertThat(first).startsWith(file() + ":2: "),
                                second -> assertThat(second).startsWith(file() + ":3: ")));
        write("qos-setup\nend-qos-setup\n" + GOOD);
        assertThat(ConfigurationCheck.warnings(options))
                .anyMatch(warning -> warning.startsWith(file() + ":1: qos-setup is read, but not used"));
        assertThat(reader.check(options)).extracting(Finding::severity).containsExactly(Finding.Severity.WARNING);
    }

    private static SmOptions options(Map<Setting<?>, String> values) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> overrides = new TreeMap<>();
        values.forEach((setting, value) -> overrides.put(setting, new Configuration.CommandLineValue("--test", value)));
        return Configuration.read(null, overrides);
    }

    private Path file() {
        return dir.resolve("qos-policy.conf");
    }

    private static SmOptions defaultOptions() throws ConfigurationException {
        return options(Map.of(Settings.QOS, "true"));
    }

    private SmOptions optionsWithFile() throws ConfigurationException {
        return options(Map.of(
                Settings.QOS, "true", Settings.ROUTING_ENGINE, "minhop", Settings.QOS_POLICY_FILE, file().toString()));
    }

    private QosPolicy policy(String text) {
        QosPolicy policy = QosPolicy.parse(file().toString(), text).policy();
        if (policy == null) {
            throw new AssertionError(text);
        }
        return policy;
    }

    private void write(String text) throws IOException {
        Files.writeString(file(), text);
    }
}
