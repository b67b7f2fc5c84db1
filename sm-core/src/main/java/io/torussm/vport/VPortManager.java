package io.torussm.vport;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.VPortKeys;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.vport.PublishedPorts.PhysicalPort;
import io.torussm.vport.VisitQueue.Verdict;
import io.torussm.vport.condition.FlappingVPorts;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The manager of the vports of all channel adapters: the entry for sweeps, traps and partitions. Ports that announce
 * virtualization are visited after each sweep, and after a trap of a vport. {@link VisitScheduler} has the order of
 * visits, {@link PortVisit} the SMPs of one, and {@link VPortPublisher} the use of its result.
 *
 * <p>Owner thread: the loop, except for {@link #table}.
 */
public final class VPortManager {
    /** Ports that are visited at the same time, with one SMP in flight each; as OpenSM does by default. */
    public static final int MAX_VISITS = 64;

    private static final EventLog EVENTS = EventLog.of(VPortManager.class);

    /** The response to a request for tables of switches. */
    public enum RoutingStart {
        /** They are computed and written. */
        BEGUN,
        /** A sweep is in progress or due. */
        BUSY,
        /** An operator has suspended sweeps. */
        SUSPENDED
    }

    private final MadClient client;
    private final Loop loop;
    private final VPortTable table;
    private final PublishedPorts ports = new PublishedPorts();
    private final VPortPartitions partitions;
    private final DeviceCapabilities capabilities = new DeviceCapabilities();
    private final ContestedGuids contested = new ContestedGuids(this::addVisit);
    private final FlappingVPorts flapping;
    private final VPortPublisher publisher;
    private final VisitScheduler scheduler;
    private final VPortDescriptions descriptions;
    private final VisitDecisions policy;

    /** The LIDs of vports; null if none are assigned. */
    private @Nullable VPortLidClaims lids;

    /** The scope of the SMPs of all visits; null before the first visit of a mastership. */
    private @Nullable MadScope scope;

    /** The number of vports in ACTIVE in the last event about it. */
    private long reportedActive;

    /** True from a sweep until the visits after it have ended: only these make an event, and not each vport. */
    private boolean isReportDue;

    /**
     * Creates a manager that knows no vports.
     *
     * @param virtEnabled the setting {@code virt_enabled}, 0 to 2
     */
    public VPortManager(MadClient client, Loop loop, IntSupplier virtEnabled) {
        this.client = client;
        this.loop = loop;
        this.table = new VPortTable(() -> VPortMode.of(virtEnabled.getAsInt()) == VPortMode.ENABLE);
        this.partitions = new VPortPartitions(loop);
        this.publisher = new VPortPublisher(loop, ports, table, partitions);
        this.flapping = new FlappingVPorts(loop, this::visitUponTrap, ports::device);
        this.scheduler = new VisitScheduler(
                loop, ports, table, partitions::keys, this::startVisit, publisher::countUnreadAsAbsent);
        this.policy = new VisitDecisions(virtEnabled, partitions, ports, table, scheduler, contested, flapping);
        this.descriptions =
                new VPortDescriptions(ports, table, capabilities, this::openRequests, scheduler::isHalfFree);
    }

    /** Returns the vports. Any thread. */
    public VPortTable table() {
        return table;
    }

    /**
     * Visits the ports of a subnet that was published after a reading of devices; ports without news cost one SMP each.
     *
     * @param plan partitions of the same view, which give vports their P_Keys
     */
    public void visitPorts(Subnet published, PartitionPlan plan) {
        loop.requireInLoop();
        adopt(plan);
        if (!isManaging(published, plan)) {
            return;
        }
        adopt(published).forEach(scheduler::noteLids);
        ports.virtualPorts().forEach(portGuid -> {
            contested.end(portGuid);
            scheduler.add(portGuid);
        });
        runVisits();
    }

    /**
     * Visits those ports of a subnet that have news, since it was published without a reading of devices: their vports
     * have got or lost LIDs or P_Keys, or their PortInfo is another one.
     *
     * @param plan partitions of the same view
     */
    public void visitChangedPorts(Subnet published, PartitionPlan plan) {
        loop.requireInLoop();
        List<Long> different = adopt(plan);
        if (!isManaging(published, plan)) {
            return;
        }
        Set<Long> changed = adopt(published);
        changed.forEach(scheduler::noteLids);
        ports.virtualPorts().stream()
                .filter(portGuid ->
                        changed.contains(portGuid) || different.contains(portGuid) || scheduler.hasOtherInfo(portGuid))
                .forEach(scheduler::add);
        runVisits();
    }

    /** Checks whether vports are managed; if not, forgets them, and takes their P_Keys from the switches. */
    private boolean isManaging(Subnet published, PartitionPlan plan) {
        boolean isManaging = policy.mode() != VPortMode.IGNORE;
        if (!isManaging) {
            Set<Long> formerPorts = table.portGuids();
            publisher.endConditions();
            flapping.endAll();
            forget();
            ports.replace(published);
            partitions.adopt(plan);
            formerPorts.forEach(publisher::checkSwitch);
            ports.clear();
            partitions.request();
        }
        return isManaging;
    }

    /** Takes a published subnet. Returns the ports whose vports have got or lost a LID with it. */
    private Set<Long> adopt(Subnet published) {
        ports.replace(published);
        capabilities.retain(ports.nodeGuids());
        flapping.forgetStable();
        Set<Long> changed = lids == null ? new HashSet<>() : lids.publish(published);
        changed.removeIf(portGuid -> !ports.isVirtual(portGuid));
        scheduler.visitedPorts().stream()
                .filter(portGuid -> !ports.isVirtual(portGuid))
                .forEach(this::onPortAbsent);
        isReportDue = true;
        return changed;
    }

    private void onPortAbsent(long portGuid) {
        Set<Long> lost = guids(table.of(portGuid));
        publisher.remove(portGuid);
        scheduler.remove(portGuid);
        descriptions.remove(portGuid);
        contested.end(portGuid);
        contested.release(lost);
        contested.endWaits(portGuid);
        flapping.remove(portGuid);
    }

    private void addVisit(long portGuid) {
        scheduler.add(portGuid);
    }

    /** Sets the listener for GUIDs of vports that came to a physical port or left it; called on the loop. */
    public void whenVPortsMove(Consumer<Set<Long>> listener) {
        table.whenMoved(listener);
    }

    /**
     * Sets the programmer of the P_Key tables of switches at ports with vports.
     *
     * @param programmer takes the GUIDs of such ports, and passes to its second argument once whether all is in place
     */
    public void programSwitchesBy(BiConsumer<Set<Long>, Consumer<Boolean>> programmer) {
        partitions.program(programmer);
    }

    /**
     * Gives vports that require it a LID of their own.
     *
     * @param ports LIDs of ports
     * @param vports LIDs of vports
     * @param routing begins to compute and write the tables of switches, if that is possible now
     */
    public void assignLids(LidStore ports, VPortLidStore vports, Supplier<RoutingStart> routing) {
        lids = new VPortLidClaims(
                loop, ports, vports, routing, this.ports::isWithoutVPorts, this::isAwaited, this::visitWaiting);
        policy.assignLids(lids);
    }

    private void visitWaiting(long portGuid) {
        if (ports.isVirtual(portGuid)) {
            visitUponTrap(portGuid);
        }
    }

    /** Checks whether the vports of a port are still to be read, or waited for. */
    private boolean isAwaited(long portGuid) {
        return ports.isVirtual(portGuid) && !table.isKnown(portGuid);
    }

    /**
     * Visits the ports whose vports have other P_Keys with these partitions. Checks the switches at ports with other
     * tables; with other settings those at all ports.
     */
    public void repartitioned(PartitionPlan plan) {
        loop.requireInLoop();
        Fabric fabric = ports.fabric();
        if (fabric == null) {
            return;
        }
        BitSet changed = partitions.changedEndPorts(plan);
        adopt(plan).forEach(scheduler::add);
        changed.stream()
                .filter(port -> port < fabric.portCount())
                .mapToObj(fabric::portGuid)
                .filter(ports::isVirtual)
                .forEach(publisher::checkSwitch);
        partitions.request();
        runVisits();
    }

    /** Takes partitions. Returns the ports with a vport that has other P_Keys, which a brief visit would not notice. */
    private List<Long> adopt(PartitionPlan plan) {
        VPortKeys previous = partitions.keys();
        partitions.adopt(plan);
        VPortKeys wanted = partitions.keys();
        if (wanted == previous) {
            return List.of();
        }
        List<Long> different = scheduler.visitedPorts().stream()
                .filter(portGuid ->
                        table.of(portGuid).stream().anyMatch(vport -> !KeyTables.areKeysRight(wanted, portGuid, vport)))
                .toList();
        different.forEach(scheduler::distrust);
        return different;
    }

    /** Visits the port with a LID: it sent a trap about a vport. */
    public void onVPortTrap(int lid) {
        loop.requireInLoop();
        Long portGuid = ports.virtualPortOfLid(lid);
        if (portGuid != null) {
            contested.allowNewWait(portGuid);
            scheduler.distrust(portGuid);
            flapping.requestVisit(portGuid);
        }
    }

    /** Reads the description of a vport of the port with a LID again, after the visit to which its trap leads. */
    public void onVPortNameTrap(int lid, int vport) {
        loop.requireInLoop();
        Long portGuid = ports.virtualPortOfLid(lid);
        if (portGuid != null) {
            descriptions.onTrap(portGuid, vport);
        }
    }

    private void visitUponTrap(long portGuid) {
        scheduler.distrust(portGuid);
        scheduler.add(portGuid);
        runVisits();
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
        ports.clear();
        scheduler.clear();
        descriptions.clear();
        contested.clear();
        flapping.clear();
        capabilities.clear();
        publisher.clear();
        if (lids != null) {
            lids.forget();
        }
        reportedActive = 0;
    }

    private void runVisits() {
        scheduler.run();
        descriptions.run();
        if (scheduler.isIdle()) {
            reportActive();
        }
    }

    private void startVisit(VisitTarget target) {
        if (!target.start().isContinuation()) {
            contested.beginVisit(target.portGuid());
        }
        VisitRequests requests = openRequests(target.port());
        new PortVisit(requests, capabilities, policy, target, result -> onVisitEnd(target, result, requests)).start();
    }

    private VisitRequests openRequests(PhysicalPort port) {
        // A scope for each visit: after a standstill, a scope from before it sends no Sets.
        return new VisitRequests(openScope().child(), port.path(), loop::nowNs);
    }

    private MadScope openScope() {
        if (scope == null) {
            MadScope opened = client.scope();
            opened.whenFailed(bug -> {
                EVENTS.report(SmEvent.CONTINUATION_FAILED, bug);
                forget(); // the next sweep begins with what the devices say
            });
            scope = opened;
        }
        return scope;
    }

    private void onVisitEnd(VisitTarget target, VisitResult result, VisitRequests requests) {
        long portGuid = target.portGuid();
        if (ports.isVirtual(portGuid)) {
            boolean isWaiting = contested.isWaiting(portGuid);
            publisher.publish(portGuid, result);
            descriptions.onVisitEnd(target, result.changed());
            if (lids != null && result.isRead() && result.isWhole()) {
                lids.retain(portGuid, guids(result.vports()));
            }
            Verdict verdict = scheduler.end(target, result);
            contested.release(lostGuids(target.known(), result.vports()));
            if (verdict == Verdict.FINAL) {
                contested.endWaits(portGuid);
            }
            if (verdict == Verdict.FINAL && result.isWhole() && !requests.isCancelled()) {
                updateCondition(portGuid, result.unmanagedReason(), isWaiting);
            }
        } else {
            publisher.discard(result);
            scheduler.endAbsent(portGuid);
        }
        runVisits();
    }

    private static Set<Long> lostGuids(List<VirtualPort> known, List<VirtualPort> current) {
        if (known.equals(current)) {
            return Set.of(); // as after almost all visits
        }
        Set<Long> lost = guids(known);
        lost.removeAll(guids(current));
        return lost;
    }

    private static Set<Long> guids(List<VirtualPort> vports) {
        return vports.stream().map(VirtualPort::guid).collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * Begins or ends the condition of a port by its last visit.
     *
     * @param isWaiting whether it waits for another port to lose a GUID; that is no condition yet
     */
    private void updateCondition(long portGuid, String unmanagedReason, boolean isWaiting) {
        if (unmanagedReason.isEmpty()) {
            contested.end(portGuid);
            publisher.reportManaged(portGuid);
        } else if (!isWaiting) {
            publisher.reportUnmanaged(portGuid, unmanagedReason);
        }
    }

    /** Reports the number of vports after the visits that follow a sweep, if it has changed. */
    private void reportActive() {
        long active = isReportDue ? table.countActive() : reportedActive;
        isReportDue = false;
        if (active != reportedActive) {
            reportedActive = active;
            EVENTS.report(SmEvent.VPORTS_ACTIVE, EventField.COUNT.of(active));
        }
    }
}
