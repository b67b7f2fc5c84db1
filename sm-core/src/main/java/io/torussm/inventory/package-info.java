/**
 * The expected fabric, and its differences from the found one.
 *
 * <p>An operator accepts a fabric: {@link io.torussm.inventory.ExpectedFabric}, its devices and cables. It is
 * kept in the file {@code expected} of the state directory, one line each, which operators may edit. The
 * found fabric becomes a value of the same type and is compared: {@link io.torussm.inventory.Difference}, the
 * worst first.
 *
 * <p>Each cause is one difference, as far as a comparison can show. Cables of a missing or new device are
 * part of its difference. Two cables whose four ends are cabled crosswise are one exchanged pair. If one end
 * of a cable is as expected, the cable is wrong if its other end is in a port that was expected for another
 * cable, and moved if that port was expected to be free. Drained parts are absent, but no difference. Changed
 * descriptions are no difference: they help to find a device, but do not identify it.
 *
 * <p>{@link io.torussm.inventory.Inventory} may be read from any thread. At the end of sweeps the loop of the
 * SM checks it, and reports once when differences begin and once when they end. A comparison is a pass over
 * devices and cables, made once for a fabric.
 */
@NullMarked
package io.torussm.inventory;

import org.jspecify.annotations.NullMarked;
