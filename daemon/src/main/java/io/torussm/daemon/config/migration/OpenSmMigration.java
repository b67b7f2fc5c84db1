package io.torussm.daemon.config.migration;

import com.typesafe.config.ConfigUtil;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.ValueType;
import io.torussm.deadlock.chain.EngineNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The converter from an opensm.conf to a configuration of this program. {@code opensm-options.txt} lists the action for
 * every option of OpenSM. An option with the default of OpenSM is left out, because the operator did not choose it. The
 * exception is the routing engine, which determines the routes of the fabric. An instance is used once.
 */
public final class OpenSmMigration {
    private static final String UNSET = "(null)";
    private static final String TABLE = "/opensm-options.txt";
    private static final Path OWN_DIRECTORY = Path.of("/etc/torus-sm");

    /** Options whose files have a default name in OpenSM, with the names of the files in this program. */
    private static final Map<String, String> FILES = Map.of(
            "torus_config", "torus-2QoS.conf",
            "partition_config_file", "partitions.conf",
            "qos_policy_file", "qos-policy.conf",
            "prefix_routes_file", "prefix-routes.conf");

    /** The defaults of VL arbitration of OpenSM: VL 0 has precedence, all other VLs share the rest. */
    private static final Map<String, String> ARBITRATION = Map.of(
            "qos_vlarb_high", "0:4", "qos_vlarb_low", "1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4");

    /**
     * The result of a conversion.
     *
     * @param text text of the configuration file
     * @param holdsKeys whether the text contains a key, so that its readers must be restricted
     * @param files files that the text names, or that this program reads by their default names
     * @param report lines of the report for the operator; with commands that copy the files, unless the caller copies
     *     them
     */
    public record ConvertedConf(String text, boolean holdsKeys, List<CopiedFile> files, List<String> report) {
        public ConvertedConf {
            files = List.copyOf(files);
            report = List.copyOf(report);
        }
    }

    /**
     * The action for an option of OpenSM.
     *
     * @param standard default of OpenSM
     * @param disposition the action: {@code same}, {@code special}, or {@code none: } with the reason
     */
    record Option(String standard, String disposition) {}

    /** A setting of the new file: its value in HOCON, and its origin for a comment. */
    private record MigratedValue(String value, String origin) {}

    private final OpenSmConf conf;
    private final Path directory;
    private final List<CopiedFile> files = new ArrayList<>();
    private final Map<Setting<?>, MigratedValue> migratedValues = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> unsupported = new ArrayList<>(); // options that are set, but have no counterpart
    private final Map<String, List<String>> unset = new TreeMap<>(); // unset, without a counterpart, by the reason
    private final List<String> equalDefaults = new ArrayList<>(); // options with a default of both programs
    private final List<String> unnamed = new ArrayList<>(); // options whose files have default names in this program
    private final List<String> differingDefaults = new ArrayList<>(); // options with a default of OpenSM only
    private final List<String> todo = new ArrayList<>();

    private OpenSmMigration(OpenSmConf conf, Path directory) {
        this.conf = conf;
        this.directory = directory;
    }

    /**
     * Converts an opensm.conf. The report lists the commands that copy its files to /etc/torus-sm.
     *
     * @throws ConfigurationException if the file cannot be read, or has an invalid value; with file and line
     */
    public static ConvertedConf of(Path file) throws ConfigurationException {
        OpenSmMigration migration = new OpenSmMigration(OpenSmConf.read(file), OWN_DIRECTORY);
        migration.migrateAll();
        if (migration.holdsSecrets()) {
            migration.todo.add(0, "give the configuration file group rdma and mode 0640; --output does both");
        }
        migration.files.forEach(each -> migration.todo.add(each.command()));
        return migration.result();
    }

    /**
     * Converts an opensm.conf whose files the caller copies.
     *
     * @param directory directory of the new configuration and of the copies
     * @throws ConfigurationException if the file cannot be read, or has an invalid value; with file and line
     */
    public static ConvertedConf of(Path file, Path directory) throws ConfigurationException {
        OpenSmMigration migration = new OpenSmMigration(
                OpenSmConf.read(file), directory.toAbsolutePath().normalize());
        migration.migrateAll();
        return migration.result();
    }

