/**
 * The deviations of simulated devices and links from perfect ones, as immutable values.
 *
 * <p>{@link io.torussm.sim.model.DeviceModels} selects the {@link io.torussm.sim.model.DeviceModel} of each node by
 * GUID or name. A model contains registers, the faults of the subnet management agent
 * ({@link io.torussm.sim.model.AgentProfile}), links that go down at a request, and the capabilities of the performance
 * management agent ({@link io.torussm.sim.model.CounterProfile}). {@link io.torussm.sim.model.FaultPlan} is the loss,
 * duplication and latency of the wire. A {@link io.torussm.sim.model.SetWatcher} receives changes of registers.
 *
 * <p>Settings of the daemon build these values; {@code io.torussm.sim} executes them.
 */
@NullMarked
package io.torussm.sim.model;

import org.jspecify.annotations.NullMarked;
