package io.torussm.sa;

import io.torussm.multicast.MembershipService;
import io.torussm.report.Subscriptions;

/**
 * What hosts register with the SA.
 *
 * @param memberships of multicast groups
 * @param services that ports offer
 * @param subscriptions to events
 */
public record Registrations(MembershipService memberships, Services services, Subscriptions subscriptions) {}
