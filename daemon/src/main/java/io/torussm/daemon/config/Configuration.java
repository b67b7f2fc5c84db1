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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The reader of {@link SmOptions} from the defaults, a file in HOCON and the command line, in ascending order
 * of precedence. The problems of all single values are reported together, and those of their combinations once each
 * value is valid. An unknown name is a problem.
 */
public final class Configuration {
    /** The file that is read if it exists and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/torus-sm.conf");

    /** Max number of the other SMs of replication. */
    private static final int MAX_PEERS = 7;

    /** Settings whose values in a file apply to the fabric of that file, and not to a simulated one. */
    private static final Set<Setting<?>> SINGLE_FABRIC_SETTINGS = Set.of(
            Settings.STATE_DIR,
            Settings.DUMP_FILES_DIR,
            Settings.LOG_FILE,
            Settings.REPLICATION_LISTEN,
            Settings.REPLICATION_PEERS);

    private final EngineSettings engineSettings = new EngineSettings();
    private final List<String> problems = new ArrayList<>();

    /** The settings that the command line contains. */
    private final Set<Setting<?>> commandLine;

    /** The first value of each setting in the file, also in objects of engines. */
    private final Map<Setting<?>, FileValue> valuesOfFile = new HashMap<>();

    private SettingValues values = SettingValues.defaults();

    /**
     * A value from the command line.
     *
     * @param option name of the option as it was written
     * @param value text of the value
     */
    public record CommandLineValue(String option, String value) {}

    /**
     * A value in the file.
     *
     * @param where file and line
     * @param name name of the setting as it was written, in an object of an engine with the name of the engine
     * @param text text of the value
     */
    private record FileValue(String where, String name, String text) {}

