/**
 * The analysis of a fabric under another master SM: proof of its tables, trial of a takeover on a twin, and
 * repetition of faults, combined in one {@link io.torussm.daemon.control.ShadowReport}.
 *
 * <p>Input: snapshots ({@link io.torussm.snapshot.FabricSnapshot}), SLs from the SA of the master, and the
 * options of the operator. {@link io.torussm.daemon.shadow.TakeoverTrial} powers up a twin, lets the whole SM
 * with these options take it over in virtual time ({@link io.torussm.daemon.twin.VirtualSm}), and reads it
 * again: the differences are the changes of a takeover. A fault is simulated in the same way: the
 * lost devices are removed from the twin, and the SM responds. {@link io.torussm.daemon.shadow.ShadowStudy} combines
 * the results of one reading, {@link io.torussm.daemon.shadow.ShadowRecord} those of successive readings. {@link
 * io.torussm.daemon.shadow.OfflineShadow} takes the reading from a file, and {@link
 * io.torussm.daemon.shadow.ShadowPage} formats a report as a page.
 *
 * <p>The results depend only on the parameters and on the files that the options name. The code runs on the thread of
 * the caller, does not use a port, and takes as long as the computations at the start of an SM: a second for 100
 * switches.
 */
@NullMarked
package io.torussm.daemon.shadow;

import org.jspecify.annotations.NullMarked;
