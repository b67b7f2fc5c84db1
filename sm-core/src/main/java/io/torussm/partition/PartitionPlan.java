package io.torussm.partition;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.partition.PartitionConf.Partition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one fabric: the P_Key table of each end port, and the checks of the switches. Immutable;
 * a function of the settings, the fabric, the current tables, and the virtual ports that are known when it is made.
 */
public final class PartitionPlan {
    private static final int MAX_FINDINGS = 20;

    private final PartitionSettings settings;
    private final Fabric fabric;

    /** By port index; null for ports whose table is not managed. */
    private final @Nullable PortKeys[] tables;

    private final List<Finding> findings;

    /** The P_Keys of virtual ports by the settings, kept for {@link #withVPortsAt}; null until it is called. */
    private final @Nullable VPortKeys vportKeys;

    private PartitionPlan(
            PartitionSettings settings,
            Fabric fabric,
            @Nullable PortKeys[] tables,
            List<Finding> findings,
            @Nullable VPortKeys vportKeys) {
        this.settings = settings;
        this.fabric = fabric;
        this.tables = tables;
        this.findings = List.copyOf(findings);
        this.vportKeys = vportKeys;
    }

    /**
     * Plans tables.
     *
     * @param held current table by port index; called for ports of {@link #isTableManaged} only
     */
    public static PartitionPlan of(PartitionSettings settings, Fabric fabric, IntFunction<PortKeys> held) {
        BitSet all = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            all.set(port, fabric.isEndport(port));
        }
        return new Planner(settings, fabric, held, all, new PortKeys[fabric.portCount()]).plan();
    }

    /**
     * Returns the plan for settings that differ for some end ports only. The tables of other ports, and of
     * switch ports that do not face one of them, are unchanged. Findings concern the changed ports only.
     *
     * @param currentFabric with the indexes of the fabric of this plan
     * @param endPorts ports with a difference
     * @param held current table, called for these and the switch ports that check them
     */
    public PartitionPlan changedFor(
            PartitionSettings newSettings, Fabric currentFabric, BitSet endPorts, IntFunction<PortKeys> held) {
        return new Planner(newSettings, currentFabric, held, endPorts, tables.clone()).plan();
    }

    /**
     * Returns the plan in which switch ports let the P_Keys of the virtual ports pass that their end ports have at the
     * moment. All other tables are unchanged, those of the end ports too. Except for the first such plan with these
     * settings, the cost is that of the virtual ports of these end ports. Findings concern the changed ports only.
     *
     * @param currentFabric with the indexes of the fabric of this plan
     * @param endPorts ports whose virtual ports have changed
     * @param held current table, called for the switch ports at them
     */
    public PartitionPlan withVPortsAt(Fabric currentFabric, BitSet endPorts, IntFunction<PortKeys> held) {
        Planner planner = new Planner(settings, currentFabric, held, endPorts, tables.clone());
        planner.vportKeys = vportKeys == null ? new VPortKeys(settings) : vportKeys;
        return planner.switches();
    }

    /**
     * Returns the end ports whose table, or that of the switch port at them, differs from an earlier plan. If the
     * settings differ, or the number of ports, these are all end ports.
     */
    public BitSet changedEndPorts(PartitionPlan previous) {
        boolean areAll = tables.length != previous.tables.length || !settings.equals(previous.settings);
        BitSet changed = new BitSet();
        for (int port = 0; port < tables.length; port++) {
            if (areAll || !Objects.equals(tables[port], previous.tables[port])) {
                int endPort = fabric.isEndport(port) ? port : fabric.peer(port);
                if (endPort != Fabric.NONE && fabric.isEndport(endPort)) {
                    changed.set(endPort);
                }
            }
        }
        return changed;
    }

    /** Returns the switch ports that check some end ports. */
    public static BitSet switchPorts(PartitionSettings settings, Fabric fabric, BitSet endPorts) {
        BitSet all = withSwitchPorts(settings, fabric, endPorts);
        all.andNot(endPorts);
        return all;
    }

    /** Returns some end ports together with the switch ports that check them. */
    public static BitSet withSwitchPorts(PartitionSettings settings, Fabric fabric, BitSet endPorts) {
        BitSet all = (BitSet) endPorts.clone();
        endPorts.stream()
                .map(fabric::peer)
                .filter(far -> far != Fabric.NONE && !fabric.isEndport(far) && isTableManaged(settings, fabric, far))
                .forEach(all::set);
        return all;
    }

    /** Returns the plan without a file: all ports are full members of the default partition. */
    public static PartitionPlan withoutConf(Fabric fabric) {
        return of(PartitionSettings.DEFAULT, fabric, port -> PortKeys.NONE);
    }

    /**
     * Returns the end port that a switch checks at one of its ports; {@link Fabric#NONE} if there is none, or
     * it cannot check.
     */
    private static int checkedEndport(Fabric fabric, int port) {
        int node = fabric.nodeOf(port);
        int far = fabric.peer(port);
        if (!fabric.isSwitch(node)
                || fabric.portNum(port) == 0
                || far == Fabric.NONE
                || enforcementCap(fabric, node) == 0) {
            return Fabric.NONE;
        }
        return fabric.isEndport(far) ? far : Fabric.NONE;
    }

    private static int enforcementCap(Fabric fabric, int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        return info == null ? 0 : (int) info.get(SwitchInfo.PARTITION_ENFORCEMENT_CAP);
    }

    /**
     * Checks whether the SM manages the P_Key table of a port: an end port, or a switch port that checks one.
     */
    public static boolean isTableManaged(PartitionSettings settings, Fabric fabric, int port) {
        return fabric.isEndport(port)
                || (settings.enforcement() != PartitionSettings.Enforcement.OFF
                        && checkedEndport(fabric, port) != Fabric.NONE);
    }

    /** Returns the capacity of the P_Key table of a port; at least 1 (IBA 14.2.5.3). */
    public static int capacity(Fabric fabric, int port) {
        int node = fabric.nodeOf(port);
        boolean isExternal = fabric.isSwitch(node) && fabric.portNum(port) > 0;
        int cap = isExternal
                ? enforcementCap(fabric, node)
                : fabric.node(node).info().partitionCap();
        return Math.max(1, cap);
    }

    /** Returns its settings. */
    public PartitionSettings settings() {
        return settings;
    }

    /** Returns the wanted table of a port; null if it is not managed. */
    public @Nullable PortKeys table(int port) {
        return tables[port];
    }

    /** Returns the P_Keys of an end port; none for any other port. */
    public PortKeys keys(int port) {
        PortKeys keys = fabric.isEndport(port) ? tables[port] : null;
        return keys == null ? PortKeys.NONE : keys;
    }

    /** Checks whether a switch port checks P_Keys at all; the settings define the direction. */
    public boolean isEnforced(int port) {
        return tables[port] != null && !fabric.isEndport(port);
    }

    /** Returns the PortInfo of a switch port with the wanted enforcement. */
    public PortInfo withEnforcement(int port, PortInfo info) {
        boolean isEnforced = isEnforced(port);
        PartitionSettings.Enforcement wanted = settings.enforcement();
        return info.with(
                        PortInfo.PARTITION_ENFORCEMENT_INBOUND,
                        isEnforced && wanted.isInbound() && canCheck(port, SwitchInfo.INBOUND_ENFORCEMENT_CAP) ? 1 : 0)
                .with(
                        PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
                        isEnforced && wanted.isOutbound() && canCheck(port, SwitchInfo.OUTBOUND_ENFORCEMENT_CAP)
                                ? 1
                                : 0);
    }

    /**
     * Checks whether a switch can check packets of one direction. If it has a table and reports neither
     * direction, it can check both.
     */
    private boolean canCheck(int port, Field direction) {
        SwitchInfo info = fabric.node(fabric.nodeOf(port)).switchInfo();
        return info == null
                || info.get(direction) != 0
                || info.get(SwitchInfo.INBOUND_ENFORCEMENT_CAP) + info.get(SwitchInfo.OUTBOUND_ENFORCEMENT_CAP) == 0;
    }

    /** Returns the deviations from the settings, with ports and P_Keys. */
    public List<Finding> findings() {
        return findings;
    }

    /** One planning. */
    private static final class Planner {
        private static final VPortKeys NO_VPORTS = new VPortKeys(PartitionSettings.DEFAULT);

        private final PartitionSettings settings;
        private final Fabric fabric;
        private final IntFunction<PortKeys> heldKeys;
        private final BitSet endPorts;
        private final @Nullable PortKeys[] tables;
        private final Map<PortKeys, PortKeys> distinct = new HashMap<>();
        private final List<Finding> findings = new ArrayList<>();
        private int unreported;
        private @Nullable KeyLayout lastLayout;
        private @Nullable VPortKeys vportKeys;

        /**
         * Creates a planning for some end ports.
         *
         * @param tables tables of all other ports; receives those of the end ports
         */
        Planner(
                PartitionSettings settings,
                Fabric fabric,
                IntFunction<PortKeys> held,
                BitSet endPorts,
                @Nullable PortKeys[] tables) {
            this.settings = settings;
            this.fabric = fabric;
            this.heldKeys = held;
            this.endPorts = endPorts;
            this.tables = tables;
        }

        PartitionPlan plan() {
            PartitionWishes wishes = new PartitionWishes(fabric, settings.allowsBoth(), endPorts);
            for (Partition partition : settings.conf().partitions()) {
                wishes.add(partition);
            }
            endPorts.stream().forEach(port -> tables[port] = intern(endport(port, wishes)));
            PartitionPlan plan = switches();
            return new PartitionPlan(settings, fabric, tables, plan.findings, null);
        }

        /** Plans the tables of switch ports for the tables of their end ports. */
        PartitionPlan switches() {
            switchPorts(settings, fabric, endPorts).stream().forEach(port -> {
                PortKeys keys = tables[fabric.peer(port)];
                tables[port] = keys == null ? tables[port] : intern(switchPort(port, fabric.peer(port), keys));
            });
            if (unreported > 0) {
                findings.add(SmEvent.P_KEYS_LITTLE_ROOM.finding(
                        unreported + " more ports have no room for all their P_Keys"));
            }
            return new PartitionPlan(settings, fabric, tables, findings, vportKeys);
        }

        private @Nullable PortKeys intern(@Nullable PortKeys keys) {
            return keys == null ? null : distinct.computeIfAbsent(keys, same -> same);
        }

        private PortKeys endport(int port, PartitionWishes wishes) {
            int capacity = capacity(fabric, port);
            KeyLayout layout = layout(
                    capacity,
                    settings.keepsIndexes() ? heldKeys.apply(port) : PortKeys.NONE,
                    wishes.index0(port),
                    wishes.of(port));
            int[] surplus = layout.surplus();
            if (surplus.length > 0) {
                report(SmEvent.P_KEYS_NO_ROOM.finding(
                        fabric.devicePort(port),
                        " has room for " + capacity
                                + " P_Keys only (PartitionCap) and goes without " + list(surplus)
                                + "; make it a member of fewer partitions"));
            }
            return layout.keys();
        }

        private KeyLayout layout(int capacity, PortKeys heldNow, int index0, int[] wanted) {
            KeyLayout layout = lastLayout;
            if (layout == null || !layout.isFor(capacity, heldNow, index0, wanted)) {
                layout = new KeyLayout(capacity, heldNow, index0, wanted);
                lastLayout = layout;
            }
            return layout;
        }

        /**
         * Returns the end port's keys and those of its virtual ports for which there is room; null if the switch has
         * no room for those of the port. Indexes are kept here too. A repacked table could not be written without a
         * moment in which keys are missing.
         */
        private @Nullable PortKeys switchPort(int port, int checked, PortKeys keys) {
            int capacity = capacity(fabric, port);
            List<Long> vports = vports(checked);
            int[] needed = vports == null ? withHeldKeys(port, keys) : passingKeys(keys, vports, Integer.MAX_VALUE);
            KeyLayout layout = layout(capacity, heldKeys.apply(port), keys.at(0), needed);
            if (layout.surplus().length == 0) {
                return layout.keys();
            }
            int[] fitting = passingKeys(keys, vports == null ? List.of() : vports, capacity);
            if (fitting.length > capacity) {
                reportFullTable(port, checked, needed.length, ": nothing is checked there");
                return null;
            }
            reportFullTable(
                    port,
                    checked,
                    needed.length,
                    vports == null
                            ? " and its virtual ports, which are not known: they go without theirs there"
                            : " and its virtual ports: some go without theirs there");
            return layout(capacity, heldKeys.apply(port), keys.at(0), fitting).keys();
        }

        private void reportFullTable(int port, int checked, int needed, String consequence) {
            report(SmEvent.P_KEYS_LITTLE_ROOM.finding(
                    fabric.devicePort(port),
                    " has room for " + capacity(fabric, port) + " P_Keys only (PartitionEnforcementCap), not for the "
                            + needed + " of " + fabric.portName(checked) + consequence));
        }

        /** Returns the virtual ports of an end port; null while they are unknown, as for a new master. */
        private @Nullable List<Long> vports(int endport) {
            PortInfo info = fabric.portInfo(endport);
            boolean isVirtual = info != null && info.hasCapability2(PortInfo.CAP2_VIRTUALIZATION);
            return isVirtual ? settings.vports().guidsAt(fabric.portGuid(endport)) : List.of();
        }

        /** Returns the keys of an end port, and the keys that its switch has let pass so far. */
        private int[] withHeldKeys(int port, PortKeys keys) {
            IntStream all = IntStream.concat(keys.stream(), heldKeys.apply(port).stream());
            return VPortKeys.strongestKeys(all.boxed().collect(Collectors.toCollection(LinkedHashSet::new)));
        }

        /** Returns the keys of an end port and of its virtual ports. */
        private int[] passingKeys(PortKeys keys, List<Long> vports, int capacity) {
            VPortKeys ofVPorts = vportKeys;
            if (ofVPorts == null) {
                ofVPorts = vports.isEmpty() ? NO_VPORTS : new VPortKeys(settings);
                vportKeys = vports.isEmpty() ? null : ofVPorts;
            }
            return ofVPorts.passingKeys(keys, vports, capacity);
        }

        private void report(Finding finding) {
            if (findings.size() < MAX_FINDINGS) {
                findings.add(finding);
            } else {
                unreported++;
            }
        }

        private static String list(int[] pKeys) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < Math.min(pKeys.length, MAX_FINDINGS); i++) {
                text.append(i == 0 ? "" : ", ").append(PKeys.format(pKeys[i]));
            }
            return text.append(pKeys.length > MAX_FINDINGS ? ", ..." : "").toString();
        }
    }
}
