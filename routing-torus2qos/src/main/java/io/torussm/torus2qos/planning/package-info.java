/**
 * Analysis of a torus before it is routed: recognition of the torus in a bare graph of switches, a proposed
 * torus-2QoS.conf, and the cables that are in the wrong place. All are pure functions of a
 * {@link io.torussm.fabric.Fabric} and depend only on the graph of cables. Port numbers and GUIDs decide
 * between results that are equally good: which dimension is x, and which direction is plus.
 *
 * <h2>How a torus is recognised</h2>
 *
 * <p>Two cables of different dimensions at a switch are sides of a square, and two of the same dimension are
 * not. So two cables that close no square are opposite, and a ring can be followed
 * ({@link io.torussm.torus2qos.planning.StraightLines}). The lengths of the lines through a switch give a
 * shape; shapes that many switches agree on are tried.
 *
 * <pre>
 *      d---+           a-s and s-d: a square, so they differ in dimension
 *      |   |           a-s and s-c: none, so a, s, c are on one line
 *      s---c
 *      |
 *  a---+               rings of four are squares themselves: see below
 * </pre>
 *
 * <p>A ring of four cannot be distinguished from two dimensions of two switches each: the graphs are the
 * same. Such cables end their line immediately. They are combined to rings by the pattern of port numbers, or
 * else so that there are at most three dimensions.
 *
 * <p>A shape is tried by placing switches from one of them outwards
 * ({@link io.torussm.torus2qos.planning.Embedding}). The next position is always the one for which the most
 * placed neighbours point at the same switch, so a missing cable or one in the wrong port is outvoted. The
 * attempt with the fewest wrong cables is used. It costs a few milliseconds for 512 switches.
 *
 * <p>Not covered, and refused: tori of which whole planes are missing, and tori in which more than about
 * every third ring is damaged around every switch.
 */
@NullMarked
package io.torussm.torus2qos.planning;

import org.jspecify.annotations.NullMarked;
