/**
 * Quality of service: which VL arbitration tables ports are given, and whether they suit torus-2QoS.
 *
 * <p>torus-2QoS spreads each of its two QoS levels over VLs that differ only to keep credits from waiting in a circle:
 * level 0 over VLs 0 to 3 of links between switches, level 1 over VLs 4 to 7; on links to hosts level 0 has VL 0 and
 * level 1 VL 1. A VL of a level that gets less than its sisters slows the paths that happen to cross a dateline or to
 * turn early, for no reason that a user could see. Therefore the weights within a level must be equal; between the
 * levels they may differ.
 *
 * <p>Out of the box every VL in use has the same weight in the low-priority table and the high-priority table is empty:
 * the levels share a congested link evenly and neither can starve the other. Tables never name a VL above the port's
 * OperationalVLs, because such an entry would fold into another VL and give that one a double share.
 *
 * <p>Why the weight is 64: it counts units of 64 bytes, and a turn of 4 KiB is one packet of the largest MTU. With less,
 * VLs of large packets would overdraw their turn and get more bytes than those of small ones.
 *
 * <p>Other engines have no levels and leave VLs to the operator; their defaults are OpenSM's, and all 15 VLs have weight.
 *
 * <p>{@code TableFit} cuts tables to what a device holds; {@code FairnessCheck} judges what the operator asked for.
 */
@NullMarked
package io.torussm.qos;

import org.jspecify.annotations.NullMarked;
