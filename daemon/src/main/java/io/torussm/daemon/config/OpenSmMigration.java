package io.torussm.daemon.config;

import com.typesafe.config.ConfigUtil;
import io.torussm.routing.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a configuration of ours from an opensm.conf. What every option of OpenSM becomes stands in
 * {@code opensm-options.txt}; an option that has OpenSM's default was not decided by anybody and is left out, but for
 * the routing engine, which decides what the fabric is.
 */
public final class OpenSmMigration {
    private static final String TABLE = "/opensm-options.txt";
    private static final Set<String> ENGINES =
            Engines.ALL.stream().map(Engine::name).collect(Collectors.toUnmodifiableSet());
    private static final String OWN_DIRECTORY = "/etc/torus-sm/";

    /** Files that OpenSM and this program read alike, and where ours are. */
    private static final Map<String, String> FILES = Map.of(
            "torus_config", OWN_DIRECTORY + "torus-2QoS.conf",
            "partition_config_file", OWN_DIRECTORY + "partitions.conf",
            "qos_policy_file", OWN_DIRECTORY + "qos-policy.conf",
            "prefix_routes_file", OWN_DIRECTORY + "prefix-routes.conf");

    /** OpenSM's defaults of VL arbitration: VL 0 goes first, all others share what is left. */
    private static final Map<String, String> ARBITRATION = Map.of(
            "qos_vlarb_high", "0:4", "qos_vlarb_low", "1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4");

    /**
     * What came of it.
     *
     * @param text of our configuration file
     * @param holdsKeys whether the text has an M_Key or SM_Key, which not everybody may read
     * @param report for the operator, lines
     */
    public record Result(String text, boolean holdsKeys, List<String> report) {
        public Result {
            report = List.copyOf(report);
        }
    }

    /**
     * What becomes of an option of OpenSM.
     *
     * @param standard OpenSM's default
     * @param disposition {@code same}, {@code special}, or {@code none: } and why
     */
    record Option(String standard, String disposition) {}

    /** A setting to be written: its value in HOCON, and where it comes from. */
    private record Taken(String value, String origin) {}

    private final OpenSmConf conf;
    private final Map<Setting<?>, Taken> taken = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private final Map<String, List<String>> unneeded = new TreeMap<>();
    private final List<String> standard = new ArrayList<>();
    private final List<String> installed = new ArrayList<>();
    private final List<String> different = new ArrayList<>();
    private final List<String> todo = new ArrayList<>();

    private OpenSmMigration(OpenSmConf conf) {
        this.conf = conf;
    }

    /**
     * Reads an opensm.conf.
     *
     * @throws ConfigurationException if it cannot be read, or a value in it cannot be taken over, with file and line
     */
    public static Result of(Path file) throws ConfigurationException {
        OpenSmMigration migration = new OpenSmMigration(OpenSmConf.read(file));
        Map<String, Option> options = options();
        migration.conf.items().values().forEach(item -> migration.take(item, options.get(item.name())));
        if (!migration.conf.items().containsKey("routing_engine")) {
            migration.takeEngines(new OpenSmConf.Item("routing_engine", "(null)", 0));
        }
        migration.keepArbitration(options);
        if (!migration.problems.isEmpty()) {
            throw new ConfigurationException(migration.problems);
        }
        boolean holdsKeys = migration.taken.containsKey(Settings.M_KEY) || migration.taken.containsKey(Settings.SM_KEY);
        if (holdsKeys) {
            migration.todo.add("chgrp rdma the configuration file, and keep its mode at 0640: it holds keys");
        }
        return new Result(migration.text(), holdsKeys, migration.report());
    }

    /** Whether an option names a file that OpenSM and this program read alike. */
    static boolean isFile(String option) {
        return FILES.containsKey(option);
    }

