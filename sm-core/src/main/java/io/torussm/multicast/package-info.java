/**
 * Multicast: the members of groups, and the forwarding tables of switches for them (IBA 10.5, 15.2.5.17).
 *
 * <p>{@link io.torussm.multicast.MulticastGroups} is the state, with the requirements for joining and
 * leaving. The {@code sm} loop owns it, so that it needs no lock.
 * {@link io.torussm.multicast.MembershipService} is the only access to it. The SA's threads hand over
 * requests; a burst of them is applied in one turn of the loop, published as one
 * {@link io.torussm.multicast.MulticastView}, and then answered. {@link io.torussm.multicast.MulticastRouter}
 * makes forwarding tables from a view, along the tree that was proved together with unicast.
 *
 * <pre>
 * SA thread -> MembershipService -> (loop) MulticastGroups -> MulticastView -> answers
 *                                                                          \-> MulticastRouter -> blocks -> switches
 * </pre>
 *
 * <p>A vanished port stays a member for a time, because its host may not notice the outage:
 * {@code VanishedPorts}.
 *
 * <p><b>Bounds.</b> Waiting requests; memberships; groups, by the smallest MulticastFDBCap of the switches.
 *
 * <p><b>Safety.</b> All groups use one tree, and only the SLs that the routing plan allows: a tree is proved
 * for those. If the active plan does not allow its SL, a new group is refused and an existing group is not
 * forwarded.
 */
@NullMarked
package io.torussm.multicast;

import org.jspecify.annotations.NullMarked;
