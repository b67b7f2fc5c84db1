package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.torussm.daemon.console.Spelling;
import io.torussm.partition.PartitionSettings;
import io.torussm.qos.QosOptions;
import io.torussm.qos.QosOptions.PortSet;
import io.torussm.qos.VlWeight;
import io.torussm.routing.Engine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link SmOptions} from the defaults, a file in HOCON and the command line, the later over the earlier. All
 * problems are found before any is reported; a key that nobody knows is one.
 */
public final class Configuration {
    /** Read if it is there and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/torus-sm.conf");

    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final int MAX_PEERS = 7;
    private static final String LOOPBACK = "127(\\.\\d{1,3}){3}|::1|0:0:0:0:0:0:0:1|localhost";
    private static final Set<ConfigValueType> SCALARS =
            Set.of(ConfigValueType.STRING, ConfigValueType.NUMBER, ConfigValueType.BOOLEAN);

    private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
    private final EngineSettings engineSettings = new EngineSettings();
    private final List<String> problems = new ArrayList<>();

    /**
     * A value from the command line.
     *
     * @param option as it was written there
     */
    public record Given(String option, String value) {}

    private Configuration() {}

    /**
     * Reads all there is to read.
     *
     * @param file null for {@link #DEFAULT_FILE} if that exists, and none otherwise
     * @param overrides from the command line
     * @throws ConfigurationException with all problems, each with file and line or option
     */
    public static SmOptions read(@Nullable Path file, Map<Setting, Given> overrides) throws ConfigurationException {
        Configuration configuration = new Configuration();
        configuration.take(defaults());
        if (file != null || Files.exists(DEFAULT_FILE)) {
            configuration.takeFile(file == null ? DEFAULT_FILE : file);
        }
        new TreeMap<>(overrides)
                .forEach((setting, given) -> configuration.put(setting, "option " + given.option(), given.value()));
        configuration.check();
        return configuration.options();
    }

    /** What {@code reference.conf} says, a value for each setting. */
    static Config defaults() {
        return ConfigFactory.parseResources(Configuration.class.getClassLoader(), "reference.conf");
    }

