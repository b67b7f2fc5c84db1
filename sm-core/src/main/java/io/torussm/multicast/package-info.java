/**
 * Multicast: who is in which group, and what the switches are to hold for it (IBA 10.5, 15.2.5.17).
 *
 * <p>{@link io.torussm.multicast.MulticastGroups} is the state, with the rules of joining and leaving; the {@code sm} loop
 * owns it, so it needs no lock. {@link io.torussm.multicast.MembershipService} is its only door: the SA's threads hand
 * requests over, a burst of them is applied in one turn of the loop and published as one
 * {@link io.torussm.multicast.MulticastView}, and only then answered. {@link io.torussm.multicast.MulticastRouter} turns
 * a view of the groups into forwarding tables, along the tree that was proved together with unicast.
 *
 * <pre>
 *   SA thread -> MembershipService -> (loop) MulticastGroups -> MulticastView -> answers
 *                                                                    \-> MulticastRouter -> blocks of tables -> switches
 * </pre>
 *
 * <p>A port that is gone stays a member for a time, since its host need not know that it is away: {@code
 * VanishedPorts}.
 *
 * <p><b>Bounds.</b> Requests that wait; memberships; groups, by the smallest MulticastFDBCap of the switches.
 *
 * <p><b>Safety.</b> All groups go along one tree, and only with SLs that the routing plan allows: a tree is proved for
 * those. A group whose SL the plan in force does not allow is not made, and one that was made before is not forwarded.
 */
@NullMarked
package io.torussm.multicast;

import org.jspecify.annotations.NullMarked;
