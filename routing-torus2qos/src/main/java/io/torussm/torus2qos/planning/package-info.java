/**
 * Analysis of a torus before it is routed: recognition of the torus in a bare graph of switches, a proposed
 * torus-2QoS.conf, and the cables that are in the wrong place. All are pure functions of a {@link
 * io.torussm.fabric.Fabric} and depend only on the graph of cables. Port numbers and GUIDs decide between
 * results that are equally good: which dimension is x, and which direction is plus.
 *
 * <h2>How a torus is recognised</h2>
 *
 * <p>Two cables of different dimensions at a switch are sides of a square. Two cables of the same dimension are
 * not. So two cables that close no square are opposite, and a ring can be followed ({@link
 * io.torussm.torus2qos.planning.StraightLines}). The lengths of the lines through a switch give a shape; the
 * shapes that many switches have in common are tried.
 *
 * <pre>
 *      d---+           a-s and s-d: a square, so they differ in dimension
 *      |   |           a-s and s-c: none, so a, s, c are on one line
 *      s---c
 *      |
 *  a---+               rings of four are squares themselves: see below
 * </pre>
 *
 * <p>A ring of four cannot be distinguished from two dimensions of two switches each: the graphs are the same.
 * Such cables end their line immediately. They are combined to rings by the pattern of port numbers. Without a
 * pattern they are combined so that there are at most three dimensions.
 *
 * <p>To try a shape, switches are placed from one switch outwards ({@link
 * io.torussm.torus2qos.planning.Embedding}). The next position is always the one for which the most placed
 * neighbours have a cable to the same switch. So a missing or misplaced cable is outvoted. The attempt with the
 * fewest wrong cables is used. The search takes a few milliseconds for 512 switches.
 *
 * <p>Tori with whole planes missing are refused, and so are tori in which more than about every third ring is
 * damaged around every switch.
 */
@NullMarked
package io.torussm.torus2qos.planning;

import org.jspecify.annotations.NullMarked;
