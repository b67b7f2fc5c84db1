package io.torussm.daemon.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Every setting there is: its name in the configuration file, its options on the command line, its values and what it
 * means. Defaults stand in {@code reference.conf}; names and units are OpenSM's where the meaning is.
 */
@SuppressWarnings("ImmutableEnumChecker") // lists made by List.of
public enum Setting {
    GUID(new ValueType.Bits64(), "GUID of the local port to use; 0: any", "-g", "--guid"),
    CA(text("NAME"), "channel adapter to use, such as mlx5_0; empty: any", "--ca"),
    PORT(integer(0, 254), "port of the channel adapter; 0: any", "--port"),
    SIMULATE(text("SPEC|FILE"), "manage an embedded fabric instead of a real one", "--simulate"),
    SIM_HOST(text("NODE"), "node of the embedded fabric that the SM sits on", "--sim-host"),
    KERNEL_RMPP(new ValueType.Bool(), "leave the segments of SA tables to the kernel"),

    ROUTING_ENGINE(text("NAMES"), "routing engines, tried in this order", "-R", "--routing_engine"),
    TORUS_CONFIG(file("FILE"), "torus-2QoS configuration", "--torus_config"),
    ACCEPT_UNPLACED_SWITCHES(new ValueType.Bool(), "route a torus without switches whose place is in doubt"),
    QOS(new ValueType.Bool(), "program QoS tables; torus-2QoS needs it", "-Q", "--qos"),
    SM_SL(integer(0, 15), "SL wanted for traffic with the SM", "--sm_sl"),

    QOS_MAX_VLS(Qos.MAX_VLS),
    QOS_HIGH_LIMIT(Qos.HIGH_LIMIT),
    QOS_VLARB_HIGH(Qos.VLARB_HIGH),
    QOS_VLARB_LOW(Qos.VLARB_LOW),
    QOS_SL2VL(Qos.SL2VL),
    QOS_CA_MAX_VLS(Qos.MAX_VLS),
    QOS_CA_HIGH_LIMIT(Qos.HIGH_LIMIT),
    QOS_CA_VLARB_HIGH(Qos.VLARB_HIGH),
    QOS_CA_VLARB_LOW(Qos.VLARB_LOW),
    QOS_CA_SL2VL(Qos.SL2VL),
    QOS_SWE_MAX_VLS(Qos.MAX_VLS),
    QOS_SWE_HIGH_LIMIT(Qos.HIGH_LIMIT),
    QOS_SWE_VLARB_HIGH(Qos.VLARB_HIGH),
    QOS_SWE_VLARB_LOW(Qos.VLARB_LOW),
    QOS_SWE_SL2VL(Qos.SL2VL),
    QOS_SW0_MAX_VLS(Qos.MAX_VLS),
    QOS_SW0_HIGH_LIMIT(Qos.HIGH_LIMIT),
    QOS_SW0_VLARB_HIGH(Qos.VLARB_HIGH),
    QOS_SW0_VLARB_LOW(Qos.VLARB_LOW),
    QOS_SW0_SL2VL(Qos.SL2VL),
    QOS_RTR_MAX_VLS(Qos.MAX_VLS),
    QOS_RTR_HIGH_LIMIT(Qos.HIGH_LIMIT),
    QOS_RTR_VLARB_HIGH(Qos.VLARB_HIGH),
    QOS_RTR_VLARB_LOW(Qos.VLARB_LOW),
    QOS_RTR_SL2VL(Qos.SL2VL),

    SUBNET_PREFIX(new ValueType.Bits64(), "subnet prefix of all GIDs", "--subnet_prefix"),
    LMC(integer(0, 7), "each host port is given 2^N LIDs", "-l", "--lmc"),
    LMC_ESP0(new ValueType.Bool(), "enhanced port 0 of switches is given as many LIDs as a host port"),
    SM_ASSIGNED_GUID(integer(0, 255), "bits 39 to 32 of alias GUIDs that the SA makes up"),
    REASSIGN_LIDS(new ValueType.Bool(), "forget all LIDs and assign new ones", "-r", "--reassign_lids"),

