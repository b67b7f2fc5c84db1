/**
 * Reading the fabric: directed routes in, an immutable {@link io.torussm.fabric.Fabric} out (IBA 14.4.3).
 *
 * <p>What enters {@link io.torussm.discovery.Discovery} is nothing, or a fabric that is known and the switches of it that
 * changed; what leaves it is a {@link io.torussm.discovery.Discovery.Result}: the fabric, the other SMs, and who was silent.
 * Nothing is written.
 *
 * <p>Every cable is crossed once: its far end is known from the answer, so it is not asked for again from there. A claim
 * that contradicts an earlier one (two answers naming the same port as their neighbour) is settled by crossing the disputed
 * port itself; what is left over is a duplicate GUID, which is reported and kept out of the fabric. A device that answers
 * elsewhere than where it was when the fabric was seen last waits until all others are known: either it is not there any
 * more, then it moved; or it is, then the newcomer has a GUID that is taken, and the fabric stays as it is.
 *
 * <p>Of a part of the fabric, switches are visited in rounds: a link there that is down is forgotten, one that trained anew
 * is crossed again, whatever is behind it is read as if it were new, and the switch at the far end of a lost link is looked
 * at, too. Each round goes over routes that avoid the links lost so far. Switches that lost a link are asked in a scope of
 * their own, for which nobody waits: the dead do not answer.
 *
 * <p>{@code Exploration} decides whom to ask, {@code Rounds} does of a part; {@code DeviceReader} asks a device for all of it,
 * {@code SecondLook} those again who did not answer; {@code Cables} judges what cables say of each other, {@code
 * DuplicateGuidArbiter} who has a GUID; {@code Survey} is what they have seen.
 * {@link io.torussm.discovery.DeviceRefresher} reads one device again between sweeps.
 *
 * <p>Cost of S switches with P linked ports each and H hosts, in SMPs: {@code S (3 + P) + 3 H + links}; of a lost cable a
 * few dozen, whatever the size of the fabric. Owner thread: the loop; the window keeps many SMPs in flight. Left out: depth
 * limits other than the 63 hops of a directed route.
 */
@NullMarked
package io.torussm.discovery;

import org.jspecify.annotations.NullMarked;
