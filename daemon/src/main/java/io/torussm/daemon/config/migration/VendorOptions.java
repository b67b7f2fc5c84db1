package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.routing.Engine;
import io.torussm.vport.VPortManager;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options that upstream OpenSM ignores and NVIDIA's OpenSM (MLNX_OFED, DOCA, UFM) may follow: their effect, and its
 * counterpart here.
 */
final class VendorOptions {
    /** Families of options, the narrowest first. */
    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "virt_max_ports_in_process",
                    "it is the number of ports whose virtual ports are read at the same time: 64 here"),
            new Family(
                    "virt_default_hop_limit",
                    "it is the HopLimit of path records with a virtual port: 2 here, as by default there"),
            new Family(
                    "enable_virt_rec_ext",
                    "it lists virtual ports with LIDs of their own in NodeRecord and PortInfoRecord. torus-sm does not"
                            + " bring up such virtual ports: see virtual-ports.md before you migrate"),
            new Family("virt_dump_file", "it writes virtual ports to a file. Use torus-smctl vports all"),
            new Family(
                    "virt_.*",
                    "it concerns virtual ports, which torus-sm manages if virt_enabled is 2. See virtual-ports.md"
                            + " before you migrate"),
            new Family(
                    "(ar|pfrn|adv_routing|shield|frn)_.*|enable_ar.*|.*_ar_.*",
                    "it switches on adaptive routing in the switches, and there it stays. Switch it off with that"
                            + " OpenSM first: migration.md, section \"Coming from UFM or MLNX OpenSM\""),
            new Family(
                    "(mlnx_)?congestion_control.*|ppcc_.*|cc_.*",
                    "it configures congestion control, which stays as it is until switches restart. Switch it off with"
                            + " that OpenSM first: migration.md, section \"Coming from UFM or MLNX OpenSM\""),
            new Family(
                    "sharp_.*|.*_an_.*|.*aggregation.*",
                    "it serves SHARP, whose aggregation manager does not work with torus-sm; collective operations"
                            + " continue without it"),
            new Family(
                    "hm_.*",
                    "it takes unhealthy ports out of the fabric. See maintenance.md: isolate_flapping_links"
                            + " and isolate_error_rate do this here for cables between switches"),
            new Family(
                    "m_key_per_port|key_mgr_.*|(vs|n2n|am|cc)_key.*|.*_key_enable.*",
                    "it draws a key for each port. torus-sm has one m_key for all ports: see protection.md. Ports that"
                            + " have keys need guid2mkey of that OpenSM in state_dir"),
            new Family(
                    "pgrp_policy_file|topo_policy_file|rch_policy_file|topologies_file|chain.*",
                    "it divides the fabric between routing engines by groups of ports. torus-sm routes it all by the"
                            + " first engine of routing_engine that can"),
            new Family(
                    "qos_(sw2sw|sw2ca|ca2sw|sw2host|host2sw).*",
                    "it gives some links separate SL2VL tables or weights. Here qos_swe_sl2vl and"
                            + " qos_swe_vlarb_low hold for all external ports of switches"));

    /** Options that take a setting of the same name. */
    private static final Map<String, Setting<?>> TAKEN = Map.of("virt_enabled", Settings.VIRT_ENABLED);

    /** Options with the value that has the effect of torus-sm, which has no such setting. */
    private static final Map<String, String> SAME = Map.of(
            "virt_max_ports_in_process",
            String.valueOf(VPortManager.MAX_VISITS),
            "virt_default_hop_limit",
            "2",
            "enable_virt_rec_ext",
            "FALSE",
            "virt_dump_file",
            "(null)");

    private static final String AT_ALL = "not an option of upstream OpenSM; if yours supports it, ";

    /** Prefix of NVIDIA's engines with adaptive routing; the rest is the name of the engine for the same shape. */
    private static final String ADAPTIVE = "ar_";

    private static final Map<String, String> SHAPES =
            Map.of("torus", "torus-2QoS", "minhop", "minhop", "kdor-hc", "dor", "kdor-ghc", "dor", "pqft", "ftree");

    /** Options whose names match, and their effect as the end of a sentence. */
    private record Family(Pattern names, String effect) {
        Family(String names, String effect) {
            this(Pattern.compile(names), effect);
        }
    }

    private VendorOptions() {}

    /** Returns a remark for the operator on an option that upstream OpenSM does not have. */
    static String remark(String option) {
        return AT_ALL
                + FAMILIES.stream()
                        .filter(family -> family.names.matcher(option).matches())
                        .findFirst()
                        .map(Family::effect)
                        .orElse("find out its effect there before you migrate: torus-sm has no such setting");
    }

    /** Returns the setting that takes the value of an option; null if there is none. */
    static @Nullable Setting<?> setting(String option) {
        return TAKEN.get(option);
    }

    /** Checks whether torus-sm does the same as an OpenSM with this option. */
    static boolean isSame(OpenSmConf.Item item) {
        String same = SAME.get(item.name());
        return same != null && OptionValues.canonical(item.value()).equals(OptionValues.canonical(same));
    }

    /** Returns the name of the engine here that routes the shape of NVIDIA's engine, if there is one. */
    static Optional<String> engine(String theirs) {
        String shape = theirs.startsWith(ADAPTIVE) ? theirs.substring(ADAPTIVE.length()) : theirs;
        String ours = SHAPES.getOrDefault(shape, shape);
        return Engines.ALL.stream()
                .map(Engine::name)
                .filter(name -> name.equals(ours) && !name.equals(theirs))
                .findFirst();
    }
}
