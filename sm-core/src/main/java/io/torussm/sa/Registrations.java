package io.torussm.sa;

import io.torussm.multicast.MembershipService;
import io.torussm.transport.Loop;

/**
 * What hosts register with the SA.
 *
 * @param memberships of multicast groups
 * @param services that ports offer
 */
public record Registrations(MembershipService memberships, Services services) {
    /** Groups, and nothing else yet. */
    public static Registrations of(MembershipService memberships, Loop loop) {
        return new Registrations(memberships, new Services(loop));
    }
}
