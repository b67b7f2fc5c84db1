package io.torussm.mastership;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@link MastershipRules} in one SM. Immutable.
 *
 * @param guid PortGUID of the own port
 * @param priority priority of this SM, 0 to 15
 * @param state state of this SM
 * @param watch state of the polling of another SM
 * @param handover progress of the handover of mastership to another SM
 * @param excludedGuid PortGUID of a standby of higher rank that refused to take over and is ignored for a while; 0 if
 *     there is none
 * @param peers other SMs of the subnet
 * @param isEnding whether this SM is about to end
 */
public record Mastership(
        long guid,
        int priority,
        SmState state,
        Watch watch,
        Handover handover,
        long excludedGuid,
        Peers peers,
        boolean isEnding) {

    /**
     * The state of polling.
     *
     * @param sm the polled SM: in STANDBY the master; in MASTER a master of lower rank that is to hand over; null if no
     *     SM is polled
     * @param isAwaiting whether a poll is in progress
     * @param misses number of consecutive polls that found no master
     * @param silences number of those polls without an answer
     * @param trapWait number of answers until the next trap 144, by which this SM reports that it outranks the master
     * @param trapPause number of answers between the last such trap and the next
     * @param answers number of polls since the first one that found a master
     */
    public record Watch(
            @Nullable RemoteSm sm,
            boolean isAwaiting,
            int misses,
            int silences,
            int trapWait,
            int trapPause,
            int answers) {
        /** The state in which no SM is polled. */
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

        /** Returns the state after a trap. The pause until the next trap doubles, up to MAX_TRAP_PAUSE answers. */
        Watch trapSent() {
            return new Watch(
                    sm, isAwaiting, misses, silences, trapPause, Math.min(MAX_TRAP_PAUSE, 2 * trapPause), answers);
        }
    }

    private static final int MAX_TRAP_PAUSE = 32;

    /**
     * The state of a handover at the SM that hands over.
     *
     * @param successor the SM that is to take over; null if no handover is in progress
     * @param isAccepted whether HANDOVER was answered with status 0, so that this SM waits for ACKNOWLEDGE
     * @param failures number of consecutive handovers that failed
     */
    public record Handover(@Nullable RemoteSm successor, boolean isAccepted, int failures) {
        static final Handover NONE = new Handover(null, false, 0);
    }

    /**
     * The other SMs that the last discovery found.
     *
     * @param others SMs that answered
     * @param silent SMs that did not answer, although their ports report an SM
     * @param silenceWait progress of the wait for the silent SMs
     */
    public record Peers(List<RemoteSm> others, List<SilentSm> silent, SilenceWait silenceWait) {
        static final Peers NONE = new Peers(List.of(), List.of(), SilenceWait.UNUSED);

        public Peers {
            others = List.copyOf(others);
            silent = List.copyOf(silent);
        }

        /**
         * Checks whether a silent SM is the master and cannot respond, see {@link SilentSm}. The wait then has no
         * limit.
         */
        boolean isMasterHidden() {
            return silent.stream().anyMatch(SilentSm::isMaster);
        }

        /** Checks whether the SM of a port is silent. */
        boolean isMissing(SilentSm sm) {
            return silent.stream().anyMatch(other -> other.portGuid() == sm.portGuid());
        }

        /** Checks whether any SM is silent, and the wait for silent SMs has not ended. */
        boolean mayWait() {
            return !silent.isEmpty() && silenceWait != SilenceWait.OVER;
        }

        /** Checks whether the wait for a silent SM, or for a second check of other SMs, is in progress. */
        boolean isWaiting() {
            return silenceWait == SilenceWait.WAITING || silenceWait == SilenceWait.LOOKING_AGAIN;
        }

        /** Returns a copy with the current state of an SM that answered. */
        Peers including(RemoteSm sm) {
            List<RemoteSm> all = new ArrayList<>(others);
            all.removeIf(other -> other.guid() == sm.guid());
            all.add(sm);
            return new Peers(all, silent, silenceWait);
        }
    }

    /** The progress of the wait of a future master for SMs that may be master already and busy. */
    public enum SilenceWait {
        /** No wait is necessary: the known master is dead, or this SM has decided. */
        UNUSED,
        /**
         * No wait has begun. If no SM is master, standbys and discovering SMs are checked twice, because one of them
         * may receive HANDOVER or become master after its answer.
         */
        CAREFUL,
        /** This SM waits for a silent SM. */
        WAITING,
        /** Standbys or discovering SMs but no master were found; they are checked a second time. */
        LOOKING_AGAIN,
        /** The wait has ended; SMs that are still silent are ignored. */
        OVER
    }

    /** Returns the state of an SM before its first event. */
    public static Mastership initial(long guid, int priority) {
        return new Mastership(guid, priority, SmState.NOT_ACTIVE, Watch.NONE, Handover.NONE, 0, Peers.NONE, false);
    }

    /** Checks whether this SM waits for no other SM: none is silent, and no handover is in progress or awaited. */
    boolean isFreeToTakeOver() {
        boolean isUnbound = handover.successor() == null && (state != SmState.MASTER || watch.sm() == null);
        return isUnbound && peers.silent().isEmpty() && !peers.isWaiting();
    }

    /** Checks whether this SM is MASTER and is not about to end. */
    boolean mayProgram() {
        return !isEnding && state == SmState.MASTER;
    }

    /**
     * Returns the state that SMInfo shows. An SM that is about to end shows NOT-ACTIVE, so that the successor does not
     * hand back. An SM that sent HANDOVER shows STANDBY although it still waits for ACKNOWLEDGE: its successor sweeps
     * immediately, and an OpenSM that finds a master of lower rank would wait for another HANDOVER forever.
     */
    public SmState shownState() {
        if (isEnding) {
            return SmState.NOT_ACTIVE;
        }
        return handover.successor() != null ? SmState.STANDBY : state;
    }

    /** Returns the other SM that is master; null if this SM is master, or the master is unknown. */
    public @Nullable RemoteSm master() {
        return state == SmState.STANDBY ? watch.sm() : null;
    }

    /** Returns the other SMs that answered the last discovery. */
    public List<RemoteSm> others() {
        return peers.others();
    }

    /** Checks whether this SM has a higher rank than another. */
    public boolean outranks(RemoteSm other) {
        return !other.outranks(priority, guid);
    }

    Mastership with(SmState next) {
        return new Mastership(guid, priority, next, watch, handover, excludedGuid, peers, isEnding);
    }

    Mastership withPriority(int next) {
        return new Mastership(guid, next, state, watch, handover, excludedGuid, peers, isEnding);
    }

    Mastership with(Watch next) {
        return new Mastership(guid, priority, state, next, handover, excludedGuid, peers, isEnding);
    }

    Mastership with(Handover next) {
        return new Mastership(guid, priority, state, watch, next, excludedGuid, peers, isEnding);
    }

    Mastership excluding(long sm) {
        return new Mastership(guid, priority, state, watch, handover, sm, peers, isEnding);
    }

    Mastership with(Peers next) {
        return new Mastership(guid, priority, state, watch, handover, excludedGuid, next, isEnding);
    }

    /** Returns a copy with the current state of another SM that answered. */
    Mastership including(RemoteSm sm) {
        return with(peers.including(sm));
    }

    Mastership with(SilenceWait next) {
        return with(new Peers(peers.others(), peers.silent(), next));
    }

    Mastership ending() {
        return new Mastership(guid, priority, state, watch, handover, excludedGuid, peers, true);
    }
}
