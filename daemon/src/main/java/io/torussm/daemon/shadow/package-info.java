/**
 * The analysis of a fabric under another master SM: proof of its tables, trial of a takeover on a twin, and
 * repetition of faults, combined in one {@link io.torussm.daemon.control.ShadowReport}.
 *
 * <p>Input: snapshots ({@link io.torussm.snapshot.FabricSnapshot}), SLs from the master's SA, and the
 * operator's own options. {@link io.torussm.daemon.shadow.TakeoverTrial} powers up a twin, lets the whole SM
 * with these options take it over in virtual time ({@link io.torussm.daemon.twin.VirtualSm}), and reads it
 * again: the differences are the changes of a takeover. A fault is tried in the same way: the twin loses the
 * lost devices, and the SM responds. {@link io.torussm.daemon.shadow.ShadowStudy} combines the results of one
 * reading, {@link io.torussm.daemon.shadow.ShadowRecord} those from several in a row.
 * {@link io.torussm.daemon.shadow.OfflineShadow} takes the reading from a file, and
 * {@link io.torussm.daemon.shadow.ShadowPage} formats a report as a page.
 *
 * <p>All of it is pure but for the files that options name, on the thread of its caller. It takes as long as
 * the computations of an SM's start: a second for 100 switches. Nothing here uses a port.
 */
@NullMarked
package io.torussm.daemon.shadow;

import org.jspecify.annotations.NullMarked;
