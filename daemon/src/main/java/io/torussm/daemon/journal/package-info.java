/**
 * What happened lately, in memory and bounded: the last events, the last sweeps, and the result of the last routing.
 *
 * <p>In go lines of the log from level info on, the ends of sweeps and what engines said; out come immutable records for
 * console, HTTP and {@code status}. The oldest are dropped first: 1,000 events, 32 sweeps. Conditions
 * are what an event began and the one that the catalogue names has not ended, 1,000 at most. Written by the thread on which
 * something happens, read by any; the locks are held for a copy of the list and never while anybody is called.
 *
 * <p>Conditions and sweeps begin empty with every process. {@link io.torussm.daemon.journal.EventFile} keeps the events in the
 * state directory, so that the last ones before a restart are there after it; it writes on the loop of state files, and whoever
 * logs waits for nothing. All that was logged is in the log.
 */
@NullMarked
package io.torussm.daemon.journal;

import org.jspecify.annotations.NullMarked;