    private void migrateAll() throws ConfigurationException {
        Map<String, Option> options = options();
        new TreeMap<>(conf.items()).forEach((name, item) -> migrate(item, options.get(name)));
        if (!conf.items().containsKey("routing_engine")) {
            migrateEngines(new OpenSmConf.Item("routing_engine", UNSET, 0));
        }
        keepArbitration(options);
        if (migratedValues.containsKey(Settings.M_KEY) || migratedValues.containsKey(Settings.SM_KEY)) {
            todo.add("list the port GUIDs of all OpenSMs in trusted_sm_guids: they show no sm_key; see protection.md");
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    private boolean holdsSecrets() {
        return migratedValues.keySet().stream().anyMatch(Setting::isSecret);
    }

    private ConvertedConf result() {
        return new ConvertedConf(text(), holdsSecrets(), files, report());
    }

    /** Checks whether an option names a file for which OpenSM has a default. */
    static boolean isFile(String option) {
        return FILES.containsKey(option);
    }

    /** Returns all options of OpenSM, by name. */
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

    private void migrate(OpenSmConf.Item written, @Nullable Option option) {
        OpenSmConf.Item item = written;
        if (option != null && item.value().isEmpty() && option.standard().equals(UNSET)) {
            unsupported.add(shown(item) + ": it has no value, and is taken as not set");
            item = new OpenSmConf.Item(item.name(), UNSET, item.line());
        }
        if (option == null) {
            migrateVendorOption(item);
        } else if (option.disposition().equals("special")) {
            migrateSpecial(item, option);
        } else if (option.disposition().startsWith("none: ")) {
            String reason = option.disposition().substring("none: ".length());
            if (isStandard(item, option)) {
                unset.computeIfAbsent(reason, key -> new ArrayList<>()).add(item.name());
            } else {
                unsupported.add(shown(item) + ": " + reason);
            }
        } else if (isStandard(item, option)) {
            compareDefault(item);
        } else if (setting(item.name()).type() instanceof ValueType.FileName) {
            put(setting(item.name()), addCopiedFile(item, ownName(item)).toString(), item);
        } else {
            put(setting(item.name()), item.value(), item);
        }
    }

    private void migrateVendorOption(OpenSmConf.Item item) {
        Setting<?> setting = VendorOptions.setting(item.name());
        if (setting == null && !VendorOptions.isEquivalent(item)) {
            unsupported.add(shown(item) + ": " + VendorOptions.remark(item.name()));
        } else if (setting == null
                || OptionValues.canonical(item.value()).equals(OptionValues.canonical(setting.defaultText()))) {
            equalDefaults.add(item.name());
        } else {
            put(setting, item.value(), item);
            todo.add(item.name() + ": upstream OpenSM ignores it, and torus-sm has never used it on a device; read"
                    + " virtual-ports.md before you migrate");
        }
    }

    private void migrateSpecial(OpenSmConf.Item item, Option option) {
        if (item.name().equals("routing_engine")) {
            migrateEngines(item);
        } else if (item.value().isEmpty()) {
            problems.add(conf.location(item) + ": " + item.name() + " has no value; correct it, or remove the line");
        } else if (FILES.containsKey(item.name())) {
            migrateFile(item, option);
        } else if (item.isUnset() || isStandard(item, option)) {
            compareDefault(item);
        } else if (item.name().equals("log_flags")) {
            migrateLogFlags(item);
        } else if (item.name().equals("log_file")) {
            put(Settings.LOG_FILE, item.value().equals("stdout") ? "stdout" : "/var/log/torus-sm/torus-sm.log", item);
        } else {
            put(Settings.DUMP_FILES_DIR, item.value(), item);
            todo.add("let user torus-sm write to " + item.value() + ", and name it in ReadWritePaths= of the unit"
                    + " (systemctl edit torus-sm), or choose /var/log/torus-sm. If OpenSM runs on this host, too, choose"
                    + " another directory: both write opensm-subnet.lst and opensm-sa.dump");
        }
    }

    private void migrateEngines(OpenSmConf.Item item) {
        List<String> wanted = item.isUnset() ? List.of("minhop") : OpenSmEngines.words(item);
        List<String> known = new ArrayList<>();
        for (String engine : wanted) {
            Optional<String> own = OpenSmEngines.own(engine);
            own.ifPresent(known::add);
            if (own.isEmpty() && !engine.equals(EngineNames.NO_FALLBACK)) {
                unsupported.add(shown(item) + ": there is no engine " + engine);
            } else if (own.isPresent() && !own.get().equals(engine)) {
                unsupported.add(shown(item) + ": " + engine + " is not an engine of upstream OpenSM; taken over as "
                        + own.get() + ", which does not route adaptively");
            }
        }
        if (!known.isEmpty() && wanted.contains(EngineNames.NO_FALLBACK)) {
            known.add(EngineNames.NO_FALLBACK);
        }
        if (item.isUnset()) {
            todo.add("routing_engine: OpenSM has none, so it routes by minhop, and so does the new file, which changes"
                    + " few routes at the takeover; on tori and on trees of three levels minhop can deadlock, and"
                    + " stays DEGRADED (TSM-5021) here; set routing_engine = \"auto\" then, or before (torus-sm"
                    + " plan --compare shows all engines)");
        } else if (known.isEmpty()) {
            todo.add("choose a routing_engine: "
                    + String.join(" or ", OpenSmEngines.names())
                    + "; until then it is minhop; auto takes the best that is proved");
        }
        put(
                Settings.ROUTING_ENGINE,
                known.isEmpty()
                        ? "minhop"
                        : String.join(",", known.stream().distinct().toList()),
                item);
    }

    /** Keeps the VL arbitration of OpenSM under torus-2QoS, so that the change of the SM changes no tables. */
    private void keepArbitration(Map<String, Option> options) {
        OpenSmConf.Item qos = conf.items().get("qos");
        if (qos == null || !qos.value().equals("TRUE") || !usesTorus()) {
            return;
        }
        boolean isKept = false;
        for (Map.Entry<String, String> each : ARBITRATION.entrySet()) {
            OpenSmConf.Item item = conf.items().get(each.getKey());
            if (item == null || isStandard(item, Objects.requireNonNull(options.get(each.getKey())))) {
                equalDefaults.remove(each.getKey());
                put(setting(each.getKey()), each.getValue(), new OpenSmConf.Item(each.getKey(), UNSET, 0));
                isKept = true;
            }
        }
        if (!isKept) {
            return;
        }
        todo.add(
                "the weights of VLs are OpenSM's defaults, which are unfair under torus-2QoS; remove qos_vlarb_high and"
                        + " qos_vlarb_low one day, and every port is given equal ones");
    }

    /** Handles the file of an option. If this program reads the copy by its default name, no setting names it. */
    private void migrateFile(OpenSmConf.Item item, Option option) {
        boolean isTorus = item.name().equals("torus_config");
        boolean isWanted = isTorus ? usesTorus() : !isStandard(item, option) || Files.exists(Path.of(item.value()));
        if (item.isUnset() || !isWanted) {
            equalDefaults.add(item.name());
            return;
        }
        Path own = addCopiedFile(item, Objects.requireNonNull(FILES.get(item.name())));
        if (isTorus || !directory.equals(OWN_DIRECTORY)) {
            put(setting(item.name()), own.toString(), item);
        } else {
            unnamed.add(item.name());
        }
    }

    private Path addCopiedFile(OpenSmConf.Item item, String name) {
        Path from = Path.of(item.value()).toAbsolutePath().normalize();
        CopiedFile file = new CopiedFile(from, directory.resolve(name));
        if (!files.contains(file) && !from.equals(file.to())) {
            files.add(file);
        }
        return file.to();
    }

    /** Returns the name of the copy of a file; with the name of the option before it, if another file has that name. */
    private String ownName(OpenSmConf.Item item) {
        Path from = Path.of(item.value()).toAbsolutePath().normalize();
        String name = String.valueOf(from.getFileName());
        boolean isTaken = FILES.containsValue(name)
                || name.equals("torus-sm.conf")
                || files.stream()
                        .anyMatch(each -> each.to().equals(directory.resolve(name))
                                && !each.from().equals(from));
        return isTaken ? item.name() + "-" + name : name;
    }

    private boolean usesTorus() {
        OpenSmConf.Item engines = conf.items().get("routing_engine");
        return engines != null
                && OpenSmEngines.words(engines).stream()
                        .flatMap(name -> OpenSmEngines.own(name).stream())
                        .anyMatch("torus-2QoS"::equals);
    }

    private void migrateLogFlags(OpenSmConf.Item item) {
        try {
            put(Settings.LOG_LEVEL, SmOptions.Log.levelOfFlags(Integer.decode(item.value())), item);
        } catch (NumberFormatException e) {
            problems.add(conf.location(item) + ": log_flags must be a number, not \"" + item.value() + "\"");
        }
    }

    private void put(Setting<?> setting, String value, OpenSmConf.Item item) {
        boolean isText = setting.type() instanceof ValueType.FileName;
        String ours = setting.isFlag() ? flag(item) : isText ? value : OptionValues.decimal(value);
        try {
            if (!isText && ours.matches("0[0-9]+")) {
                throw new IllegalArgumentException("begins with 0, so that its digits must be 0 to 7");
            }
            setting.type().read(ours);
        } catch (IllegalArgumentException e) {
            String shown = item.isSecret() ? "" : ", not \"" + value + "\"";
            problems.add(conf.location(item) + ": " + item.name() + " " + e.getMessage() + shown
                    + "; correct it, or remove the line");
            return;
        }
        boolean isBare = setting.isFlag() || ours.matches("-?[0-9]+|0[xX][0-9a-fA-F]+");
        migratedValues.put(
                setting,
                new MigratedValue(
                        isBare ? ours : ConfigUtil.quoteString(ours),
                        item.line() == 0
                                ? "OpenSM's default"
                                : "line " + item.line() + ": " + item.name() + " " + shownValue(item)));
    }

    /** Returns the value of a flag. For OpenSM any value except TRUE, in capitals, is false. */
    private String flag(OpenSmConf.Item item) {
        if (!item.value().matches("TRUE|FALSE")) {
            unsupported.add(shown(item) + ": neither TRUE nor FALSE, which OpenSM takes for FALSE");
        }
        return Boolean.toString(item.value().equals("TRUE"));
    }

    private void compareDefault(OpenSmConf.Item item) {
        String ours = item.name().equals("log_flags")
                ? item.value()
                : setting(item.name()).defaultText();
        if (OptionValues.canonical(item.isUnset() ? "" : item.value()).equals(OptionValues.canonical(ours))) {
            equalDefaults.add(item.name());
        } else {
            differingDefaults.add(
                    item.name() + ": " + item.value() + " there, " + (ours.isEmpty() ? "\"\"" : ours) + " here");
        }
    }

    private static Setting<?> setting(String name) {
        return Objects.requireNonNull(Settings.ofKey(name), name);
    }

    private static boolean isStandard(OpenSmConf.Item item, Option option) {
        return isFlag(option)
                ? item.value().equals(option.standard())
                : OptionValues.canonical(item.value()).equals(OptionValues.canonical(option.standard()));
    }

    private static boolean isFlag(Option option) {
        return option.standard().equals("TRUE") || option.standard().equals("FALSE");
    }

    private String shown(OpenSmConf.Item item) {
        return (item.line() == 0 ? conf.file() : conf.location(item)) + ": " + item.name() + " " + shownValue(item);
    }

    private static String shownValue(OpenSmConf.Item item) {
        return item.isSecret() ? "..." : item.value();
    }

    private String text() {
        StringBuilder text = new StringBuilder("# Configuration of torus-sm, made by torus-sm migrate-conf from "
                + conf.file() + ".\n# Other settings have their defaults; see torus-sm.conf(5).\n");
        migratedValues.forEach((setting, value) -> text.append("\n# ")
                .append(setting.meaning())
                .append("\n# (")
                .append(value.origin())
                .append(")\n")
                .append(setting.key())
                .append(" = ")
                .append(value.value())
                .append('\n'));
        if (!unsupported.isEmpty()) {
            text.append("\n# Without a counterpart:\n");
            unsupported.forEach(line -> text.append("# ").append(line).append('\n'));
        }
        return text.toString();
    }

    private List<String> report() {
        List<String> report = new ArrayList<>();
        section(
                report,
                "taken over",
                Stream.concat(migratedValues.keySet().stream().map(Setting::key), unnamed.stream())
                        .toList(),
                true);
        section(report, "set, but without a counterpart", unsupported, false);
        section(report, "left at OpenSM's default, which is not ours; ours is used", differingDefaults, false);
        section(report, "left at OpenSM's default, which is ours too", equalDefaults, true);
        section(
                report,
                "without a counterpart, and left at OpenSM's default",
                unset.entrySet().stream()
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
