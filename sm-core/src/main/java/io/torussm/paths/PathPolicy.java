package io.torussm.paths;

import io.torussm.partition.PortKeys;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * The operator's policy for paths. The request and its ends determine the QoS level of a path, and the level
 * limits the path. The SL always comes from the routing plan, for which the SL of the level is a hint. So a
 * policy can select among the SLs of the plan, and refuse paths.
 */
public interface PathPolicy {
    /** The policy without levels. */
    PathPolicy NONE = view -> null;

    /**
     * Returns the policy prepared for the ports of a view; null if it has no level for any path. Called once for each
     * view.
     */
    @Nullable
    Rules prepare(PublishedView view);

    /** A policy prepared for a view. Immutable. */
    interface Rules {
        /** Returns the part of the policy that applies to a request. */
        Choice choice(Criteria wish);
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
     * The components of a request, apart from its end points, that select levels.
     *
     * @param hasServiceId whether the request contains a ServiceID
     * @param serviceId ServiceID of 64 bits; without meaning if the request contains none
     * @param qosClass QoSClass of 12 bits; {@link #UNSPECIFIED} if the request contains none
     * @param pKey P_Key with its membership bit; {@link #UNSPECIFIED} if the request contains none
     */
    record Criteria(boolean hasServiceId, long serviceId, int qosClass, int pKey) {
        /** The value of a component that the request does not contain. */
        public static final int UNSPECIFIED = -1;
    }

    /** A QoS level: the SL hint and the limits of a path. */
    interface Level {
        /** The value of an absent limit. */
        int NO_LIMIT = -1;

        /** Returns the SL hint for the routing plan, 0 to 15. */
        int sl();

        /** Returns the code of the largest permitted MTU, 1 to 5; or {@link #NO_LIMIT}. */
        int mtuLimit();

        /** Returns the code of the highest permitted rate, which is a defined one; or {@link #NO_LIMIT}. */
        int rateLimit();

        /**
         * Returns the PacketLifeTime of a path between different ports, a time value of 6 bits; or
         * {@link #NO_LIMIT}.
         */
        int packetLife();

        /** Checks whether a path may have a P_Key; its membership bit is ignored. */
        boolean allows(int pKey);

        /**
         * Returns the P_Key of a path between two ports whose request contains no P_Key; 0 if no common P_Key is
         * allowed.
         */
        int pKey(PortKeys from, PortKeys to);
    }
}