    PARTITION_CONFIG_FILE(
            file("FILE"), "partitions; empty: /etc/torus-sm/partitions.conf if it is there", "-P", "--Pconfig"),
    PART_ENFORCE(
            new ValueType.Word(List.of("both", "in", "out", "off")),
            "P_Keys that switches check at ports to hosts: of packets in, out, both or off",
            "-Z",
            "--part_enforce"),
    NO_PARTITION_ENFORCEMENT(new ValueType.Bool(), "old name of part_enforce = off", "-N", "--no_part_enforce"),
    KEEP_PKEY_INDEXES(new ValueType.Bool(), "a P_Key stays at its index of a table as long as it is wanted"),
    ALLOW_BOTH_PKEYS(
            new ValueType.Bool(),
            "a port may hold the full and the limited P_Key of a partition",
            "-W",
            "--allow_both_pkeys"),

    QOS_POLICY_FILE(
            file("FILE"),
            "which paths get which QoS level; empty: /etc/torus-sm/qos-policy.conf if it is there",
            "-Y",
            "--qos_policy_file"),
    PREFIX_ROUTES_FILE(
            file("FILE"),
            "routers to other subnets; empty: /etc/torus-sm/prefix-routes.conf if it is there",
            "--prefix_routes_file"),
    CONSOLIDATE_IPV6_SNM_REQ(
            new ValueType.Bool(),
            "groups of IPv6 solicited-node addresses share an MLID for each scope and partition",
            "--consolidate_ipv6_snm_req"),

    SWEEP_INTERVAL(integer(0, 86_400), "seconds between light sweeps; 0: none", "-s", "--sweep"),
    REHEARSALS(integer(0, 1000), "losses of cables played through when all is quiet; 0: none"),
    BABBLING_PORT_POLICY(new ValueType.Bool(), "disable ports that complain of their link without end"),
    DROP_EVENT_SUBSCRIPTIONS(new ValueType.Bool(), "event subscriptions end when their port goes"),
    MAX_WIRE_SMPS(integer(0, 4096), "SMPs in flight in all; 0: as many as the port carries", "-n", "--maxsmps"),
    MAX_DEVICE_SMPS(integer(1, 256), "SMPs in flight to one device", "--max_device_smps"),
    TRANSACTION_TIMEOUT(integer(1, 60_000), "milliseconds to wait for an answer", "-t", "--timeout"),
    TRANSACTION_RETRIES(integer(0, 100), "how often an SMP is sent again", "--retries"),

    SM_PRIORITY(integer(0, 15), "priority among subnet managers", "-p", "--priority"),
    SM_KEY(new ValueType.Bits64(), "SM_Key that other subnet managers must show", "-k", "--smkey"),
    SM_INACTIVE(new ValueType.Bool(), "start NOT-ACTIVE, until a master calls", "-I", "--inactive"),
    SMINFO_POLLING_TIMEOUT(integer(100, 60_000), "milliseconds between polls of the master"),
    POLLING_RETRY_NUMBER(integer(0, 100), "polls of the master that may fail in a row"),
    TRUSTED_SM_KEYS(new ValueType.Bits64Set(), "further SM_Keys of friends; if set, an SM must show one"),
    TRUSTED_SM_GUIDS(new ValueType.Bits64Set(), "port GUIDs of friendly SMs; empty: any"),
    M_KEY(new ValueType.Bits64(), "M_Key that ports are given; 0: none"),
    M_KEY_LEASE_PERIOD(integer(0, 65_535), "seconds that a port protects its M_Key; 0: for ever"),
    M_KEY_PROTECTION_LEVEL(integer(0, 3), "M_KeyProtectBits"),
    M_KEY_LOOKUP(new ValueType.Bool(), "show devices not seen yet the M_Key of who was there before"),

    MAX_OP_VLS(integer(1, 5), "cap of OperationalVLs, as a VL code", "--max_op_vls"),
    SUBNET_TIMEOUT(integer(0, 31), "SubnetTimeOut and path life time"),
    PACKET_LIFE_TIME(integer(0, 31), "SwitchInfo.LifeTimeValue; 20 and more: for ever"),
    HEAD_OF_QUEUE_LIFETIME(integer(0, 31), "HOQLife of ports between switches"),
    LEAF_HEAD_OF_QUEUE_LIFETIME(integer(0, 31), "HOQLife of switch ports to hosts"),
    VL_STALL_COUNT(integer(1, 7), "VLStallCount of ports between switches"),
    LEAF_VL_STALL_COUNT(integer(1, 7), "VLStallCount of switch ports to hosts"),
    LOCAL_PHY_ERRORS_THRESHOLD(integer(0, 15), "local physical errors that cause a trap"),
    OVERRUN_ERRORS_THRESHOLD(integer(0, 15), "buffer overruns that cause a trap"),

