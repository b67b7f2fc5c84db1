/**
 * The recent past, in memory and bounded: the last events, the last sweeps, and the result of the last
 * routing.
 *
 * <p>The input is lines of the log from level info on, the ends of sweeps and the results of engines. The
 * output is immutable records for console, HTTP and {@code status}. Limits are 1,000 events and 32 sweeps; the oldest
 * are dropped first. A condition is an event whose ending event, as the catalogue names it, has not followed; there are
 * at most 1,000. The thread that reports an event writes it, and any thread reads. Locks are held only to copy the
 * list, never during calls of listeners.
 *
 * <p>Conditions and sweeps begin empty with every process. {@link io.torussm.daemon.journal.EventFile} stores the
 * events in the state directory, so that the last events before a restart are available after the restart. It writes on
 * the loop of state files, so that logging never waits. The log contains all events.
 */
@NullMarked
package io.torussm.daemon.journal;

import org.jspecify.annotations.NullMarked;
