package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.torussm.deadlock.chain.EngineNames;
import io.torussm.event.Spelling;
import io.torussm.routing.Engine;
import io.torussm.routing.auto.AutoEngine;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The reader of {@link SmOptions} from the defaults, a file in HOCON and the command line, in ascending order
 * of precedence. All problems are reported together; an unknown name is a problem.
 */
public final class Configuration {
    /** The file that is read if it exists and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/torus-sm.conf");

    /** Max number of the other SMs of replication. */
    private static final int MAX_PEERS = 7;

    private static final String LOOPBACK = "127(\\.\\d{1,3}){3}|::1|0:0:0:0:0:0:0:1|localhost";

    /** Settings whose values in a file apply to the fabric of that file, and not to a simulated one. */
    private static final Set<Setting<?>> SINGLE_FABRIC_SETTINGS = Set.of(
            Settings.STATE_DIR,
            Settings.DUMP_FILES_DIR,
            Settings.LOG_FILE,
            Settings.REPLICATION_LISTEN,
            Settings.REPLICATION_PEERS);

    private static final Set<ConfigValueType> SCALARS =
            Set.of(ConfigValueType.STRING, ConfigValueType.NUMBER, ConfigValueType.BOOLEAN);

    private final EngineSettings engineSettings = new EngineSettings();
    private final List<String> problems = new ArrayList<>();

    /** The settings that the file contains. */
    private final Set<Setting<?>> settingsOfFile = new HashSet<>();

    private SettingValues values = SettingValues.defaults();

    /**
     * A value from the command line.
     *
     * @param option name of the option as it was written
     * @param value text of the value
     */
    public record CommandLineValue(String option, String value) {}

    private Configuration() {}

    /**
     * Reads the options. If the command line names a fabric to simulate, the files of a production SM on this machine
     * are not used: only a named file is read, and its values for the state directory, dumps, the log file and
     * replication are ignored.
     *
     * @param file the named file; null for {@link #DEFAULT_FILE} if it exists and no fabric is simulated, otherwise no
     *     file
     * @param overrides values from the command line, by setting
     * @throws ConfigurationException with all problems, each with file and line or option
     */
    public static SmOptions read(@Nullable Path file, Map<Setting<?>, CommandLineValue> overrides)
            throws ConfigurationException {
        Configuration configuration = new Configuration();
        CommandLineValue simulated = overrides.get(Settings.SIMULATE);
        boolean isRehearsal = simulated != null && !simulated.value().isEmpty();
        if (file != null || (!isRehearsal && Files.exists(DEFAULT_FILE))) {
            configuration.readFile(file == null ? DEFAULT_FILE : file);
        }
        if (isRehearsal) {
            configuration.dropProductionSettings(overrides.keySet());
        }
        new TreeMap<>(overrides)
                .forEach((setting, given) -> configuration.put(setting, "option " + given.option(), given.value()));
        configuration.unsetStateDirectory(overrides.keySet());
        configuration.chooseEngine(overrides.keySet());
        configuration.check();
        return SmOptions.of(configuration.values.with(configuration.engineSettings.values()));
    }

    private void dropProductionSettings(Set<Setting<?>> settings) {
        SettingValues standard = SettingValues.defaults();
        for (Setting<?> setting : new TreeSet<>(SINGLE_FABRIC_SETTINGS)) {
            if (settingsOfFile.remove(setting)) {
                values = values.with(setting, standard);
                if (!settings.contains(setting)) {
                    values = values.warning(setting.key() + " of the configuration file is not used for a simulated"
                            + " fabric; name it on the command line if it is meant for this one");
                }
            }
        }
    }

    /** Removes the state directory of a simulated fabric, unless one is set for it. */
    private void unsetStateDirectory(Set<Setting<?>> settings) {
        boolean isNamed = settingsOfFile.contains(Settings.STATE_DIR) || settings.contains(Settings.STATE_DIR);
        if (!values.get(Settings.SIMULATE).isEmpty() && !isNamed) {
            values = values.with(Settings.STATE_DIR, "");
        }
    }

    /** Selects the engine if none is named: torus-2QoS with its file, or with QoS on a simulated torus; else auto. */
    private void chooseEngine(Set<Setting<?>> settings) {
        boolean isNamed =
                settingsOfFile.contains(Settings.ROUTING_ENGINE) || settings.contains(Settings.ROUTING_ENGINE);
        boolean isTorus = values.get(Settings.TORUS_CONFIG).isPresent()
                || (values.get(Settings.QOS) && SimulatedTopology.isTorus(values.get(Settings.SIMULATE)));
        if (!isNamed && !isTorus) {
            values = values.with(Settings.ROUTING_ENGINE, AutoEngine.NAME);
        }
    }

