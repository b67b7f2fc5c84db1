/**
 * Fabrics made to measure, each from one word: {@code torus:6x5x1}, {@code tree:4,3}, {@code hypercube:6}.
 * <h2>Why</h2>
 *
 * <p>Demos, rehearsals, planning and tests need fabrics of every shape and size, with names and cables that a reader
 * understands. {@link io.torussm.sim.shape.TopologySpec} is the only entry: it finds the shape of a word, checks its
 * numbers and builds the {@link io.torussm.sim.topology.Topology}. Each shape is one class; a torus is
 * {@link io.torussm.sim.shape.TorusSpec}.
 * <h2>Numbering</h2>
 *
 * <p>A word always leads to the same topology. Hosts come first and switches second. Host i has the node GUID
 * 0x100000000 + 0x10 i and switch i the GUID 0x200000 + 0x10 i. (A torus has other GUIDs of hosts.) Parallel cables use
 * consecutive ports at both ends. Switches of a tree have their cables down on the lower ports and their cables up on
 * the higher ones. In all other shapes, hosts have the last ports of a switch.
 */
@NullMarked
package io.torussm.sim.shape;

import org.jspecify.annotations.NullMarked;
