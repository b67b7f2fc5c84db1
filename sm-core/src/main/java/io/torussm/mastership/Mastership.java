package io.torussm.mastership;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one SM knows about who is master; the state of {@link MastershipRules}. Immutable.
 *
 * @param guid GUID of the own port
 * @param priority own priority
 * @param watch whom this SM polls
 * @param handover how far the handing over of mastership has come
 * @param excluded GUID of a higher standby that refuses to take over and is left alone for a while; 0 for none
 * @param others SMs that discovery found last
 * @param isEnding whether this SM is about to end
 * @param silent SMs that did not answer the last discovery, though their ports say that they are there
 * @param patience with ports that say that they have an SM, which does not answer
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
     * Polling.
     *
     * @param sm in STANDBY the master; in MASTER a lower master that is to hand over; else null
     * @param isAwaiting whether a poll is under way
     * @param misses polls in a row that met no master
     * @param silences those of them that had no answer
     * @param trapWait answers to go until the master gets another trap 144 because this SM outranks it
     * @param trapPause answers between the last such trap and the next
     * @param answers polls that met a master, since watching began
     */
    public record Watch(
            @Nullable RemoteSm sm,
            boolean isAwaiting,
            int misses,
            int silences,
            int trapWait,
            int trapPause,
            int answers) {
        /** Nobody is polled. */
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

        /** A trap was sent; the next one after twice as many answers. */
        Watch trapSent() {
            return new Watch(
                    sm, isAwaiting, misses, silences, trapPause, Math.min(MAX_TRAP_PAUSE, 2 * trapPause), answers);
        }
    }

    private static final int MAX_TRAP_PAUSE = 32;

    /**
     * Handing over, as the one who does it sees it.
     *
     * @param successor who is to take over; null if nothing is handed over
     * @param isAccepted whether HANDOVER was answered with status 0, and ACKNOWLEDGE is awaited
     * @param failures handovers that failed in a row
     */
    public record Handover(@Nullable RemoteSm successor, boolean isAccepted, int failures) {
        static final Handover NONE = new Handover(null, false, 0);
    }

    /** Of an SM that would become master, with those who may be it already and are only busy. */
    public enum Patience {
        /** Nobody is silent, and the master that was known is dead. */
        UNUSED,
        /**
         * Nobody is silent; without a master, standbys and those that discover are looked at twice: one may just be handed over to,
         * or have begun before this one and become master since it was asked.
         */
        CAREFUL,
        /** Somebody is waited for. */
        WAITING,
        /** Standbys, or others that discover, were found without a master. */
        LOOKING_AGAIN,
        /** Who is silent now is passed over. */
        OVER
    }

    public Mastership {
        others = List.copyOf(others);
        silent = List.copyOf(silent);
    }

    /** An SM before it has done anything. */
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

    /**
     * The state in SMInfo. An SM that is about to end shows NOT-ACTIVE, lest the successor hand back. One that has sent HANDOVER
     * shows STANDBY though it waits for the ACKNOWLEDGE: the successor sweeps at once, and an OpenSM that still
     * finds a lower master then waits for another HANDOVER for ever.
     */
    public SmState shown() {
        if (isEnding) {
            return SmState.NOT_ACTIVE;
        }
        return handover.successor() != null ? SmState.STANDBY : state;
    }

    /** The master, as far as this SM knows: null if it is this SM, or nobody. */
    public @Nullable RemoteSm master() {
        return state == SmState.STANDBY ? watch.sm() : null;
    }

    /** Whether this SM should be master rather than the other. */
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

    /** Whether an SM did not answer the last discovery. */
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
