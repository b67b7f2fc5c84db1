package io.torussm.daemon.config;

import static io.torussm.daemon.config.Setting.Reload.NEXT_SWEEP;
import static io.torussm.daemon.config.Setting.Reload.NOW;
import static io.torussm.daemon.config.Setting.Reload.RESTART;
import static io.torussm.daemon.config.SettingGroup.ADDRESSES;
import static io.torussm.daemon.config.SettingGroup.ADMINISTRATION;
import static io.torussm.daemon.config.SettingGroup.ALERTS;
import static io.torussm.daemon.config.SettingGroup.COUNTERS;
import static io.torussm.daemon.config.SettingGroup.FILES;
import static io.torussm.daemon.config.SettingGroup.ISOLATION;
import static io.torussm.daemon.config.SettingGroup.LINKS;
import static io.torussm.daemon.config.SettingGroup.LOCAL_PORT;
import static io.torussm.daemon.config.SettingGroup.MASTERSHIP;
import static io.torussm.daemon.config.SettingGroup.PARTITIONS;
import static io.torussm.daemon.config.SettingGroup.REPLICATION;
import static io.torussm.daemon.config.SettingGroup.ROUTING;
import static io.torussm.daemon.config.SettingGroup.SWEEPS;
import static io.torussm.daemon.config.ValueType.bits64;
import static io.torussm.daemon.config.ValueType.bool;
import static io.torussm.daemon.config.ValueType.file;
import static io.torussm.daemon.config.ValueType.integer;
import static io.torussm.daemon.config.ValueType.text;

