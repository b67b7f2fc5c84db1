package io.torussm.vport;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.transport.Outcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one vport that was read: its P_Keys, and then its state, as its first packets need both. The state of
 * a vport does not exceed that of its port. No public source says whether INITIALIZE to ACTIVE takes one Set or two, so
 * ARMED is tried before ACTIVE, as for ports, and a device may reject it.
 */
final class VPortSetup {
    private final VisitRequests requests;
    private final KeyTables keyTables;
    private final boolean isPortActive;

    /**
     * The outcome for one vport.
     *
     * @param vport vport as it is now; null if it turned out to be another one, which the next visit reads
     * @param unmanagedReason reason why it stays as it is; empty if it is as it should be
     * @param isUnanswered whether the device did not respond to the change of the state
     */
    record VPortOutcome(@Nullable VirtualPort vport, String unmanagedReason, boolean isUnanswered) {
        private VPortOutcome withEarlierReason(String reason) {
            return reason.isEmpty() ? this : new VPortOutcome(vport, reason, isUnanswered);
        }
    }

    /** @param isPortActive whether the physical port is ACTIVE */
    VPortSetup(VisitRequests requests, KeyTables keyTables, boolean isPortActive) {
        this.requests = requests;
        this.keyTables = keyTables;
        this.isPortActive = isPortActive;
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
                (withKeys, reason) -> raise(withKeys, info, outcome -> then.accept(outcome.withEarlierReason(reason))));
    }

    private void raise(VirtualPort vport, VPortInfo info, Consumer<VPortOutcome> then) {
        if (!vport.isActive() && info.isLidRequired()) {
            then.accept(new VPortOutcome(vport, name(vport) + " requires a separate LID", false));
        } else if (vport.isActive() || !isPortActive) {
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
                VirtualPort changed = vport.withState(reply.value().state());
                String reason = changed.isActive() ? "" : name(vport) + " stays in state " + changed.state();
                then.accept(new VPortOutcome(changed, reason, false));
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