    STATE_DIR(file("DIR"), "what outlives a restart: LIDs, M_Keys, cables, places, groups", "--state-dir"),
    RESTORE_GROUPS(new ValueType.Bool(), "start with the groups, services and event subscriptions of the last run"),
    REPLICATION_LISTEN(
            new ValueType.Endpoints(), "own address on the management network for peers; empty: no replication"),
    REPLICATION_PEERS(new ValueType.Endpoints(), "addresses of the SMs that may take over"),
    REPLICATION_KEY_FILE(file("FILE"), "key that this SM and its peers share"),
    DUMP_FILES_DIR(
            text("DIR"), "write tables there after each sweep; empty: nowhere", "--dump-dir", "--dump_files_dir"),
    CAPTURE(file("FILE"), "write all MADs to this pcap file; empty: none", "--capture"),
    CONTROL_SOCKET(file("PATH"), "socket of the console; empty: no console", "--control-socket"),
    CONTROL_SOCKET_GROUP(text("GROUP"), "group of the socket of the console; empty: the daemon's"),
    CONSOLE_LISTEN(new ValueType.Endpoints(), "loopback address of a console that changes nothing; empty: none"),
    HTTP_LISTEN(
            new ValueType.Listen(),
            "where metrics, health and the web page are served; none: nowhere",
            "--http-listen"),
    HTTP_NAMES(new ValueType.HostNames(), "names by which clients may call the HTTP server, besides addresses"),
    LOG_FILE(file("FILE"), "log file; stdout: standard output", "-f", "--log_file"),
    LOG_LEVEL(new ValueType.Word(List.of("error", "warn", "info", "debug", "trace")), "what is logged", "--log_level");

    /** What can be set for all ports, and again for each kind of port. */
    private enum Qos {
        MAX_VLS(integer(0, 15), "VLs that are meant to be there, for warnings only; 0: not set"),
        HIGH_LIMIT(integer(-1, 255), "VLHighLimit, units of 4 KiB; 0: one packet, 255: no limit, -1: not set"),
        VLARB_HIGH(new ValueType.VlWeights(), "high-priority table, up to 64 VL:weight; empty: not set"),
        VLARB_LOW(new ValueType.VlWeights(), "low-priority table, up to 64 VL:weight; empty: not set"),
        SL2VL(new ValueType.VlBySl(), "VL of SL 0, SL 1, ...; torus-2QoS ignores it with a warning; empty: not set");

        final ValueType kind;
        final String meaning;

        Qos(ValueType kind, String meaning) {
            this.kind = kind;
            this.meaning = meaning;
        }
    }

    private final ValueType kind;
    private final String meaning;
    private final List<String> options;

    Setting(ValueType kind, String meaning, String... options) {
        this.kind = kind;
        this.meaning = meaning;
        this.options = List.of(options);
    }

    Setting(Qos item) {
        this(item.kind, item.meaning);
    }

    private static ValueType integer(int min, int max) {
        return new ValueType.Int(min, max);
    }

    private static ValueType text(String label) {
        return new ValueType.Text(label);
    }

    private static ValueType file(String label) {
        return new ValueType.FileName(label);
    }

    public ValueType kind() {
        return kind;
    }

    /** The name in the configuration file. */
    public String key() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** One line for people. */
    public String meaning() {
        return meaning;
    }

    /** Options that set it on the command line, the short one first; may be empty. */
    public List<String> options() {
        return options;
    }

    /** Whether its option stands alone, without a value. */
    public boolean isFlag() {
        return kind instanceof ValueType.Bool;
    }

    /** How {@code --help} shows its value. */
    public String label() {
        return kind.label();
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Setting::key).collect(Collectors.toList());
    }
}
