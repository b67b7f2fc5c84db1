/**
 * What can be said of a torus before it is routed: which one a bare graph of switches is, what to write into
 * torus-2QoS.conf for it, and which cables are not where they belong. Pure functions of a {@link
 * io.torussm.fabric.Fabric}; only who has a cable to whom counts. Port numbers and GUIDs decide between answers that are
 * equally good: which dimension to call x, and which way plus.
 *
 * <h2>How a torus is recognised</h2>
 *
 * <p>Two cables of different dimensions at a switch are sides of a square, and two of the same dimension are not: so the
 * cable opposite to another is the one that closes no square with it, and a ring can be walked ({@link
 * io.torussm.torus2qos.planning.StraightLines}). The lengths of the lines through a switch are a shape; what many
 * switches agree on is tried.
 *
 * <pre>
 *      d---+           a-s and s-d: a square, so they differ in dimension
 *      |   |           a-s and s-c: none, so a, s, c stand on one line
 *      s---c
 *      |
 *  a---+               rings of four are squares themselves: see below
 * </pre>
 *
 * <p>A ring of four cannot be told from two dimensions of two switches each: the graphs are the same. Such cables end
 * their line at once, and are taken together to rings by the pattern of port numbers, or else so that there are at most
 * three dimensions.
 *
 * <p>A shape is tried by placing switches from one of them outwards ({@link io.torussm.torus2qos.planning.Embedding}):
 * always next the position for which the most placed neighbours point at the same switch, so that a missing cable or one
 * in the wrong port is outvoted. Of all tries the one counts that leaves the fewest cables wrong. It costs a few
 * milliseconds for 512 switches.
 *
 * <p>Left out: tori of which whole planes are missing, and those in which more than every third ring or so is damaged
 * around every switch. They are refused.
 */
@NullMarked
package io.torussm.torus2qos.planning;

import org.jspecify.annotations.NullMarked;