    private void check() throws ConfigurationException {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        if (text(Setting.ROUTING_ENGINE).isBlank()) {
            problems.add("routing_engine names no engine; write for example routing_engine = \"torus-2QoS\"");
        }
        if (text(Setting.STATE_DIR).isEmpty()) {
            problems.add("state_dir is empty; name the directory for what outlives a restart");
        }
        checkReplication();
        checkConsole();
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    private void checkReplication() {
        List<InetSocketAddress> listen = endpoints(Setting.REPLICATION_LISTEN);
        List<InetSocketAddress> peers = endpoints(Setting.REPLICATION_PEERS);
        boolean isOff = listen.isEmpty() && peers.isEmpty();
        if (!isOff
                && (listen.size() != 1
                        || peers.isEmpty()
                        || text(Setting.REPLICATION_KEY_FILE).isEmpty())) {
            problems.add("replication needs all three: replication_listen, one HOST:PORT of this SM; replication_peers,"
                    + " those of the others; and replication_key_file; or set the first two to \"\"");
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

    /** Whoever reaches a TCP port is let in. */
    private void checkConsole() {
        List<InetSocketAddress> listen = endpoints(Setting.CONSOLE_LISTEN);
        if (listen.size() > 1
                || listen.stream().anyMatch(each -> !each.getHostString().matches(LOOPBACK))) {
            problems.add("console_listen must be one address of this host's loopback, such as 127.0.0.1:10000, since"
                    + " nobody is asked there who he is; from elsewhere use torus-smctl through ssh");
        }
    }

    private static String text(InetSocketAddress endpoint) {
        return endpoint.getHostString() + ":" + endpoint.getPort();
    }

    private List<InetSocketAddress> endpoints(Setting setting) {
        return ((List<?>) value(setting))
                .stream().map(InetSocketAddress.class::cast).toList();
    }

    private void takeFile(Path file) throws ConfigurationException {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new ConfigurationException(
                        List.of(file + " is larger than 1 MiB; this is no configuration of torus-sm"));
            }
            ConfigParseOptions syntax =
                    ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setOriginDescription(file.toString());
            take(ConfigFactory.parseString(Files.readString(file), syntax).resolve(ConfigResolveOptions.defaults()));
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(List.of("there is no configuration file " + file));
        } catch (MalformedInputException e) {
            throw new ConfigurationException(List.of(file + " is not UTF-8 text"));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        } catch (ConfigException e) {
            String where = e.origin() == null ? file.toString() : at(e.origin());
            String what = String.valueOf(e.getMessage()).replaceFirst("^" + prefix(e), "");
            throw new ConfigurationException(
                    List.of(where + ": " + what.lines().findFirst().orElse("not HOCON")));
        }
    }

    /** What Typesafe Config puts before its messages. */
    private static String prefix(ConfigException e) {
        return e.origin() == null
                ? ""
                : java.util.regex.Pattern.quote(e.origin().description() + ": ");
    }

    private void take(Config config) {
        config.root().entrySet().stream()
                .sorted(Comparator.comparingInt(
                        entry -> entry.getValue().origin().lineNumber()))
                .forEach(entry -> take(config, entry.getKey(), entry.getValue()));
    }

    private void take(Config config, String key, ConfigValue value) {
        String where = at(value.origin());
        Setting setting = settingOf(key);
        Optional<Engine> engine = EngineSettings.engineOf(key, value);
        if (engine.isPresent()) {
            engineSettings.take(
                    config,
                    engine.get(),
                    (flat, text) -> putFlat(flat, where, text),
                    problem -> problems.add(where + ": " + problem));
        } else if (setting == null) {
            problems.add(where + ": there is no setting \"" + printable(key) + "\"; did you mean \""
                    + Spelling.nearest(key, Setting.keys()) + "\"?");
        } else if (SCALARS.contains(value.valueType())) {
            put(setting, where, config.getString(key));
        } else if (setting == Setting.ROUTING_ENGINE && value.valueType() == ConfigValueType.LIST) {
            putEngines(where, config, key);
        } else if (value.valueType() == ConfigValueType.NULL) {
            problems.add(where + ": " + key + " is null; leave the line out to have the default");
        } else {
            problems.add(where + ": " + key + " must be a single value, not a list or an object");
        }
    }

    private void putEngines(String where, Config config, String key) {
        try {
            put(Setting.ROUTING_ENGINE, where, String.join(",", config.getStringList(key)));
        } catch (ConfigException.WrongType e) {
            problems.add(where + ": " + key + " must be a list of names");
        }
    }

    private boolean putFlat(String key, String where, String text) {
        Setting setting = settingOf(key);
        if (setting != null) {
            put(setting, where, text);
        }
        return setting != null;
    }

    private void put(Setting setting, String where, String text) {
        try {
            values.put(setting, setting.kind().read(text));
        } catch (IllegalArgumentException e) {
            String shown = setting.key().matches(".*_keys?") ? "" : ", not \"" + printable(text) + "\"";
            problems.add(where + ": " + setting.key() + " " + e.getMessage() + shown);
        }
    }

    private static @Nullable Setting settingOf(String key) {
        for (Setting setting : Setting.values()) {
            if (setting.key().equals(key)) {
                return setting;
            }
        }
        return null;
    }

    private static String at(ConfigOrigin origin) {
        String description = origin.description().replaceFirst(": \\d+(-\\d+)?$", "");
        return origin.lineNumber() < 0 ? description : description + ":" + origin.lineNumber();
    }

    private static String printable(String text) {
        String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }

    private int number(Setting setting) {
        return (Integer) value(setting);
    }

    private long bits(Setting setting) {
        return (Long) value(setting);
    }

    private boolean flag(Setting setting) {
        return (Boolean) value(setting);
    }

    private String text(Setting setting) {
        return (String) value(setting);
    }

    private @Nullable Path path(Setting setting) {
        return text(setting).isEmpty() ? null : Path.of(text(setting));
    }

    private Set<Long> set(Setting setting) {
        return ((Set<?>) value(setting)).stream().map(Long.class::cast).collect(Collectors.toUnmodifiableSet());
    }

    private Object value(Setting setting) {
        Object value = values.get(setting);
        if (value == null) {
            throw new IllegalStateException("reference.conf has no default for " + setting.key());
        }
        return value;
    }

    private SmOptions options() {
        return new SmOptions(
                new SmOptions.Port(
                        text(Setting.CA),
                        number(Setting.PORT),
                        bits(Setting.GUID),
                        text(Setting.SIMULATE),
                        text(Setting.SIM_HOST),
                        flag(Setting.KERNEL_RMPP)),
                new SmOptions.Routing(
                        text(Setting.ROUTING_ENGINE),
                        engineSettings.given(
                                key -> Optional.ofNullable(settingOf(key)).map(each -> String.valueOf(value(each)))),
                        flag(Setting.QOS),
                        number(Setting.SM_SL)),
                qosOptions(),
                new SmOptions.Addresses(
                        bits(Setting.SUBNET_PREFIX),
                        number(Setting.LMC),
                        flag(Setting.LMC_ESP0),
                        flag(Setting.REASSIGN_LIDS),
                        number(Setting.SM_ASSIGNED_GUID)),
                partitions(),
                new SmOptions.Sa(
                        path(Setting.QOS_POLICY_FILE),
                        path(Setting.PREFIX_ROUTES_FILE),
                        flag(Setting.CONSOLIDATE_IPV6_SNM_REQ)),
                new SmOptions.Sweeps(
                        number(Setting.SWEEP_INTERVAL), number(Setting.REHEARSALS), flag(Setting.BABBLING_PORT_POLICY)),
                new SmOptions.Events(flag(Setting.DROP_EVENT_SUBSCRIPTIONS)),
                new SmOptions.Mads(
                        number(Setting.MAX_WIRE_SMPS),
                        number(Setting.MAX_DEVICE_SMPS),
                        number(Setting.TRANSACTION_TIMEOUT),
                        number(Setting.TRANSACTION_RETRIES)),
                new SmOptions.Mastership(
                        number(Setting.SM_PRIORITY),
                        flag(Setting.SM_INACTIVE),
                        number(Setting.SMINFO_POLLING_TIMEOUT),
                        number(Setting.POLLING_RETRY_NUMBER),
                        set(Setting.TRUSTED_SM_KEYS),
                        set(Setting.TRUSTED_SM_GUIDS)),
                new SmOptions.Keys(
                        bits(Setting.SM_KEY),
                        bits(Setting.M_KEY),
                        number(Setting.M_KEY_LEASE_PERIOD),
                        number(Setting.M_KEY_PROTECTION_LEVEL),
                        flag(Setting.M_KEY_LOOKUP)),
                links(),
                new SmOptions.Files(
                        Path.of(text(Setting.STATE_DIR)),
                        flag(Setting.RESTORE_GROUPS),
                        path(Setting.DUMP_FILES_DIR),
                        path(Setting.CAPTURE)),
                new SmOptions.Console(
                        path(Setting.CONTROL_SOCKET),
                        text(Setting.CONTROL_SOCKET_GROUP),
                        endpoints(Setting.CONSOLE_LISTEN).stream().findFirst().orElse(null)),
                new SmOptions.Replication(
                        endpoints(Setting.REPLICATION_LISTEN).stream()
                                .findFirst()
                                .orElse(null),
                        endpoints(Setting.REPLICATION_PEERS),
                        path(Setting.REPLICATION_KEY_FILE)),
                http(),
                new SmOptions.Log(
                        text(Setting.LOG_FILE).equals("stdout") ? null : path(Setting.LOG_FILE),
                        text(Setting.LOG_LEVEL)));
    }

    private SmOptions.Http http() {
        Optional<?> listen = (Optional<?>) value(Setting.HTTP_LISTEN);
        Set<?> names = (Set<?>) value(Setting.HTTP_NAMES);
        return new SmOptions.Http(
                listen.map(InetSocketAddress.class::cast).orElse(null),
                names.stream().map(String.class::cast).collect(Collectors.toUnmodifiableSet()));
    }

    private SmOptions.Partitions partitions() {
        String enforcement = flag(Setting.NO_PARTITION_ENFORCEMENT) ? "off" : text(Setting.PART_ENFORCE);
        return new SmOptions.Partitions(
                path(Setting.PARTITION_CONFIG_FILE),
                PartitionSettings.Enforcement.valueOf(enforcement.toUpperCase(Locale.ROOT)),
                flag(Setting.KEEP_PKEY_INDEXES),
                flag(Setting.ALLOW_BOTH_PKEYS));
    }

    private SmOptions.Links links() {
        return new SmOptions.Links(
                number(Setting.MAX_OP_VLS),
                number(Setting.SUBNET_TIMEOUT),
                number(Setting.PACKET_LIFE_TIME),
                number(Setting.HEAD_OF_QUEUE_LIFETIME),
                number(Setting.LEAF_HEAD_OF_QUEUE_LIFETIME),
                number(Setting.VL_STALL_COUNT),
                number(Setting.LEAF_VL_STALL_COUNT),
                number(Setting.LOCAL_PHY_ERRORS_THRESHOLD),
                number(Setting.OVERRUN_ERRORS_THRESHOLD));
    }

    private QosOptions qosOptions() {
        Map<PortSet, QosOptions.Values> sets = new EnumMap<>(PortSet.class);
        for (PortSet set : PortSet.values()) {
            int maxVls = number(of(set, "MAX_VLS"));
            int highLimit = number(of(set, "HIGH_LIMIT"));
            sets.put(
                    set,
                    new QosOptions.Values(
                            Optional.of(maxVls).filter(vls -> vls > 0),
                            Optional.of(highLimit).filter(limit -> limit >= 0),
                            list(of(set, "VLARB_HIGH"), VlWeight.class),
                            list(of(set, "VLARB_LOW"), VlWeight.class),
                            list(of(set, "SL2VL"), Integer.class)));
        }
        return new QosOptions(sets);
    }

    /** An item of a set of QoS options; that there is one is seen whenever a configuration is read. */
    private static Setting of(PortSet set, String item) {
        return Setting.valueOf(set.prefix().toUpperCase(Locale.ROOT) + item);
    }

    private <T> Optional<List<T>> list(Setting setting, Class<T> type) {
        return ((Optional<?>) value(setting))
                .map(entries -> ((List<?>) entries).stream().map(type::cast).toList());
    }
}
