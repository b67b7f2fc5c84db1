package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.PortInfoFields;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SilentSm;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.program.port.MasterSmLidStage;
import io.torussm.program.smp.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepState;
import io.torussm.transport.MadScope;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the remembered view with the devices, in the first sweep of a mastership. The SA responds from
 * the view once the comparison has succeeded, while the fabric and its tables are still read and written.
 *
 * <p>There are two comparisons; either of them suffices:
 * <ul>
 * <li>early: {@link ViewCheck} asks the devices by the routes of the view, during the discovery. If nothing
 * contradicts the view, this SM becomes master, serves the view, and writes its LID to the hosts as MasterSMLID;
 * <li>late: after the discovery, the found subnet is compared with that of the view, then {@link ViewSamples} with the
 * tables of the switches. If all agree, the view is served.
 * </ul>
 *
 * <p>A discovered difference also withdraws a view that is served since the early comparison. An instance is used in
 * one sweep. Owner thread: the loop.
 */
public final class ViewComparison {
    /**
     * The settings that differ between ports, and that a Set of MasterSMLID writes back as they were read. They must
     * equal those of the view, so that a damaged answer is not written to the device.
     */
    private static final List<Field> REPEATED_FIELDS = Stream.concat(
                    PortInfoFields.NEVER_COMPUTED.stream(),
                    Stream.of(
                            PortInfo.LINK_WIDTH_ENABLED,
                            PortInfo.LINK_SPEED_ENABLED,
                            PortInfo.LINK_SPEED_EXT_ENABLED,
                            PortInfo.LINK_SPEED_EXT_ENABLED2,
                            PortInfo.NEIGHBOR_MTU,
                            PortInfo.OPERATIONAL_VLS,
                            PortInfo.VL_HIGH_LIMIT,
                            PortInfo.M_KEY_PROTECT_BITS,
                            PortInfo.LMC))
            .toList();

    private static final boolean WHOLE_FABRIC = true;

    private final SweepContext parts;
    private final SweepSettings settings;
    private final StageRunner stages;
    private final MasterAuthority authority;
    private final Supplier<PartitionSettings> partitions;

    /** The remembered view; null until it is read, or if there is none. */
    private @Nullable PublishedView stored;

    /** The discovered subnet with its assigned LIDs; null during the discovery. */
    private @Nullable Subnet discovered;

    /** The early comparison; null if it was not started. */
    private @Nullable ViewCheck check;

    /** True if the late comparison found a difference. */
    private boolean isContradicted;

    /**
     * Creates a comparison; nothing is read yet.
     *
     * @param partitions returns the effective partitions; called only if this SM is master, because only a master
     *     reads them
     */
    public ViewComparison(
            SweepContext parts,
            SweepSettings settings,
            StageRunner stages,
            MasterAuthority authority,
            Supplier<PartitionSettings> partitions) {
        this.parts = parts;
        this.settings = settings;
        this.stages = stages;
        this.authority = authority;
        this.partitions = partitions;
    }

    /**
     * Reads the view and starts the early comparison, while the discovery runs. Does nothing if this SM has published a
     * view in this mastership.
     */
    public void begin(SweepState known) {
        if (known.view() != null) {
            return;
        }
        parts.remembered().begin();
        stages.compute(
                parts.pool(), () -> Optional.ofNullable(parts.remembered().read()), read -> {
                    stored = read.orElse(null);
                    if (stored != null && discovered == null) {
                        check(stored);
                    } else if (stored != null && discovered != null) {
                        compare(stored, discovered);
                    }
                });
    }

    private void check(PublishedView view) {
        int own = view.subnet().fabric().endport(parts.client().localPort().portGuid());
        if (own == Fabric.NONE || !mayKeepLids(view.subnet().lid(own))) {
            return;
        }
        check = new ViewCheck(stages.scope(), stages.scope(), settings, view, own, parts.remembered());
        check.start(checked -> {
            if (authority.mayBecomeMaster() && becomeMaster()) {
                serve(withOwnSettings(view, partitions.get()));
                writeMasterSmLid(view.subnet(), own, checked);
            }
        });
    }

    /** Requests mastership, since the check found no other SM. Returns true if this SM is the master. */
    private boolean becomeMaster() {
        List<DiscoveredSm> others = List.of();
        List<SilentSm> silent = List.of();
        return authority.isMaster()
                || authority.decision(others, silent, WHOLE_FABRIC).isGranted();
    }

    /**
     * Checks whether the port of this SM, and all others, will keep the LIDs of the view.
     *
     * @param lid LID of the port of this SM in the view
     */
    private boolean mayKeepLids(int lid) {
        int storedLid = parts.memory().lids().lid(parts.client().localPort().portGuid());
        return !settings.reassignLids() && (storedLid == 0 || storedLid == lid);
    }