    /** All options of OpenSM, by name. */
    static Map<String, Option> options() {
        try (InputStream in = Objects.requireNonNull(OpenSmMigration.class.getResourceAsStream(TABLE))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 3))
                    .collect(Collectors.toMap(
                            words -> words[0],
                            words -> new Option(words[1], words[2]),
                            (first, second) -> first,
                            LinkedHashMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(OpenSmConf.Item item, @Nullable Option option) {
        if (option == null) {
            lost.add(shown(item) + ": no option that is known of OpenSM, which ignores it too");
        } else if (option.disposition().equals("special")) {
            takeSpecial(item, option);
        } else if (option.disposition().startsWith("none: ")) {
            String why = option.disposition().substring("none: ".length());
            if (isStandard(item, option)) {
                unneeded.computeIfAbsent(why, key -> new ArrayList<>()).add(item.name());
            } else {
                lost.add(shown(item) + ": " + why);
            }
        } else if (isStandard(item, option)) {
            leave(item);
        } else {
            put(setting(item.name()), item.value(), item);
        }
    }

    private void takeSpecial(OpenSmConf.Item item, Option option) {
        if (item.name().equals("routing_engine")) {
            takeEngines(item);
        } else if (FILES.containsKey(item.name())) {
            takeFile(item, option);
        } else if (isStandard(item, option)) {
            leave(item);
        } else if (item.name().equals("log_flags")) {
            takeLogFlags(item);
        } else if (item.name().equals("log_file")) {
            put(Settings.LOG_FILE, item.value().equals("stdout") ? "stdout" : "/var/log/torus-sm/torus-sm.log", item);
        } else {
            put(Settings.DUMP_FILES_DIR, item.value(), item);
            todo.add("let user torus-sm write to " + item.value() + ", and name it in ReadWritePaths= of the unit"
                    + " (systemctl edit torus-sm), or choose /var/log/torus-sm");
        }
    }

    private void takeEngines(OpenSmConf.Item item) {
        List<String> wanted = item.isUnset()
                ? List.of("minhop")
                : Arrays.stream(item.value().split("[, \\t]+", -1)).toList();
        List<String> known = wanted.stream().filter(ENGINES::contains).toList();
        wanted.stream()
                .filter(engine -> !known.contains(engine) && !engine.equals("no_fallback"))
                .forEach(engine -> lost.add(shown(item) + ": there is no engine " + engine));
        if (known.isEmpty()) {
            todo.add("choose a routing_engine: "
                    + String.join(" or ", ENGINES.stream().sorted().toList()) + "; until then it is minhop");
        }
        put(Settings.ROUTING_ENGINE, known.isEmpty() ? "minhop" : String.join(",", known), item);
    }

    /**
     * Under torus-2QoS our defaults of VL arbitration are others than OpenSM's, which switches and hosts hold: what they hold is
     * not changed by a change of the SM.
     */
    private void keepArbitration(Map<String, Option> options) {
        OpenSmConf.Item qos = conf.items().get("qos");
        if (qos == null || !qos.value().equals("TRUE") || !usesTorus()) {
            return;
        }
        for (Map.Entry<String, String> each : ARBITRATION.entrySet()) {
            OpenSmConf.Item item = conf.items().get(each.getKey());
            if (item == null || isStandard(item, Objects.requireNonNull(options.get(each.getKey())))) {
                standard.remove(each.getKey());
                put(setting(each.getKey()), each.getValue(), new OpenSmConf.Item(each.getKey(), "(null)", 0));
            }
        }
        todo.add(
                "the weights of VLs are OpenSM's defaults, which are unfair under torus-2QoS; remove qos_vlarb_high and"
                        + " qos_vlarb_low one day, and every port is given equal ones");
    }

    /** Where ours is read without being named, only the copy is to be made. */
    private void takeFile(OpenSmConf.Item item, Option option) {
        boolean isTorus = item.name().equals("torus_config");
        boolean isWanted = isTorus ? usesTorus() : !isStandard(item, option) || Files.exists(Path.of(item.value()));
        if (item.isUnset() || !isWanted) {
            standard.add(item.name());
            return;
        }
        String own = FILES.get(item.name());
        todo.add("install -m 0644 " + item.value() + " " + own
                + (Files.exists(Path.of(item.value())) ? "" : "   # which is not there now"));
        if (isTorus) {
            put(Settings.TORUS_CONFIG, Objects.requireNonNull(own), item);
        } else {
            installed.add(item.name());
        }
    }

    private boolean usesTorus() {
        OpenSmConf.Item engines = conf.items().get("routing_engine");
        return engines != null
                && Arrays.asList(engines.value().split("[, \\t]+", -1)).contains("torus-2QoS");
    }

    private void takeLogFlags(OpenSmConf.Item item) {
        try {
            put(Settings.LOG_LEVEL, SmOptions.Log.levelOfFlags(Integer.decode(item.value())), item);
        } catch (NumberFormatException e) {
            problems.add(conf.where(item) + ": log_flags must be a number, not \"" + item.value() + "\"");
        }
    }

    private void put(Setting<?> setting, String value, OpenSmConf.Item item) {
        String ours = setting.isFlag() ? flag(item) : decimal(value);
        try {
            setting.kind().read(ours);
        } catch (IllegalArgumentException e) {
            problems.add(conf.where(item) + ": " + item.name() + " " + e.getMessage() + ", not \"" + value
                    + "\"; correct it, or remove the line");
            return;
        }
        boolean isBare = setting.isFlag() || ours.matches("-?[0-9]+|0[xX][0-9a-fA-F]+");
        taken.put(
                setting,
                new Taken(
                        isBare ? ours : ConfigUtil.quoteString(ours),
                        item.line() == 0
                                ? "OpenSM's default"
                                : "line " + item.line() + ": " + item.name() + " " + shownValue(item)));
    }

    /** OpenSM takes whatever is not TRUE, in capitals, for false. */
    private String flag(OpenSmConf.Item item) {
        if (!item.value().matches("TRUE|FALSE")) {
            lost.add(shown(item) + ": neither TRUE nor FALSE, which OpenSM takes for FALSE");
        }
        return Boolean.toString(item.value().equals("TRUE"));
    }

    /** OpenSM reads a number that begins with 0 as octal, we do not. */
    private static String decimal(String value) {
        return value.matches("0[0-7]{1,20}") ? Long.toString(Long.parseLong(value, 8)) : value;
    }

    private void leave(OpenSmConf.Item item) {
        String ours = item.name().equals("log_flags")
                ? item.value()
                : setting(item.name()).standard();
        if (canonical(item.isUnset() ? "" : item.value()).equals(canonical(ours))) {
            standard.add(item.name());
        } else {
            different.add(item.name() + ": " + item.value() + " there, " + (ours.isEmpty() ? "\"\"" : ours) + " here");
        }
    }

    private static Setting<?> setting(String name) {
        return Objects.requireNonNull(Settings.ofKey(name), name);
    }

    private static boolean isStandard(OpenSmConf.Item item, Option option) {
        return canonical(item.value()).equals(canonical(option.standard()));
    }

    /** Equal for equal values, however they are written. */
    static String canonical(String value) {
        try {
            return Long.toUnsignedString(io.torussm.mad.Guid.parse(decimal(value)));
        } catch (NumberFormatException e) {
            return value.toLowerCase(Locale.ROOT);
        }
    }

    private String shown(OpenSmConf.Item item) {
        return (item.line() == 0 ? conf.file() : conf.where(item)) + ": " + item.name() + " " + shownValue(item);
    }

    /** Keys never show in what is printed. */
    private static String shownValue(OpenSmConf.Item item) {
        return item.name().endsWith("_key") ? "..." : item.value();
    }

    private String text() {
        StringBuilder text = new StringBuilder("# Configuration of torus-sm, made by torus-sm migrate-conf from "
                + conf.file() + ".\n# What is not set here has its default; see torus-sm.conf(5).\n");
        taken.forEach((setting, value) -> text.append("\n# ")
                .append(setting.meaning())
                .append("\n# (")
                .append(value.origin())
                .append(")\n")
                .append(setting.key())
                .append(" = ")
                .append(value.value())
                .append('\n'));
        if (!lost.isEmpty()) {
            text.append("\n# Without a counterpart:\n");
            lost.forEach(line -> text.append("# ").append(line).append('\n'));
        }
        return text.toString();
    }

    private List<String> report() {
        List<String> report = new ArrayList<>();
        section(
                report,
                "taken over",
                Stream.concat(taken.keySet().stream().map(Setting::key), installed.stream())
                        .toList(),
                true);
        section(report, "set, but without a counterpart", lost, false);
        section(report, "left at OpenSM's default, which is not ours; ours is used", different, false);
        section(report, "left at OpenSM's default, which is ours too", standard, true);
        section(
                report,
                "without a counterpart, and left at OpenSM's default",
                unneeded.entrySet().stream()
                        .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
                        .toList(),
                false);
        section(report, "to do", todo, false);
        return report;
    }

    private static void section(List<String> report, String title, List<String> lines, boolean isOneLine) {
        if (!lines.isEmpty()) {
            report.add(title + ":");
            (isOneLine ? List.of(String.join(", ", lines)) : lines).forEach(line -> report.add("  " + line));
        }
    }
}
