/**
 * What the devices of a fabric hold at a moment: every register that can be read by Gets, kept as the bytes that came.
 *
 * <p>{@link io.torussm.snapshot.FabricSnapshot} has the devices, the cables between them and the subnet managers that answered;
 * {@link io.torussm.snapshot.DeviceRegisters} what one device holds. Who reads a fabric makes one ({@code io.torussm.shadow}), a
 * file keeps one ({@link io.torussm.snapshot.SnapshotFile}), and {@code io.torussm.sim} powers up a fabric that holds the same, on
 * which can be tried what shall not be tried on the real one.
 *
 * <p>{@link io.torussm.snapshot.SnapshotDifference} says what differs between two, entry by entry, sorted by table. The
 * difference between a fabric and its twin after a subnet manager has ruled the twin is what a takeover would change; the
 * difference between two readings of one fabric is what whoever rules it did in between.
 *
 * <p>Everything here is immutable and belongs to no thread. A register costs about 150 bytes, equal values of a device are kept
 * once: the SL2VL rows of a switch are few. A fabric of 1,000 hosts on 36-port switches is some 10 MB.
 */
@NullMarked
package io.torussm.snapshot;

import org.jspecify.annotations.NullMarked;
