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
 * The options that upstream OpenSM ignores, but the OpenSM of NVIDIA (MLNX_OFED, DOCA, UFM) may support: their effect,
 * and their counterpart in this program.
 */
final class VendorOptions {
    /** Families of options; the first that matches is used, so that the narrowest are first. */
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

    /** Options that are converted to a setting of the same name. */
    private static final Map<String, Setting<?>> TAKEN = Map.of("virt_enabled", Settings.VIRT_ENABLED);

    /** Options without a counterpart, and the value with which OpenSM behaves like this program. */
    private static final Map<String, String> EQUIVALENT_VALUES = Map.of(
            "virt_max_ports_in_process",
            String.valueOf(VPortManager.MAX_VISITS),
            "virt_default_hop_limit",
            "2",
            "enable_virt_rec_ext",
            "FALSE",
            "virt_dump_file",
            "(null)");

    private static final String NOT_UPSTREAM = "not an option of upstream OpenSM; if yours supports it, ";

    /** Prefix of the engines of NVIDIA with adaptive routing; the rest is the shape of the fabric. */
    private static final String ADAPTIVE_PREFIX = "ar_";

    /** Engines of this program by shape. */
    private static final Map<String, String> ENGINE_BY_SHAPE =
            Map.of("torus", "torus-2QoS", "minhop", "minhop", "kdor-hc", "dor", "kdor-ghc", "dor", "pqft", "ftree");

    /** The options whose names match a pattern, and their effect, which continues a sentence. */
    private record Family(Pattern names, String effect) {
        Family(String names, String effect) {
            this(Pattern.compile(names), effect);
        }
    }

    private VendorOptions() {}

    /** Returns a remark for the operator on an option that upstream OpenSM does not have. */
    static String remark(String option) {
        return NOT_UPSTREAM
                + FAMILIES.stream()
                        .filter(family -> family.names.matcher(option).matches())
                        .findFirst()
                        .map(Family::effect)
                        .orElse("find out its effect there before you migrate: torus-sm has no such setting");
    }

    /** Returns the setting to which an option is converted; null if there is none. */
    static @Nullable Setting<?> setting(String option) {
        return TAKEN.get(option);
    }

    /** Checks whether an OpenSM with this value of an option behaves like this program. */
    static boolean isEquivalent(OpenSmConf.Item item) {
        String same = EQUIVALENT_VALUES.get(item.name());
        return same != null && OptionValues.canonical(item.value()).equals(OptionValues.canonical(same));
    }

    /** Returns the name of the engine of this program for the shape of an engine of NVIDIA; empty if there is none. */
    static Optional<String> engine(String vendorEngine) {
        String shape = vendorEngine.startsWith(ADAPTIVE_PREFIX)
                ? vendorEngine.substring(ADAPTIVE_PREFIX.length())
                : vendorEngine;
        String engineName = ENGINE_BY_SHAPE.getOrDefault(shape, shape);
        return Engines.ALL.stream()
                .map(Engine::name)
                .filter(name -> name.equals(engineName) && !name.equals(vendorEngine))
                .findFirst();
    }
}
