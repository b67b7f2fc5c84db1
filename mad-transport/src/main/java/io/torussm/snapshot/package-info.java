/**
 * The registers of the devices of a fabric at one moment: all that Gets can read, as the bytes of the responses.
 *
 * <p>{@link io.torussm.snapshot.FabricSnapshot} contains the devices, the cables and the subnet managers that
 * responded. {@link io.torussm.snapshot.DeviceRegisters} contains the registers of one device. A reader of a fabric
 * creates a snapshot ({@code io.torussm.shadow}), and a file stores it ({@link io.torussm.snapshot.SnapshotFile}). The
 * simulator ({@code io.torussm.sim}) powers up a fabric with the same registers for experiments that are too risky on
 * the real one.
 *
 * <p>{@link io.torussm.snapshot.SnapshotDifference} lists the differences between two snapshots, sorted by table. The
 * difference between a fabric and its twin after a sweep of the twin is the effect of a takeover. The difference
 * between two readings of one fabric is the effect of its master SM in between.
 *
 * <p>All values are immutable and may be used by any thread. A register takes about 150 bytes. Equal values of a device
 * are stored once: a switch has few different SL2VL tables. A fabric of 1,000 hosts on 36-port switches takes 10 MB.
 */
@NullMarked
package io.torussm.snapshot;

import org.jspecify.annotations.NullMarked;
