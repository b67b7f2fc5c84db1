/**
 * Reading the fabric: directed routes in, an immutable {@link io.torussm.fabric.Fabric} out (IBA 14.4.3).
 *
 * <p>Input of {@link io.torussm.discovery.Discovery}: none, or a known fabric and its changed switches.
 * Output: {@link io.torussm.discovery.Discovery.Result}, which contains the fabric, the other SMs, and the
 * silent devices. Nothing is written.
 *
 * <p>Every cable is crossed once: the answer names its far end, so it is not crossed from there. If two
 * answers name the same port as their neighbour, the disputed port itself is crossed. The remaining
 * contradictions are duplicate GUIDs, which are reported and excluded from the fabric. A device that answers
 * at another port than before waits until all others are known. If its previous port has lost it, it moved.
 * Otherwise its GUID is a duplicate, and the fabric stays as it is.
 *
 * <p>A partial discovery visits switches in rounds. A link that is down is forgotten, and one that trained
 * again is crossed again. Devices behind it are read like new ones, and the switch at the far end of a lost
 * link is checked, too. Each round uses routes that avoid the links lost so far. Switches that lost a link
 * are asked in a scope of their own, which delays no other device, since dead switches do not answer.
 *
 * <p>{@code Exploration} decides which devices to ask, and {@code VisitRounds} does so for a part of the fabric.
 * {@code DeviceReader} reads all attributes of a device, and {@code SecondLook} repeats unanswered questions.
 * {@code Cables} evaluates claims about cables, and {@code DuplicateGuidArbiter} claims of GUIDs.
 * {@code DiscoveryFindings} collects the findings. {@link io.torussm.discovery.DeviceRefresher} reads one device again
 * between sweeps.
 *
 * <p>Cost in SMPs for S switches with P linked ports each and H hosts: {@code S (3 + P) + 3 H + links}. A
 * lost cable costs a few dozen, independent of the size of the fabric. Owner thread: the loop; the window
 * keeps many SMPs in flight. Depth limits other than the 63 hops of a directed route are not supported.
 */
@NullMarked
package io.torussm.discovery;

import org.jspecify.annotations.NullMarked;
