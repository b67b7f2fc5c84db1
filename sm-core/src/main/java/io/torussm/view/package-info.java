/**
 * The state of the subnet for the SA, the console, dumps and all other readers: immutable values that are
 * replaced after each sweep.
 *
 * <p>{@link io.torussm.view.PublishedView} is the subnet as programmed, replaced after programming. The SA
 * answers only from it. {@link io.torussm.view.FabricState} is for operators and monitoring. It contains the
 * view with the active routes; the {@link io.torussm.view.PlacedSubnet} of the last discovery, independent of
 * its outcome; the {@link io.torussm.view.RoutingState} with the findings of the last routing; and the {@link
 * io.torussm.view.Absences}, which are lost cables. The sweeper creates it in one place, where it applies the
 * result of a sweep. Conclusions of a reader (dead paths, absent devices) are pure functions of this value.
 *
 * <p>Normally the found subnet is the same object as the subnet of the view. It differs while routing is
 * refused, while sweeps fail, and before the first subnet is up. In the last case there is no view, but the
 * found subnet can be shown, with the LIDs that the ports will get. Its coordinates come from the engine that
 * refused it, or from the previous plan.
 *
 * <p>A {@link io.torussm.view.Loss} is a part of the absences: switches and cables between switches that were
 * lost together. {@code LossGroups} sorts absent parts into losses, and {@link io.torussm.view.LossEvents} makes
 * events of their differences, for every engine.
 *
 * <p>All threads may read. The cost is a comparison of the ports of two fabrics, once for each sweep with a new
 * fabric. At most 16,384 lost cables are remembered. {@link io.torussm.view.CableHistory} keeps the last 4,000
 * times at which a cable went down or returned, on the disk.
 */
@NullMarked
package io.torussm.view;

import org.jspecify.annotations.NullMarked;
