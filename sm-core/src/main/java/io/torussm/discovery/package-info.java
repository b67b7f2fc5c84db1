/**
 * The reading of the fabric by directed routes, into an immutable {@link io.torussm.fabric.Fabric} (IBA 14.4.3).
 *
 * <p>Input of {@link io.torussm.discovery.Discovery}: none, or a known fabric and its changed switches. Output: {@link
 * io.torussm.discovery.Discovery.DiscoveryResult}, which contains the fabric, the other SMs, and the devices that do
 * not respond. Discovery sends no Set.
 *
 * <p>To cross a cable is to read the NodeInfo of the device at its far end. Every cable is crossed once, because the
 * response has the port number at the far end. If two responses name the same port as their neighbour, the disputed
 * port itself is crossed. Remaining contradictions are duplicate GUIDs, which are reported and excluded from the
 * fabric. A device that responds at another port than in the last fabric waits until all other devices are known. If
 * it is absent from its previous port, it moved. Otherwise its GUID is a duplicate, and the device is left out.
 *
 * <p>A partial discovery visits switches in rounds. A link that is down is removed, and a link that trained again is
 * crossed again. Devices behind such a link are read like new devices, and the switch at the far end of a lost link is
 * checked, too. Each round uses routes that avoid the links lost so far. Requests to switches that lost a link have a
 * scope of their own, so that dead switches do not delay other devices.
 *
 * <p>{@code Exploration} selects the devices to read; {@code VisitRounds} does so for a part of the fabric. {@code
 * DeviceReader} reads all attributes of a device, and {@code RequestRepetitions} repeats requests without a response.
 * {@code LastReading} compares responses with the last fabric. {@code Cables} evaluates claims about cables, {@code
 * DuplicateGuidArbiter} claims of GUIDs. {@code DiscoveryFindings} collects the findings. {@link
 * io.torussm.discovery.DeviceRefresher} reads one device again between sweeps.
 *
 * <p>Cost in SMPs for S switches with P linked ports each and H hosts: {@code S (3 + P) + 3 H + links}. A lost cable
 * costs a few dozen SMPs, independently of the size of the fabric. Owner thread: the loop; the window of the client
 * keeps many SMPs in flight. The only limit of depth is the 63 hops of a directed route.
 */
@NullMarked
package io.torussm.discovery;

import org.jspecify.annotations.NullMarked;
