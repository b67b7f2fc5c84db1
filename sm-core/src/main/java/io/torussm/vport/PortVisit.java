package io.torussm.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Guid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.VPortKeys;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.vport.VPortTable.VisitOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One visit of a physical port: its vports are read and brought to ACTIVE, one SMP after the other. A vport that is
 * ACTIVE and was known as such is not read. The visit ends with one call of {@link Host#onVisitEnd}, unless the scope
 * is closed.
 */
final class PortVisit {
    /** Vports of a port that are managed; the rest stays as it is. */
    static final int MAX_VPORTS = 1024;

    /** Vports of each visit, however slow the device is: one that proves the order, and those before it. */
    private static final int MIN_VPORTS = KeyTables.FIRST_PROOF + 1;

    /** Blocks of the table of states that are read: 8,192 vports. */
    private static final int MAX_BLOCKS = 64;

    private static final int MAX_STATE = PortInfo.STATE_ACTIVE;

    private final VisitRequests requests;
    private final Host host;
    private final Target target;
    private final List<VirtualPort> found = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();

    /** By index: vports at the last visit, without those that were read since, or do not exist. */
    private final Map<Integer, VirtualPort> known = new HashMap<>();

    private final KeyTables tables;

    /** Clients are to be asked to register again, and the device has not responded to that yet. */
    private boolean mayReregister;

    /** True if vports before the first of this visit may have changed since they were visited. */
    private boolean hasLateChange;

    /** The states of all vports are known. */
    private boolean areStatesRead;

    private int begunVPorts;

    /**
     * A physical port to be visited.
     *
     * @param nodeGuid NodeGUID of the device, whose GeneralInfo is asked once
     * @param isActive whether the physical port is ACTIVE, without which no vport can be
     * @param known vports at the last visit
     * @param isBrief whether they are right unless the device reports a change
     * @param keys P_Keys of vports when the visit began
     * @param rest where the visit continues an earlier one
     */
    record Target(
            long portGuid,
            long nodeGuid,
            DrPath path,
            boolean isActive,
            List<VirtualPort> known,
            boolean isBrief,
            VPortKeys keys,
            Rest rest) {}

    /**
     * The part of a port that earlier visits have left.
     *
     * @param from index of the first vport to be visited
     * @param isOutdated whether vports before it may have changed since
     * @param trouble why vports before it stay as they are; empty if they are as they should be
     * @param isUnsettled whether the port is to be visited again soon
     */
    record Rest(int from, boolean isOutdated, String trouble, boolean isUnsettled) {
        /** All vports. */
        static final Rest ALL = new Rest(0, false, "", false);

        Rest outdated() {
            return from == 0 ? this : new Rest(from, true, trouble, isUnsettled);
        }
    }

    /**
     * The result of a visit.
     *
     * @param vports vports that exist, by index; those that were not read are as before
     * @param isSilent whether the device did not respond, so that vports were not read
     * @param isRead whether the states of all vports were read, although some may stay as they are
     * @param trouble why vports stay as they are; empty if all are as they should be
     * @param isUnsettled whether another visit soon is worthwhile, as it is to a silent device
     * @param mayReregister whether the next visit is to ask clients to register again
     * @param rest what the visit has left; null if it was whole
     */
    record VisitResult(
            List<VirtualPort> vports,
            boolean isSilent,
            boolean isRead,
            String trouble,
            boolean isUnsettled,
            boolean mayReregister,
            @Nullable Rest rest) {
        VisitOutcome outcome() {
            return rest != null
                    ? VisitOutcome.PART
                    : isSilent ? VisitOutcome.SILENT : trouble.isEmpty() ? VisitOutcome.DONE : VisitOutcome.LEFT;
        }
    }

    /** The manager. */
    interface Host {
        VPortMode mode();

        long nowNs();

        DeviceCapabilities capabilities();

        /** Returns the P_Keys of vports. */
        VPortKeys keys();

        /** Returns why a GUID cannot belong to this vport; empty if it can. */
        String conflict(Target target, int vport, long guid);

        /** Checks whether a vport that has come, or is not ACTIVE any more, may come up; otherwise it is absent. */
        boolean mayComeUp(Target target, VirtualPort vport);

        void onVisitEnd(Target target, VisitResult visited);
    }

    /** @param mayReregister whether clients are asked to register again, since another SM served them before */
    PortVisit(MadScope scope, Host host, Target target, boolean mayReregister) {
        this.requests = new VisitRequests(scope, target.path, host::nowNs);
        this.host = host;
        this.target = target;
        this.mayReregister = mayReregister;
        this.tables = new KeyTables(requests, host, target);
        target.known.forEach(vport -> known.put(vport.index(), vport));
    }

    void start() {
        DeviceCapabilities.Announcement known = host.capabilities().of(target.nodeGuid);
        if (known != null) {
            onCapabilities(known);
            return;
        }
        requests.get(
                GeneralInfo.TYPE,
                GeneralInfo.MASK_MODIFIER,
                outcome -> onCapabilities(host.capabilities()
                        .keep(
                                target.nodeGuid,
                                outcome instanceof Outcome.Reply<GeneralInfo> reply ? reply.value() : null)));
    }

    private void onCapabilities(DeviceCapabilities.Announcement announcement) {
        if (announcement.denies(GeneralInfo.VIRTUALIZATION)) {
            end("PortInfo announces virtualization, and GeneralInfo does not");
            return;
        }
        get(VirtualizationInfo.TYPE, 0, this::onVirtualizationInfo);
    }

    private void onVirtualizationInfo(VirtualizationInfo info) {
        if (info.get(VirtualizationInfo.REVISION) != VirtualizationInfo.KNOWN_REVISION) {
            end("revision " + info.get(VirtualizationInfo.REVISION) + " of virtualization is unknown");
        } else if (info.vportCap() == 0 || info.vportIndexTop() >= info.vportCap()) {
            end("VPortIndexTop " + info.vportIndexTop() + " is not below VPortCap " + info.vportCap());
        } else if (host.mode() == VPortMode.DISABLE) {
            disable(info);
        } else {
            enable(info);
        }
    }

    private void disable(VirtualizationInfo info) {
        if (!info.isEnabled()) {
            endDisabled();
            return;
        }
        set(info.with(VirtualizationInfo.ENABLE, 0).with(VirtualizationInfo.STATE_CHANGE, 0), 0, after -> {
            if (after.isEnabled()) {
                end("virtualization stays enabled");
            } else {
                endDisabled();
            }
        });
    }

    private void endDisabled() {
        areStatesRead = true;
        end("");
    }

    /** Clears VPortStateChange before the states are read, so that a later change sets it again. */
    private void enable(VirtualizationInfo info) {
        boolean hasChanged = info.get(VirtualizationInfo.STATE_CHANGE) != 0;
        hasLateChange = hasChanged && target.rest.from() > 0;
        if (info.isEnabled() && !hasChanged && !mayReregister) {
            if (target.isBrief) {
                areStatesRead = true;
                found.addAll(target.known);
                end("");
            } else {
                readStates(info.vportIndexTop(), 0);
            }
            return;
        }
        VirtualizationInfo wanted = info.with(VirtualizationInfo.ENABLE, 1)
                .with(VirtualizationInfo.CLIENT_REREGISTER, info.isEnabled() && mayReregister ? 1 : 0);
        requests.set(wanted, 0, outcome -> {
            mayReregister &= isTimeout(outcome); // a device that rejects this is managed without it
            take(wanted.type(), outcome, after -> onEnabled(info, after));
        });
    }

    private void onEnabled(VirtualizationInfo before, VirtualizationInfo after) {
        if (!after.isEnabled()) {
            known.clear(); // the device says that it has no vports now
            end("virtualization stays disabled");
        } else if (before.isEnabled()) {
            readStates(after.vportIndexTop(), 0);
        } else {
            get(VirtualizationInfo.TYPE, 0, current -> readStates(current.vportIndexTop(), 0));
        }
    }

    private void readStates(int top, int block) {
        get(VPortStateTable.TYPE, block, table -> {
            int first = block * VPortStateTable.VPORTS_PER_BLOCK;
            for (int i = 0; i < VPortStateTable.VPORTS_PER_BLOCK && first + i <= top; i++) {
                if (table.state(i) > MAX_STATE) {
                    end("vport " + (first + i) + " has state " + table.state(i));
                    return;
                }
                if (table.state(i) >= PortInfo.STATE_INITIALIZE) {
                    onState(first + i, table.state(i));
                }
            }
            boolean isLast = block == VPortStateTable.block(top);
            boolean isEnough = found.size() + waiting.size() >= MAX_VPORTS;
            if (isLast || isEnough || block + 1 == MAX_BLOCKS) {
                known.keySet().retainAll(new HashSet<>(waiting));
                String trouble = isEnough
                        ? "more than " + MAX_VPORTS + " vports"
                        : isLast ? "" : "VPortIndexTop " + top + " is too high";
                next(firstNonEmpty(target.rest.trouble(), trouble));
            } else {
                readStates(top, block + 1);
            }
        });
    }

    private void onState(int index, int state) {
        VirtualPort previous = known.get(index);
        boolean isVisited = index < target.rest.from();
        if (previous != null
                && (isVisited
                        || (previous.isActive() && state == PortInfo.STATE_ACTIVE && tables.areKeysRight(previous)))) {
            found.add(previous);
            known.remove(index);
        } else if (!isVisited) {
            waiting.add(index);
        }
    }

    /** Continues with the next vport that was not ACTIVE, or is not known. */
    private void next(String trouble) {
        areStatesRead = true;
        if (waiting.isEmpty() || found.size() >= MAX_VPORTS) {
            end(trouble);
            return;
        }
        if (begunVPorts >= MIN_VPORTS && requests.isShareUsed()) {
            endInPart(trouble);
            return;
        }
        // Only the first vport is chosen, so that each visit gets further than the one before.
        int index = waiting.remove(begunVPorts == 0 ? tables.firstPosition(waiting) : 0);
        begunVPorts++;
        requests.get(VPortInfo.TYPE, index, outcome -> {
            VirtualPort previous = known.get(index);
            if (!isTimeout(outcome)) {
                known.remove(index);
            }
            if (outcome instanceof Outcome.Reply<VPortInfo> reply) {
                identify(index, reply.value(), previous, trouble);
            } else {
                leaveUnmanaged(index, outcome, trouble);
            }
        });
    }

    private void identify(int index, VPortInfo info, @Nullable VirtualPort previous, String trouble) {
        long guid = info.portGuid();
        boolean isUnfit = guid == 0 || found.stream().anyMatch(vport -> vport.guid() == guid);
        String conflict = isUnfit
                ? "vport " + index + " has GUID 0 or that of another: " + Guid.format(guid)
                : host.conflict(target, index, guid);
        if (!conflict.isEmpty()) {
            next(firstNonEmpty(trouble, conflict));
            return;
        }
        boolean isChanged = previous == null
                || previous.guid() != guid
                || (previous.isActive() && info.state() != PortInfo.STATE_ACTIVE);
        if (isChanged && !host.mayComeUp(target, new VirtualPort(index, guid, 0, info.state(), null))) {
            next(trouble);
            return;
        }
        requests.get(VNodeInfo.TYPE, index, outcome -> {
            VNodeInfo node = outcome instanceof Outcome.Reply<VNodeInfo> reply ? reply.value() : null;
            long nodeGuid = node == null ? 0 : node.nodeGuid();
            VirtualPort vport = new VirtualPort(index, guid, nodeGuid, info.state(), null);
            tables.programKeys(
                    vport, node, (withKeys, reason) -> raise(withKeys, info, firstNonEmpty(trouble, reason)));
        });
    }

    private void raise(VirtualPort vport, VPortInfo info, String trouble) {
        if (info.isLidRequired() && !vport.isActive()) {
            found.add(vport);
            next(firstNonEmpty(trouble, "vport " + vport.index() + " requires a separate LID"));
        } else if (vport.isActive() || !target.isActive) {
            found.add(vport);
            next(trouble);
        } else if (vport.state() == PortInfo.STATE_ARMED) {
            activate(vport, info, trouble);
        } else {
            move(vport, info, PortInfo.STATE_ARMED, outcome -> {
                if (hasOtherGuid(vport, outcome)) {
                    next(firstNonEmpty(trouble, "vport " + vport.index() + " has got another GUID"));
                } else if (outcome instanceof Outcome.Reply<VPortInfo> || isInvalidField(outcome)) {
                    activate(vport, info, trouble); // a device may know INITIALIZE and ACTIVE only
                } else {
                    found.add(vport);
                    leaveUnmanaged(vport.index(), outcome, trouble);
                }
            });
        }
    }

    private void activate(VirtualPort vport, VPortInfo info, String trouble) {
        move(vport, info, PortInfo.STATE_ACTIVE, outcome -> {
            if (hasOtherGuid(vport, outcome)) {
                next(firstNonEmpty(trouble, "vport " + vport.index() + " has got another GUID"));
            } else if (outcome instanceof Outcome.Reply<VPortInfo> reply) {
                int state = reply.value().state();
                found.add(vport.withState(state));
                boolean isUp = state == PortInfo.STATE_ACTIVE;
                next(isUp ? trouble : firstNonEmpty(trouble, "vport " + vport.index() + " stays in state " + state));
            } else {
                found.add(vport);
                leaveUnmanaged(vport.index(), outcome, trouble);
            }
        });
    }

    /** Checks whether a vport has got another GUID since it was read; it is read at the next visit of its port. */
    private static boolean hasOtherGuid(VirtualPort vport, Outcome<VPortInfo> outcome) {
        return outcome instanceof Outcome.Reply<VPortInfo> reply
                && reply.value().portGuid() != vport.guid();
    }

    private void move(VirtualPort vport, VPortInfo info, int state, Consumer<Outcome<VPortInfo>> then) {
        requests.set(info.with(VPortInfo.STATE, state).with(VPortInfo.CLIENT_REREGISTER, 0), vport.index(), then);
    }

    static boolean isInvalidField(Outcome<?> outcome) {
        return outcome instanceof Outcome.Failure<?> failure
                && failure.reason() == Outcome.FailureReason.BAD_STATUS
                && failure.status() == MadStatus.INVALID_FIELD;
    }

    /** Leaves one vport as it is. A device that does not respond is left altogether, so that it costs one time-out. */
    private void leaveUnmanaged(int index, Outcome<?> outcome, String trouble) {
        String reason = firstNonEmpty(trouble, "vport " + index + ": " + outcome);
        if (isTimeout(outcome)) {
            end(reason, true);
        } else {
            next(reason);
        }
    }

    private static String firstNonEmpty(String trouble, String another) {
        return trouble.isEmpty() ? another : trouble;
    }

    /** Reads an attribute without which the visit ends. */
    private <A extends Attribute<A>> void get(AttributeType<A> type, int modifier, Consumer<A> then) {
        requests.get(type, modifier, outcome -> take(type, outcome, then));
    }

    private <A extends Attribute<A>> void set(A value, int modifier, Consumer<A> then) {
        requests.set(value, modifier, outcome -> take(value.type(), outcome, then));
    }

    private <A extends Attribute<A>> void take(AttributeType<A> type, Outcome<A> outcome, Consumer<A> then) {
        if (outcome instanceof Outcome.Reply<A> reply) {
            then.accept(reply.value());
        } else {
            end(type.layout().name() + ": " + outcome, isTimeout(outcome));
        }
    }

    static boolean isTimeout(@Nullable Outcome<?> outcome) {
        return outcome instanceof Outcome.Failure<?> failure
                && (failure.reason() == Outcome.FailureReason.TIMEOUT || failure.isBusy());
    }

    private void end(String trouble) {
        end(trouble, false);
    }

    private void end(String trouble, boolean isSilent) {
        areStatesRead &= !isSilent;
        if (!areStatesRead) {
            found.addAll(known.values());
        }
        ended(new VisitResult(found, isSilent, areStatesRead, trouble, isSilent || isUnsettled(), mayReregister, null));
    }

    /** Ends before a vport. Those from there on are as they were, if they were known, until the next visit. */
    private void endInPart(String trouble) {
        boolean isOutdated = target.rest.isOutdated() || target.keys != host.keys();
        Rest rest = new Rest(waiting.get(0), isOutdated, trouble, isUnsettled());
        found.addAll(known.values());
        ended(new VisitResult(found, false, true, trouble, false, mayReregister, rest));
    }

    private boolean isUnsettled() {
        return hasLateChange || target.rest.isUnsettled() || tables.isUnsettled();
    }

    private void ended(VisitResult visited) {
        found.sort(Comparator.comparingInt(VirtualPort::index));
        host.onVisitEnd(target, visited);
    }
}
