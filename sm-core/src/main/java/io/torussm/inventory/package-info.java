/**
 * What a fabric is meant to be, and what is not as it is meant.
 *
 * <p>An operator accepts a fabric: {@link io.torussm.inventory.ExpectedFabric}, its devices and cables, is kept in the file
 * {@code expected} of the state directory, one line each, which people may edit. What is found is made into a value of the
 * same kind and compared: {@link io.torussm.inventory.Difference}, the worst first.
 *
 * <p>One thing that happened is one difference, as far as two pictures can tell. Cables of a device that is missing or new go
 * with the device. Two cables whose four ends are cabled among themselves the other way are one pair that is exchanged. A cable
 * of which one end is where it should be is wrong if the other end is in a port that was meant for another cable, and moved if
 * that port was meant to be free. What is drained is not found, and no difference. Descriptions may change; they are how people find a device, not what it is.
 *
 * <p>{@link io.torussm.inventory.Inventory} is asked from any thread; the loop of the SM has it look at the end of sweeps, and
 * reports once that both begin to differ and once that they agree again. A comparison is a pass over devices and cables, made
 * once for a fabric.
 */
@NullMarked
package io.torussm.inventory;

import org.jspecify.annotations.NullMarked;
