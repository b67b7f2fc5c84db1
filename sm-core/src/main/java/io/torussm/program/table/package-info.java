/**
 * The programming of the tables of devices: forwarding, multicast, SL2VL and VL arbitration.
 *
 * <p>{@link io.torussm.program.table.KnownDevices} stores the confirmed contents ({@link
 * io.torussm.program.table.DeviceTables}) over sweeps. {@link io.torussm.program.table.TableProgrammer} reads unknown
 * contents, compares them with a plan and writes the differences ({@code PlanWrites}). If old and new tables could
 * deadlock together, the writes have steps. Owner thread: the loop.
 */
@NullMarked
package io.torussm.program.table;

import org.jspecify.annotations.NullMarked;
