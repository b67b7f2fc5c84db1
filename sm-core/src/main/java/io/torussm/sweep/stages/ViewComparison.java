package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mastership.MasterAuthority;
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
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the remembered view with the devices, in the first sweep of a mastership. The SA answers from
 * the view as soon as nothing contradicts it, while the fabric and its tables are still read and written.
 *
 * <p>It is compared twice. {@link ViewCheck} asks its devices by its own routes, beside the discovery. If that ends
 * well, this SM is master, the SA answers, and hosts get the LID of the SM. The discovered fabric is compared in
 * any case: the same switches with the same LIDs, the same working cables between them, hosts at their ports with
 * their LIDs or absent, and MasterSMLID of the SM that made the view. A difference ends the answers. If the check
 * did not end well, the view is served now, after {@link ViewSamples}. Used once. Owner thread: the loop.
 */
public final class ViewComparison {
    /** The settings that a Set of MasterSMLID repeats, and that differ between ports. */
    private static final List<Field> REPEATED = List.of(
            PortInfo.LINK_WIDTH_ENABLED,
            PortInfo.LINK_SPEED_ENABLED,
            PortInfo.LINK_SPEED_EXT_ENABLED,
            PortInfo.LINK_SPEED_EXT_ENABLED2,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.OPERATIONAL_VLS,
            PortInfo.VL_HIGH_LIMIT,
            PortInfo.M_KEY_PROTECT_BITS,
            PortInfo.LMC,
            PortInfo.FILTER_RAW_INBOUND,
            PortInfo.FILTER_RAW_OUTBOUND,
            PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION);

    private final SweepContext parts;
    private final SweepSettings settings;
    private final StageRunner stages;
    private final MasterAuthority authority;
    private final Supplier<PartitionSettings> partitions;

    /** Null until it is read. */
    private @Nullable PublishedView last;

    /** Null unless it was started. */
    private @Nullable ViewCheck check;

    /** The continuation when it is read. */
    private Runnable whenRead = () -> {};

    private boolean isServed;
    private boolean isContradicted;

    /** @param partitions returns the partitions; called when this SM is master */
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

    /** Begins to read and to check the view, beside the discovery, unless this SM has published one. */
    public void begin(SweepState known) {
        if (known.view() != null) {
            return;
        }
        whenRead = this::check;
        stages.compute(
                parts.pool(), () -> Optional.ofNullable(parts.remembered().read()), read -> {
                    last = read.orElse(null);
                    whenRead.run();
                });
    }

    private void check() {
        PublishedView view = last;
        Fabric fabric = view == null ? null : view.subnet().fabric();
        int own = fabric == null
                ? Fabric.NONE
                : fabric.endport(parts.client().localPort().portGuid());
        if (view != null && own != Fabric.NONE && mayKeep(view.subnet().lid(own))) {
            check = new ViewCheck(stages.scope(), stages.scope(), settings, view, own);
            check.start(checked -> {
                if (authority.isFree() && isMaster()) {
                    serve(adopted(view, partitions.get()));
                    writeMasterSmLid(view.subnet(), own, checked);
                }
            });
        }
    }

    private boolean isMaster() {
        return authority.isMaster()
                || authority.decision(List.of(), List.of(), true).isGranted();
    }

    /** Checks whether the port of this SM, and all others, will keep their LIDs. */
    private boolean mayKeep(int lid) {
        int kept = parts.memory().lids().lid(parts.client().localPort().portGuid());
        return !settings.reassignLids() && (kept == 0 || kept == lid);
    }

