package io.torussm.mastership;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@link MastershipRules}: the knowledge of one SM about the master. Immutable.
 *
 * @param guid GUID of the own port
 * @param priority own priority
 * @param watch polling of another SM
 * @param handover progress of the handover of mastership
 * @param excluded GUID of a higher standby that refused to take over and is passed over for a while; 0 for
 *     none
 * @param peers other SMs of the subnet
 * @param isEnding whether this SM is about to end
 */
public record Mastership(
        long guid,
        int priority,
        SmState state,
        Watch watch,
        Handover handover,
        long excluded,
        Peers peers,
        boolean isEnding) {

    /**
     * The state of polling.
     *
     * @param sm the other SM: in STANDBY the master; in MASTER a lower master that is to hand over; else null
     * @param isAwaiting whether a poll is in progress
     * @param misses consecutive polls that met no master
     * @param silences number of these that had no answer
     * @param trapWait answers left until the next trap 144, which this SM sends because it outranks the
     *     master
     * @param trapPause answers between the last such trap and the next
     * @param answers polls that met a master since watching began
     */
    public record Watch(
            @Nullable RemoteSm sm,
            boolean isAwaiting,
            int misses,
            int silences,
            int trapWait,
            int trapPause,
            int answers) {
        /** No SM is polled. */
        static final Watch NONE = new Watch(null, false, 0, 0, 0, 1, 0);

        static Watch of(RemoteSm sm) {
            return new Watch(sm, true, 0, 0, 0, 1, 0);
        }

        Watch polling() {
            return new Watch(sm, true, misses, silences, trapWait, trapPause, answers);
        }

        Watch missed(boolean isSilent) {
            return new Watch(sm, false, misses + 1, silences + (isSilent ? 1 : 0), trapWait, trapPause, answers);
        }

        Watch met(RemoteSm master) {
            return new Watch(master, false, 0, 0, Math.max(0, trapWait - 1), trapPause, answers + 1);
        }

        /** Returns the state after a trap: the next one follows after twice as many answers. */
        Watch trapSent() {
            return new Watch(
                    sm, isAwaiting, misses, silences, trapPause, Math.min(MAX_TRAP_PAUSE, 2 * trapPause), answers);
        }
    }

    private static final int MAX_TRAP_PAUSE = 32;

    /**
     * The state of a handover at the SM that hands over.
     *
     * @param successor the SM to take over; null if nothing is handed over
     * @param isAccepted whether HANDOVER was answered with status 0, so that ACKNOWLEDGE is awaited
     * @param failures consecutive handovers that failed
     */
    public record Handover(@Nullable RemoteSm successor, boolean isAccepted, int failures) {
        static final Handover NONE = new Handover(null, false, 0);
    }

    /**
     * The other SMs that the last discovery found.
     *
     * @param others SMs that answered
     * @param silent SMs that did not answer, although their ports report them
     * @param patience progress of the wait for the silent SMs
     */
    public record Peers(List<RemoteSm> others, List<SilentSm> silent, Patience patience) {
        static final Peers NONE = new Peers(List.of(), List.of(), Patience.UNUSED);

        public Peers {
            others = List.copyOf(others);
            silent = List.copyOf(silent);
        }

        /** Checks whether a silent SM is the master, and cannot be asked. Then waiting has no limit. */
        boolean isMasterHidden() {
            return silent.stream().anyMatch(SilentSm::isMaster);
        }

        /** Checks whether the SM of a port is silent. */
        boolean isMissing(SilentSm sm) {
            return silent.stream().anyMatch(other -> other.portGuid() == sm.portGuid());
        }

        /** Checks whether an SM is silent, and the wait for it has not ended. */
        boolean mayWait() {
            return !silent.isEmpty() && patience != Patience.OVER;
        }

        /** Checks whether the wait for a silent SM, or for a second check of others, is in progress. */
        boolean isWaiting() {
            return patience == Patience.WAITING || patience == Patience.LOOKING_AGAIN;
        }

        /** Returns these with the current state of one SM that answered. */
        Peers including(RemoteSm sm) {
            List<RemoteSm> all = new ArrayList<>(others);
            all.removeIf(other -> other.guid() == sm.guid());
            all.add(sm);
            return new Peers(all, silent, patience);
        }
    }

    /** The caution of a future master towards SMs that may already be master and only busy. */
    public enum Patience {
        /** No SM is silent, and the known master is dead. */
        UNUSED,
        /**
         * No SM is silent. Without a master, standbys and discovering SMs are checked twice. One may just
         * receive HANDOVER, or may have become master since it was asked.
         */
        CAREFUL,
        /** This SM waits for a silent SM. */
        WAITING,
        /** Standbys or discovering SMs were found without a master; they are checked a second time. */
        LOOKING_AGAIN,
        /** SMs that are still silent are ignored. */
        OVER
    }

    /** Returns the state of an SM before its first event. */
    public static Mastership initial(long guid, int priority) {
        return new Mastership(guid, priority, SmState.NOT_ACTIVE, Watch.NONE, Handover.NONE, 0, Peers.NONE, false);
    }

    /** Checks whether this SM waits for no other SM: none is silent, and nothing is handed over or awaited. */
    boolean mayTakeOverUnasked() {
        boolean isUnbound = handover.successor() == null && (state != SmState.MASTER || watch.sm() == null);
        return isUnbound && peers.silent().isEmpty() && !peers.isWaiting();
    }

    /** Checks whether this SM is MASTER and is not about to end. */
    boolean mayProgram() {
        return !isEnding && state == SmState.MASTER;
    }

    /**
     * Returns the state to show in SMInfo. An SM that is about to end shows NOT-ACTIVE, lest the successor hand back.
     * An SM that sent HANDOVER shows STANDBY although it awaits the ACKNOWLEDGE. Its successor sweeps immediately, and
     * an OpenSM that still finds a lower master would wait for another HANDOVER forever.
     */
    public SmState shown() {
        if (isEnding) {
            return SmState.NOT_ACTIVE;
        }
        return handover.successor() != null ? SmState.STANDBY : state;
    }

    /** Returns the master as known to this SM; null if it is this SM, or unknown. */
    public @Nullable RemoteSm master() {
        return state == SmState.STANDBY ? watch.sm() : null;
    }

    /** Returns the other SMs that answered the last discovery. */
    public List<RemoteSm> others() {
        return peers.others();
    }

    /** Checks whether this SM should be master rather than the other. */
    public boolean outranks(RemoteSm other) {
        return !other.outranks(priority, guid);
    }

    Mastership with(SmState next) {
        return new Mastership(guid, priority, next, watch, handover, excluded, peers, isEnding);
    }

    Mastership withPriority(int next) {
        return new Mastership(guid, next, state, watch, handover, excluded, peers, isEnding);
    }

    Mastership with(Watch next) {
        return new Mastership(guid, priority, state, next, handover, excluded, peers, isEnding);
    }

    Mastership with(Handover next) {
        return new Mastership(guid, priority, state, watch, next, excluded, peers, isEnding);
    }

    Mastership excluding(long sm) {
        return new Mastership(guid, priority, state, watch, handover, sm, peers, isEnding);
    }

    Mastership with(Peers next) {
        return new Mastership(guid, priority, state, watch, handover, excluded, next, isEnding);
    }

    /** Returns the state with the current state of another SM that answered. */
    Mastership including(RemoteSm sm) {
        return with(peers.including(sm));
    }

    Mastership with(Patience next) {
        return with(new Peers(peers.others(), peers.silent(), next));
    }

    Mastership ending() {
        return new Mastership(guid, priority, state, watch, handover, excluded, peers, true);
    }
}
