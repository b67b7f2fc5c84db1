/**
 * The recent past, in memory and bounded: the last events, the last sweeps, and the result of the last
 * routing.
 *
 * <p>The input is lines of the log from level info on, the ends of sweeps and the results of engines. The
 * output is immutable records for console, HTTP and {@code status}. The oldest are dropped first: 1,000
 * events, 32 sweeps. A condition is an event whose end, as the catalogue names it, has not followed; there
 * are 1,000 at most. The thread of an event writes it, and any thread reads. The locks are only held to copy
 * the list, and never during calls.
 *
 * <p>Conditions and sweeps begin empty with every process. {@link io.torussm.daemon.journal.EventFile} stores
 * the events in the state directory, so that the last ones before a restart are available after it. It writes
 * on the loop of state files, so that logging never waits. The log contains all events.
 */
@NullMarked
package io.torussm.daemon.journal;

import org.jspecify.annotations.NullMarked;
