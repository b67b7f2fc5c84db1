package io.torussm.daemon.config;

import java.util.List;

/** The subjects of settings: the sections of {@code reference.conf} and of the documentation, in this order. */
public enum SettingGroup {
    LOCAL_PORT("the port that the SM works through", ""),
    ROUTING("routing", ""),
    ARBITRATION(
            "VL arbitration",
            "Each item is taken from the set of its kind of port, then from that of all ports (qos_*), then from the"
                    + " defaults. Kinds: qos_ca_* of channel adapters, qos_swe_* of external ports of switches,"
                    + " qos_sw0_* of enhanced port 0 of switches, qos_rtr_* of routers. The defaults are fair under"
                    + " torus-2QoS; see qos.md. The values 0, -1 and \"\" are not set."),
    ADDRESSES("addresses", ""),
    PARTITIONS("partitions", "Each heavy sweep reads the file again."),
    ADMINISTRATION("subnet administration", "Each heavy sweep reads the files again."),
    SWEEPS("sweeps and SMPs", ""),
    ISOLATION(
            "isolation of cables",
            "Cables between switches that flap or lose packets are taken out of use as the command drain does it, if the subnet can do"
                    + " without them; see maintenance.md."),
    MASTERSHIP("other subnet managers, keys", ""),
    SHADOW(
            "shadow",
            "Beside the master SM, this SM reads the fabric, writes nothing, and reports its findings; see shadow.md."),
    REPLICATION(
            "replication",
            "The master copies the state in state_dir, which is not in the fabric, to the other SMs,"
                    + " over TCP and TLS on the management network; see replication.md."),
    COUNTERS(
            "performance counters",
            "The master reads the counters of all ports in turns; see counters.md. OpenSM's names have OpenSM's meaning."),
    CONGESTION(
            "congestion control",
            "Switches and channel adapters are set once the subnet is up, if congestion_control is on; see congestion.md."
                    + " Names, meanings and defaults are OpenSM's."),
    LINKS(
            "links",
            "Lifetimes are time values: 4.096 us x 2^n. Widths and speeds are effective when a link trains the next time."),
    FILES("files, console, HTTP and log", ""),
    ALERTS("alerts", "Events go immediately to a program, a web address or both; see alerts.md.");

    private final String title;
    private final String description;

    SettingGroup(String title, String about) {
        this.title = title;
        this.description = about;
    }

    /** Returns the heading of this group. */
    public String title() {
        return title;
    }

    /** Returns remarks on all settings of this group, in sentences; may be empty. */
    public String description() {
        return description;
    }

    /** Returns the settings of this group in the order of declaration. */
    public List<Setting<?>> settings() {
        return Settings.all().stream()
                .filter(setting -> setting.group() == this)
                .toList();
    }
}
