package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.ValueType;
import io.torussm.daemon.config.migration.MigrationReport.Section;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The converter from an opensm.conf to a configuration of this program. {@code opensm-options.txt} lists the action for
 * every option of OpenSM. An option with the default of OpenSM is left out, because the operator did not choose it. The
 * exceptions are the routing engine, which determines the routes of the fabric, and VL arbitration under torus-2QoS. An
 * instance is used once.
 *
 * <p>The result depends on this host: a file with its default name is taken over only if it exists.
 */
public final class OpenSmMigration {
    private static final String ROUTING_ENGINE = "routing_engine";
    private static final Path OWN_DIRECTORY =
            Objects.requireNonNull(Configuration.DEFAULT_FILE.toAbsolutePath().getParent());
    private static final String OWN_LOG = "/var/log/torus-sm/torus-sm.log";

    /** The defaults of VL arbitration of OpenSM: VL 0 has precedence, all other VLs share the rest. */
    private static final Map<String, String> ARBITRATION = Map.of(
            "qos_vlarb_high", "0:4", "qos_vlarb_low", "1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4");

    private final OpenSmConf conf;
    private final Path directory;
    private final Map<String, OpenSmConf.Item> items;
    private final OpenSmEngines engines;
    private final boolean keepsArbitration;
    private final MigrationReport report = new MigrationReport();
    private final MigratedSettings settings;
    private final MigratedFiles files;
    private final List<String> unnamedFiles = new ArrayList<>(); // options whose files have default names here
    private boolean isArbitrationKept;

    private OpenSmMigration(OpenSmConf conf, Path directory) {
        this.conf = conf;
        this.directory = directory;
        items = new TreeMap<>(conf.items());
        engines = OpenSmEngines.of(items.computeIfAbsent(ROUTING_ENGINE, OpenSmConf.Item::absent));
        OpenSmConf.Item qos = items.get("qos");
        keepsArbitration = qos != null && qos.value().equals(OptionValues.TRUE) && engines.hasTorus();
        if (keepsArbitration) {
            ARBITRATION.keySet().forEach(name -> items.computeIfAbsent(name, OpenSmConf.Item::absent));
        }
        settings = new MigratedSettings(conf, report);
        files = new MigratedFiles(directory);
    }

    /**
     * Converts an opensm.conf to a text that is printed. The report lists the commands that copy its files to
     * /etc/torus-sm.
     *
     * @throws ConfigurationException if the file cannot be read, or has an invalid value; with file and line
     */
    public static ConvertedConf toPrint(Path file) throws ConfigurationException {
        OpenSmMigration migration = new OpenSmMigration(OpenSmConf.read(file), OWN_DIRECTORY);
        migration.migrateAll();
        if (migration.settings.holdSecrets()) {
            migration.report.addFirst(
                    Section.TO_DO, "give the configuration file group rdma and mode 0640; --output does both");
        }
        migration.files.copies().forEach(each -> migration.report.add(Section.TO_DO, each.command()));
        return migration.result();
    }

    /**
     * Converts an opensm.conf to a file whose modes and copied files the caller writes.
     *
     * @param directory directory of the new configuration and of the copies
     * @throws ConfigurationException if the file cannot be read, or has an invalid value; with file and line
     */
    public static ConvertedConf toDirectory(Path file, Path directory) throws ConfigurationException {
        OpenSmMigration migration = new OpenSmMigration(
                OpenSmConf.read(file), directory.toAbsolutePath().normalize());
        migration.migrateAll();
        return migration.result();
    }

    private void migrateAll() throws ConfigurationException {
        items.values().forEach(item -> migrate(item, OpenSmOption.all().get(item.name())));
        if (isArbitrationKept) {
            report.add(
                    Section.TO_DO,
                    "the weights of VLs are OpenSM's defaults, which are unfair under torus-2QoS; remove qos_vlarb_high"
                            + " and qos_vlarb_low one day, and every port is given equal ones");
        }
        if (settings.settings().contains(Settings.M_KEY) || settings.settings().contains(Settings.SM_KEY)) {
            report.add(
                    Section.TO_DO,
                    "list the port GUIDs of all OpenSMs in trusted_sm_guids: they show no sm_key; see protection.md");
        }
        settings.throwProblems();
        settings.settings().forEach(setting -> report.add(Section.TAKEN, setting.key()));
        unnamedFiles.forEach(option -> report.add(Section.TAKEN, option));
    }

