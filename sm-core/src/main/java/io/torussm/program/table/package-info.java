/**
 * Writing the tables of devices: forwarding, multicast, SL2VL and VL arbitration.
 *
 * <p>{@link io.torussm.program.table.KnownDevices} keeps the confirmed contents
 * ({@link io.torussm.program.table.DeviceTables}). {@link io.torussm.program.table.TableProgrammer} reads
 * unknown contents, compares them with a plan and writes differences ({@code PlanWrites}), in steps if old
 * and new tables could deadlock together. Owner thread: the loop.
 */
@NullMarked
package io.torussm.program.table;

import org.jspecify.annotations.NullMarked;
