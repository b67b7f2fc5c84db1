/**
 * What happened lately, in memory and bounded: the last events, the last sweeps, and the result of the last routing.
 *
 * <p>In go lines of the log from level info on, the ends of sweeps and what engines said; out come immutable records for
 * console, HTTP and {@code status}. The oldest are dropped first: 1,000 events, 32 sweeps. Conditions
 * are what an event began and the one that the catalogue names has not ended, 1,000 at most. Written by the thread on which
 * something happens, read by any; the locks are held for a copy of the list and never while anybody is called.
 *
 * <p>It begins empty with every process: what must outlive one is in the log.
 */
@NullMarked
package io.torussm.daemon.journal;

import org.jspecify.annotations.NullMarked;
