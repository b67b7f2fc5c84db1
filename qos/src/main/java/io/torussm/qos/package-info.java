/**
 * Quality of service: the VL arbitration tables of ports, and the check that they suit torus-2QoS.
 *
 * <p>torus-2QoS uses several VLs for each of its two QoS levels, only to avoid credit loops. Level 0 has VLs 0
 * to 3 of links between switches, level 1 has VLs 4 to 7. On links to hosts, level 0 has VL 0 and level 1 has VL
 * 1. If a VL of a level got a smaller share than the other VLs, paths that cross a dateline or turn early would
 * be slower. Users could not explain that. Therefore the weights within a level must be equal. Weights of
 * different levels may differ.
 *
 * <p>By default every VL in use has the same weight in the low-priority table, and the high-priority table is
 * empty. The levels share a congested link equally, and neither can starve the other. Tables never contain a VL
 * above the port's OperationalVLs, because such an entry would be mapped to another VL and double its share.
 *
 * <p>The default weight is 64 units of 64 bytes: a turn of 4 KiB is one packet of the largest MTU. With a
 * smaller weight, VLs with large packets would exceed their turn and get more bytes than VLs with small packets.
 *
 * <p>Other engines have no levels and leave VLs to the operator. Their defaults are OpenSM's, and all 15 VLs
 * have weight.
 *
 * <p>{@code TableFit} reduces tables to the size of a device's tables. {@code FairnessCheck} evaluates the
 * operator's settings.
 */
@NullMarked
package io.torussm.qos;

import org.jspecify.annotations.NullMarked;
