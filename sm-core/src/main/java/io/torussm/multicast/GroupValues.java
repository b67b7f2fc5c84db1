package io.torussm.multicast;

import io.torussm.mad.Field;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.Rates;

/**
 * The selection and comparison of MTU, rate and packet life time of groups, which are values with selectors (IBA
 * 15.2.5.17). Pure.
 */
final class GroupValues {
    /** The result if no value satisfies the request. */
    static final int NONE = -1;

    /** Code of an MTU of 4,096 bytes. */
    private static final int MAX_MTU = 5;

    private static final int MAX_LIFE = 63;

    private GroupValues() {}

    /** Returns the MTU code of a new group, or {@link #NONE}. */
    static int mtu(MembershipRequest request) {
        int wanted = request.record().mtu();
        int ofPort = request.portMtu();
        int selector = selector(request, MCMemberRecord.MTU, MCMemberRecord.MTU_SELECTOR);
        if (selector != PathRecord.BEST && (wanted < 1 || wanted > MAX_MTU)) {
            return NONE;
        }
        return switch (selector) {
            case PathRecord.GREATER -> ofPort > wanted ? ofPort : NONE;
            case PathRecord.LESS -> wanted == 1 ? NONE : Math.min(ofPort, wanted - 1);
            case PathRecord.EXACTLY -> wanted;
            default -> ofPort;
        };
    }

    /** Returns the rate code of a new group, or {@link #NONE}. */
    static int rate(MembershipRequest request) {
        int wanted = request.record().rate();
        int ofPort = request.portRate();
        int selector = selector(request, MCMemberRecord.RATE, MCMemberRecord.RATE_SELECTOR);
        if (selector != PathRecord.BEST && !Rates.isDefined(wanted)) {
            return NONE;
        }
        return switch (selector) {
            case PathRecord.GREATER -> Rates.compare(ofPort, wanted) > 0 ? ofPort : NONE;
            case PathRecord.LESS -> {
                int lower = Rates.nextLower(wanted);
                yield lower == 0 ? NONE : Rates.compare(ofPort, lower) < 0 ? ofPort : lower;
            }
            case PathRecord.EXACTLY -> wanted;
            default -> ofPort;
        };
    }

    /** Returns the packet life time of a new group, or {@link #NONE}. */
    static int lifeTime(MembershipRequest request, int defaultValue) {
        int wanted = (int) request.record().get(MCMemberRecord.PACKET_LIFE_TIME);
        int selector = selector(request, MCMemberRecord.PACKET_LIFE_TIME, MCMemberRecord.PACKET_LIFE_TIME_SELECTOR);
        return switch (selector) {
            case PathRecord.GREATER -> wanted == MAX_LIFE ? NONE : Math.max(defaultValue, wanted + 1);
            case PathRecord.LESS -> wanted == 0 ? NONE : Math.min(defaultValue, wanted - 1);
            case PathRecord.EXACTLY -> wanted;
            default -> defaultValue;
        };
    }

    /** Checks whether the MTU and rate of a group satisfy a request. */
    static boolean isSatisfied(MembershipRequest request, MCMemberRecord group) {
        int mtu = Integer.compare(group.mtu(), request.record().mtu());
        int mtuSelector = selector(request, MCMemberRecord.MTU, MCMemberRecord.MTU_SELECTOR);
        int rateSelector = selector(request, MCMemberRecord.RATE, MCMemberRecord.RATE_SELECTOR);
        if (rateSelector != PathRecord.BEST && !Rates.isDefined(request.record().rate())) {
            return false;
        }
        return PathRecord.meets(mtuSelector, mtu)
                && (rateSelector == PathRecord.BEST
                        || PathRecord.meets(
                                rateSelector,
                                Rates.compare(group.rate(), request.record().rate())));
    }

    /**
     * Returns the selector of a value; BEST (the largest value) if the request does not contain the value.
     */
    private static int selector(MembershipRequest request, Field value, Field selector) {
        return request.has(value) ? (int) request.record().get(selector) : PathRecord.BEST;
    }
}
