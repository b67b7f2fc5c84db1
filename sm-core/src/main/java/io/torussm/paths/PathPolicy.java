package io.torussm.paths;

import io.torussm.partition.PortKeys;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * The operator's policy for paths. The request and its ends determine the level of a path, and the level
 * limits the path. An SL always comes from the routing plan, which gets the SL of the level as a hint. A
 * policy can select among the SLs of the plan, and refuse paths.
 */
public interface PathPolicy {
    /** The policy without levels. */
    PathPolicy NONE = view -> null;

    /**
     * Returns the policy prepared for the ports of one view, called once for each; null if it has no level
     * for any path.
     */
    @Nullable
    Rules on(PublishedView view);

    /** A policy prepared for a view. Immutable. */
    interface Rules {
        /** Returns the part of the policy that applies to one request. */
        Choice choice(Wish wish);
    }

    /** The levels for the paths of one request. */
    interface Choice {
        /**
         * Returns the level of a path.
         *
         * @param from port index of the source
         * @param to port index of the destination
         */
        Level level(int from, int to);
    }

    /**
     * Components of a request, apart from its end points, that select levels.
     *
     * @param hasServiceId whether a ServiceID was given
     * @param serviceId 64 bits, if it was given
     * @param qosClass QoSClass, 12 bits; {@link #NOT_GIVEN} if it was not given
     * @param pKey P_Key, membership bit included; {@link #NOT_GIVEN} if it was not given
     */
    record Wish(boolean hasServiceId, long serviceId, int qosClass, int pKey) {
        /** The value of a component that the request does not give. */
        public static final int NOT_GIVEN = -1;
    }

    /** A QoS level: the SL hint and the limits of a path. */
    interface Level {
        /** The value of an absent limit. */
        int NO_LIMIT = -1;

        /** Returns the SL hint for the routing plan, 0 to 15. */
        int sl();

        /** Returns the code of the largest MTU, 1 to 5; or {@link #NO_LIMIT}. */
        int mtuLimit();

        /** Returns the code of the highest rate, a defined one; or {@link #NO_LIMIT}. */
        int rateLimit();

        /**
         * Returns the PacketLifeTime of a path between different ports, a time value of 6 bits; or
         * {@link #NO_LIMIT}.
         */
        int packetLife();

        /** Checks whether a path may have this P_Key, ignoring its membership bit. */
        boolean allows(int pKey);

        /**
         * Returns the P_Key of a path between two ports whose request names none; 0 if no common one is
         * allowed.
         */
        int pKey(PortKeys from, PortKeys to);
    }
}
