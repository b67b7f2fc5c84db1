package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.multicast.MembershipService;

/**
 * What hosts register with the SA.
 *
 * @param memberships of multicast groups
 * @param services that ports offer
 * @param aliases what ports are called besides their own GUIDs
 */
public record Registrations(MembershipService memberships, Services services, AliasGuids aliases) {}
