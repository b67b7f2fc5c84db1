package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.daemon.config.files.ReloadedFiles;
import io.torussm.qos.QosOptions;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The values of settings in the records of the stages. Each setting reaches the components of its name, and no other.
 */
class SettingValuesTest {
    /**
     * Settings without a component: {@link ReloadedFiles} reads its settings itself, and part_enforce takes
     * one over.
     */
    private static final Set<Setting<?>> WITHOUT_COMPONENT = Set.of(
            Settings.NO_PARTITION_ENFORCEMENT,
            Settings.PARTITION_CONFIG_FILE,
            Settings.QOS_POLICY_FILE,
            Settings.PREFIX_ROUTES_FILE,
            Settings.NODE_NAME_MAP_NAME,
            Settings.SITE_MAP);

    /** Texts of which each setting takes at least one that is not its default. */
    private static final List<String> TEXTS = List.of(
            "1",
            "2",
            "true",
            "false",
            "other",
            "0x1234",
            "127.0.0.1:7",
            "/tmp/other",
            "off",
            "warn",
            "error",
            "http://other/",
            "ties",
            "orders",
            "never",
            "LinkDownedCounter=10",
            "TSM-4007",
            "1:1",
            "0:1,4:2",
            "0x1/1 width=2",
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");

    @ParameterizedTest
    @MethodSource("all")
    void eachSettingReachesTheComponentsOfItsNameAndNoOther(Setting<?> setting) throws Exception {
        Map<String, Object> before = components(SmOptions.of(SettingValues.defaults()), "");
        Map<String, Object> after = components(SmOptions.of(changed(setting)), "");
        List<String> differing = new ArrayList<>();
        before.forEach((path, value) -> {
            if (!value.equals(after.get(path))) {
                differing.add(path.substring(path.lastIndexOf('.') + 1));
            }
        });
        if (WITHOUT_COMPONENT.contains(setting)) {
            assertThat(differing).isEmpty();
        } else {
            String own = setting.group() == SettingGroup.ARBITRATION ? setting.key() : setting.component();
            String name = isOfEngine(setting) ? "engineSettings" : own;
            assertThat(differing).as(setting.key()).isNotEmpty().containsOnly(name);
        }
    }

    @Test
    void eachConstantHasTheNameOfItsSetting() throws Exception {
        for (Field field : Settings.class.getFields()) {
            assertThat(Modifier.isStatic(field.getModifiers())).isTrue();
            Setting<?> setting = (Setting<?>) Objects.requireNonNull(field.get(null));
            assertThat(setting.key()).isEqualTo(field.getName().toLowerCase(Locale.ROOT));
        }
    }

    /** A record with a component without a setting. */
    public record Stray(int noSuchSetting) {}

    /** A number is no text. */
    public record Mistyped(String lmc) {}

    @Test
    void refusesComponentsThatNoSettingSuits() {
        assertThatIllegalStateException()
                .isThrownBy(() -> SettingValues.defaults().toRecord(Stray.class))
                .withMessageContaining("no setting for noSuchSetting");
        assertThatIllegalStateException()
                .isThrownBy(() -> SettingValues.defaults().toRecord(Mistyped.class));
    }

    private static Collection<Setting<?>> all() {
        return Settings.all();
    }

    private static SettingValues changed(Setting<?> setting) {
        SettingValues standard = SettingValues.defaults();
        return TEXTS.stream()
                .flatMap(text -> with(standard, setting, text))
                .filter(values -> !standard.changed(values).isEmpty())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no text changes " + setting.key()));
    }

    private static Stream<SettingValues> with(SettingValues values, Setting<?> setting, String text) {
        try {
            return Stream.of(values.with(setting, text));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    /** Returns all components below a record, by path. */
    private static Map<String, Object> components(Record made, String path) throws ReflectiveOperationException {
        Map<String, Object> components = new TreeMap<>();
        for (RecordComponent component : made.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(made);
            String name = path + "." + component.getName();
            if (value instanceof QosOptions qos) {
                qos.sets().forEach((set, values) -> components.putAll(qos(set, values)));
            } else if (value instanceof Record inner) {
                components.putAll(components(inner, name));
            } else if (!(value instanceof SettingValues)) {
                components.put(name, String.valueOf(value));
            }
        }
        return components;
    }

    private static Map<String, Object> qos(QosOptions.PortSet set, QosOptions.Values values) {
        return Map.of(
                "." + set.prefix() + "max_vls", values.maxVls(),
                "." + set.prefix() + "high_limit", values.highLimit(),
                "." + set.prefix() + "vlarb_high", values.vlarbHigh(),
                "." + set.prefix() + "vlarb_low", values.vlarbLow(),
                "." + set.prefix() + "sl2vl", values.sl2vl());
    }

    private static boolean isOfEngine(Setting<?> setting) {
        return Engines.ALL.stream()
                .flatMap(engine -> engine.settings().stream())
                .anyMatch(each -> each.key().equals(setting.key()));
    }
}
