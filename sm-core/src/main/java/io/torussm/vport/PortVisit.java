package io.torussm.vport;

import io.torussm.mad.Guid;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.transport.Outcome;
import io.torussm.vport.VPortReader.VPortStates;
import io.torussm.vport.VPortSetup.VPortOutcome;
import io.torussm.vport.VPortSetup.WaitingVPort;
import io.torussm.vport.VisitResult.StatesReading;
import io.torussm.vport.condition.FlappingVPorts.Admission;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One visit of a physical port: a sequence of SMPs, one in flight at a time, which brings its vports to ACTIVE.
 *
 * <ol>
 *   <li>GeneralInfo, once for each device, and VirtualizationInfo: one Get for a port without news.
 *   <li>A Set of VirtualizationInfo, if virtualization is to be enabled or disabled, if VPortStateChange is to be
 *       cleared, or if clients are to register again.
 *   <li>The table of states.
 *   <li>Each vport that is new, is not ACTIVE or has other P_Keys: its attributes, its P_Keys and its state. The other
 *       ones are not read.
 * </ol>
 *
 * <p>A device that does not respond ends the visit, so that it costs one time-out. The visit passes on one result,
 * unless the scope of its SMPs is closed.
 */
final class PortVisit {
    /** Number of vports of each visit, however slow the device is: one that proves the order, and those below it. */
    private static final int MIN_VPORTS = KeyTables.FIRST_PROOF + 1;

    private final VisitTarget target;
    private final VisitPolicy policy;
    private final Consumer<VisitResult> onEnd;
    private final VisitRequests requests;
    private final VPortReader reader;
    private final KeyTables keyTables;
    private final VPortSetup setup;
    private final VisitProgress progress;

    /** True as long as clients are to be asked to register again, and the device has not responded to that. */
    private boolean isReregistrationDue;

    /** True if a vport below the first one of this visit may have changed since it was read. */
    private boolean isLowerPartOutdated;

    private int begunVPorts;

    /** Indexes of vports that have come, have another GUID, or were not ACTIVE any more. */
    private final BitSet changed = new BitSet();

    /** @param onEnd takes the result */
    PortVisit(
            VisitRequests requests,
            DeviceCapabilities capabilities,
            VisitPolicy policy,
            VisitTarget target,
            Consumer<VisitResult> onEnd) {
        this.target = target;
        this.policy = policy;
        this.onEnd = onEnd;
        this.requests = requests;
        this.reader = new VPortReader(requests, capabilities, target.nodeGuid(), this::endUnread);
        this.keyTables = new KeyTables(requests, capabilities, policy::keys, target);
        this.setup = new VPortSetup(requests, keyTables, policy, target);
        this.progress = new VisitProgress(target.known(), target.waiting());
        this.isReregistrationDue = target.isReregistrationDue();
    }

    void start() {
        reader.readVirtualization(info -> {
            if (policy.mode() == VPortMode.DISABLE) {
                disable(info);
            } else {
                enable(info);
            }
        });
    }

    private void disable(VirtualizationInfo info) {
        if (!info.isEnabled()) {
            progress.noteNone();
            end();
            return;
        }
        VirtualizationInfo disabled = info.with(VirtualizationInfo.ENABLE, 0).with(VirtualizationInfo.STATE_CHANGE, 0);
        requests.set(
                disabled,
                0,
                outcome -> reader.require(outcome, VirtualizationInfo.TYPE, after -> {
                    if (after.isEnabled()) {
                        progress.noteReason("virtualization stays enabled");
                    } else {
                        progress.noteNone();
                    }
                    end();
                }));
    }

    private void enable(VirtualizationInfo info) {
        boolean hasChanged = info.get(VirtualizationInfo.STATE_CHANGE) != 0;
        isLowerPartOutdated = hasChanged && target.start().isContinuation();
        if (!info.isEnabled() || hasChanged || isReregistrationDue) {
            setEnabled(info);
        } else if (target.isBrief()) {
            progress.findAll();
            end();
        } else {
            reader.readStates(info.vportIndexTop(), this::visitVPorts);
        }
    }

    /**
     * Enables virtualization. The Set repeats VPortStateChange, and a 1 clears it. That is done before the states are
     * read, so that a later change sets the flag again. Clients of a port that was disabled have nothing to register.
     */
    private void setEnabled(VirtualizationInfo before) {
        progress.forgetWaiting();
        boolean isAsked = before.isEnabled() && isReregistrationDue;
        VirtualizationInfo enabled =
                before.with(VirtualizationInfo.ENABLE, 1).with(VirtualizationInfo.CLIENT_REREGISTER, isAsked ? 1 : 0);
        requests.set(enabled, 0, outcome -> {
            // A device without a response is asked again. One that rejects the Set is managed without registrations.
            isReregistrationDue &= VisitRequests.isUnanswered(outcome);
            reader.require(outcome, VirtualizationInfo.TYPE, after -> onEnabled(before, after));
        });
    }

    private void onEnabled(VirtualizationInfo before, VirtualizationInfo after) {
        if (!after.isEnabled()) {
            progress.noteNone(); // the device says so
            progress.noteReason("virtualization stays disabled");
            end();
        } else if (before.isEnabled()) {
            reader.readStates(after.vportIndexTop(), this::visitVPorts);
        } else { // VPortIndexTop was that of a port without vports
            reader.rereadVirtualization(current -> reader.readStates(current.vportIndexTop(), this::visitVPorts));
        }
    }

