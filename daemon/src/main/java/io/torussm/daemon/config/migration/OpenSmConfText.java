package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.ValueType;
import io.torussm.mad.Guid;
import io.torussm.routing.auto.AutoEngine;
import io.torussm.torus2qos.Torus2QosEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The writer of an opensm.conf with which OpenSM can replace this SM. The file contains the settings that
 * both programs share and whose value is not the default of OpenSM. This is the inverse of {@link OpenSmMigration},
 * with the same table. An instance is used once.
 */
public final class OpenSmConfText {
    /** Settings whose meaning differs in OpenSM, or for which the default of OpenSM is better. */
    private static final Set<String> LEFT_TO_OPENSM = Set.of("max_wire_smps", "sm_inactive");

    /** The defaults of VL arbitration of this program under torus-2QoS that OpenSM does not have. */
    private static final Map<String, String> ARBITRATION = Map.of(
            "qos_high_limit", "0",
            "qos_vlarb_high", "0:0",
            "qos_vlarb_low", "0:64,1:64",
            "qos_swe_vlarb_low", "0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64");

    private final SmOptions active;
    private final Map<String, String> lines = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * The result of a conversion.
     *
     * @param text text of the opensm.conf
     * @param leftOut settings without a counterpart in OpenSM, one line each
     */
    public record ConvertedText(String text, List<String> leftOut) {
        public ConvertedText {
            leftOut = List.copyOf(leftOut);
        }
    }

    private OpenSmConfText(SmOptions active) {
        this.active = active;
    }

    /**
     * Returns the text of an opensm.conf.
     *
     * @param active the effective options, generated keys included
     * @param engine the engine of the active routes; empty if there are none
     * @param saDump file with the registrations of hosts
     */
    public static ConvertedText of(SmOptions active, String engine, Path saDump) {
        OpenSmConfText conf = new OpenSmConfText(active);
        OpenSmOption.all().values().forEach(conf::addOption);
        conf.addEngines(engine);
        conf.addArbitration(engine);
        conf.addKeys();
        conf.lines.put("honor_guid2lid_file", "TRUE");
        conf.lines.put("sa_db_file", saDump.toString());
        conf.lines.put("sa_db_dump", "TRUE");
        return new ConvertedText(conf.text(), conf.leftOut);
    }

    private void addOption(OpenSmOption option) {
        String name = option.name();
        boolean isShared = option.disposition() == OpenSmOption.Disposition.SAME || MigratedFiles.hasOwnName(name);
        if (!isShared || LEFT_TO_OPENSM.contains(name)) {
            return;
        }
        Setting<?> setting = Settings.ofKey(name);
        String value = setting == null ? "" : value(setting);
        boolean isUnset = value.isEmpty() || OptionValues.canonical(value).equals(unset(option));
        if (!isUnset && !OptionValues.canonical(value).equals(OptionValues.canonical(option.standard()))) {
            lines.put(name, value);
        }
    }

    private static String unset(OpenSmOption option) {
        return option.isUnsetByDefault() ? OptionValues.UNSET : OptionValues.canonical(option.standard());
    }

    private String value(Setting<?> setting) {
        Object value = active.values().get(setting);
        Object inner = value instanceof Optional<?> optional
                ? optional.<Object>map(some -> some).orElse("")
                : value;
        if (inner instanceof Boolean flag) {
            return flag ? "TRUE" : "FALSE";
        }
        if (inner instanceof Long bits) {
            return Guid.format(bits);
        }
        boolean isPlain = inner instanceof Integer && !(setting.type() instanceof ValueType.Parsed<?>);
        return isPlain || inner instanceof Path || "".equals(inner)
                ? inner.toString()
                : active.values().text(setting);
    }

    private void addEngines(String engine) {
        List<String> wanted = Arrays.stream(active.routing().engines().split("[, \\t]+", -1))
                .map(name -> name.equals(AutoEngine.NAME) ? engine : name)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        if (!wanted.isEmpty()) {
            lines.put("routing_engine", String.join(",", wanted));
        }
        List<String> own = active.routing().engineSettings().keySet().stream()
                .filter(name -> !OpenSmOption.all().containsKey(name.substring(name.indexOf('.') + 1)))
                .sorted()
                .toList();
        if (!own.isEmpty()) {
            leftOut.add("settings that engines of torus-sm have alone: " + String.join(", ", own));
        }
    }

    private void addArbitration(String engine) {
        boolean isSet = lines.keySet().stream().anyMatch(name -> name.contains("vlarb"));
        if (active.routing().qos() && engine.equals(Torus2QosEngine.NAME) && !isSet) {
            ARBITRATION.forEach(lines::putIfAbsent);
        }
    }

    /** Adds the effective keys, which the configuration file may not contain. */
    private void addKeys() {
        long mKey = active.sweep().mKey();
        if (mKey != 0) {
            lines.put("m_key", Guid.format(mKey));
        }
        lines.put("sm_key", Guid.format(active.mastership().trust().smKey()));
        lines.put("sa_key", Guid.format(active.mastership().trust().smKey()));
    }

    private String text() {
        StringBuilder text =
                new StringBuilder("# Configuration of OpenSM, written by torus-sm: the same LIDs, keys, routes, QoS and"
                        + " partitions.\n# Other options have OpenSM's defaults. It contains keys.\n");
        lines.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(
                        line -> values(line.getKey(), line.getValue()).map(value -> line.getKey() + ' ' + value + '\n'))
                .forEach(text::append);
        return text.toString();
    }

    /** Returns the values of an option, each for a line: some options of OpenSM have a line for each SL. */
    private static Stream<String> values(String name, String value) {
        return OpenSmConf.BY_SL.contains(name)
                ? Arrays.stream(value.split(",", -1)).map(ofSl -> ofSl.strip().replace(':', ' '))
                : Stream.of(value);
    }
}