    /**
     * Writes the LID of this SM as MasterSMLID to the hosts that answered, so that they send their queries to this SM.
     * ClientReregister follows later, when ports are configured.
     */
    private void writeMasterSmLid(Subnet subnet, int own, ViewCheck.CheckedHosts checked) {
        MadScope scope = stages.scope();
        Fabric fabric = checked.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo answered = checked.portInfos()[port];
            PortInfo value = answered == null || !hasSettingsOf(fabric.portInfo(port), answered)
                    ? null
                    : MasterSmLidStage.withMasterSmLid(
                            answered, parts.memory().keys().currentKey(fabric.portGuid(port)), subnet.lid(own));
            if (value != null) {
                scope.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
            }
        }
    }

    private static boolean hasSettingsOf(@Nullable PortInfo remembered, PortInfo answered) {
        return remembered != null
                && REPEATED_FIELDS.stream().allMatch(field -> remembered.get(field) == answered.get(field));
    }

    /**
     * Starts the late comparison, and ends an early one that has not succeeded yet.
     *
     * @param found the discovered subnet with its assigned LIDs
     */
    public void compare(Subnet found) {
        discovered = found;
        if (check != null) {
            check.contradict();
        }
        if (stored != null) {
            compare(stored, found);
        }
    }

    private void compare(PublishedView view, Subnet found) {
        if (!isSameSubnet(view, found)) {
            isContradicted = true;
            parts.remembered().forget();
        } else if (!parts.remembered().isServed()) {
            sample(view, found);
        }
    }

    private void sample(PublishedView view, Subnet found) {
        MadScope scope = stages.scope();
        Fabric fabric = found.fabric();
        Runnable onDifference = () -> isContradicted = true;
        new ViewSamples(scope, sw -> fabric.node(sw).path(), onDifference).read(view, fabric, settings);
        ChangedPorts ports = new ChangedPorts(scope, parts.remembered(), found, fabric, onDifference);
        scope.whenIdle(() -> ports.readReported(stages.guarded(() -> {
            if (!isContradicted) {
                serve(withOwnSettings(view, partitions.get()));
                MasterSmLidStage.toHosts().start(stages, fabric, written -> {});
            }
        })));
    }

    private void serve(PublishedView view) {
        parts.remembered().serve(view);
        parts.listener().accept(new SweepEvent.ViewRemembered(view));
    }

    /** Returns the view with the address, the time-outs and the partitions of this SM. */
    private PublishedView withOwnSettings(PublishedView view, PartitionSettings settingsOfPartitions) {
        Fabric fabric = view.subnet().fabric();
        return new PublishedView(
                view.subnet(),
                view.plan(),
                view.multicast(),
                PartitionPlan.of(settingsOfPartitions, fabric, port -> PortKeys.NONE),
                parts.client().localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(parts.client().timeoutMs()),
                view.qos(),
                QosTables.NONE,
                PublishedView.REMEMBERED);
    }

    private boolean isSameSubnet(PublishedView view, Subnet found) {
        Subnet previousSubnet = view.subnet();
        Fabric oldFabric = previousSubnet.fabric();
        Fabric newFabric = found.fabric();
        int own = oldFabric.port(newFabric.nodePort(newFabric.localPort()));
        int viewMaster = oldFabric.endport(view.smPortGuid());
        int masterLid = viewMaster == Fabric.NONE ? 0 : previousSubnet.lid(viewMaster);
        return own != Fabric.NONE
                && previousSubnet.lid(own) == found.smLid()
                && masterLid != 0
                && oldFabric.switchCount() > 0
                && oldFabric.switchCount() == newFabric.switchCount()
                && IntStream.range(0, oldFabric.switchCount())
                        .allMatch(sw -> isSameSwitch(previousSubnet, found, sw, masterLid))
                && IntStream.range(0, oldFabric.portCount()).allMatch(port -> isSamePort(previousSubnet, found, port));
    }

    private static boolean isSameSwitch(Subnet previousSubnet, Subnet found, int sw, int masterLid) {
        Fabric oldFabric = previousSubnet.fabric();
        Fabric newFabric = found.fabric();
        SwitchInfo info = newFabric.node(sw).switchInfo();
        PortInfo port0 = newFabric.portInfo(newFabric.port(sw, 0));
        return oldFabric.nodeGuid(sw) == newFabric.nodeGuid(sw)
                && oldFabric.numPorts(sw) == newFabric.numPorts(sw)
                && info != null
                && info.linearFdbTop() >= previousSubnet.topLid()
                && port0 != null
                && port0.masterSmLid() == masterLid
                && hasLid(found, newFabric.port(sw, 0), previousSubnet.lid(oldFabric.port(sw, 0)));
    }

    /** Checks whether a port has a LID in its PortInfo, and is assigned the same LID. */
    private static boolean hasLid(Subnet found, int port, int lid) {
        PortInfo info = found.fabric().portInfo(port);
        return info != null && info.lid() == lid && found.lid(port) == lid;
    }

    /**
     * Checks whether the cable at a port of the view is found. A cable between switches must be ACTIVE. A host may be
     * absent. True for a port without a cable in the view.
     */
    private static boolean isSamePort(Subnet previousSubnet, Subnet found, int oldPort) {
        Fabric oldFabric = previousSubnet.fabric();
        Fabric newFabric = found.fabric();
        int oldPeer = oldFabric.peer(oldPort);
        if (oldPeer == Fabric.NONE) {
            return true;
        }
        int newPort = newFabric.port(oldFabric.nodePort(oldPort));
        int newPeer = newPort == Fabric.NONE ? Fabric.NONE : newFabric.peer(newPort);
        boolean isSameCable =
                newPeer != Fabric.NONE && newFabric.nodePort(newPeer).equals(oldFabric.nodePort(oldPeer));
        if (!oldFabric.isSwitch(oldFabric.nodeOf(oldPort))) {
            return newPeer == Fabric.NONE || (isSameCable && hasLid(found, newPort, previousSubnet.lid(oldPort)));
        }
        PortInfo info = newPort == Fabric.NONE ? null : newFabric.portInfo(newPort);
        return !oldFabric.isSwitch(oldFabric.nodeOf(oldPeer))
                || (isSameCable && info != null && info.portState() == PortInfo.STATE_ACTIVE);
    }
}