    private ConvertedConf result() {
        return new ConvertedConf(settings.text(), settings.holdSecrets(), files.copies(), report.lines());
    }

    private void migrate(OpenSmConf.Item item, @Nullable OpenSmOption option) {
        if (option == null) {
            migrateVendorOption(item);
        } else if (item.value().isEmpty() && option.isUnsetByDefault()) {
            report.add(Section.NOT_AS_WRITTEN, conf.shown(item) + ": it has no value, and is taken as not set");
            migrate(item.unset(), option);
        } else {
            switch (option.disposition()) {
                case SAME -> migrateSetting(item, option);
                case SPECIAL -> migrateSpecial(item, option);
                case NONE -> reportUnsupported(item, option);
            }
        }
    }

    private void migrateVendorOption(OpenSmConf.Item item) {
        Setting<?> setting = VendorOptions.setting(item.name());
        if (setting == null && !VendorOptions.isEquivalent(item)) {
            report.add(Section.UNSUPPORTED, conf.shown(item) + ": " + VendorOptions.remark(item.name()));
        } else if (setting == null
                || OptionValues.canonical(item.value()).equals(OptionValues.canonical(setting.defaultText()))) {
            report.add(Section.EQUAL_DEFAULTS, item.name());
        } else {
            settings.put(setting, item.value(), item);
            report.add(
                    Section.TO_DO,
                    item.name() + ": upstream OpenSM ignores it, and torus-sm has never used it on a device; read"
                            + " virtual-ports.md before you migrate");
        }
    }

    private void reportUnsupported(OpenSmConf.Item item, OpenSmOption option) {
        if (option.isStandard(item)) {
            report.addUnsupportedDefault(item.name(), option.reason());
        } else {
            report.add(Section.UNSUPPORTED, conf.shown(item) + ": " + option.reason());
        }
    }

    private void migrateSetting(OpenSmConf.Item item, OpenSmOption option) {
        String arbitration = ARBITRATION.get(item.name());
        if (!option.isStandard(item)) {
            boolean isFile = option.setting().type() instanceof ValueType.FileName;
            settings.put(option.setting(), isFile ? files.add(item).toString() : item.value(), item);
        } else if (keepsArbitration && arbitration != null) {
            // A change of the SM is to change no tables of ports.
            settings.put(option.setting(), arbitration, OpenSmConf.Item.absent(item.name()));
            isArbitrationKept = true;
        } else {
            compareDefault(item, option);
        }
    }

    private void migrateSpecial(OpenSmConf.Item item, OpenSmOption option) {
        if (item.value().isEmpty()) {
            settings.addProblem(item, "has no value; correct it, or remove the line");
            return;
        }
        switch (item.name()) {
            case ROUTING_ENGINE -> migrateEngines(item);
            case "torus_config" -> migrateTorusConfig(item, option);
            case "partition_config_file", "qos_policy_file", "prefix_routes_file" -> migrateFile(item, option);
            case "log_flags" -> migrateLogFlags(item, option);
            case "log_file" -> migrateLogFile(item, option);
            case "dump_files_dir" -> migrateDumpDirectory(item, option);
            default -> throw new IllegalStateException(item.name() + " is special, but has no code");
        }
    }