    private void visitVPorts(VPortStates states) {
        progress.noteStates(
                states,
                target.start().vport(),
                vport -> keyTables.areKeysRight(vport) && policy.isLidRight(target, vport));
        progress.leaveWaiting(
                waiting -> isUnchanged(waiting) && setup.claimLid(waiting).isLater());
        progress.noteReason(target.start().unmanagedReason());
        progress.noteReason(states.limitReason());
        visitNextVPort();
    }

    private void visitNextVPort() {
        List<Integer> unread = progress.unread();
        if (unread.isEmpty()) {
            progress.dropRest();
            end();
        } else if (begunVPorts >= MIN_VPORTS && requests.isShareUsed()) {
            endBefore(unread.get(0));
        } else {
            // Only the first vport is chosen, so that each visit gets further than the one before.
            int index = begunVPorts == 0 ? keyTables.firstVPort(unread) : unread.get(0);
            begunVPorts++;
            progress.begin(index);
            WaitingVPort waiting = progress.takeWaiting(index);
            if (waiting != null
                    && isUnchanged(waiting)
                    && setup.claimLid(waiting).lid() != 0) {
                progress.drop(index);
                setup.resume(waiting, this::onVPortEnd);
            } else {
                reader.readVPort(index, outcome -> onVPortInfo(index, outcome));
            }
        }
    }

    /**
     * Checks whether a vport that waited for its LID can come up without being read again: its state is the same, the
     * device reports no change, its P_Keys are as wanted, and no other port claims its GUID.
     */
    private boolean isUnchanged(WaitingVPort waiting) {
        VirtualPort vport = waiting.vport();
        return !vport.isActive()
                && target.port().isActive()
                && keyTables.areKeysRight(vport)
                && !progress.hasFound(vport.guid())
                && policy.claimGuid(target, vport.index(), vport.guid()).isEmpty();
    }

    private void onVPortInfo(int index, Outcome<VPortInfo> outcome) {
        if (VisitRequests.isUnanswered(outcome)) {
            endUnanswered("vport " + index + ": " + outcome);
            return;
        }
        VirtualPort previous = progress.drop(index);
        if (outcome instanceof Outcome.Reply<VPortInfo> reply) {
            identify(index, reply.value(), previous);
        } else {
            leave("vport " + index + ": " + outcome);
        }
    }

    /** Brings a vport up, if its GUID is its own, and it does not come and go all the time. */
    private void identify(int index, VPortInfo info, @Nullable VirtualPort previous) {
        long guid = info.portGuid();
        String conflict = guid == 0 || progress.hasFound(guid)
                ? "vport " + index + " has GUID 0 or that of another: " + Guid.format(guid)
                : policy.claimGuid(target, index, guid);
        if (!conflict.isEmpty()) {
            leave(conflict);
            return;
        }
        VirtualPort vport = new VirtualPort(index, guid, 0, info.state(), null);
        boolean isChanged = previous == null || previous.guid() != guid || (previous.isActive() && !vport.isActive());
        if (isChanged && policy.admit(target, vport) == Admission.LATER) {
            visitNextVPort();
            return;
        }
        changed.set(index, isChanged);
        setup.claimLid(vport, info);
        reader.readNode(
                index,
                node -> setup.bringUp(
                        node == null ? vport : vport.withNode(node.nodeGuid()), info, node, this::onVPortEnd));
    }

    /** Leaves a vport as it is. */
    private void leave(String reason) {
        progress.noteReason(reason);
        visitNextVPort();
    }

    private void onVPortEnd(VPortOutcome outcome) {
        if (outcome.vport() != null) {
            progress.find(outcome.vport());
        }
        if (outcome.waiting() != null) {
            progress.await(outcome.waiting());
        }
        if (outcome.isUnanswered()) {
            endUnanswered(outcome.unmanagedReason());
        } else {
            leave(outcome.unmanagedReason());
        }
    }

    private void endUnanswered(String reason) {
        endUnread(reason, StatesReading.UNANSWERED);
    }

    /** Ends the visit at a failure: vports that were not read are as before. */
    private void endUnread(String reason, StatesReading failure) {
        if (failure == StatesReading.UNANSWERED) {
            progress.noteUnanswered();
        }
        progress.noteReason(reason);
        end();
    }

    private void end() {
        boolean isRetryDue = progress.reading() == StatesReading.UNANSWERED || isRetryDue();
        pass(isRetryDue, null);
    }

    /** Ends before a vport. Those from there on are as they were, if they were known, until the next visit. */
    private void endBefore(int vport) {
        boolean isOutdated = target.start().isOutdated() || target.keys() != policy.keys();
        VisitStart nextStart = new VisitStart(vport, isOutdated, progress.unmanagedReason(), isRetryDue());
        pass(false, nextStart);
    }

    private boolean isRetryDue() {
        return isLowerPartOutdated || target.start().isRetryDue() || keyTables.isRetryDue();
    }

    private void pass(boolean isRetryDue, @Nullable VisitStart nextStart) {
        onEnd.accept(new VisitResult(
                progress.vports(),
                progress.reading(),
                progress.unmanagedReason(),
                isRetryDue,
                isReregistrationDue,
                changed,
                nextStart,
                progress.waiting()));
    }
}