    /** Hosts send queries to this SM from then on. They are asked to register again when the subnet is published. */
    private void writeMasterSmLid(Subnet subnet, int own, ViewCheck.UncontradictedView checked) {
        MadScope scope = stages.scope();
        Fabric fabric = checked.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo now = checked.hosts()[port];
            PortInfo value = now == null || !isAsRemembered(fabric.portInfo(port), now)
                    ? null
                    : MasterSmLidStage.written(
                            now, parts.memory().keys().current(fabric.portGuid(port)), subnet.lid(own));
            if (value != null) {
                scope.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
            }
        }
    }

    /** Checks whether a Set that repeats an answer changes no setting: one false answer must not become permanent. */
    private static boolean isAsRemembered(@Nullable PortInfo before, PortInfo now) {
        return before != null && REPEATED.stream().allMatch(field -> before.get(field) == now.get(field));
    }

    /**
     * Compares the view with the found devices, and with samples of their tables.
     *
     * @param found the found subnet with the LIDs that it is given
     */
    public void compare(Subnet found) {
        whenRead = () -> {
            PublishedView view = last;
            boolean isFound = view != null && isFound(view, found);
            isContradicted |= view != null && !isFound;
            if (isServed && !isFound) {
                parts.remembered().forget();
            } else if (view != null && isFound && !isServed) {
                sample(view, found.fabric());
            }
        };
        if (check != null && !isServed) {
            check.contradict();
        }
        whenRead.run();
    }

    private void sample(PublishedView view, Fabric found) {
        MadScope scope = stages.scope();
        new ViewSamples(scope, sw -> found.node(sw).path(), () -> isContradicted = true).read(view, found, settings);
        scope.whenIdle(stages.guarded(() -> {
            if (!isContradicted) {
                serve(adopted(view, partitions.get()));
                MasterSmLidStage.toHosts().start(stages, found, written -> {});
            }
        }));
    }

    private void serve(PublishedView view) {
        isServed = true;
        parts.remembered().serve(view);
        parts.listener().accept(new SweepEvent.ViewRemembered(view));
    }

    /** Returns the view as one of this SM. */
    private PublishedView adopted(PublishedView view, PartitionSettings with) {
        Fabric fabric = view.subnet().fabric();
        return new PublishedView(
                view.subnet(),
                view.plan(),
                view.multicast(),
                PartitionPlan.of(with, fabric, port -> PortKeys.NONE),
                parts.client().localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(parts.client().timeoutMs()),
                view.qos(),
                QosTables.NONE,
                PublishedView.REMEMBERED);
    }

    private boolean isFound(PublishedView view, Subnet found) {
        Subnet before = view.subnet();
        Fabric oldFabric = before.fabric();
        Fabric newFabric = found.fabric();
        int own = oldFabric.port(newFabric.nodePort(newFabric.localPort()));
        int maker = oldFabric.endport(view.smPortGuid());
        int masterLid = maker == Fabric.NONE ? 0 : before.lid(maker);
        return own != Fabric.NONE
                && before.lid(own) == found.smLid()
                && masterLid != 0
                && oldFabric.switchCount() > 0
                && oldFabric.switchCount() == newFabric.switchCount()
                && IntStream.range(0, oldFabric.switchCount())
                        .allMatch(sw -> isSameSwitch(before, found, sw, masterLid))
                && IntStream.range(0, oldFabric.portCount()).allMatch(port -> isSamePort(before, found, port));
    }

    private static boolean isSameSwitch(Subnet before, Subnet found, int sw, int masterLid) {
        Fabric oldFabric = before.fabric();
        Fabric newFabric = found.fabric();
        SwitchInfo info = newFabric.node(sw).switchInfo();
        PortInfo port0 = newFabric.portInfo(newFabric.port(sw, 0));
        return oldFabric.nodeGuid(sw) == newFabric.nodeGuid(sw)
                && oldFabric.numPorts(sw) == newFabric.numPorts(sw)
                && info != null
                && info.linearFdbTop() >= before.topLid()
                && port0 != null
                && port0.masterSmLid() == masterLid
                && hasLid(found, newFabric.port(sw, 0), before.lid(oldFabric.port(sw, 0)));
    }

    /** Checks whether a port has a LID and keeps it. */
    private static boolean hasLid(Subnet found, int port, int lid) {
        PortInfo info = found.fabric().portInfo(port);
        return info != null && info.lid() == lid && found.lid(port) == lid;
    }

    /**
     * Checks the end of a cable of the view. A cable between switches is there and ACTIVE. A host is absent, or at its
     * switch port with its LID.
     */
    private static boolean isSamePort(Subnet before, Subnet found, int port) {
        Fabric oldFabric = before.fabric();
        Fabric newFabric = found.fabric();
        int far = oldFabric.peer(port);
        if (far == Fabric.NONE) {
            return true;
        }
        int now = newFabric.port(oldFabric.nodePort(port));
        int farNow = now == Fabric.NONE ? Fabric.NONE : newFabric.peer(now);
        boolean isInPlace = farNow != Fabric.NONE && newFabric.nodePort(farNow).equals(oldFabric.nodePort(far));
        if (!oldFabric.isSwitch(oldFabric.nodeOf(port))) {
            return farNow == Fabric.NONE || isInPlace && hasLid(found, now, before.lid(port));
        }
        PortInfo info = now == Fabric.NONE ? null : newFabric.portInfo(now);
        return !oldFabric.isSwitch(oldFabric.nodeOf(far))
                || isInPlace && info != null && info.portState() == PortInfo.STATE_ACTIVE;
    }
}
