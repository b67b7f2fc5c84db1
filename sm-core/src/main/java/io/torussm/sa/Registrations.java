package io.torussm.sa;

import io.torussm.multicast.MembershipService;

/**
 * What hosts register with the SA.
 *
 * @param memberships of multicast groups
 * @param services that ports offer
 */
public record Registrations(MembershipService memberships, Services services) {}
