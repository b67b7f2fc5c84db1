package io.torussm.vport;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.VPortKeys;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The manager of the vports of all channel adapters. Ports that announce virtualization are visited after each sweep,
 * and after a trap of a vport. Owner thread: the loop, except for {@link #table}.
 */
public final class VPortManager {
    /** Ports that are visited at the same time, with one SMP in flight each; as OpenSM does by default. */
    public static final int MAX_VISITS = 64;

    private static final EventLog EVENTS = EventLog.of(VPortManager.class);

    /** The PortInfo of a port whose vports are not known to be right. */
    private static final PortInfo UNVERIFIED = PortInfo.TYPE.zero();

    private final MadClient client;
    private final Loop loop;
    private final IntSupplier virtEnabled;
    private final VPortTable table;
    private final DeviceCapabilities capabilities = new DeviceCapabilities();

    /** End ports by GUID. */
    private final Map<Long, Integer> ports = new LinkedHashMap<>();

    /** By PortGUID: the PortInfo of the last visit, or {@link #UNVERIFIED}. */
    private final Map<Long, PortInfo> visited = new HashMap<>();

    private final VisitQueue queue = new VisitQueue(MAX_VISITS);

    private final VisitTimers timers;
    private final ContestedGuids contested = new ContestedGuids();

    /** Ports that responded to the Set by which this SM took their vports over: they are not asked for it again. */
    private final Set<Long> reregistered = new HashSet<>();

    private final UnmanagedPorts unmanagedPorts;
    private final FlappingVPorts flapping;

    private final Visits host;
    private @Nullable Subnet subnet;
    private @Nullable MadScope scope;
    private long reported;
    private boolean isReportDue;

    /**
     * Creates a manager that knows no vports.
     *
     * @param virtEnabled the setting {@code virt_enabled}, 0 to 2
     */
    public VPortManager(MadClient client, Loop loop, IntSupplier virtEnabled) {
        this.client = client;
        this.loop = loop;
        this.virtEnabled = virtEnabled;
        this.unmanagedPorts = new UnmanagedPorts(loop);
        this.flapping = new FlappingVPorts(loop, this::visitWhole, this::device);
        this.host = new Visits();
        this.timers = new VisitTimers(loop, this::visitAgain, host::countUnknownAsAbsent);
        this.table = new VPortTable(() -> VPortMode.of(virtEnabled.getAsInt()) == VPortMode.ENABLE);
    }

    /** Returns the vports. Any thread. */
    public VPortTable table() {
        return table;
    }

    /**
     * Visits the ports of a published subnet; ports without news cost one SMP each.
     *
     * @param partitions partitions of the same view, which give vports their P_Keys
     */
    public void visitPorts(Subnet published, PartitionPlan partitions) {
        loop.requireInLoop();
        adopt(partitions);
        if (host.mode() == VPortMode.IGNORE) {
            unmanagedPorts.endAll();
            flapping.endAll();
            forget();
            return;
        }
        subnet = published;
        Fabric fabric = published.fabric();
        ports.clear();
        Set<Long> nodes = new HashSet<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && published.lid(port) != 0) {
                ports.put(fabric.portGuid(port), port);
                nodes.add(fabric.nodeGuid(fabric.nodeOf(port)));
            }
        }
        capabilities.retain(nodes);
        flapping.forgetStable();
        List.copyOf(visited.keySet()).stream().filter(guid -> !isVirtual(guid)).forEach(this::onPortAbsent);
        ports.forEach((guid, port) -> {
            if (isVirtual(guid)) {
                contested.end(guid);
                queue.add(guid);
            }
        });
        isReportDue = true;
        startVisits();
    }

    /**
     * Sets the programmer of the P_Key tables of switches at ports with vports.
     *
     * @param programmer takes the GUIDs of such ports, and passes to its second argument once whether all is in place
     */
    public void programSwitchesBy(BiConsumer<Set<Long>, Consumer<Boolean>> programmer) {
        host.partitions.program(programmer);
    }

    /**
     * Visits the ports whose vports have other P_Keys with these partitions. Checks the switches at ports with other
     * tables; with other settings those at all ports.
     */
    public void repartitioned(PartitionPlan partitions) {
        loop.requireInLoop();
        Subnet published = subnet;
        if (published != null) {
            BitSet changed = host.partitions.changedEndPorts(partitions);
            adopt(partitions).forEach(queue::add);
            changed.stream()
                    .filter(port -> port < published.fabric().portCount())
                    .mapToObj(published.fabric()::portGuid)
                    .filter(this::isVirtual)
                    .forEach(host::noteSwitch);
            host.partitions.request();
            startVisits();
        }
    }

    /** Returns the ports with a vport whose P_Keys are not those of the partitions; they are not visited briefly. */
    private List<Long> adopt(PartitionPlan partitions) {
        if (!host.partitions.adopt(partitions)) {
            return List.of();
        }
        VPortKeys now = host.keys();
        List<Long> different = visited.keySet().stream()
                .filter(portGuid ->
                        table.of(portGuid).stream().anyMatch(each -> !KeyTables.areKeysRight(now, portGuid, each)))
                .toList();
        different.forEach(portGuid -> visited.put(portGuid, UNVERIFIED));
        return different;
    }

    private boolean isVirtual(long portGuid) {
        Integer port = ports.get(portGuid);
        Subnet now = subnet;
        if (port == null || now == null) {
            return false;
        }
        Fabric fabric = now.fabric();
        PortInfo info = fabric.portInfo(port);
        return info != null
                && !fabric.isSwitch(fabric.nodeOf(port))
                && info.hasCapability2(PortInfo.CAP2_VIRTUALIZATION);
    }

    private void onPortAbsent(long portGuid) {
        table.remove(portGuid);
        visited.remove(portGuid);
        reregistered.remove(portGuid);
        timers.remove(portGuid);
        queue.remove(portGuid);
        contested.end(portGuid);
        contested.takeWaiters(portGuid, true).forEach(queue::add);
        unmanagedPorts.remove(portGuid);
        flapping.remove(portGuid);
        table.history().remove(portGuid);
    }

    /** Visits the port with a LID: it sent a trap about a vport. */
    public void onVPortTrap(int lid) {
        loop.requireInLoop();
        Subnet now = subnet;
        int port = now == null ? Fabric.NONE : now.portOfLid(lid);
        if (now != null && port != Fabric.NONE && isVirtual(now.fabric().portGuid(port))) {
            long portGuid = now.fabric().portGuid(port);
            contested.allowNewWait(portGuid);
            visited.put(portGuid, UNVERIFIED);
            if (flapping.mayVisit(portGuid)) {
                visitWhole(portGuid);
            }
        }
    }

    private void visitWhole(long portGuid) {
        visited.put(portGuid, UNVERIFIED);
        queue.add(portGuid);
        startVisits();
    }

    /** Returns the number of vports whose changes are remembered, so that one that comes and goes is delayed. */
    int rememberedChanges() {
        return flapping.size();
    }

    /** Forgets all vports: another SM is master, or {@code virt_enabled} is 0. Conditions end without an event. */
    public void forget() {
        loop.requireInLoop();
        if (scope != null) {
            scope.close();
            scope = null;
        }
        subnet = null;
        ports.clear();
        visited.clear();
        queue.clear();
        timers.clear();
        contested.clear();
        reregistered.clear();
        unmanagedPorts.clear();
        flapping.clear();
        capabilities.clear();
        table.clear();
        host.partitions.clear();
        reported = 0;
    }

    private void startVisits() {
        Subnet now = subnet;
        while (now != null && queue.hasNext()) {
            long portGuid = queue.next();
            Integer port = ports.get(portGuid);
            PortInfo info = port == null ? null : now.fabric().portInfo(port);
            if (port != null && info != null) {
                start(now.fabric(), port, info);
            } else {
                queue.ended(portGuid, null, false);
            }
        }
        if (queue.isEmpty() && now != null) {
            report();
        }
    }

    private void start(Fabric fabric, int port, PortInfo info) {
        long portGuid = fabric.portGuid(port);
        timers.begin(portGuid, table.guidsAt(portGuid) == null);
        boolean isBrief = info.equals(visited.put(portGuid, info));
        PortVisit.Target target = new PortVisit.Target(
                portGuid,
                fabric.nodeGuid(fabric.nodeOf(port)),
                fabric.pathTo(port),
                info.portState() == PortInfo.STATE_ACTIVE,
                table.of(portGuid),
                isBrief,
                host.keys(),
                queue.rest(portGuid));
        new PortVisit(visits(), host, target, !reregistered.contains(portGuid)).start();
    }

    private MadScope visits() {
        if (scope == null) {
            MadScope opened = client.scope();
            opened.whenFailed(bug -> {
                EVENTS.report(SmEvent.CONTINUATION_FAILED, bug);
                forget();
            });
            scope = opened;
        }
        return scope;
    }

    /** Reports the number of vports after the visits that follow a sweep, if it has changed. */
    private void report() {
        long active = isReportDue ? table.countActive() : reported;
        isReportDue = false;
        if (active != reported) {
            reported = active;
            EVENTS.report(SmEvent.VPORTS_ACTIVE, EventField.COUNT.of(active));
        }
    }

    private @Nullable DeviceText device(long portGuid) {
        Integer port = ports.get(portGuid);
        return port == null || subnet == null ? null : subnet.fabric().devicePort(port);
    }

    private void visitAgain(List<Long> portGuids) {
        portGuids.forEach(queue::add);
        startVisits();
    }

    /** The state that visits share. */
    private final class Visits implements PortVisit.Host {
        private final VPortPartitions partitions = new VPortPartitions(loop);

        @Override
        public VPortMode mode() {
            return VPortMode.of(virtEnabled.getAsInt());
        }

        @Override
        public long nowNs() {
            return loop.nowNs();
        }

        @Override
        public DeviceCapabilities capabilities() {
            return capabilities;
        }

        @Override
        public VPortKeys keys() {
            return partitions.keys();
        }

        /**
         * Returns the conflict of a GUID. A GUID that another port had last may have moved: that port is visited before
         * the GUID is contested. A device whose vports that visit could not read cannot keep it.
         */
        @Override
        public String conflict(PortVisit.Target target, int vport, long guid) {
            long owner = table.portOf(guid);
            if (guid != target.portGuid() && ports.containsKey(guid)) {
                return "vport " + vport + " has the GUID of a port, " + Guid.format(guid);
            } else if (owner == 0 || owner == target.portGuid()) {
                return "";
            }
            if (timers.isSilent(owner) || table.history().isUnread(owner)) {
                table.remove(owner, guid);
                return "";
            }
            if (contested.begin(target.portGuid(), owner)) {
                queue.add(owner);
            }
            return "vport " + vport + " has the GUID of a vport of port " + Guid.format(owner);
        }

        @Override
        public boolean mayComeUp(PortVisit.Target target, VirtualPort vport) {
            return !table.isKnown(target.portGuid()) || flapping.mayComeUp(target.portGuid(), vport);
        }

        @Override
        public void onVisitEnd(PortVisit.Target target, PortVisit.VisitResult result) {
            long portGuid = target.portGuid();
            table.countVisit(result.outcome());
            if (!isVirtual(portGuid)) {
                queue.ended(portGuid, null, false); // it went meanwhile, and is forgotten
                startVisits();
                return;
            }
            if (!result.mayReregister()) {
                reregistered.add(portGuid);
            }
            boolean isWaiting = contested.isWaiting(portGuid);
            boolean isPart = result.rest() != null;
            if (!result.isRead()) {
                table.history().onReadFailure(portGuid);
            } else if (table.guidsAt(portGuid) != null) {
                table.history().update(portGuid, table.of(portGuid), result.vports(), !isPart, loop.timeOfDay());
            } else if (!isPart) {
                table.history().begin(portGuid, loop.timeOfDay()); // an earlier failed reading says no more
            }
            table.put(portGuid, result.vports());
            if (!result.isSilent() && !isPart) {
                table.markAllRead(portGuid);
                unmanagedPorts.onAllRead(portGuid);
            }
            noteSwitch(portGuid);
            partitions.request();
            // A vport may have got, or not got, the earlier keys.
            boolean isOutdated = target.keys() != keys() || target.rest().isOutdated();
            if (isOutdated && !isPart) {
                queue.add(portGuid);
            }
            if (queue.ended(portGuid, result.rest(), result.isUnsettled())) {
                contested
                        .takeWaiters(portGuid, hasLost(target.known(), result.vports()))
                        .forEach(queue::add);
                if (!isPart) {
                    judge(portGuid, result.trouble(), isWaiting);
                }
            }
            if (!result.trouble().isEmpty() || result.isUnsettled() || isOutdated || isPart) {
                visited.put(portGuid, UNVERIFIED);
            }
            if (result.isUnsettled()) {
                timers.visitLater(portGuid, result.isSilent());
            }
            startVisits();
        }

        private void judge(long portGuid, String trouble, boolean isWaiting) {
            if (trouble.isEmpty()) {
                contested.end(portGuid);
                unmanagedPorts.end(portGuid);
            } else if (!isWaiting) {
                unmanagedPorts.add(portGuid, device(portGuid), trouble);
            }
        }

        /**
         * Counts the vports of a port that were not read as absent. Until then the switch lets pass what it has let
         * pass, revoked P_Keys included.
         */
        private void countUnknownAsAbsent(long portGuid) {
            if (table.guidsAt(portGuid) == null) {
                table.markAllRead(portGuid);
                table.history().onReadFailure(portGuid);
                unmanagedPorts.reportLate(portGuid, device(portGuid));
                noteSwitch(portGuid);
                partitions.request();
            }
        }

        /** Notes whether the switch at a port is to be programmed. */
        private void noteSwitch(long portGuid) {
            Integer port = ports.get(portGuid);
            Subnet now = subnet;
            if (port != null && now != null) {
                partitions.check(now.fabric(), port, table.guidsAt(portGuid));
            }
        }

        private boolean hasLost(List<VirtualPort> known, List<VirtualPort> now) {
            Set<Long> guids = new HashSet<>();
            now.forEach(each -> guids.add(each.guid()));
            return known.stream().anyMatch(before -> !guids.contains(before.guid()));
        }
    }
}