    private void migrateEngines(OpenSmConf.Item item) {
        engines.engines().forEach((name, ownEngine) -> {
            if (ownEngine.isEmpty()) {
                report.add(Section.UNSUPPORTED, conf.shown(item) + ": there is no engine " + name);
            } else if (!ownEngine.get().equals(name)) {
                report.add(
                        Section.NOT_AS_WRITTEN,
                        conf.shown(item) + ": " + name + " is not an engine of upstream OpenSM; taken over as "
                                + ownEngine.get() + ", which does not route adaptively");
            }
        });
        if (item.isUnset()) {
            report.add(
                    Section.TO_DO,
                    "routing_engine: OpenSM has none, so it routes by minhop, and so does the new file, which changes"
                            + " few routes at the takeover; on tori and on trees of three levels minhop can deadlock,"
                            + " and stays DEGRADED (TSM-5021) here; set routing_engine = \"auto\" then, or before"
                            + " (torus-sm plan --compare shows all engines)");
        } else if (engines.isEmpty()) {
            report.add(
                    Section.TO_DO,
                    "choose a routing_engine: " + String.join(" or ", OpenSmEngines.ownNames())
                            + "; until then it is minhop; auto takes the best that is proved");
        }
        settings.put(Settings.ROUTING_ENGINE, engines.value(), item);
    }

    private void migrateTorusConfig(OpenSmConf.Item item, OpenSmOption option) {
        if (!item.isUnset() && engines.hasTorus()) {
            settings.put(option.setting(), files.add(item).toString(), item);
        } else if (item.isUnset() || option.isStandard(item)) {
            report.add(Section.EQUAL_DEFAULTS, item.name());
        } else {
            report.add(
                    Section.WITHOUT_EFFECT,
                    conf.shown(item) + ": only torus-2QoS reads it, which routing_engine does not name");
        }
    }

    /** Handles a file that this program reads by its default name, unless a setting names another one. */
    private void migrateFile(OpenSmConf.Item item, OpenSmOption option) {
        if (item.isUnset() || (option.isStandard(item) && !Files.exists(Path.of(item.value())))) {
            report.add(Section.EQUAL_DEFAULTS, item.name());
            return;
        }
        Path copy = files.add(item);
        if (directory.equals(OWN_DIRECTORY)) {
            unnamedFiles.add(item.name());
        } else {
            settings.put(option.setting(), copy.toString(), item);
        }
    }

    private void migrateLogFlags(OpenSmConf.Item item, OpenSmOption option) {
        if (item.isUnset() || option.isStandard(item)) {
            report.add(Section.EQUAL_DEFAULTS, item.name()); // 0x03 is level info, the default here
            return;
        }
        try {
            settings.put(Settings.LOG_LEVEL, SmOptions.Log.levelOfFlags(Integer.decode(item.value())), item);
        } catch (NumberFormatException e) {
            settings.addProblem(item, "must be a number, not \"" + item.value() + "\"");
        }
    }

    private void migrateLogFile(OpenSmConf.Item item, OpenSmOption option) {
        if (item.isUnset() || option.isStandard(item)) {
            compareDefault(item, option);
        } else {
            settings.put(Settings.LOG_FILE, item.value().equals("stdout") ? "stdout" : OWN_LOG, item);
        }
    }

    private void migrateDumpDirectory(OpenSmConf.Item item, OpenSmOption option) {
        if (item.isUnset() || option.isStandard(item)) {
            compareDefault(item, option);
            return;
        }
        settings.put(Settings.DUMP_FILES_DIR, item.value(), item);
        report.add(
                Section.TO_DO,
                "let user torus-sm write to " + item.value() + ", and name it in ReadWritePaths= of the unit"
                        + " (systemctl edit torus-sm), or choose /var/log/torus-sm. If OpenSM runs on this host, too,"
                        + " choose another directory: both write opensm-subnet.lst and opensm-sa.dump");
    }

    /** Reports an option with the default of OpenSM, for which the default of this program is used. */
    private void compareDefault(OpenSmConf.Item item, OpenSmOption option) {
        String value = item.isUnset() ? "" : item.value();
        String ownDefault = option.setting().defaultText();
        if (OptionValues.canonical(value).equals(OptionValues.canonical(ownDefault))) {
            report.add(Section.EQUAL_DEFAULTS, item.name());
        } else {
            report.add(
                    Section.DIFFERING_DEFAULTS,
                    item.name() + ": " + item.value() + " there, " + (ownDefault.isEmpty() ? "\"\"" : ownDefault)
                            + " here");
        }
    }
}
