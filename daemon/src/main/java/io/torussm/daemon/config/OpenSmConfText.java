package io.torussm.daemon.config;

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

/**
 * An opensm.conf with which OpenSM goes on as this SM rules: what both know under one name, where it is not OpenSM's default. The way
 * back of {@link OpenSmMigration}, over the same table. One use.
 */
public final class OpenSmConfText {
    /** Settings of ours that are not what OpenSM takes them for, or are better left to it. */
    private static final Set<String> LEFT_TO_OPENSM = Set.of("max_wire_smps", "sm_inactive");

    /** Under torus-2QoS, where they are others than OpenSM's; what is set goes before. */
    private static final Map<String, String> ARBITRATION = Map.of(
            "qos_high_limit", "0",
            "qos_vlarb_high", "0:0",
            "qos_vlarb_low", "0:64,1:64",
            "qos_swe_vlarb_low", "0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64");

    private final SmOptions inForce;
    private final Map<String, String> lines = new LinkedHashMap<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * What came of it.
     *
     * @param leftOut what OpenSM has no counterpart for, a line each
     */
    public record Result(String text, List<String> leftOut) {
        public Result {
            leftOut = List.copyOf(leftOut);
        }
    }

    private OpenSmConfText(SmOptions inForce) {
        this.inForce = inForce;
    }

    /**
     * Writes.
     *
     * @param inForce what this SM rules by, generated keys included
     * @param engine whose routes are in force; empty if none are
     * @param saDump the file of what hosts registered
     */
    public static Result of(SmOptions inForce, String engine, Path saDump) {
        OpenSmConfText conf = new OpenSmConfText(inForce);
        OpenSmMigration.options().forEach(conf::take);
        conf.takeEngines(engine);
        conf.takeArbitration(engine);
        conf.takeKeys();
        conf.lines.put("honor_guid2lid_file", "TRUE");
        conf.lines.put("sa_db_file", saDump.toString());
        conf.lines.put("sa_db_dump", "TRUE");
        return new Result(conf.text(), conf.leftOut);
    }

    private void take(String name, OpenSmMigration.Option option) {
        boolean isSpecialFile = OpenSmMigration.isFile(name);
        if (!option.disposition().equals("same") && !isSpecialFile || LEFT_TO_OPENSM.contains(name)) {
            return;
        }
        Setting<?> setting = Settings.ofKey(name);
        String value = setting == null ? "" : value(setting);
        boolean isUnset = value.isEmpty() || OpenSmMigration.canonical(value).equals(unset(option));
        if (!isUnset && !OpenSmMigration.canonical(value).equals(OpenSmMigration.canonical(option.standard()))) {
            lines.put(name, value);
        }
    }

    private static String unset(OpenSmMigration.Option option) {
        return option.standard().equals("(null)") ? "(null)" : OpenSmMigration.canonical(option.standard());
    }

    private String value(Setting<?> setting) {
        Object value = inForce.values().get(setting);
        Object inner = value instanceof Optional<?> optional
                ? optional.<Object>map(some -> some).orElse("")
                : value;
        if (inner instanceof Boolean flag) {
            return flag ? "TRUE" : "FALSE";
        }
        if (inner instanceof Long bits) {
            return Guid.format(bits);
        }
        return inner instanceof Integer || inner instanceof Path || "".equals(inner)
                ? inner.toString()
                : inForce.values().text(setting);
    }

    private void takeEngines(String engine) {
        List<String> wanted = Arrays.stream(inForce.routing().engines().split("[, \\t]+", -1))
                .map(name -> name.equals(AutoEngine.NAME) ? engine : name)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
        if (!wanted.isEmpty()) {
            lines.put("routing_engine", String.join(",", wanted));
        }
        List<String> own = inForce.routing().engineSettings().keySet().stream()
                .filter(name -> !OpenSmMigration.options().containsKey(name.substring(name.indexOf('.') + 1)))
                .sorted()
                .toList();
        if (!own.isEmpty()) {
            leftOut.add("settings that engines of torus-sm have alone: " + String.join(", ", own));
        }
    }

    private void takeArbitration(String engine) {
        boolean isSet = lines.keySet().stream().anyMatch(name -> name.contains("vlarb"));
        if (inForce.routing().qos() && engine.equals(Torus2QosEngine.NAME) && !isSet) {
            ARBITRATION.forEach(lines::putIfAbsent);
        }
    }

    /** Those in force, which may be none of the configuration file's. */
    private void takeKeys() {
        long mKey = inForce.sweep().mKey();
        if (mKey != 0) {
            lines.put("m_key", Guid.format(mKey));
        }
        lines.put("sm_key", Guid.format(inForce.mastership().trust().smKey()));
        lines.put("sa_key", Guid.format(inForce.mastership().trust().smKey()));
    }

    private String text() {
        StringBuilder text =
                new StringBuilder("# Configuration of OpenSM, written by torus-sm: the same LIDs, keys, routes, QoS and"
                        + " partitions.\n# Other options have OpenSM's defaults. It contains keys.\n");
        lines.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(line -> text.append(line.getKey())
                .append(' ')
                .append(line.getValue())
                .append('\n'));
        return text.toString();
    }
}
