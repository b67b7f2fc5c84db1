/**
 * The state for the SA, the console, the dumps and all other readers: immutable values that are replaced
 * after each sweep.
 *
 * <p>{@link io.torussm.view.PublishedView} is the subnet as programmed, replaced after programming. The SA
 * answers only from it. {@link io.torussm.view.FabricState} is for operators and monitoring. It contains the
 * view with the active routes; the {@link io.torussm.view.PlacedSubnet} of the last discovery, independent of
 * its outcome; the {@link io.torussm.view.RoutingState} with the findings of the last routing; and the
 * {@link io.torussm.view.Absences}, lost cables. It is made in one place, where the sweeper applies the
 * result of a sweep. Conclusions of a reader (dead paths, absent devices) are pure functions of it.
 *
 * <p>Normally the found subnet is that of the view, the same object. It differs while routing is refused,
 * while sweeps fail, and before the first subnet is up. Then there is no view, but the found subnet can be
 * shown, with the LIDs that the ports will get. Its coordinates come from the engine that refused it, or from
 * the previous plan.
 *
 * <p>A {@link io.torussm.view.Loss} is a part of the absences: switches and cables between switches that were
 * lost together. {@code LossGroups} sorts absent parts into losses, and {@link io.torussm.view.LossEvents}
 * makes events of their differences, for every engine.
 *
 * <p>Any thread reads. Cost: a comparison of two fabrics is a pass over their ports, once a sweep and only if
 * the fabric is another object. At most 16,384 lost cables are remembered.
 * {@link io.torussm.view.CableHistory} keeps the last 4,000 times at which a cable went down or returned, on
 * the disk.
 */
@NullMarked
package io.torussm.view;

import org.jspecify.annotations.NullMarked;
