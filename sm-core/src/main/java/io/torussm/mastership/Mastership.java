package io.torussm.mastership;

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
 * @param others SMs that the last discovery found
 * @param isEnding whether this SM is about to end
 * @param silent SMs that did not answer the last discovery, although their ports report them
 * @param patience progress of the wait for SMs that their ports report and that do not answer
 */
public record Mastership(
        long guid,
        int priority,
        SmState state,
        Watch watch,
        Handover handover,
        long excluded,
        List<RemoteSm> others,
        boolean isEnding,
        List<SilentSm> silent,
        Patience patience) {

    /**
     * The state of polling.
     *
     * @param sm in STANDBY the master; in MASTER a lower master that is to hand over; else null
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

    public Mastership {
        others = List.copyOf(others);
        silent = List.copyOf(silent);
    }

    /** Returns the state of an SM before its first event. */
    public static Mastership initial(long guid, int priority) {
        return new Mastership(
                guid,
                priority,
                SmState.NOT_ACTIVE,
                Watch.NONE,
                Handover.NONE,
                0,
                List.of(),
                false,
                List.of(),
                Patience.UNUSED);
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

    /** Checks whether this SM should be master rather than the other. */
    public boolean outranks(RemoteSm other) {
        return !other.outranks(priority, guid);
    }

    Mastership with(SmState next) {
        return new Mastership(guid, priority, next, watch, handover, excluded, others, isEnding, silent, patience);
    }

    Mastership withPriority(int next) {
        return new Mastership(guid, next, state, watch, handover, excluded, others, isEnding, silent, patience);
    }

    Mastership with(Watch next) {
        return new Mastership(guid, priority, state, next, handover, excluded, others, isEnding, silent, patience);
    }

    Mastership with(Handover next) {
        return new Mastership(guid, priority, state, watch, next, excluded, others, isEnding, silent, patience);
    }

    Mastership excluding(long sm) {
        return new Mastership(guid, priority, state, watch, handover, sm, others, isEnding, silent, patience);
    }

    Mastership knowing(List<RemoteSm> found) {
        return new Mastership(guid, priority, state, watch, handover, excluded, found, isEnding, silent, patience);
    }

    /** Checks whether a silent SM is the master, and cannot be asked. Then waiting has no limit. */
    boolean isMasterHidden() {
        return silent.stream().anyMatch(SilentSm::isMaster);
    }

    /** Checks whether an SM did not answer the last discovery. */
    boolean isMissing(long portGuid) {
        return silent.stream().anyMatch(sm -> sm.portGuid() == portGuid);
    }

    Mastership missing(List<SilentSm> found) {
        return new Mastership(guid, priority, state, watch, handover, excluded, others, isEnding, found, patience);
    }

    Mastership with(Patience next) {
        return new Mastership(guid, priority, state, watch, handover, excluded, others, isEnding, silent, next);
    }

    Mastership ending() {
        return new Mastership(guid, priority, state, watch, handover, excluded, others, true, silent, patience);
    }
}