import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.perf.PerfSettings;
import io.torussm.perf.Thresholds;
import io.torussm.subnet.LinkSpeeds;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.discovery.Multipath;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The declarations of all settings. To add one, declare it here. Then give the record of its user a component
 * of its name in camel case, or of the name that is declared with {@link SettingDraft#componentName}.
 */
public final class Settings {
    private static final Map<String, Setting<?>> BY_KEY = new LinkedHashMap<>();
    private static final Map<String, Setting<?>> BY_COMPONENT = new LinkedHashMap<>();
    public static final Setting<Long> GUID = in(LOCAL_PORT, RESTART, "guid", bits64(), "0")
            .options("-g", "--guid")
            .means("GUID of the local port; 0: any");
    public static final Setting<String> CA = in(LOCAL_PORT, RESTART, "ca", text("NAME"), "")
            .options("--ca")
            .means("channel adapter, such as mlx5_0; empty: any");
    public static final Setting<Integer> PORT = in(LOCAL_PORT, RESTART, "port", integer(0, NodeInfo.MAX_PORT_NUM), "0")
            .componentName("number")
            .options("--port")
            .means("port of the channel adapter; 0: the first port with a link");
    public static final Setting<String> SIMULATE = in(LOCAL_PORT, RESTART, "simulate", text("SPEC|FILE"), "")
            .options("--simulate")
            .means(
                    "manage an embedded fabric instead of a real one",
                    "A specification such as \"torus:6x5x1,hosts=2\" or \"tree:4,3\" (lab.md lists all), or a file in"
                            + " ibnetdiscover's format. A capture of MADs has its devices replayed. unix:NAME is the fabric"
                            + " of torus-sm fabric or ibsim; empty: a real fabric.");
    public static final Setting<String> SIM_HOST = in(LOCAL_PORT, RESTART, "sim_host", text("NODE"), "")
            .options("--sim-host")
            .means("node of the embedded fabric to which the SM is attached", "A name or GUID; empty: the first host.");
    public static final Setting<Boolean> SIM_LIMITS = in(LOCAL_PORT, RESTART, "sim_limits", bool(), "false")
            .componentName("isSimLimited")
            .options("--sim-limits")
            .means(
                    "the embedded fabric loses SMPs as a real fabric does",
                    "Switches queue 64 SMPs for VL 15 and serve one in 50 us; the port has the time-outs of Linux.");
    public static final Setting<Optional<Path>> SIMULATE_DEVICES = in(
                    LOCAL_PORT, RESTART, "simulate_devices", file("FILE"), "")
            .options("--simulate-devices")
            .means(
                    "faults of devices of the embedded fabric; empty: none",
                    "Devices that refuse, hang, are busy or bounce, and hosts that join groups; see rehearsing.md.");
    public static final Setting<Boolean> KERNEL_RMPP = in(LOCAL_PORT, RESTART, "kernel_rmpp", bool(), "false")
            .componentName("isRmppOfKernel")
            .means(
                    "the kernel segments SA tables",
                    "OpenSM does the same; otherwise the SM sends the segments. Not for an embedded fabric.");

    public static final Setting<String> ROUTING_ENGINE = in(
                    ROUTING, NEXT_SWEEP, "routing_engine", new ValueType.Names("NAMES"), "torus-2QoS")
            .componentName("engines")
            .options("-R", "--routing_engine")
            .means(
                    "routing engines, tried in this order",
                    "Names with commas, of " + Engines.names()
                            + ". If neither routing_engine nor torus_config is set, the value is auto. If all engines refuse,"
                            + " the last resort of the first engine that has one routes. If no engine has one, switches keep"
                            + " their tables, and minhop follows for switches without tables. With no_fallback nothing follows.");
    public static final Setting<OnCreditLoop> ON_CREDIT_LOOP = in(
                    ROUTING, NEXT_SWEEP, "on_credit_loop", new ValueType.Choice<>(OnCreditLoop.class), "refuse")
            .options("--on_credit_loop")
            .means(
                    "action for tables that could deadlock: refuse or warn",
                    "For engines that do not promise freedom from credit loops, such as minhop: warn programs the"
                            + " tables, with a warning that names the credit loop.");
    public static final Setting<OnCreditLoop> ON_SWITCH_PORT_LOOP = in(
                    ROUTING, NEXT_SWEEP, "on_switch_port_loop", new ValueType.Choice<>(OnCreditLoop.class), "refuse")
            .options("--on_switch_port_loop")
            .means(
                    "action for tables that could deadlock only with packets of switch ports 0: refuse or warn",
                    "Hosts and groups alone are proved free of deadlock in this case. warn programs the tables of any"
                            + " engine, with a warning that names the credit loop.");
    public static final Setting<Optional<Path>> TORUS_CONFIG = in(ROUTING, NEXT_SWEEP, "torus_config", file("FILE"), "")
            .options("--torus_config")
            .means(
                    "configuration of torus-2QoS",
                    "Sizes, seeds and datelines of the torus; see torus-2QoS.conf.example.");
    public static final Setting<Boolean> ACCEPT_UNPLACED_SWITCHES = in(
                    ROUTING, NEXT_SWEEP, "accept_unplaced_switches", bool(), "false")
            .means(
                    "route a torus without the switches whose coordinates are in doubt",
                    "A switch that has lost many cables has no certain coordinates. false: routing is refused until"
                            + " the switch is repaired. true: the switch and its hosts have no routes, as with OpenSM.");
    public static final Setting<Balance> BALANCE = in(
                    ROUTING, NEXT_SWEEP, "balance", new ValueType.Choice<>(Balance.class), "off")
            .means(
                    "direction of paths round the rings of torus-2QoS",
                    "off: as OpenSM. ties: paths between opposite switches use both directions of a ring. one_sl:"
                            + " no credit loop closes, with any SL that hosts use. All SMs of a subnet need the same value;"
                            + " see torus-2qos.md.");
    public static final Setting<Multipath> MULTIPATH = in(
                    ROUTING, NEXT_SWEEP, "multipath", new ValueType.Choice<>(Multipath.class), "off")
            .means(
                    "paths of torus-2QoS to every second LID of a port",
                    "Needs lmc 1 or more, and balance off. off: the same path as to the first LID. sides: if both"
                            + " directions round a ring are equally long, the path over the dateline. orders: the same, and"
                            + " z before y before x. All SMs of a subnet need the same value; see torus-2qos.md.");
    public static final Setting<Boolean> QOS = in(ROUTING, NEXT_SWEEP, "qos", bool(), "false")
            .options("-Q", "--qos")
            .means("program SL2VL and VL arbitration tables; torus-2QoS needs them");
    public static final Setting<Integer> SM_SL = in(ROUTING, NEXT_SWEEP, "sm_sl", integer(0, 15), "0")
            .options("--sm_sl")
            .means("SL of traffic with the SM", "torus-2QoS uses bit 3 only, the QoS level.");

    static {
        EngineSettings.declare();
        ArbitrationSettings.declare();
        CongestionDeclarations.declare();
    }

    public static final Setting<Long> SUBNET_PREFIX = in(
                    ADDRESSES, RESTART, "subnet_prefix", bits64(), "0xfe80000000000000")
            .componentName("gidPrefix")
            .options("--subnet_prefix")
            .means("subnet prefix of all GIDs");
    public static final Setting<Integer> LMC = in(ADDRESSES, NEXT_SWEEP, "lmc", integer(0, 7), "0")
            .options("-l", "--lmc")
            .means("each host port has 2^N LIDs");
    public static final Setting<Boolean> LMC_ESP0 = in(ADDRESSES, NEXT_SWEEP, "lmc_esp0", bool(), "false")
            .means("enhanced port 0 of switches has as many LIDs as a host port", "Base port 0 always has one.");
    public static final Setting<Integer> SM_ASSIGNED_GUID = in(ADDRESSES, NOW, "sm_assigned_guid", integer(0, 255), "0")
            .componentName("assignedGuidGroup")
            .means("bits 39 to 32 of alias GUIDs that the SA creates", "An alias GUID: 00:14:05, this byte, 32 bits.");
    public static final Setting<Boolean> REASSIGN_LIDS = in(ADDRESSES, RESTART, "reassign_lids", bool(), "false")
            .options("-r", "--reassign_lids")
            .means("discard all LIDs and assign new ones", "Once, in the first sweep. Breaks every connection.");

    public static final Setting<Optional<Path>> PARTITION_CONFIG_FILE = in(
                    PARTITIONS, NEXT_SWEEP, "partition_config_file", file("FILE"), "")
            .options("-P", "--Pconfig")
            .means(
                    "partitions; empty: /etc/torus-sm/partitions.conf if it exists",
                    "Without a file, all ports are full members of the default partition; see partitions.md.");
    public static final Setting<Integer> MAX_PARTITION_CHANGE = in(
                    PARTITIONS, NEXT_SWEEP, "max_partition_change", integer(0, 100), "25")
            .componentName("maxChange")
            .means(
                    "percent of end ports, and of virtual ports, whose P_Keys partitions.conf may change; 100: all",
                    "If it would change more, and at least 8, the partitions stay as they are until torus-smctl"
                            + " partitions apply; torus-smctl partitions preview shows the changes.");
    public static final Setting<Enforcement> PART_ENFORCE = in(
                    PARTITIONS, NEXT_SWEEP, "part_enforce", new ValueType.Choice<>(Enforcement.class), "both")
            .componentName("enforcement")
            .options("-Z", "--part_enforce")
            .means("direction in which switch ports to hosts check P_Keys: in, out, both or off");
    public static final Setting<Boolean> NO_PARTITION_ENFORCEMENT = in(
                    PARTITIONS, NEXT_SWEEP, "no_partition_enforcement", bool(), "false")
            .options("-N", "--no_part_enforce")
            .means("former name of part_enforce = off");
    public static final Setting<Boolean> KEEP_PKEY_INDEXES = in(
                    PARTITIONS, NEXT_SWEEP, "keep_pkey_indexes", bool(), "true")
            .componentName("keepsIndexes")
            .means("a P_Key keeps its index in a table", "Applications remember indexes.");
    public static final Setting<Boolean> ALLOW_BOTH_PKEYS = in(
                    PARTITIONS, NEXT_SWEEP, "allow_both_pkeys", bool(), "false")
            .componentName("allowsBoth")
            .options("-W", "--allow_both_pkeys")
            .means("a port may have the full and the limited P_Key of a partition", "Otherwise full wins.");

    public static final Setting<Optional<Path>> QOS_POLICY_FILE = in(
                    ADMINISTRATION, NEXT_SWEEP, "qos_policy_file", file("FILE"), "")
            .options("-Y", "--qos_policy_file")
            .means(
                    "QoS levels of paths; empty: /etc/torus-sm/qos-policy.conf if it exists",
                    "Without a file, paths have the SLs of their partitions; see qos.md. Only with qos.");
    public static final Setting<Optional<Path>> PREFIX_ROUTES_FILE = in(
                    ADMINISTRATION, NEXT_SWEEP, "prefix_routes_file", file("FILE"), "")
            .options("--prefix_routes_file")
            .means(
                    "routers to other subnets; empty: /etc/torus-sm/prefix-routes.conf if it exists",
                    "Without a file, no other subnet can be reached; see path-records.md.");
    public static final Setting<Optional<Path>> NODE_NAME_MAP_NAME = in(
                    ADMINISTRATION, NEXT_SWEEP, "node_name_map_name", file("FILE"), "")
            .options("--node_name_map_name")
            .means(
                    "names of nodes by GUID; empty: /etc/torus-sm/ib-node-name-map if it exists",
                    "The format is that of infiniband-diags; see names.md.");
    public static final Setting<Optional<Path>> SITE_MAP = in(ADMINISTRATION, NEXT_SWEEP, "site_map", file("FILE"), "")
            .options("--site_map")
            .means(
                    "rack, row and unit of nodes, and labels of cables; empty: /etc/torus-sm/site-map if it"
                            + " exists",
                    "For people and monitoring only; see names.md.");
    public static final Setting<Boolean> CONSOLIDATE_IPV6_SNM_REQ = in(
                    ADMINISTRATION, NOW, "consolidate_ipv6_snm_req", bool(), "false")
            .componentName("sharesMlids")
            .options("--consolidate_ipv6_snm_req")
            .means(
                    "groups of IPv6 solicited-node addresses share an MLID for each scope and partition",
                    "Members receive the packets of all these groups, and drop those of others.");

    public static final Setting<Integer> KEEP_MEMBERSHIPS = in(
                    ADMINISTRATION, NOW, "keep_memberships", integer(0, 1440), "10")
            .componentName("keptMembershipMin")
            .means(
                    "minutes that absent ports stay members of their multicast groups",
                    "A host that is cut off from the SM may return within this time without joining again."
                            + " Entries of another SM in switches stay as long, if this SM has no records of their groups.");

    public static final Setting<Integer> SWEEP_INTERVAL = in(SWEEPS, NOW, "sweep_interval", integer(0, 86_400), "10")
            .componentName("intervalS")
            .options("-s", "--sweep")
            .means("seconds between light sweeps; 0: none", "With 0, only traps and the console start sweeps.");
    public static final Setting<Integer> FAILURE_PRECHECKS = in(
                    SWEEPS, NEXT_SWEEP, "failure_prechecks", integer(0, 1000), "6")
            .formerly("rehearsals")
            .means(
                    "losses of cables whose routes are precomputed after each new routing; 0: none",
                    "Runs while the SM is idle, and names each cable without which no routes would exist.");
    public static final Setting<Integer> READY_PLANS_MIB = in(
                    SWEEPS, NEXT_SWEEP, "ready_plans_mib", integer(0, 4096), "16")
            .means(
                    "MiB for plans that are precomputed for the loss of each cable and each switch; 0: none",
                    "Runs while the SM is idle, after failure_prechecks. A torus of 10x10x10 with 2,000 hosts"
                            + " takes 3, and four minutes of a core.");
    public static final Setting<Integer> DRIFT_CHECK_INTERVAL = in(
                    SWEEPS, NOW, "drift_check_interval", integer(0, 604_800), "600")
            .means(
                    "seconds between passes that read back the tables of devices; 0: only on the command drift",
                    "The SM writes its own values again. With passes, it also reads the entry of its own LID in"
                            + " each switch once a minute; see drift.md.");
    public static final Setting<Integer> DRIFT_CHECK_RATE = in(
                    SWEEPS, NOW, "drift_check_rate", integer(5, 10_000), "100")
            .means("SMPs a second of a pass of drift_check_interval", "No SMP while a sweep runs.");
    public static final Setting<Integer> VIRT_ENABLED = in(SWEEPS, NEXT_SWEEP, "virt_enabled", integer(0, 2), "0")
            .means("SR-IOV ports: 0 ignore, 1 disable, 2 enable", "Never tried on a device: virtual-ports.md.");
    public static final Setting<Boolean> BABBLING_PORT_POLICY = in(SWEEPS, NOW, "babbling_port_policy", bool(), "false")
            .componentName("disablesBabblers")
            .means("disable ports that report link errors without end", "After 250 traps, at most 5 s apart.");
    public static final Setting<Boolean> DROP_EVENT_SUBSCRIPTIONS = in(
                    SWEEPS, NOW, "drop_event_subscriptions", bool(), "false")
            .componentName("dropsSubscriptions")
            .means("event subscriptions (InformInfo) end when their port disappears", "Otherwise they stay.");
    public static final Setting<Integer> MAX_WIRE_SMPS = in(SWEEPS, RESTART, "max_wire_smps", integer(0, 4096), "0")
            .componentName("wireWindow")
            .options("-n", "--maxsmps")
            .means(
                    "limit of SMPs in flight in all; 0: 128, the window of the kernel",
                    "The window begins at 64, halves when several devices lose SMPs at the same time, and grows again.");
    public static final Setting<Integer> MAX_DEVICE_SMPS = in(SWEEPS, NOW, "max_device_smps", integer(1, 256), "4")
            .componentName("deviceWindow")
            .options("--max_device_smps")
            .means("limit of SMPs in flight to one device");
    public static final Setting<Integer> TRANSACTION_TIMEOUT = in(
                    SWEEPS, NOW, "transaction_timeout", integer(1, 60_000), "200")
            .componentName("timeoutMs")
            .options("-t", "--timeout")
            .means("milliseconds to wait for a response");
    public static final Setting<Integer> TRANSACTION_RETRIES = in(
                    SWEEPS, NOW, "transaction_retries", integer(0, 100), "3")
            .componentName("retries")
            .options("--retries")
            .means("retries of an SMP");

    public static final Setting<Integer> ISOLATE_FLAPPING_LINKS = in(
                    ISOLATION, NOW, "isolate_flapping_links", integer(0, 1000), "0")
            .means("isolate cables that go down this often within isolate_window; 0: none");
    public static final Setting<Integer> ISOLATE_WINDOW = in(
                    ISOLATION, NOW, "isolate_window", integer(10, 86_400), "600")
            .componentName("isolateWindowS")
            .means("seconds in which the losses of a cable are counted");
    public static final Setting<Integer> ISOLATE_ERROR_RATE = in(
                    ISOLATION, NOW, "isolate_error_rate", integer(0, 1_000_000), "0")
            .means(
                    "isolate cables with this many errors a minute, over five minutes; 0: none",
                    "Signs of a bad link at either end, as the performance manager counts them; needs perfmgr.");
    public static final Setting<Integer> ISOLATE_MAX_LINKS = in(
                    ISOLATION, NOW, "isolate_max_links", integer(0, 100), "2")
            .means("limit of cables that are isolated at the same time");
    public static final Setting<Integer> ISOLATE_QUIET_TIME = in(
                    ISOLATION, NOW, "isolate_quiet_time", integer(10, 604_800), "3600")
            .componentName("isolateQuietTimeS")
            .means(
                    "seconds without a change of state after which an isolated cable is used again",
                    "The time doubles with each isolation of the cable within a week, up to a day.");

    public static final Setting<Integer> SM_PRIORITY = in(MASTERSHIP, NOW, "sm_priority", integer(0, 15), "0")
            .componentName("priority")
            .options("-p", "--priority")
            .means("priority among subnet managers", "The highest priority wins, then the lowest GUID.");
    public static final Setting<Long> SM_KEY = in(MASTERSHIP, RESTART, "sm_key", bits64(), "1")
            .options("-k", "--smkey")
            .secret()
            .means("SM_Key that other subnet managers must show");
    public static final Setting<Boolean> SM_INACTIVE = in(MASTERSHIP, RESTART, "sm_inactive", bool(), "false")
            .componentName("isInactive")
            .options("-I", "--inactive")
            .means("start NOT-ACTIVE", "This SM neither sweeps nor becomes master until a master calls it to STANDBY.");
    public static final Setting<Integer> SMINFO_POLLING_TIMEOUT = in(
                    MASTERSHIP, NOW, "sminfo_polling_timeout", integer(100, 60_000), "1000")
            .componentName("pollMs")
            .means("milliseconds between polls of the master", "While this SM is STANDBY.");
    public static final Setting<Integer> POLLING_RETRY_NUMBER = in(
                    MASTERSHIP, NOW, "polling_retry_number", integer(0, 100), "2")
            .componentName("pollRetries")
            .means(
                    "polls of the master that may fail in a row",
                    "After one more this SM takes over: with the defaults at most 4 s after the master died.");
    public static final Setting<Integer> SILENT_MASTER_WAIT = in(
                    MASTERSHIP, NOW, "silent_master_wait", integer(0, 600), "30")
            .means(
                    "seconds to wait for a silent SM whose port still reports an SM",
                    "The SM may be busy. The port of a dead SM no longer reports one.");
    public static final Setting<Set<Long>> TRUSTED_SM_KEYS = in(
                    MASTERSHIP, NOW, "trusted_sm_keys", new ValueType.Bits64Set("0xHEX,..."), "")
            .secret()
            .means(
                    "further SM_Keys that are accepted; if set, an SM must show one",
                    "A list with commas; empty: SMs with the same SM_Key, or with none, are accepted. With 0 in the"
                            + " list, SMs without an SM_Key are accepted.");
    public static final Setting<Set<Long>> TRUSTED_SM_GUIDS = in(
                    MASTERSHIP, NOW, "trusted_sm_guids", new ValueType.Bits64Set("0xHEX,..."), "")
            .means("port GUIDs of accepted SMs, with commas; empty: any");
    public static final Setting<Long> M_KEY =
            in(MASTERSHIP, NEXT_SWEEP, "m_key", bits64(), "0").secret().means("M_Key of all ports; 0: none");
    public static final Setting<Integer> M_KEY_LEASE_PERIOD = in(
                    MASTERSHIP, NEXT_SWEEP, "m_key_lease_period", integer(0, 65_535), "0")
            .means("seconds that a port protects its M_Key; 0: for ever");
    public static final Setting<Integer> M_KEY_PROTECTION_LEVEL = in(
                    MASTERSHIP, NEXT_SWEEP, "m_key_protection_level", integer(0, 3), "0")
            .componentName("mKeyProtectBits")
            .means("M_KeyProtectBits");
    public static final Setting<Boolean> M_KEY_LOOKUP = in(MASTERSHIP, NEXT_SWEEP, "m_key_lookup", bool(), "true")
            .means(
                    "show new devices the M_Keys of earlier devices at the same place",
                    "The files guid2mkey and neighbors in state_dir have them.");

    public static final Setting<Boolean> SHADOW = in(SettingGroup.SHADOW, RESTART, "shadow", bool(), "false")
            .componentName("isShadow")
            .options("--shadow")
            .means("observe a fabric whose master is another SM; never write to it", "This SM is not even a standby.");
    public static final Setting<Integer> SHADOW_SMPS_PER_SECOND = in(
                    SettingGroup.SHADOW, NOW, "shadow_smps_per_second", integer(1, 100_000), "500")
            .means("limit of MADs a second of shadow");
    public static final Setting<Integer> SHADOW_INTERVAL = in(
                    SettingGroup.SHADOW, NOW, "shadow_interval", integer(10, 86_400), "600")
            .componentName("shadowIntervalS")
            .means("seconds between two readings of the whole fabric");
    public static final Setting<Integer> SHADOW_LOOK = in(
                    SettingGroup.SHADOW, NOW, "shadow_look", integer(0, 3_600), "2")
            .componentName("shadowLookS")
            .means(
                    "seconds between polls of all switches, which find faults; 0: only whole readings",
                    "A poll takes one SMP for each switch.");
    public static final Setting<Integer> SHADOW_PATHS = in(
                    SettingGroup.SHADOW, NOW, "shadow_paths", integer(0, 10_000), "200")
            .means(
                    "paths to request from the master's SA with each reading, to compare SLs; 0: none",
                    "Gets of PathRecord, one after the other.");

    public static final Setting<List<InetSocketAddress>> REPLICATION_LISTEN = in(
                    REPLICATION, RESTART, "replication_listen", new NetworkValues.Endpoints(), "")
            .means("address of this SM on the management network for peers, HOST:PORT; empty: no replication");
    public static final Setting<List<InetSocketAddress>> REPLICATION_PEERS = in(
                    REPLICATION, RESTART, "replication_peers", new NetworkValues.Endpoints(), "")
            .componentName("peers")
            .means("addresses of the other SMs, HOST:PORT with commas");
    public static final Setting<Optional<Path>> REPLICATION_KEY_FILE = in(
                    REPLICATION, RESTART, "replication_key_file", file("FILE"), "/etc/torus-sm/replication.p12")
            .componentName("keyFile")
            .means(
                    "key of this SM and its peers",
                    "A PKCS #12 file, the same on all SMs, that only its owner may read.");
    public static final Setting<Integer> REPLICATION_WAIT = in(
                    REPLICATION, NOW, "replication_wait", integer(0, 600), "5")
            .componentName("waitS")
            .means(
                    "seconds to wait for the state of peers at the start and at a handover",
                    "The SM waits before its first write, since its own files may be older. 0: no wait.");

    public static final Setting<Boolean> PERFMGR = in(COUNTERS, NOW, "perfmgr", bool(), "false")
            .componentName("isPolling")
            .options("--perfmgr")
            .means("read the counters of all ports");
    public static final Setting<Integer> PERFMGR_SWEEP_TIME_S = in(
                    COUNTERS, NOW, "perfmgr_sweep_time_s", integer(1, 86_400), "180")
            .componentName("pollIntervalS")
            .options("--perfmgr_sweep_time_s")
            .means("seconds between two readings of all counters");
    public static final Setting<Integer> PERFMGR_MAX_OUTSTANDING_QUERIES = in(
                    COUNTERS, NOW, "perfmgr_max_outstanding_queries", integer(1, 4096), "500")
            .componentName("maxQueries")
            .means("limit of requests for counters in flight");
    public static final Setting<Integer> PERFMGR_DEVICE_QUERIES = in(
                    COUNTERS, NOW, "perfmgr_device_queries", integer(1, 64), "2")
            .componentName("deviceQueries")
            .means("limit of requests for counters in flight to one device");
    public static final Setting<Integer> PERFMGR_MADS_PER_SECOND = in(
                    COUNTERS, NOW, "perfmgr_mads_per_second", integer(1, 1_000_000), "20000")
            .componentName("madsPerSecond")
            .means("limit of requests for counters a second", "A port takes one to three for each reading.");
    public static final Setting<Boolean> PERFMGR_IGNORE_CAS = in(COUNTERS, NOW, "perfmgr_ignore_cas", bool(), "false")
            .componentName("ignoresHosts")
            .means("read the counters of switches only");
    public static final Setting<Boolean> PERFMGR_REDIR = in(COUNTERS, NOW, "perfmgr_redir", bool(), "true")
            .componentName("followsRedirection")
            .means("send requests for counters to the address to which a device redirects them");
    public static final Setting<Boolean> PERFMGR_RM_NODES = in(COUNTERS, NOW, "perfmgr_rm_nodes", bool(), "true")
            .componentName("forgetsDevices")
            .means("discard the counters of devices that are absent for an hour");
    public static final Setting<Boolean> PERFMGR_LOG_ERRORS = in(COUNTERS, NOW, "perfmgr_log_errors", bool(), "true")
            .componentName("reportsPorts")
            .means("report ports whose counters exceed perfmgr_thresholds or perfmgr_congestion");
    public static final Setting<Boolean> PERFMGR_RCV_ERR_DETAILS = in(
                    COUNTERS, NOW, "perfmgr_rcv_err_details", bool(), "false")
            .componentName("readsDetails")
            .means("read PortRcvErrorDetails too, with one more request for each port");
    public static final Setting<PerfSettings.Clearing> PERFMGR_CLEAR = in(
                    COUNTERS, NOW, "perfmgr_clear", new ValueType.Choice<>(PerfSettings.Clearing.class), "auto")
            .componentName("clearing")
            .means(
                    "counters to clear before they reach their highest value: auto, always or never",
                    "auto: those of devices without 64-bit counters. always: also errors of other devices. Other"
                            + " monitors see cleared counters fall to 0.");
    public static final Setting<Integer> PERFMGR_SAMPLES = in(COUNTERS, NOW, "perfmgr_samples", integer(2, 3600), "60")
            .componentName("samples")
            .means("readings to keep of each port, 24 octets each");
    public static final Setting<Thresholds> PERFMGR_THRESHOLDS = in(
                    COUNTERS, NOW, "perfmgr_thresholds", new ValueType.Parsed<>("COUNTER=N,...", Thresholds::parse), "")
            .componentName("errorLimits")
            .means(
                    "errors an hour that are too many, COUNTER=N with commas; 0: no limit",
                    "Names are IBA's, as in the error_thresholds of infiniband-diags. counters.md has the defaults.");
    public static final Setting<Integer> PERFMGR_CONGESTION = in(
                    COUNTERS, NOW, "perfmgr_congestion", integer(0, 100), "20")
            .componentName("congestionPercent")
            .means("percent of the time without credit that is too much; 0: no limit");
    public static final Setting<Boolean> FIRMWARE_VERSIONS = in(COUNTERS, NOW, "firmware_versions", bool(), "false")
            .means("read firmware versions of Mellanox devices, by the requests of vendstat -N; see inventory.md");

    public static final Setting<Integer> MAX_OP_VLS = in(LINKS, NEXT_SWEEP, "max_op_vls", integer(1, 5), "5")
            .options("--max_op_vls")
            .means(
                    "limit of OperationalVLs, as a VL code",
                    "1: VL0, 2: VL0-1, 3: VL0-3, 4: VL0-7, 5: VL0-14. torus-2QoS needs 4 or more.");
    public static final Setting<Integer> SUBNET_TIMEOUT = in(LINKS, NEXT_SWEEP, "subnet_timeout", integer(0, 31), "18")
            .means(
                    "SubnetTimeOut of ports, and life time of paths",
                    "Multicast groups that are created after a change have the new value.");
    public static final Setting<Integer> PACKET_LIFE_TIME = in(
                    LINKS, NEXT_SWEEP, "packet_life_time", integer(0, 31), "0x12")
            .means("SwitchInfo.LifeTimeValue: limit of the time that a switch keeps a packet; 20 and more: no limit");
    public static final Setting<Integer> HEAD_OF_QUEUE_LIFETIME = in(
                    LINKS, NEXT_SWEEP, "head_of_queue_lifetime", integer(0, 31), "0x12")
            .componentName("hoqLife")
            .means(
                    "HOQLife of ports between switches",
                    "Limit of the time that a packet stays at the head of a queue.");
    public static final Setting<Integer> LEAF_HEAD_OF_QUEUE_LIFETIME = in(
                    LINKS, NEXT_SWEEP, "leaf_head_of_queue_lifetime", integer(0, 31), "0x10")
            .componentName("leafHoqLife")
            .means("HOQLife of switch ports to hosts");
    public static final Setting<Integer> VL_STALL_COUNT = in(LINKS, NEXT_SWEEP, "vl_stall_count", integer(1, 7), "7")
            .means("VLStallCount of ports between switches", "Packets dropped in sequence that stall a VL.");
    public static final Setting<Integer> LEAF_VL_STALL_COUNT = in(
                    LINKS, NEXT_SWEEP, "leaf_vl_stall_count", integer(1, 7), "7")
            .means("VLStallCount of switch ports to hosts");
    public static final Setting<Integer> FORCE_LINK_WIDTH = in(
                    LINKS, NEXT_SWEEP, "force_link_width", integer(0, 255), "255")
            .means(
                    "LinkWidthEnabled of ports: 0 leaves it, 255 is all supported widths, else a sum of codes",
                    "1: 1x, 2: 4x, 4: 8x, 8: 12x, 16: 2x.");
    public static final Setting<Integer> FORCE_LINK_SPEED = in(
                    LINKS, NEXT_SWEEP, "force_link_speed", integer(0, 15), "15")
            .means(
                    "LinkSpeedEnabled of ports: 0 leaves it, 15 is all supported speeds, else a sum of codes",
                    "1: SDR, 2: DDR, 4: QDR.");
    public static final Setting<Integer> FORCE_LINK_SPEED_EXT = in(
                    LINKS, NEXT_SWEEP, "force_link_speed_ext", integer(0, 31), "31")
            .means(
                    "LinkSpeedExtEnabled of ports: 0 leaves it, 30 is none, 31 is all supported speeds, else a sum of codes",
                    "1: FDR, 2: EDR, 4: HDR, 8: NDR.");
    public static final Setting<Integer> FDR10 = in(LINKS, NEXT_SWEEP, "fdr10", integer(0, 2), "1")
            .means(
                    "FDR10 of Mellanox devices: 0 leaves it, 1 enables it, 2 disables it",
                    "Set on links that trained at QDR, before they carry traffic.");
    public static final Setting<List<LinkSpeeds.PortSpeeds>> FORCE_LINK_PORTS = in(
                    LINKS, NEXT_SWEEP, "force_link_ports", new ValueType.LinkPorts(), "")
            .means(
                    "widths and speeds of single ports: GUID/PORT width=N speed=N speed_ext=N, with commas",
                    "GUID is the node GUID. force_link_width, force_link_speed and force_link_speed_ext give the other values.");
    public static final Setting<Integer> LOCAL_PHY_ERRORS_THRESHOLD = in(
                    LINKS, NEXT_SWEEP, "local_phy_errors_threshold", integer(0, 15), "8")
            .componentName("localPhyErrors")
            .means("local physical errors that cause a trap");
    public static final Setting<Integer> OVERRUN_ERRORS_THRESHOLD = in(
                    LINKS, NEXT_SWEEP, "overrun_errors_threshold", integer(0, 15), "8")
            .componentName("overrunErrors")
            .means("buffer overruns that cause a trap");

    public static final Setting<Optional<Path>> STATE_DIR = in(
                    FILES, RESTART, "state_dir", file("DIR"), "/var/lib/torus-sm")
            .options("--state-dir")
            .means(
                    "directory of the state that outlives a restart: LIDs, M_Keys, cables, coordinates, groups",
                    "LIDs, M_Keys and cables have OpenSM's formats. The state of a simulated fabric is kept only if a directory is named.");
    public static final Setting<Boolean> RESTORE_GROUPS = in(FILES, NOW, "restore_groups", bool(), "true")
            .componentName("restoresGroups")
            .means(
                    "start with the groups, services and event subscriptions of the last run",
                    "MLIDs and the entries of switches stay.");
    public static final Setting<Integer> HISTORY_CHANGES = in(
                    FILES, RESTART, "history_changes", integer(0, 100_000), "1000")
            .means("changes of the subnet to keep, with all tables; 0: none", "In memory and in state_dir.");
    public static final Setting<Integer> HISTORY_MIB = in(FILES, RESTART, "history_mib", integer(1, 1024), "32")
            .means("MiB of changes to keep", "In memory, and as many in state_dir.");
    public static final Setting<Integer> EVENT_LOG_MIB = in(FILES, RESTART, "event_log_mib", integer(0, 1024), "4")
            .means(
                    "MiB of events to keep in state_dir; 0: none",
                    "The console shows events of earlier runs from there.");
    public static final Setting<Integer> RECORDER_MIB = in(FILES, RESTART, "recorder_mib", integer(0, 1024), "6")
            .means(
                    "MiB of MADs, events and commands that the flight recorder keeps in memory; 0: none",
                    "torus-smctl record writes them to a file for torus-sm replay.");
    public static final Setting<Integer> RECORDER_FILES = in(FILES, RESTART, "recorder_files", integer(0, 100), "8")
            .means(
                    "recordings to keep in state_dir; 0: none",
                    "A fault writes one, at most one in ten minutes; the oldest is removed first. Recordings contain M_Keys.");
    public static final Setting<Optional<Path>> DUMP_FILES_DIR = in(FILES, NOW, "dump_files_dir", file("DIR"), "")
            .componentName("dumpDir")
            .options("--dump-dir", "--dump_files_dir")
            .means("directory for tables after each heavy sweep; empty: none", "Their names and formats are OpenSM's.");
    public static final Setting<Optional<Path>> CAPTURE = in(FILES, RESTART, "capture", file("FILE"), "")
            .options("--capture")
            .means("pcap file for all MADs; empty: none");
    public static final Setting<Optional<Path>> CONTROL_SOCKET = in(
                    FILES, RESTART, "control_socket", file("PATH"), "/run/torus-sm/control.sock")
            .options("--control-socket")
            .means("socket of the console; empty: no console", "torus-smctl connects to it.");
    public static final Setting<String> CONTROL_SOCKET_GROUP = in(
                    FILES, RESTART, "control_socket_group", text("GROUP"), "")
            .means("group of the socket of the console; empty: that of the daemon", "The socket has mode 0660.");
    public static final Setting<List<InetSocketAddress>> CONSOLE_LISTEN = in(
                    FILES, RESTART, "console_listen", new NetworkValues.Endpoints(), "")
            .means("loopback address of a read-only console, such as 127.0.0.1:10000; empty: none");
    public static final Setting<Optional<InetSocketAddress>> HTTP_LISTEN = in(
                    FILES, RESTART, "http_listen", new NetworkValues.Listen(), "127.0.0.1:9335")
            .options("--http-listen")
            .means(
                    "address of metrics, health and the web page, HOST:PORT; none: off",
                    "There is no password: any host that reaches the address sees the whole fabric; see"
                            + " monitoring.md.");
    public static final Setting<Set<String>> HTTP_NAMES = in(
                    FILES, RESTART, "http_names", new NetworkValues.HostNames("HOST,..."), "")
            .means(
                    "host names that requests to the HTTP server may use, with commas",
                    "Its addresses, localhost and the host of http_listen are always accepted.");
    public static final Setting<Optional<InetSocketAddress>> HTTPS_LISTEN = in(
                    FILES, RESTART, "https_listen", new NetworkValues.Listen(), "none")
            .means(
                    "TLS address of metrics, page and API for users with roles, HOST:PORT; none: off",
                    "It needs https_certificate, https_key and https_users, which SIGHUP reads again. See api.md.");
    public static final Setting<Optional<Path>> HTTPS_CERTIFICATE = in(
                    FILES, RESTART, "https_certificate", file("FILE"), "")
            .means("certificate of https_listen, PEM, followed by the certificates of its authorities");
    public static final Setting<Optional<Path>> HTTPS_KEY = in(FILES, RESTART, "https_key", file("FILE"), "")
            .means(
                    "private key of https_certificate, PEM (PKCS #8), without a password",
                    "Its mode is 0600, or 0640 for a group.");
    public static final Setting<Optional<Path>> HTTPS_CLIENT_CA = in(
                    FILES, RESTART, "https_client_ca", file("FILE"), "")
            .means("authority that signs certificates of clients, PEM; empty: clients show tokens");
    public static final Setting<Optional<Path>> HTTPS_USERS = in(FILES, RESTART, "https_users", file("FILE"), "")
            .means(
                    "users and roles of https_listen: lines of role, name and SHA-256 of a token, or the word certificate",
                    "Roles are read, operate and admin. The mode of the file is 0600; torus-sm new-token makes a token and its line.");
    public static final Setting<Optional<Path>> LOG_FILE = in(
                    FILES, RESTART, "log_file", new ValueType.LogFile("FILE"), "stdout")
            .options("-f", "--log_file")
            .means("log file; stdout: standard output");
    public static final Setting<String> LOG_LEVEL = in(
                    FILES, NOW, "log_level", new ValueType.Word(SmOptions.Log.LEVELS), "info")
            .options("--log_level")
            .means("least severe level in the log");

    public static final Setting<Optional<Path>> ALERT_PROGRAM = in(ALERTS, RESTART, "alert_program", file("FILE"), "")
            .means(
                    "program to start for each alert; empty: none",
                    "The daemon's user runs it, without arguments, with the alert as JSON on standard input and in variables TSM_*.");
    public static final Setting<Optional<URI>> ALERT_URL = in(
                    ALERTS, RESTART, "alert_url", new NetworkValues.WebAddress("URL"), "")
            .secret()
            .means("http or https address for alerts as JSON (POST); empty: none");
    public static final Setting<String> ALERT_LEVEL = in(
                    ALERTS, RESTART, "alert_level", new ValueType.Word(SmOptions.Alerts.LEVELS), "warn")
            .means("least severe level of events that are alerts", "Ends of their conditions are alerts, too.");
    public static final Setting<Set<String>> ALERT_CODES = in(
                    ALERTS, RESTART, "alert_codes", new ValueType.EventCodes("CODE,..."), "")
            .means(
                    "codes of events that are alerts at any level; with a minus, that are none",
                    "Example: \"TSM-4007,-TSM-3014\": lost hosts are alerts, default keys are not.");

    private Settings() {}

    static <T> SettingDraft<T> in(
            SettingGroup group, Setting.Reload reload, String key, ValueType<T> type, String standard) {
        return new SettingDraft<>(group, reload, key, type, standard);
    }

    /** Registers a setting; called by each declaration. */
    static void register(Setting<?> setting) {
        if (BY_KEY.put(setting.key(), setting) != null || BY_COMPONENT.put(setting.component(), setting) != null) {
            throw new IllegalStateException("declared twice: " + setting.key() + ", " + setting.component());
        }
    }

    /** Returns all settings in the order of declaration. */
    public static Collection<Setting<?>> all() {
        return Collections.unmodifiableCollection(BY_KEY.values());
    }

    /** Returns the names of all settings in the configuration file. */
    public static Set<String> keys() {
        return Collections.unmodifiableSet(BY_KEY.keySet());
    }

    /** Returns the setting of a name in the configuration file; null if there is none. */
    public static @Nullable Setting<?> ofKey(String key) {
        return BY_KEY.get(key);
    }

    /** Returns the setting with a former name in the configuration file; null if there is none. */
    static @Nullable Setting<?> ofFormerKey(String key) {
        return all().stream()
                .filter(setting -> setting.formerKey().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** Returns the setting that a record component takes; null if it takes none. */
    static @Nullable Setting<?> ofComponent(String name) {
        return BY_COMPONENT.get(name);
    }
}
