/**
 * What a look at a fabric that another SM rules is worth: its tables proved, a takeover tried on a twin, faults played again, all of
 * it as one {@link io.torussm.daemon.control.ShadowReport}.
 *
 * <p>In come snapshots ({@link io.torussm.snapshot.FabricSnapshot}), SLs that the ruling SA grants, and the operator's own options.
 * {@link io.torussm.daemon.shadow.TakeoverTrial} powers up a twin, lets the whole SM of these options rule it in virtual time
 * ({@link io.torussm.daemon.twin.VirtualSm}), and reads it again: what differs is what a takeover would change. A fault is tried alike:
 * the twin of before loses what was lost, and the SM deals with it. {@link io.torussm.daemon.shadow.ShadowStudy} puts together what
 * one reading says, {@link io.torussm.daemon.shadow.ShadowRecord} what several say one after the other;
 * {@link io.torussm.daemon.shadow.OfflineShadow} takes the reading from a file, and {@link io.torussm.daemon.shadow.ShadowPage} makes a page of a
 * report.
 *
 * <p>All of it is pure but for the files that options name, on the thread of its caller, for which it takes as long as a whole
 * start of an SM computes: a second for 100 switches. Nothing here knows a port.
 */
@NullMarked
package io.torussm.daemon.shadow;

import org.jspecify.annotations.NullMarked;
