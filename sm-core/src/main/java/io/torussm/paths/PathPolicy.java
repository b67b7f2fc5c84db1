package io.torussm.paths;

import io.torussm.partition.PortKeys;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * The operator's policy for paths: to which level a path belongs depends on who asks for what, and the level limits it. An
 * SL always comes from the routing plan, which gets the level's as a hint; a policy can choose among the plan's, and refuse.
 */
public interface PathPolicy {
    /** Has no level for any path. */
    PathPolicy NONE = view -> null;

    /** The policy prepared for the ports of one view, called once for each; null if it has no level for any path. */
    @Nullable
    Rules on(PublishedView view);

    /** A policy that knows the ports of a view. Immutable. */
    interface Rules {
        /** What is left of the policy for one request. */
        Choice choice(Wish wish);
    }

    /** The levels that the paths of one request may belong to. */
    interface Choice {
        /**
         * The level of a path.
         *
         * @param from port index of the source
         * @param to port index of the destination
         */
        Level level(int from, int to);
    }

    /**
     * What a request says of itself, apart from its end points.
     *
     * @param hasServiceId whether a ServiceID was given
     * @param serviceId 64 bits, if it was given
     * @param qosClass QoSClass, 12 bits; {@link #NOT_GIVEN} if it was not given
     * @param pKey P_Key, membership bit included; {@link #NOT_GIVEN} if it was not given
     */
    record Wish(boolean hasServiceId, long serviceId, int qosClass, int pKey) {
        /** A component that the request leaves open. */
        public static final int NOT_GIVEN = -1;
    }

    /** A QoS level: what it makes of a path. */
    interface Level {
        /** The value of a limit that there is not. */
        int NO_LIMIT = -1;

        /** SL that the routing plan gets as a hint, 0 to 15. */
        int sl();

        /** Code of the largest MTU, 1 to 5; or {@link #NO_LIMIT}. */
        int mtuLimit();

        /** Code of the highest rate, a defined one; or {@link #NO_LIMIT}. */
        int rateLimit();

        /** PacketLifeTime of a path between different ports, a time value of 6 bits; or {@link #NO_LIMIT}. */
        int packetLife();

        /** Whether a path may have this P_Key, whatever its membership bit. */
        boolean allows(int pKey);

        /** The P_Key of a path between two ports whose request names none; 0 if there is none that is allowed. */
        int pKey(PortKeys from, PortKeys to);
    }
}