    private Configuration(Set<Setting<?>> commandLine) {
        this.commandLine = Set.copyOf(commandLine);
    }

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
        Configuration configuration = new Configuration(overrides.keySet());
        CommandLineValue simulated = overrides.get(Settings.SIMULATE);
        boolean isRehearsal = simulated != null && !simulated.value().isEmpty();
        if (file != null || (!isRehearsal && Files.exists(DEFAULT_FILE))) {
            configuration.readFile(file == null ? DEFAULT_FILE : file);
        }
        if (isRehearsal) {
            configuration.dropProductionSettings();
        }
        new TreeMap<>(overrides)
                .forEach((setting, given) -> configuration.put(setting, "option " + given.option(), given.value()));
        configuration.throwProblems();
        configuration.unsetStateDirectory();
        configuration.replaceDefaultEngine();
        configuration.applyNoPartitionEnforcement();
        configuration.checkCombinations();
        configuration.throwProblems();
        return SmOptions.of(configuration.values.with(configuration.engineSettings.values()));
    }

    /** Checks whether the file or the command line has a value for a setting. */
    private boolean isNamed(Setting<?> setting) {
        return valuesOfFile.containsKey(setting) || commandLine.contains(setting);
    }

    private void dropProductionSettings() {
        SettingValues standard = SettingValues.defaults();
        for (Setting<?> setting : new TreeSet<>(SINGLE_FABRIC_SETTINGS)) {
            if (valuesOfFile.remove(setting) != null) {
                values = values.with(setting, standard);
                if (!commandLine.contains(setting)) {
                    values = values.warning(setting.key() + " of the configuration file is not used for a simulated"
                            + " fabric; name it on the command line if it is meant for this one");
                }
            }
        }
    }

    /** Removes the state directory of a simulated fabric, unless one is set for it. */
    private void unsetStateDirectory() {
        if (!values.get(Settings.SIMULATE).isEmpty() && !isNamed(Settings.STATE_DIR)) {
            values = values.with(Settings.STATE_DIR, "");
        }
    }

    /**
     * Replaces the default engine, torus-2QoS, by auto. It remains if torus_config is set, or for a simulated torus
     * with QoS.
     */
    private void replaceDefaultEngine() {
        boolean isTorus = values.get(Settings.TORUS_CONFIG).isPresent()
                || (values.get(Settings.QOS) && SimulatedTopology.isTorus(values.get(Settings.SIMULATE)));
        if (!isNamed(Settings.ROUTING_ENGINE) && !isTorus) {
            values = values.with(Settings.ROUTING_ENGINE, AutoEngine.NAME);
        }
    }

    /** Switches part_enforce off by the setting that OpenSM had for this before. */
    private void applyNoPartitionEnforcement() {
        if (values.get(Settings.NO_PARTITION_ENFORCEMENT)) {
            if (isNamed(Settings.PART_ENFORCE)) {
                values = values.warning(
                        "part_enforce is off because no_partition_enforcement is true; remove one of them");
            }
            values = values.with(Settings.PART_ENFORCE, "off");
        }
    }

    private void throwProblems() throws ConfigurationException {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    private void checkCombinations() {
        if (values.get(Settings.ROUTING_ENGINE).isBlank()) {
            problems.add("routing_engine names no engine; write for example routing_engine = \"torus-2QoS\"");
        }
        if (values.get(Settings.STATE_DIR).isEmpty()
                && values.get(Settings.SIMULATE).isEmpty()) {
            problems.add("state_dir is empty; name the directory for what outlives a restart");
        }
        checkReplication();
        checkConsole();
    }

    private void checkReplication() {
        List<InetSocketAddress> listen = values.get(Settings.REPLICATION_LISTEN);
        List<InetSocketAddress> peers = values.get(Settings.REPLICATION_PEERS);
        if (listen.isEmpty() && peers.isEmpty()) {
            return;
        }
        if (listen.size() != 1
                || peers.isEmpty()
                || values.get(Settings.REPLICATION_KEY_FILE).isEmpty()) {
            problems.add("replication needs all three: replication_listen, one HOST:PORT of this SM; replication_peers,"
                    + " the addresses of the others; and replication_key_file; or set the first two to \"\"");
        } else if (peers.size() > MAX_PEERS) {
            problems.add("replication_peers names " + peers.size() + " peers, more than " + MAX_PEERS);
        } else if (NetworkValues.isWildcard(listen.get(0))) {
            problems.add("replication_listen must be the address that the peers know, not "
                    + listen.get(0).getHostString());
        } else if (peers.contains(listen.get(0))) {
            problems.add("replication_peers names this SM's own replication_listen, " + text(listen.get(0))
                    + "; name the others only");
        }
    }

    /** Rejects an address that is not loopback, since the TCP port of the console needs no authentication. */
    private void checkConsole() {
        List<InetSocketAddress> listen = values.get(Settings.CONSOLE_LISTEN);
        if (listen.size() > 1 || !listen.stream().allMatch(NetworkValues::isLoopback)) {
            problems.add("console_listen must be one address of this host's loopback, such as 127.0.0.1:10000, since"
                    + " it has no authentication; from elsewhere use torus-smctl through ssh");
        }
    }

    private static String text(InetSocketAddress endpoint) {
        return endpoint.getHostString() + ":" + endpoint.getPort();
    }

    private void readFile(Path file) throws ConfigurationException {
        Config config = HoconFile.read(file, "configuration", text -> values = values.warning(text));
        config.root().entrySet().stream()
                .sorted((one, other) ->
                        Integer.compare(line(one), line(other))) // Not comparingInt, which would delay the start.
                .forEach(entry -> readEntry(config, entry.getKey(), entry.getValue()));
    }

    private static int line(Map.Entry<String, ConfigValue> entry) {
        return entry.getValue().origin().lineNumber();
    }

    private void readEntry(Config config, String key, ConfigValue value) {
        String where = HoconFile.location(value.origin());
        Optional<Engine> engine = EngineSettings.engineOf(key, value);
        if (engine.isPresent()) {
            engineSettings.readEngineObject(config, engine.get(), this::putFromEngineObject, problems::add);
            return;
        }
        Setting<?> setting = resolveName(where, key);
        if (setting == null) {
            return;
        }
        String text = textOf(config, setting, where, key, value);
        if (text != null) {
            putOfFile(setting, new FileValue(where, key, text));
        }
    }

    /** Returns the text of a value, with commas between the items of a list; null if the value is a problem. */
    private @Nullable String textOf(Config config, Setting<?> setting, String where, String key, ConfigValue value) {
        if (setting.type().isList() && value.valueType() == ConfigValueType.LIST) {
            try {
                return String.join(",", config.getStringList(key));
            } catch (ConfigException.WrongType e) {
                problems.add(where + ": " + key + " must be a list of single values");
                return null;
            }
        }
        if (value.valueType() == ConfigValueType.NULL) {
            problems.add(where + ": " + key + " is null; leave the line out to have the default");
            return null;
        }
        if (!EngineSettings.SCALARS.contains(value.valueType())) {
            problems.add(where + ": " + key + " must be a single value, not a list or an object");
            return null;
        }
        return config.getString(key);
    }

    /** Takes a value in the object of an engine, if the setting also exists outside. Returns false otherwise. */
    private boolean putFromEngineObject(String key, String where, String name, String text) {
        Setting<?> setting = Settings.ofKey(key);
        if (setting != null) {
            putOfFile(setting, new FileValue(where, name, text));
        }
        return setting != null;
    }

    /** Takes a value of the file, unless the file has another value of the same setting under another name. */
    private void putOfFile(Setting<?> setting, FileValue value) {
        FileValue first = valuesOfFile.putIfAbsent(setting, value);
        if (first == null) {
            put(setting, value.where(), value.text());
        } else if (List.of(first.name(), value.name()).contains(setting.formerKey())) {
            problems.add(value.where() + ": " + setting.key() + " is there twice, under its old name "
                    + setting.formerKey() + ", too; remove " + setting.formerKey());
        } else if (!first.text().equals(value.text())) {
            problems.add(value.where() + ": " + value.name() + " differs from " + first.name() + " (" + first.where()
                    + "), but both are the same setting, which engines share; write it once");
        }
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

    /** Returns the setting of a name; null if there is none. Warns of a former name, and records an unknown one. */
    private @Nullable Setting<?> resolveName(String where, String key) {
        Setting<?> current = Settings.ofKey(key);
        if (current != null) {
            return current;
        }
        Setting<?> renamed = Settings.ofFormerKey(key);
        if (renamed == null) {
            problems.add(where + ": there is no setting \"" + HoconFile.printable(key) + "\"; did you mean \""
                    + Spelling.nearest(key, Settings.keys()) + "\"?");
        } else {
            values = values.warning(where + ": " + key + " is the old name of " + renamed.key()
                    + ", and will be refused one day; write " + renamed.key());
        }
        return renamed;
    }
}
