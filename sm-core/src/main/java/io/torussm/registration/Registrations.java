package io.torussm.registration;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;
import io.torussm.report.Subscriptions;

/**
 * The registrations of hosts with the SA.
 *
 * @param memberships memberships of multicast groups
 * @param services services that ports offer
 * @param subscriptions subscriptions to events
 * @param aliases alias GUIDs of ports
 */
public record Registrations(
        MembershipService memberships, Services services, Subscriptions subscriptions, AliasGuids aliases) {}
