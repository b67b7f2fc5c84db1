/**
 * The description of a fabric before power-up: nodes, GUIDs, ports and cables, and the text formats that contain it.
 *
 * <p>{@link io.torussm.sim.topology.Topology} is immutable. {@link io.torussm.sim.topology.TopologyText} reads it from
 * the formats of ibnetdiscover and ibsim and writes it. {@link io.torussm.sim.topology.TopologyBuilder} makes it in
 * code. {@link io.torussm.sim.topology.PowerUp} derives the attributes of each device after power-up from the
 * description and its {@link io.torussm.sim.topology.Hardware}.
 *
 * <p>Planning and inventories use a description without a simulator, so this package does not depend on one.
 */
@NullMarked
package io.torussm.sim.topology;

import org.jspecify.annotations.NullMarked;
