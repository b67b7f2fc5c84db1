package io.torussm.vport;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.transport.Outcome;
import io.torussm.vport.VPortLidClaims.LidGrant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one vport that was read: its P_Keys, its LID, and then its state, as its first packets need them. The
 * state of a vport does not exceed that of its port. No public source says whether INITIALIZE to ACTIVE takes one Set
 * or two, so ARMED is tried before ACTIVE, as for ports, and a device may reject it.
 */
final class VPortSetup {
    private final VisitRequests requests;
    private final KeyTables keyTables;
    private final VisitPolicy policy;
    private final VisitTarget target;
    private final boolean isPortActive;

    /**
     * A vport that waits for a LID.
     *
     * @param vport vport with its P_Keys
     * @param info VPortInfo as it was read
     */
    record WaitingVPort(VirtualPort vport, VPortInfo info) {}

    /**
     * The outcome for one vport.
     *
     * @param vport vport as it is now; null if it turned out to be another one, which the next visit reads
     * @param unmanagedReason reason why it stays as it is; empty if it is as it should be
     * @param isUnanswered whether the device did not respond to the change of the state
     * @param waiting the vport, if another visit soon may give it a LID; otherwise null
     */
    record VPortOutcome(
            @Nullable VirtualPort vport,
            String unmanagedReason,
            boolean isUnanswered,
            @Nullable WaitingVPort waiting) {
        private VPortOutcome(@Nullable VirtualPort vport, String unmanagedReason, boolean isUnanswered) {
            this(vport, unmanagedReason, isUnanswered, null);
        }

        private VPortOutcome withEarlierReason(String reason) {
            return reason.isEmpty() ? this : new VPortOutcome(vport, reason, isUnanswered, waiting);
        }
    }

    /** Creates the changes of the vports of a visited port. */
    VPortSetup(VisitRequests requests, KeyTables keyTables, VisitPolicy policy, VisitTarget target) {
        this.requests = requests;
        this.keyTables = keyTables;
        this.policy = policy;
        this.target = target;
        this.isPortActive = target.port().isActive();
    }

    /**
     * Gives a vport its P_Keys, and brings it to ACTIVE.
     *
     * @param vport vport as it was read, without P_Keys
     * @param info VPortInfo of the vport, which a Set repeats with another state
     * @param node VNodeInfo of the vport; null if the device has none
     */
    void bringUp(VirtualPort vport, VPortInfo info, @Nullable VNodeInfo node, Consumer<VPortOutcome> then) {
        keyTables.programKeys(
                vport,
                node,
                (withKeys, reason) ->
                        address(withKeys, info, outcome -> then.accept(outcome.withEarlierReason(reason))));
    }

    /**
     * Gives a vport the LID that it requires. Vport 0 has the LID of its port. A vport that waits for the tables of
     * switches is no failure: it is visited again once they are written.
     */
    private void address(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        if (!isLidRequired(vport, info)) {
            policy.releaseLid(target, vport.guid());
            raise(vport, info, then);
            return;
        }
        LidGrant grant = policy.claimLid(target, vport.guid(), info);
        if (grant.lid() == 0) {
            WaitingVPort waiting = grant.isAwaited() ? new WaitingVPort(vport, info) : null;
            String reason = grant.refusal().isEmpty() ? "" : name(vport) + " requires a LID: " + grant.refusal();
            if (!reason.isEmpty() && vport.isActive() && policy.isLidOfPort(info.lid())) {
                takeDown(vport, info, reason, then);
            } else {
                then.accept(new VPortOutcome(vport.withLid(VirtualPort.NO_LID), reason, false, waiting));
            }
        } else if (vport.isActive() && info.lid() != grant.lid()) {
            changeLid(vport.withLid(grant.lid()), info, then);
        } else {
            raise(vport.withLid(grant.lid()), info.with(VPortInfo.LID, grant.lid()), then);
        }
    }

    /**
     * Takes down a vport whose LID is that of a port now, and that gets no other one: the packets that it sends have
     * the address of that port.
     */
    private void takeDown(VirtualPort vport, VPortInfo info, String reason, Consumer<VPortOutcome> then) {
        setState(vport, info, PortInfo.STATE_DOWN, outcome -> {
            if (hasOtherGuid(vport, outcome)) {
                then.accept(replaced(vport));
                return;
            }
            VirtualPort after = outcome instanceof Outcome.Reply<VPortInfo> reply
                    ? vport.withState(reply.value().state())
                    : vport;
            String owner = ", and its LID " + info.lid() + " is that of a port now";
            then.accept(new VPortOutcome(
                    after.withLid(VirtualPort.NO_LID),
                    reason + owner + (after.isActive() ? "; it stays ACTIVE: " + outcome : "; it is taken down"),
                    VisitRequests.isUnanswered(outcome)));
        });
    }

