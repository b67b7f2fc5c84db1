package io.torussm.qos;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.qos.QosSettings.Arbitration;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The operator's {@code qos_*} options. Each item is looked up in the set of its kind of port, then in the set
 * for all ports, then in the defaults. Defaults under torus-2QoS differ from those under engines that leave VLs
 * to the operator. Immutable.
 *
 * @param sets options by kind of port; a missing set has no options
 */
public record QosOptions(Map<PortSet, Values> sets) {
    /** Nothing is set. */
    public static final QosOptions NONE = new QosOptions(Map.of());

    /** Kinds of ports that options distinguish. */
    public enum PortSet {
        /** All ports, unless the set of their kind has a value. */
        ALL("qos_"),
        /** External ports of switches. */
        SWE("qos_swe_"),
        /** Ports of channel adapters. */
        CA("qos_ca_"),
        /** Enhanced port 0 of switches. */
        SW0("qos_sw0_"),
        /** Ports of routers. */
        RTR("qos_rtr_");

        private final String prefix;

        PortSet(String prefix) {
            this.prefix = prefix;
        }

        /** Returns the prefix of the names of its options. */
        public String prefix() {
            return prefix;
        }

        static PortSet of(PortClass portClass) {
            return switch (portClass) {
                case SWITCH_FABRIC_LINK, SWITCH_HOST_LINK -> SWE;
                case CA -> CA;
                case SWITCH_PORT0 -> SW0;
                case ROUTER -> RTR;
            };
        }
    }

