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

import io.torussm.deadlock.OnCreditLoop;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.perf.PerfSettings;
import io.torussm.perf.Thresholds;
import io.torussm.subnet.LinkSpeeds;
import io.torussm.torus2qos.Balance;
import io.torussm.torus2qos.Multipath;
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
 * Every setting there is, said once. To add one, declare it here, and give the record of its user a component of its
 * name in camel case, or of the name that is declared with {@link SettingDraft#as}.
 */
public final class Settings {
    private static final Map<String, Setting<?>> BY_KEY = new LinkedHashMap<>();
    private static final Map<String, Setting<?>> BY_COMPONENT = new LinkedHashMap<>();

    public static final Setting<Long> GUID = in(LOCAL_PORT, RESTART, "guid", bits64(), "0")
            .options("-g", "--guid")
            .means("GUID of the local port to use; 0: any");
    public static final Setting<String> CA = in(LOCAL_PORT, RESTART, "ca", text("NAME"), "")
            .options("--ca")
            .means("channel adapter to use, such as mlx5_0; empty: any");
    public static final Setting<Integer> PORT = in(LOCAL_PORT, RESTART, "port", integer(0, NodeInfo.MAX_PORT_NUM), "0")
            .as("number")
            .options("--port")
            .means("port of the channel adapter; 0: any", "Any is the first one whose link is up.");
    public static final Setting<String> SIMULATE = in(LOCAL_PORT, RESTART, "simulate", text("SPEC|FILE"), "")
            .options("--simulate")
            .means(
                    "manage an embedded fabric instead of a real one",
                    "A specification such as \"torus:6x5x1,hosts=2\" or \"tree:4,3\" (lab.md lists all), a file in"
                            + " ibnetdiscover's format, or a capture of MADs, whose devices are replayed; unix:NAME, the fabric that torus-sm fabric or ibsim serves"
                            + " there; empty: the real one.");
    public static final Setting<String> SIM_HOST = in(LOCAL_PORT, RESTART, "sim_host", text("NODE"), "")
            .options("--sim-host")
            .means("node of the embedded fabric that the SM sits on", "By name or GUID; empty: its first host.");
    public static final Setting<Boolean> SIM_LIMITS = in(LOCAL_PORT, RESTART, "sim_limits", bool(), "false")
            .as("isSimLimited")
            .options("--sim-limits")
            .means(
                    "the embedded fabric loses SMPs as a real one does",
                    "Switches queue 64 for VL 15 and serve one in 50 us; the port has the time-outs of Linux.");
    public static final Setting<Optional<Path>> SIMULATE_DEVICES = in(
                    LOCAL_PORT, RESTART, "simulate_devices", file("FILE"), "")
            .options("--simulate-devices")
            .means(
                    "what is wrong with devices of the embedded fabric; empty: nothing",
                    "Devices that refuse, hang, are busy or bounce, and hosts that join groups; see rehearsing.md.");
    public static final Setting<Boolean> KERNEL_RMPP = in(LOCAL_PORT, RESTART, "kernel_rmpp", bool(), "false")
            .as("isRmppOfKernel")
            .means(
                    "leave the segments of SA tables to the kernel",
                    "As OpenSM does; otherwise they are sent from here. Not for an embedded fabric.");

    public static final Setting<String> ROUTING_ENGINE = in(
                    ROUTING, NEXT_SWEEP, "routing_engine", new ValueType.Names("NAMES"), "torus-2QoS")
            .as("engines")
            .options("-R", "--routing_engine")
            .means(
                    "routing engines, tried in this order",
                    "Names with commas, of " + Engines.names()
                            + ". Where none is named and torus_config is not set either, it is auto, which takes the engine that fits. If all refuse, as many routes of the first that has any stay as can, and only the others are bent,"
                            + " with all SLs as they were. If none has any, switches keep their tables, and minhop follows where they have none."
                            + " With no_fallback among the names nothing follows.");
    public static final Setting<OnCreditLoop> ON_CREDIT_LOOP = in(
                    ROUTING, NEXT_SWEEP, "on_credit_loop", new ValueType.Choice<>(OnCreditLoop.class), "refuse")
            .options("--on_credit_loop")
            .means(
                    "what becomes of tables that could deadlock: refuse or warn",
                    "For engines that promise nothing, such as minhop: warn programs them, with a warning that names the"
                            + " credit loop.");
    public static final Setting<OnCreditLoop> ON_SWITCH_PORT_LOOP = in(
                    ROUTING, NEXT_SWEEP, "on_switch_port_loop", new ValueType.Choice<>(OnCreditLoop.class), "refuse")
            .options("--on_switch_port_loop")
            .means(
                    "what becomes of tables that could deadlock only with packets of switch ports 0: refuse or warn",
                    "Hosts and groups alone are proved free of deadlock then: warn programs the tables, whatever engine they are"
                            + " of, with a warning that names the credit loop.");
    public static final Setting<Optional<Path>> TORUS_CONFIG = in(ROUTING, NEXT_SWEEP, "torus_config", file("FILE"), "")
            .options("--torus_config")
            .means(
                    "configuration of torus-2QoS",
                    "Sizes, seeds and datelines of the torus; see torus-2QoS.conf.example.");
    public static final Setting<Boolean> ACCEPT_UNPLACED_SWITCHES = in(
                    ROUTING, NEXT_SWEEP, "accept_unplaced_switches", bool(), "false")
            .means(
                    "route a torus without switches whose place is in doubt",
                    "For a switch that has lost too many cables to be placed with certainty: false refuses to route until"
                            + " it is repaired, true leaves it and its hosts without routes, as OpenSM does.");
    public static final Setting<Balance> BALANCE = in(
                    ROUTING, NEXT_SWEEP, "balance", new ValueType.Choice<>(Balance.class), "off")
            .means(
                    "which way round rings torus-2QoS has paths go",
                    "off: as OpenSM has it, those between opposite switches never over the dateline. ties: those both ways alike, so"
                            + " that links carry the same; other SLs on rings of 6, 8, 10.. switches. one_sl: so that no credit loop"
                            + " closes whatever SL hosts use. It must be the same on all SMs of a subnet.");
    public static final Setting<Multipath> MULTIPATH = in(
                    ROUTING, NEXT_SWEEP, "multipath", new ValueType.Choice<>(Multipath.class), "off")
            .means(
                    "which paths torus-2QoS has to every second LID of a port",
                    "With lmc from 1 on. off: the same as to the first. sides: where both ways round a ring are equally long, the one"
                            + " over the dateline. orders: the same, and z before y before x; takes 8 data VLs, and there is one QoS"
                            + " level. It must be the same on all SMs of a subnet, and balance off.");
    public static final Setting<Boolean> QOS = in(ROUTING, NEXT_SWEEP, "qos", bool(), "false")
            .options("-Q", "--qos")
            .means("program SL2VL and VL arbitration tables; torus-2QoS needs them");
    public static final Setting<Integer> SM_SL = in(ROUTING, NEXT_SWEEP, "sm_sl", integer(0, 15), "0")
            .options("--sm_sl")
            .means("SL wanted for traffic with the SM", "For torus-2QoS only bit 3 counts: the QoS level.");

    static {
        EngineSettings.declare();
        QosSettings.declare();
    }

    public static final Setting<Long> SUBNET_PREFIX = in(
                    ADDRESSES, RESTART, "subnet_prefix", bits64(), "0xfe80000000000000")
            .as("gidPrefix")
            .options("--subnet_prefix")
            .means("subnet prefix of all GIDs");
    public static final Setting<Integer> LMC = in(ADDRESSES, NEXT_SWEEP, "lmc", integer(0, 7), "0")
            .options("-l", "--lmc")
            .means("each host port is given 2^N LIDs");
    public static final Setting<Boolean> LMC_ESP0 = in(ADDRESSES, NEXT_SWEEP, "lmc_esp0", bool(), "false")
            .means("enhanced port 0 of switches is given as many LIDs as a host port", "Base port 0 has one always.");
    public static final Setting<Integer> SM_ASSIGNED_GUID = in(ADDRESSES, NOW, "sm_assigned_guid", integer(0, 255), "0")
            .as("assignedGuidGroup")
            .means(
                    "bits 39 to 32 of alias GUIDs that the SA makes up",
                    "They are 00:14:05 and this, and a number of 32 bits.");
    public static final Setting<Boolean> REASSIGN_LIDS = in(ADDRESSES, RESTART, "reassign_lids", bool(), "false")
            .options("-r", "--reassign_lids")
            .means("forget all LIDs and assign new ones", "Once, in the first sweep. Breaks every connection.");

    public static final Setting<Optional<Path>> PARTITION_CONFIG_FILE = in(
                    PARTITIONS, NEXT_SWEEP, "partition_config_file", file("FILE"), "")
            .options("-P", "--Pconfig")
            .means(
                    "partitions; empty: /etc/torus-sm/partitions.conf if it is there",
                    "Without either, all ports are full members of the default partition; see partitions.md. Read"
                            + " again at each heavy sweep.");
    public static final Setting<Integer> MAX_PARTITION_CHANGE = in(
                    PARTITIONS, NEXT_SWEEP, "max_partition_change", integer(0, 100), "25")
            .as("maxChange")
            .means(
                    "percent of end ports whose P_Keys a new partitions.conf may change without a question; 100: all",
                    "If it would change more, and not fewer than 8, the partitions stay as they are until torus-smctl"
                            + " partitions apply; torus-smctl partitions preview shows what would change.");
    public static final Setting<Enforcement> PART_ENFORCE = in(
                    PARTITIONS, NEXT_SWEEP, "part_enforce", new ValueType.Choice<>(Enforcement.class), "both")
            .as("enforcement")
            .options("-Z", "--part_enforce")
            .means("P_Keys that switches check at ports to hosts: of packets in, out, both or off");
    public static final Setting<Boolean> NO_PARTITION_ENFORCEMENT = in(
                    PARTITIONS, NEXT_SWEEP, "no_partition_enforcement", bool(), "false")
            .options("-N", "--no_part_enforce")
            .means("old name of part_enforce = off");
    public static final Setting<Boolean> KEEP_PKEY_INDEXES = in(
                    PARTITIONS, NEXT_SWEEP, "keep_pkey_indexes", bool(), "true")
            .as("keepsIndexes")
            .means("a P_Key stays at its index of a table as long as it is wanted", "Applications remember indexes.");
    public static final Setting<Boolean> ALLOW_BOTH_PKEYS = in(
                    PARTITIONS, NEXT_SWEEP, "allow_both_pkeys", bool(), "false")
            .as("allowsBoth")
            .options("-W", "--allow_both_pkeys")
            .means("a port may hold the full and the limited P_Key of a partition", "Otherwise full wins.");

    public static final Setting<Optional<Path>> QOS_POLICY_FILE = in(
                    ADMINISTRATION, NEXT_SWEEP, "qos_policy_file", file("FILE"), "")
            .options("-Y", "--qos_policy_file")
            .means(
                    "which paths get which QoS level; empty: /etc/torus-sm/qos-policy.conf if it is there",
                    "Without either, paths have the SLs of their partitions; see qos.md. Only with qos; read again at"
                            + " each heavy sweep.");
    public static final Setting<Optional<Path>> PREFIX_ROUTES_FILE = in(
                    ADMINISTRATION, NEXT_SWEEP, "prefix_routes_file", file("FILE"), "")
            .options("--prefix_routes_file")
            .means(
                    "routers to other subnets; empty: /etc/torus-sm/prefix-routes.conf if it is there",
                    "Without either, no other subnet can be reached; see path-records.md. Read again at each heavy"
                            + " sweep.");
    public static final Setting<Optional<Path>> NODE_NAME_MAP_NAME = in(
                    ADMINISTRATION, NEXT_SWEEP, "node_name_map_name", file("FILE"), "")
            .options("--node_name_map_name")
            .means(
                    "names of nodes by their GUIDs; empty: /etc/torus-sm/ib-node-name-map if it is there",
                    "As infiniband-diags read it. Without either, nodes are called by their NodeDescription; see names.md."
                            + " Read again at each heavy sweep.");
    public static final Setting<Optional<Path>> SITE_MAP = in(ADMINISTRATION, NEXT_SWEEP, "site_map", file("FILE"), "")
            .options("--site_map")
            .means(
                    "rack, row and unit of nodes, and labels of cables; empty: /etc/torus-sm/site-map if it is there",
                    "For people and monitoring only; see names.md. Read again at each heavy sweep.");
    public static final Setting<Boolean> CONSOLIDATE_IPV6_SNM_REQ = in(
                    ADMINISTRATION, NOW, "consolidate_ipv6_snm_req", bool(), "false")
            .as("sharesMlids")
            .options("--consolidate_ipv6_snm_req")
            .means(
                    "groups of IPv6 solicited-node addresses share an MLID for each scope and partition",
                    "For subnets with more addresses than switches have MLIDs. Their members are sent each other's packets,"
                            + " and drop them.");

    public static final Setting<Integer> KEEP_MEMBERSHIPS = in(
                    ADMINISTRATION, NOW, "keep_memberships", integer(0, 1440), "10")
            .as("keptMembershipMin")
            .means(
                    "minutes that ports that are gone stay members of their multicast groups",
                    "A host behind a switch that does not answer, or cut off from the SM, does not know that it is away, and"
                            + " may come back. Ten minutes are more than a switch takes to boot; then the MLIDs are free"
                            + " for others. One whose link was down joins again by itself. For as long entries stay that another"
                            + " SM left in switches, if this one has no records of their groups.");

    public static final Setting<Integer> SWEEP_INTERVAL = in(SWEEPS, NOW, "sweep_interval", integer(0, 86_400), "10")
            .as("intervalS")
            .options("-s", "--sweep")
            .means(
                    "seconds between light sweeps; 0: none",
                    "With none, the fabric is looked at when traps or the console say so.");
    public static final Setting<Integer> FAILURE_PRECHECKS = in(
                    SWEEPS, NEXT_SWEEP, "failure_prechecks", integer(0, 1000), "6")
            .formerly("rehearsals")
            .means(
                    "losses of cables whose routes are computed beforehand, for each new routing; 0: none",
                    "When all is quiet: a cable without which there would be no routes is named, and the first one that is"
                            + " lost is answered sooner.");
    public static final Setting<Integer> READY_PLANS_MIB = in(
                    SWEEPS, NEXT_SWEEP, "ready_plans_mib", integer(0, 4096), "16")
            .means(
                    "MiB for plans that are computed beforehand for the loss of each cable and each switch; 0: none",
                    "When all is quiet, on one thread, after failure_prechecks: the order of writes and the proof are there then"
                            + " when something is lost. A torus of 10x10x10 with 2,000 hosts takes 3, and four minutes of a core after each"
                            + " change of routes.");
    public static final Setting<Integer> DRIFT_CHECK_INTERVAL = in(
                    SWEEPS, NOW, "drift_check_interval", integer(0, 604_800), "600")
            .means(
                    "seconds between passes that read back what devices hold; 0: only when drift asks for it",
                    "Finds tables and settings that another program wrote, which are mended then. With passes, the entry of each switch for the"
                            + " LID of this SM is read each minute. See drift.md for what it costs.");
    public static final Setting<Integer> DRIFT_CHECK_RATE = in(
                    SWEEPS, NOW, "drift_check_rate", integer(5, 10_000), "100")
            .means("SMPs a second with which that is read", "None while a sweep runs.");
    public static final Setting<Boolean> BABBLING_PORT_POLICY = in(SWEEPS, NOW, "babbling_port_policy", bool(), "false")
            .as("disablesBabblers")
            .means(
                    "disable ports that report link errors without end",
                    "A port is disabled after 250 traps (129 to 131) that were never more than 5 s apart.");
    public static final Setting<Boolean> DROP_EVENT_SUBSCRIPTIONS = in(
                    SWEEPS, NOW, "drop_event_subscriptions", bool(), "false")
            .as("dropsSubscriptions")
            .means(
                    "event subscriptions (InformInfo) end when their port goes",
                    "Otherwise they wait for it to return.");
    public static final Setting<Integer> MAX_WIRE_SMPS = in(SWEEPS, RESTART, "max_wire_smps", integer(0, 4096), "0")
            .as("wireWindow")
            .options("-n", "--maxsmps")
            .means(
                    "the most SMPs in flight in all; 0: 128, what the kernel sends at once",
                    "Begins at 64, halves when several devices lose SMPs sent together, and grows again.");
    public static final Setting<Integer> MAX_DEVICE_SMPS = in(SWEEPS, NOW, "max_device_smps", integer(1, 256), "4")
            .as("deviceWindow")
            .options("--max_device_smps")
            .means("SMPs in flight to one device");
    public static final Setting<Integer> TRANSACTION_TIMEOUT = in(
                    SWEEPS, NOW, "transaction_timeout", integer(1, 60_000), "200")
            .as("timeoutMs")
            .options("-t", "--timeout")
            .means("milliseconds to wait for an answer");
    public static final Setting<Integer> TRANSACTION_RETRIES = in(
                    SWEEPS, NOW, "transaction_retries", integer(0, 100), "3")
            .as("retries")
            .options("--retries")
            .means("how often an SMP is sent again");

    public static final Setting<Integer> ISOLATE_FLAPPING_LINKS = in(
                    ISOLATION, NOW, "isolate_flapping_links", integer(0, 1000), "0")
            .means(
                    "isolate cables that go down so often within isolate_window; 0: none",
                    "Not if a ring would be cut, anybody lost a path, or more than twice as many paths went over a cable.");
    public static final Setting<Integer> ISOLATE_WINDOW = in(
                    ISOLATION, NOW, "isolate_window", integer(10, 86_400), "600")
            .as("isolateWindowS")
            .means("seconds in which downs of a cable are counted");
    public static final Setting<Integer> ISOLATE_ERROR_RATE = in(
                    ISOLATION, NOW, "isolate_error_rate", integer(0, 1_000_000), "0")
            .means(
                    "isolate cables with so many errors a minute, over five minutes; 0: none",
                    "Signs of a bad link at either end, as the performance manager counts them; needs perfmgr.");
    public static final Setting<Integer> ISOLATE_MAX_LINKS =
            in(ISOLATION, NOW, "isolate_max_links", integer(0, 100), "2").means("cables that may be isolated at once");
    public static final Setting<Integer> ISOLATE_QUIET_TIME = in(
                    ISOLATION, NOW, "isolate_quiet_time", integer(10, 604_800), "3600")
            .as("isolateQuietTimeS")
            .means(
                    "seconds without a down or up after which an isolated cable is used again",
                    "Twice as many each time that it was isolated within a week, up to a day.");

    public static final Setting<Integer> SM_PRIORITY = in(MASTERSHIP, NOW, "sm_priority", integer(0, 15), "0")
            .as("priority")
            .options("-p", "--priority")
            .means("priority among subnet managers", "The highest priority wins, then the lowest GUID.");
    public static final Setting<Long> SM_KEY = in(MASTERSHIP, RESTART, "sm_key", bits64(), "1")
            .options("-k", "--smkey")
            .secret()
            .means("SM_Key that other subnet managers must show");
    public static final Setting<Boolean> SM_INACTIVE = in(MASTERSHIP, RESTART, "sm_inactive", bool(), "false")
            .as("isInactive")
            .options("-I", "--inactive")
            .means(
                    "start NOT-ACTIVE, until a master calls",
                    "Neither sweeps nor becomes master until a master calls this SM to STANDBY.");
    public static final Setting<Integer> SMINFO_POLLING_TIMEOUT = in(
                    MASTERSHIP, NOW, "sminfo_polling_timeout", integer(100, 60_000), "1000")
            .as("pollMs")
            .means("milliseconds between polls of the master", "While this SM is STANDBY.");
    public static final Setting<Integer> POLLING_RETRY_NUMBER = in(
                    MASTERSHIP, NOW, "polling_retry_number", integer(0, 100), "2")
            .as("pollRetries")
            .means(
                    "polls of the master that may fail in a row",
                    "One more, and this SM takes over: with the defaults at most 4 s after the master died.");
    public static final Setting<Integer> SILENT_MASTER_WAIT = in(
                    MASTERSHIP, NOW, "silent_master_wait", integer(0, 600), "30")
            .means(
                    "seconds that a silent SM is waited for whose port still says that it is there",
                    "It may be busy. A port does not say so any more when its SM has died: that costs no time.");
    public static final Setting<Set<Long>> TRUSTED_SM_KEYS = in(
                    MASTERSHIP, NOW, "trusted_sm_keys", new ValueType.Bits64Set(), "")
            .secret()
            .means(
                    "further SM_Keys that are accepted; if set, an SM must show one",
                    "A list with commas; empty: any SM with the same SM_Key counts, or with none. With 0 in it those count that"
                            + " show none.");
    public static final Setting<Set<Long>> TRUSTED_SM_GUIDS = in(
                    MASTERSHIP, NOW, "trusted_sm_guids", new ValueType.Bits64Set(), "")
            .means("port GUIDs of the SMs that count, with commas; empty: any");
    public static final Setting<Long> M_KEY =
            in(MASTERSHIP, NEXT_SWEEP, "m_key", bits64(), "0").secret().means("M_Key that ports are given; 0: none");
    public static final Setting<Integer> M_KEY_LEASE_PERIOD = in(
                    MASTERSHIP, NEXT_SWEEP, "m_key_lease_period", integer(0, 65_535), "0")
            .means("seconds that a port protects its M_Key; 0: for ever");
    public static final Setting<Integer> M_KEY_PROTECTION_LEVEL = in(
                    MASTERSHIP, NEXT_SWEEP, "m_key_protection_level", integer(0, 3), "0")
            .as("mKeyProtectBits")
            .means("M_KeyProtectBits");
    public static final Setting<Boolean> M_KEY_LOOKUP = in(MASTERSHIP, NEXT_SWEEP, "m_key_lookup", bool(), "true")
            .means(
                    "show devices that were not seen yet the M_Key of those that were there before",
                    "As guid2mkey and neighbors in state_dir have it.");

    public static final Setting<Boolean> SHADOW = in(SettingGroup.SHADOW, RESTART, "shadow", bool(), "false")
            .as("isShadow")
            .options("--shadow")
            .means(
                    "only look at a fabric that another SM rules, and report; nothing is ever written",
                    "Not even as standby: no Set leaves, and the port is not marked as one of an SM.");
    public static final Setting<Integer> SHADOW_SMPS_PER_SECOND = in(
                    SettingGroup.SHADOW, NOW, "shadow_smps_per_second", integer(1, 100_000), "500")
            .means("MADs that shadow sends in a second at most");
    public static final Setting<Integer> SHADOW_INTERVAL = in(
                    SettingGroup.SHADOW, NOW, "shadow_interval", integer(10, 86_400), "600")
            .as("shadowIntervalS")
            .means("seconds from the end of one reading of the whole fabric to the next");
    public static final Setting<Integer> SHADOW_LOOK = in(
                    SettingGroup.SHADOW, NOW, "shadow_look", integer(0, 3_600), "2")
            .as("shadowLookS")
            .means(
                    "seconds between looks at all switches, by which faults are noticed; 0: only whole readings",
                    "A look takes an SMP a switch.");
    public static final Setting<Integer> SHADOW_PATHS = in(
                    SettingGroup.SHADOW, NOW, "shadow_paths", integer(0, 10_000), "200")
            .means(
                    "paths that the ruling SA is asked for with each reading, to compare SLs; 0: none",
                    "Gets of PathRecord, one after the other.");

    public static final Setting<List<InetSocketAddress>> REPLICATION_LISTEN = in(
                    REPLICATION, RESTART, "replication_listen", new ValueType.Endpoints(), "")
            .means("own address on the management network for peers, HOST:PORT; empty: no replication");
    public static final Setting<List<InetSocketAddress>> REPLICATION_PEERS = in(
                    REPLICATION, RESTART, "replication_peers", new ValueType.Endpoints(), "")
            .as("peers")
            .means("addresses of the SMs that may take over, HOST:PORT with commas");
    public static final Setting<Optional<Path>> REPLICATION_KEY_FILE = in(
                    REPLICATION, RESTART, "replication_key_file", file("FILE"), "/etc/torus-sm/replication.p12")
            .as("keyFile")
            .means(
                    "key that this SM and its peers share",
                    "A PKCS #12 file that only its owner may read, the same on all of them.");
    public static final Setting<Integer> REPLICATION_WAIT = in(
                    REPLICATION, NOW, "replication_wait", integer(0, 600), "5")
            .as("waitS")
            .means(
                    "seconds for which an SM that starts, or is handed the subnet, waits at most for what its peers know",
                    "Before it writes anything, since its own files may be older. 0 does not wait.");

    public static final Setting<Boolean> PERFMGR = in(COUNTERS, NOW, "perfmgr", bool(), "false")
            .as("isPolling")
            .options("--perfmgr")
            .means("read the counters of all ports");
    public static final Setting<Integer> PERFMGR_SWEEP_TIME_S = in(
                    COUNTERS, NOW, "perfmgr_sweep_time_s", integer(1, 86_400), "180")
            .as("pollIntervalS")
            .options("--perfmgr_sweep_time_s")
            .means("seconds from one reading of all counters to the next");
    public static final Setting<Integer> PERFMGR_MAX_OUTSTANDING_QUERIES = in(
                    COUNTERS, NOW, "perfmgr_max_outstanding_queries", integer(1, 4096), "500")
            .as("maxQueries")
            .means("requests for counters that are on the wire at once, at most");
    public static final Setting<Integer> PERFMGR_DEVICE_QUERIES = in(
                    COUNTERS, NOW, "perfmgr_device_queries", integer(1, 64), "2")
            .as("deviceQueries")
            .means("requests for counters that are at one device at once, at most");
    public static final Setting<Integer> PERFMGR_MADS_PER_SECOND = in(
                    COUNTERS, NOW, "perfmgr_mads_per_second", integer(1, 1_000_000), "20000")
            .as("madsPerSecond")
            .means(
                    "requests for counters that are sent in a second, at most",
                    "A port takes one or two for each reading, three with perfmgr_rcv_err_details.");
    public static final Setting<Boolean> PERFMGR_IGNORE_CAS = in(COUNTERS, NOW, "perfmgr_ignore_cas", bool(), "false")
            .as("ignoresHosts")
            .means("read the counters of switches only");
    public static final Setting<Boolean> PERFMGR_REDIR = in(COUNTERS, NOW, "perfmgr_redir", bool(), "true")
            .as("followsRedirection")
            .means("ask where devices say that their counters are to be asked for");
    public static final Setting<Boolean> PERFMGR_RM_NODES = in(COUNTERS, NOW, "perfmgr_rm_nodes", bool(), "true")
            .as("forgetsDevices")
            .means("forget the counters of devices that are gone for an hour");
    public static final Setting<Boolean> PERFMGR_LOG_ERRORS = in(COUNTERS, NOW, "perfmgr_log_errors", bool(), "true")
            .as("reportsPorts")
            .means("report ports that count more errors, or wait longer for credits, than they should");
    public static final Setting<Boolean> PERFMGR_RCV_ERR_DETAILS = in(
                    COUNTERS, NOW, "perfmgr_rcv_err_details", bool(), "false")
            .as("readsDetails")
            .means("read PortRcvErrorDetails too, which costs a request more for each port");
    public static final Setting<PerfSettings.Clearing> PERFMGR_CLEAR = in(
                    COUNTERS, NOW, "perfmgr_clear", new ValueType.Choice<>(PerfSettings.Clearing.class), "auto")
            .as("clearing")
            .means(
                    "whose counters are cleared before they stand still at their highest value: auto, always or never",
                    "auto: those of devices without counters of 64 bits; always: errors of the others too, which have 4 to 16 bits; never:"
                            + " none. Other monitors see what is cleared fall to 0.");
    public static final Setting<Integer> PERFMGR_SAMPLES = in(COUNTERS, NOW, "perfmgr_samples", integer(2, 3600), "60")
            .as("samples")
            .means("readings of each port that are kept, in 24 octets each");
    public static final Setting<Thresholds> PERFMGR_THRESHOLDS = in(
                    COUNTERS, NOW, "perfmgr_thresholds", new ValueType.ErrorLimits(), "")
            .as("errorLimits")
            .means(
                    "errors an hour that are too many, COUNTER=N with commas; 0: never too many",
                    "Names are IBA's, as in the error_thresholds of infiniband-diags. What is not named: see counters.md.");
    public static final Setting<Integer> PERFMGR_CONGESTION = in(
                    COUNTERS, NOW, "perfmgr_congestion", integer(0, 100), "20")
            .as("congestionPercent")
            .means("percent of the time without credit that are too many; 0: never");

    public static final Setting<Integer> MAX_OP_VLS = in(LINKS, NEXT_SWEEP, "max_op_vls", integer(1, 5), "5")
            .options("--max_op_vls")
            .means(
                    "cap of OperationalVLs, as a VL code",
                    "1: VL0, 2: VL0-1, 3: VL0-3, 4: VL0-7, 5: VL0-14. torus-2QoS wants 4 or more.");
    public static final Setting<Integer> SUBNET_TIMEOUT = in(LINKS, NEXT_SWEEP, "subnet_timeout", integer(0, 31), "18")
            .means(
                    "SubnetTimeOut of ports, and life time of paths",
                    "Multicast groups that are made after a change have the new one.");
    public static final Setting<Integer> PACKET_LIFE_TIME = in(
                    LINKS, NEXT_SWEEP, "packet_life_time", integer(0, 31), "0x12")
            .means("SwitchInfo.LifeTimeValue: how long a switch may hold a packet; 20 and more: for ever");
    public static final Setting<Integer> HEAD_OF_QUEUE_LIFETIME = in(
                    LINKS, NEXT_SWEEP, "head_of_queue_lifetime", integer(0, 31), "0x12")
            .as("hoqLife")
            .means("HOQLife of ports between switches", "How long a packet may stand at the head of a queue.");
    public static final Setting<Integer> LEAF_HEAD_OF_QUEUE_LIFETIME = in(
                    LINKS, NEXT_SWEEP, "leaf_head_of_queue_lifetime", integer(0, 31), "0x10")
            .as("leafHoqLife")
            .means("HOQLife of switch ports to hosts");
    public static final Setting<Integer> VL_STALL_COUNT = in(LINKS, NEXT_SWEEP, "vl_stall_count", integer(1, 7), "7")
            .means("VLStallCount of ports between switches", "Packets dropped in sequence that stall a VL.");
    public static final Setting<Integer> LEAF_VL_STALL_COUNT = in(
                    LINKS, NEXT_SWEEP, "leaf_vl_stall_count", integer(1, 7), "7")
            .means("VLStallCount of switch ports to hosts");
    public static final Setting<Integer> FORCE_LINK_WIDTH = in(
                    LINKS, NEXT_SWEEP, "force_link_width", integer(0, 255), "255")
            .means(
                    "LinkWidthEnabled of ports: 0 leaves it, 255 is all that is supported, else a sum of codes",
                    "1: 1x, 2: 4x, 4: 8x, 8: 12x, 16: 2x. In force when the link trains the next time.");
    public static final Setting<Integer> FORCE_LINK_SPEED = in(
                    LINKS, NEXT_SWEEP, "force_link_speed", integer(0, 15), "15")
            .means(
                    "LinkSpeedEnabled of ports: 0 leaves it, 15 is all that is supported, else a sum of codes",
                    "1: SDR, 2: DDR, 4: QDR. In force when the link trains the next time.");
    public static final Setting<Integer> FORCE_LINK_SPEED_EXT = in(
                    LINKS, NEXT_SWEEP, "force_link_speed_ext", integer(0, 31), "31")
            .means(
                    "LinkSpeedExtEnabled of ports: 0 leaves it, 30 is none, 31 is all that is supported, else a sum of codes",
                    "1: FDR, 2: EDR, 4: HDR, 8: NDR. In force when the link trains the next time.");
    public static final Setting<Integer> FDR10 = in(LINKS, NEXT_SWEEP, "fdr10", integer(0, 2), "1")
            .means(
                    "FDR10 of Mellanox devices: 0 leaves it, 1 enables it, 2 disables it",
                    "Done at links that trained at QDR, before they carry traffic.");
    public static final Setting<List<LinkSpeeds.OfPort>> FORCE_LINK_PORTS = in(
                    LINKS, NEXT_SWEEP, "force_link_ports", new ValueType.LinkPorts(), "")
            .means(
                    "ports with widths and speeds of their own: GUID/PORT width=N speed=N speed_ext=N, with commas",
                    "GUID is that of the node. What is left out is as force_link_width and its kin have it.");
    public static final Setting<Integer> LOCAL_PHY_ERRORS_THRESHOLD = in(
                    LINKS, NEXT_SWEEP, "local_phy_errors_threshold", integer(0, 15), "8")
            .as("localPhyErrors")
            .means("local physical errors that cause a trap");
    public static final Setting<Integer> OVERRUN_ERRORS_THRESHOLD = in(
                    LINKS, NEXT_SWEEP, "overrun_errors_threshold", integer(0, 15), "8")
            .as("overrunErrors")
            .means("buffer overruns that cause a trap");

    public static final Setting<Optional<Path>> STATE_DIR = in(
                    FILES, RESTART, "state_dir", file("DIR"), "/var/lib/torus-sm")
            .options("--state-dir")
            .means(
                    "what outlives a restart: LIDs, M_Keys, cables, places, groups",
                    "LIDs, M_Keys and cables have OpenSM's formats. Of a simulated fabric nothing is kept unless a directory"
                            + " is named for it.");
    public static final Setting<Boolean> RESTORE_GROUPS = in(FILES, NOW, "restore_groups", bool(), "true")
            .as("restoresGroups")
            .means(
                    "start with the groups, services and event subscriptions of the last run",
                    "MLIDs and the switches' entries stay.");
    public static final Setting<Integer> HISTORY_CHANGES = in(
                    FILES, RESTART, "history_changes", integer(0, 100_000), "1000")
            .means(
                    "changes of the subnet that are kept, with all tables; 0: none",
                    "In memory and in state_dir. The oldest are dropped first, some tens at a time.");
    public static final Setting<Integer> HISTORY_MIB = in(FILES, RESTART, "history_mib", integer(1, 1024), "32")
            .means("MiB of changes that are kept", "In memory, and as many in state_dir.");
    public static final Setting<Integer> EVENT_LOG_MIB = in(FILES, RESTART, "event_log_mib", integer(0, 1024), "4")
            .means(
                    "MiB of events that are kept in state_dir; 0: none",
                    "So that the console shows those before a restart. The journal of systemd has all of them.");
    public static final Setting<Integer> RECORDER_MIB = in(FILES, RESTART, "recorder_mib", integer(0, 1024), "6")
            .means(
                    "MiB of MADs, events and commands that the flight recorder keeps in memory; 0: none",
                    "The last minutes of them; torus-smctl record writes them to a file that torus-sm replay runs.");
    public static final Setting<Integer> RECORDER_FILES = in(FILES, RESTART, "recorder_files", integer(0, 100), "8")
            .means(
                    "recordings that are kept in state_dir; 0: none",
                    "One is written when something goes wrong, at most one in ten minutes; the oldest goes first. They hold"
                            + " M_Keys.");
    public static final Setting<Optional<Path>> DUMP_FILES_DIR = in(FILES, NOW, "dump_files_dir", file("DIR"), "")
            .as("dumpDir")
            .options("--dump-dir", "--dump_files_dir")
            .means(
                    "write tables there after each heavy sweep; empty: nowhere",
                    "They are named and formatted as OpenSM's.");
    public static final Setting<Optional<Path>> CAPTURE = in(FILES, RESTART, "capture", file("FILE"), "")
            .options("--capture")
            .means("write all MADs to this pcap file; empty: none");
    public static final Setting<Optional<Path>> CONTROL_SOCKET = in(
                    FILES, RESTART, "control_socket", file("PATH"), "/run/torus-sm/control.sock")
            .options("--control-socket")
            .means("socket of the console; empty: no console", "torus-smctl talks to it.");
    public static final Setting<String> CONTROL_SOCKET_GROUP = in(
                    FILES, RESTART, "control_socket_group", text("GROUP"), "")
            .means("group of the socket of the console; empty: the daemon's", "The socket has mode 0660.");
    public static final Setting<List<InetSocketAddress>> CONSOLE_LISTEN = in(
                    FILES, RESTART, "console_listen", new ValueType.Endpoints(), "")
            .means("loopback address of a console that changes nothing, such as 127.0.0.1:10000; empty: none");
    public static final Setting<Optional<InetSocketAddress>> HTTP_LISTEN = in(
                    FILES, RESTART, "http_listen", new ValueType.Listen(), "127.0.0.1:9335")
            .options("--http-listen")
            .means(
                    "where metrics, health and the web page are served, HOST:PORT; none: nowhere",
                    "Nobody is asked for a password: who reaches the address sees the whole fabric, and can change"
                            + " nothing. See monitoring.md.");
    public static final Setting<Set<String>> HTTP_NAMES = in(
                    FILES, RESTART, "http_names", new ValueType.HostNames(), "")
            .means(
                    "names by which clients may call the HTTP server, with commas",
                    "Besides its addresses, localhost and the host of http_listen. A request that calls it otherwise is"
                            + " refused.");
    public static final Setting<Optional<InetSocketAddress>> HTTPS_LISTEN = in(
                    FILES, RESTART, "https_listen", new ValueType.Listen(), "none")
            .means(
                    "where the same is served over TLS to users, who may change what their roles permit, HOST:PORT; none: nowhere",
                    "It needs https_certificate, https_key and https_users, which SIGHUP reads again. See api.md.");
    public static final Setting<Optional<Path>> HTTPS_CERTIFICATE = in(
                    FILES, RESTART, "https_certificate", file("FILE"), "")
            .means("certificate of https_listen, PEM, followed by those of its authorities");
    public static final Setting<Optional<Path>> HTTPS_KEY = in(FILES, RESTART, "https_key", file("FILE"), "")
            .means(
                    "private key of https_certificate, PEM (PKCS #8), without a password",
                    "Its mode is 0600, or 0640 if a group reads it.");
    public static final Setting<Optional<Path>> HTTPS_CLIENT_CA = in(
                    FILES, RESTART, "https_client_ca", file("FILE"), "")
            .means("authority that signs certificates of clients, PEM; empty: clients show tokens");
    public static final Setting<Optional<Path>> HTTPS_USERS = in(FILES, RESTART, "https_users", file("FILE"), "")
            .means(
                    "who may do what over https_listen: lines of role, name and SHA-256 of a token, or the word certificate",
                    "Roles are read, operate and admin. Its mode is 0600; torus-sm new-token makes a token and its line.");
    public static final Setting<Optional<Path>> LOG_FILE = in(
                    FILES, RESTART, "log_file", new ValueType.LogFile(), "stdout")
            .options("-f", "--log_file")
            .means("log file; stdout: standard output");
    public static final Setting<String> LOG_LEVEL = in(
                    FILES, NOW, "log_level", new ValueType.Word(SmOptions.Log.LEVELS), "info")
            .options("--log_level")
            .means("what is logged");

    public static final Setting<Optional<Path>> ALERT_PROGRAM = in(ALERTS, RESTART, "alert_program", file("FILE"), "")
            .means(
                    "program that is started for each alert; empty: none",
                    "It is run by the daemon's user, without arguments, with the alert as JSON on standard input and in variables TSM_*.");
    public static final Setting<Optional<URI>> ALERT_URL = in(
                    ALERTS, RESTART, "alert_url", new ValueType.WebAddress(), "")
            .secret()
            .means("http or https address that alerts are posted to as JSON; empty: none");
    public static final Setting<String> ALERT_LEVEL = in(
                    ALERTS, RESTART, "alert_level", new ValueType.Word(SmOptions.Alerts.LEVELS), "warn")
            .means("least grave events that are alerts", "The ends of conditions are, whatever their level.");

    private Settings() {}

    static <T> SettingDraft<T> in(
            SettingGroup group, Setting.Reload reload, String key, ValueType<T> type, String standard) {
        return new SettingDraft<>(group, reload, key, type, standard);
    }

    /** Called by each declaration. */
    static void declared(Setting<?> setting) {
        if (BY_KEY.put(setting.key(), setting) != null || BY_COMPONENT.put(setting.component(), setting) != null) {
            throw new IllegalStateException("declared twice: " + setting.key() + ", " + setting.component());
        }
    }

    /** All settings as they are declared. */
    public static Collection<Setting<?>> all() {
        return Collections.unmodifiableCollection(BY_KEY.values());
    }

    /** The names of all settings in the configuration file. */
    public static Set<String> keys() {
        return Collections.unmodifiableSet(BY_KEY.keySet());
    }

    /** The setting of a name in the configuration file; null if there is none. */
    public static @Nullable Setting<?> ofKey(String key) {
        return BY_KEY.get(key);
    }

    /** The setting that had a name in the configuration file; null if none had. */
    static @Nullable Setting<?> ofFormerKey(String key) {
        return all().stream()
                .filter(setting -> setting.formerKey().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** The setting that a record component takes; null if it takes none. */
    static @Nullable Setting<?> ofComponent(String name) {
        return BY_COMPONENT.get(name);
    }
}
