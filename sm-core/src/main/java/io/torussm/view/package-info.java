/**
 * What the SA, the console, the dumps and every other reader may see: immutable values, swapped after each sweep.
 *
 * <p>{@link io.torussm.view.PublishedView} is the subnet as it is programmed, swapped after programming; the SA answers from
 * it alone. {@link io.torussm.view.FabricState} is for people and what watches for them. It holds the view that rules and
 * since when; the {@link io.torussm.view.PlacedSubnet} that was found last, whatever came of it; the
 * {@link io.torussm.view.RoutingState}, since when, with the findings of the last routing; and the
 * {@link io.torussm.view.Absences}, cables that were there and are not. It is made in one place, where the sweeper applies
 * the result of a sweep; what a reader derives from it (whether a path is dead, which devices are absent) is a pure function
 * of it.
 *
 * <p>In fair weather what is found is what rules, the same object. It differs while routing is refused, while sweeps fail, and
 * before the first subnet is up: then there is no view, and what is found can be looked at all the same, with the LIDs that the
 * ports are going to have and with places as far as the engine that refused, or the last plan before it, knew them.
 *
 * <p>A {@link io.torussm.view.Loss} is a part of the absences: switches and cables between switches that were lost together. {@code LossGroups}
 * sorts what is absent into losses, and {@link io.torussm.view.LossEvents} makes events of their differences, for every engine.
 *
 * <p>Any thread reads. Cost: comparing two fabrics is a pass over their ports, once a sweep and only if the fabric is
 * another; of cables that are lost at most 16,384 are remembered. {@link io.torussm.view.CableHistory} keeps the last 4,000 times at which
 * one went down or came back, on the disk.
 */
@NullMarked
package io.torussm.view;

import org.jspecify.annotations.NullMarked;