    private void check() throws ConfigurationException {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        if (values.get(Settings.ROUTING_ENGINE).isBlank()) {
            problems.add("routing_engine names no engine; write for example routing_engine = \"torus-2QoS\"");
        }
        if (values.get(Settings.STATE_DIR).isEmpty()
                && values.get(Settings.SIMULATE).isEmpty()) {
            problems.add("state_dir is empty; name the directory for what outlives a restart");
        }
        checkReplication();
        checkConsole();
        if (values.get(Settings.NO_PARTITION_ENFORCEMENT)) {
            put(Settings.PART_ENFORCE, "", "off");
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    private void checkReplication() {
        List<InetSocketAddress> listen = values.get(Settings.REPLICATION_LISTEN);
        List<InetSocketAddress> peers = values.get(Settings.REPLICATION_PEERS);
        boolean isOff = listen.isEmpty() && peers.isEmpty();
        if (!isOff
                && (listen.size() != 1
                        || peers.isEmpty()
                        || values.get(Settings.REPLICATION_KEY_FILE).isEmpty())) {
            problems.add("replication needs all three: replication_listen, one HOST:PORT of this SM; replication_peers,"
                    + " the addresses of the others; and replication_key_file; or set the first two to \"\"");
        } else if (peers.size() > MAX_PEERS) {
            problems.add("replication_peers names " + peers.size() + " peers, more than " + MAX_PEERS);
        } else if (!isOff && listen.get(0).getHostString().matches("0\\.0\\.0\\.0|::|\\*")) {
            problems.add("replication_listen must be the address that the peers know, not "
                    + listen.get(0).getHostString());
        } else if (!isOff && peers.contains(listen.get(0))) {
            problems.add("replication_peers names this SM's own replication_listen, " + text(listen.get(0))
                    + "; name the others only");
        }
    }

    /** Rejects an address that is not loopback, since the TCP port of the console needs no authentication. */
    private void checkConsole() {
        List<InetSocketAddress> listen = values.get(Settings.CONSOLE_LISTEN);
        if (listen.size() > 1
                || listen.stream().anyMatch(each -> !each.getHostString().matches(LOOPBACK))) {
            problems.add("console_listen must be one address of this host's loopback, such as 127.0.0.1:10000, since"
                    + " it has no authentication; from elsewhere use torus-smctl through ssh");
        }
    }

    private static String text(InetSocketAddress endpoint) {
        return endpoint.getHostString() + ":" + endpoint.getPort();
    }

    private void readFile(Path file) throws ConfigurationException {
        apply(HoconFile.read(file, "configuration", text -> values = values.warning(text)));
    }

    private void apply(Config config) {
        config.root().entrySet().stream()
                .sorted((one, other) ->
                        Integer.compare(line(one), line(other))) // Not comparingInt, which would delay the start.
                .forEach(entry -> apply(config, entry.getKey(), entry.getValue()));
    }

    private static int line(Map.Entry<String, ConfigValue> entry) {
        return entry.getValue().origin().lineNumber();
    }

    private void apply(Config config, String key, ConfigValue value) {
        String where = HoconFile.location(value.origin());
        Optional<Engine> engine = EngineSettings.engineOf(key, value);
        if (engine.isPresent()) {
            engineSettings.readEngineObject(
                    config,
                    engine.get(),
                    (flat, text) -> putFlat(flat, where, text),
                    problem -> problems.add(where + ": " + problem));
            return;
        }
        Setting<?> setting = settingOf(where, key);
        if (setting == null) {
            return;
        }
        if (!settingsOfFile.add(setting)) {
            problems.add(where + ": " + setting.key() + " is there twice, under its old name " + setting.formerKey()
                    + ", too; remove " + setting.formerKey());
        } else if (SCALARS.contains(value.valueType())) {
            put(setting, where, config.getString(key));
        } else if ((setting.type() instanceof ValueType.Names || setting.type() instanceof ValueType.LinkPorts)
                && value.valueType() == ConfigValueType.LIST) {
            putNames(setting, where, config, key);
        } else if (value.valueType() == ConfigValueType.NULL) {
            problems.add(where + ": " + key + " is null; leave the line out to have the default");
        } else {
            problems.add(where + ": " + key + " must be a single value, not a list or an object");
        }
    }

    private void putNames(Setting<?> setting, String where, Config config, String key) {
        try {
            put(setting, where, String.join(",", config.getStringList(key)));
        } catch (ConfigException.WrongType e) {
            problems.add(where + ": " + key + " must be a list of names");
        }
    }

    private boolean putFlat(String key, String where, String text) {
        Setting<?> setting = Settings.ofKey(key);
        if (setting != null) {
            put(setting, where, text);
        }
        return setting != null;
    }

    private void put(Setting<?> setting, String where, String text) {
        try {
            values = values.with(setting, text);
            if (setting.equals(Settings.ROUTING_ENGINE)) {
                checkEngines(where, text);
            }
        } catch (IllegalArgumentException e) {
            String shown = setting.isSecret() ? "" : ", not \"" + HoconFile.printable(text) + "\"";
            problems.add(where + ": " + setting.key() + " " + e.getMessage() + shown);
        }
    }

    private void checkEngines(String where, String names) {
        try {
            EngineNames.engines(names, Engines.ALL);
        } catch (IllegalArgumentException e) {
            problems.add(where + ": routing_engine: " + e.getMessage());
        }
    }

    /** Returns the setting of a name, which may be a former one; null if the name is a problem. */
    private @Nullable Setting<?> settingOf(String where, String key) {
        Setting<?> setting = Settings.ofKey(key);
        Setting<?> renamed = setting == null ? Settings.ofFormerKey(key) : setting;
        if (renamed == null) {
            problems.add(where + ": there is no setting \"" + HoconFile.printable(key) + "\"; did you mean \""
                    + Spelling.nearest(key, Settings.keys()) + "\"?");
        } else if (setting == null) {
            values = values.warning(where + ": " + key + " is the old name of " + renamed.key()
                    + ", and will be refused one day; write " + renamed.key());
        }
        return renamed;
    }
}