    /** Changes the LID of a vport that is up. Its clients register again, since others know them by the earlier one. */
    private void changeLid(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        VPortInfo wanted = info.with(VPortInfo.LID, vport.lid())
                .with(VPortInfo.STATE, PortInfo.STATE_NO_CHANGE)
                .with(VPortInfo.CLIENT_REREGISTER, 1);
        requests.set(wanted, vport.index(), outcome -> {
            if (hasOtherGuid(vport, outcome)) {
                then.accept(replaced(vport));
            } else if (outcome instanceof Outcome.Reply<VPortInfo> reply) {
                then.accept(changed(vport, reply.value(), ""));
            } else {
                then.accept(unchanged(vport.withLid(VirtualPort.NO_LID), outcome));
            }
        });
    }

    /** Returns the outcome for a vport after a Set; its LID is that of the Set, which the device may not have taken. */
    private static VPortOutcome changed(VirtualPort vport, VPortInfo reply, String reason) {
        return vport.lid() == 0 || vport.lid() == reply.lid()
                ? new VPortOutcome(vport, reason, false)
                : new VPortOutcome(vport.withLid(VirtualPort.NO_LID), name(vport) + " keeps LID " + reply.lid(), false);
    }

    private boolean isLidRequired(VirtualPort vport, VPortInfo info) {
        return info.isLidRequired() && vport.index() != 0 && vport.guid() != target.portGuid();
    }

    /**
     * Claims a LID for a vport that requires one. The tables of switches are written while the rest of the vport is
     * read.
     */
    void claimLid(VirtualPort vport, VPortInfo info) {
        if (isLidRequired(vport, info)) {
            policy.claimLid(target, vport.guid(), info);
        }
    }

    /** Returns the answer to a vport that waited for a LID. */
    LidGrant claimLid(WaitingVPort waiting) {
        return policy.claimLid(target, waiting.vport().guid(), waiting.info());
    }

    /** Brings a vport up that waited for a LID, has got it, and was not read again. */
    void resume(WaitingVPort waiting, Consumer<VPortOutcome> then) {
        address(waiting.vport(), waiting.info(), then);
    }

    private void raise(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        if (vport.isActive() || !isPortActive) {
            then.accept(new VPortOutcome(vport, "", false));
        } else if (vport.state() == PortInfo.STATE_ARMED) {
            activate(vport, info, then);
        } else {
            arm(vport, info, then);
        }
    }

    private void arm(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        setState(vport, info, PortInfo.STATE_ARMED, outcome -> {
            if (hasOtherGuid(vport, outcome)) {
                then.accept(replaced(vport));
            } else if (outcome instanceof Outcome.Reply || VisitRequests.isInvalidField(outcome)) {
                activate(vport, info, then); // a device may have INITIALIZE and ACTIVE only
            } else {
                then.accept(unchanged(vport, outcome));
            }
        });
    }

    private void activate(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        setState(vport, info, PortInfo.STATE_ACTIVE, outcome -> {
            if (hasOtherGuid(vport, outcome)) {
                then.accept(replaced(vport));
            } else if (outcome instanceof Outcome.Reply<VPortInfo> reply) {
                VirtualPort after = vport.withState(reply.value().state());
                String reason = after.isActive() ? "" : name(vport) + " stays in state " + after.state();
                then.accept(changed(after, reply.value(), reason));
            } else {
                then.accept(unchanged(vport, outcome));
            }
        });
    }

    /** Sets the state alone: clients register again by VClientReregister of the port, so not by this flag. */
    private void setState(VirtualPort vport, VPortInfo info, int state, Consumer<Outcome<VPortInfo>> then) {
        requests.set(info.with(VPortInfo.STATE, state).with(VPortInfo.CLIENT_REREGISTER, 0), vport.index(), then);
    }

    /**
     * Checks whether the response to a Set has another GUID than the one that was read. The GUID of a virtual function
     * can change between two SMPs, and the P_Keys of the vport are those of the earlier one.
     */
    private static boolean hasOtherGuid(VirtualPort vport, Outcome<VPortInfo> outcome) {
        return outcome instanceof Outcome.Reply<VPortInfo> reply
                && reply.value().portGuid() != vport.guid();
    }

    private static VPortOutcome replaced(VirtualPort vport) {
        return new VPortOutcome(null, name(vport) + " has got another GUID", false);
    }

    private static VPortOutcome unchanged(VirtualPort vport, Outcome<VPortInfo> outcome) {
        return new VPortOutcome(vport, name(vport) + ": " + outcome, VisitRequests.isUnanswered(outcome));
    }

    private static String name(VirtualPort vport) {
        return "vport " + vport.index();
    }
}
