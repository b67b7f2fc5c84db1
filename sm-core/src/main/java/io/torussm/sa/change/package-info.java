/**
 * Changes that hosts request of subnet administration: joins, registrations, subscriptions and alias GUIDs.
 *
 * <p>{@link io.torussm.sa.change.UpdateGate} is the queue from the threads of the SA to the loop that owns the
 * changed state. {@link io.torussm.sa.change.Shares} bounds the number of objects of each host and partition.
 */
@NullMarked
package io.torussm.sa.change;

import org.jspecify.annotations.NullMarked;