    /**
     * One set of options. An empty value is an option that is not set.
     *
     * @param maxVls limit of data VLs, 1 to 15
     * @param highLimit PortInfo.VLHighLimit, 0 to 255
     * @param vlarbHigh high-priority entries
     * @param vlarbLow low-priority entries
     * @param sl2vl VL by SL, 16 values
     */
    public record Values(
            Optional<Integer> maxVls,
            Optional<Integer> highLimit,
            Optional<List<VlWeight>> vlarbHigh,
            Optional<List<VlWeight>> vlarbLow,
            Optional<List<Integer>> sl2vl) {
        /** Nothing is set. */
        public static final Values NONE =
                new Values(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * The configured value for a kind of port.
     *
     * @param value value; empty if the default is effective
     * @param source origin for findings: {@code configured qos_ca_vlarb_low}, or {@code default qos_vlarb_low}
     */
    private record ConfiguredValue<T>(Optional<T> value, String source) {}

    public QosOptions {
        sets = Collections.unmodifiableMap(new LinkedHashMap<>(sets));
    }

    /** Returns the effective VL arbitration for each class of ports under torus-2QoS. */
    public QosSettings settings() {
        return settings(QosSettings.DEFAULT, this::table);
    }

    /** Returns the effective VL arbitration under an engine that leaves VLs to the operator. */
    public QosSettings plainSettings() {
        return settings(QosSettings.PLAIN, this::plainTable);
    }

    private QosSettings settings(
            QosSettings defaults, BiFunction<PortClass, Boolean, ConfiguredValue<List<VlWeight>>> tableOf) {
        Map<PortClass, Arbitration> tables = new EnumMap<>(PortClass.class);
        for (PortClass portClass : PortClass.values()) {
            Arbitration standard = defaults.of(portClass);
            ConfiguredValue<Integer> limit = configuredValue(PortSet.of(portClass), "high_limit", Values::highLimit);
            tables.put(
                    portClass,
                    new Arbitration(
                            limit.value().orElse(standard.highLimit()),
                            tableOf.apply(portClass, true).value().orElse(standard.high()),
                            tableOf.apply(portClass, false).value().orElse(standard.low())));
        }
        return new QosSettings(tables);
    }

    /** Returns the SL2VL tables under an engine that leaves VLs to the operator. */
    public Sl2VlTables sl2vl() {
        return new Sl2VlTables(sl2vl(PortSet.CA), sl2vl(PortSet.RTR), sl2vl(PortSet.SWE), sl2vl(PortSet.SW0));
    }

    private long sl2vl(PortSet set) {
        return configuredValue(set, "sl2vl", Values::sl2vl)
                .value()
                .map(table -> SlToVlMappingTable.pack(
                        table.stream().mapToInt(Integer::intValue).toArray()))
                .orElse(Sl2VlTables.IDENTITY);
    }

    /**
     * Returns warnings for settings that do not suit torus-2QoS; {@link #ignoredWarnings} has the options without
     * effect.
     */
    public List<Finding> unsuitableWarnings() {
        List<Finding> findings = new ArrayList<>(FairnessCheck.check(
                settings(), (portClass, isHigh) -> table(portClass, isHigh).source()));
        for (PortClass portClass : FairnessCheck.PORT_CLASSES) {
            ConfiguredValue<Integer> maxVls = configuredValue(PortSet.of(portClass), "max_vls", Values::maxVls);
            if (portClass != PortClass.SWITCH_HOST_LINK) {
                maxVls.value()
                        .ifPresent(vls -> findings.addAll(FairnessCheck.checkMaxVls(portClass, vls, maxVls.source())));
            }
        }
        return List.copyOf(findings);
    }

    /** Returns warnings for options without effect under torus-2QoS: SL2VL tables, which the engine computes. */
    public List<Finding> ignoredWarnings() {
        List<Finding> findings = new ArrayList<>();
        for (PortSet set : PortSet.values()) {
            values(set)
                    .sl2vl()
                    .ifPresent(table -> findings.add(SmEvent.QOS_WARNING.finding(set.prefix()
                            + "sl2vl is ignored: torus-2QoS computes SL2VL tables that keep the fabric free of deadlock; remove"
                            + " the setting")));
        }
        return List.copyOf(findings);
    }

    private ConfiguredValue<List<VlWeight>> table(PortClass portClass, boolean isHigh) {
        ConfiguredValue<List<VlWeight>> table = plainTable(portClass, isHigh);
        return portClass == PortClass.SWITCH_HOST_LINK && table.value().isPresent()
                ? new ConfiguredValue<>(
                        table.value().map(QosOptions::hostTable),
                        table.source() + ", of which they have VL 0, and VL 4 as VL 1")
                : table;
    }

    private ConfiguredValue<List<VlWeight>> plainTable(PortClass portClass, boolean isHigh) {
        PortSet set = PortSet.of(portClass);
        return isHigh
                ? configuredValue(set, "vlarb_high", Values::vlarbHigh)
                : configuredValue(set, "vlarb_low", Values::vlarbLow);
    }

    /**
     * Derives the table of ports to hosts from the table of ports between switches. On links to hosts, level 0 has
     * only VL 0 and level 1 only VL 1. So the entries of the first VL of a level become the entries of that VL.
     * OpenSM rewrites the tables in the same way.
     */
    private static List<VlWeight> hostTable(List<VlWeight> entries) {
        return entries.stream()
                .filter(entry -> entry.vl() == 0 || entry.vl() == QosSettings.LEVEL_VLS)
                .map(entry -> new VlWeight(entry.vl() / QosSettings.LEVEL_VLS, entry.weight()))
                .toList();
    }

    private <T> ConfiguredValue<T> configuredValue(PortSet set, String item, Function<Values, Optional<T>> component) {
        Optional<T> specific = component.apply(values(set));
        if (specific.isPresent()) {
            return new ConfiguredValue<>(specific, "configured " + set.prefix() + item);
        }
        Optional<T> generic = component.apply(values(PortSet.ALL));
        return new ConfiguredValue<>(
                generic, (generic.isPresent() ? "configured " : "default ") + PortSet.ALL.prefix() + item);
    }

    private Values values(PortSet set) {
        return sets.getOrDefault(set, Values.NONE);
    }
}
