/**
 * Alerts: events of the journal that are passed to a program or sent to a web address.
 *
 * <p>Input: the entries of the {@link io.torussm.daemon.journal.Journal}, which is also the queue. The journal has
 * 1,000 events. The oldest are dropped first, and the next alert has the number of dropped events. Each
 * receiver has a thread of its own, {@code alert}, which delivers one event at a time in order and waits up
 * to 30 s for the result; no other thread waits for it. A failed delivery is tried again after 1 s, 2 s, and
 * so on up to a minute.
 */
@NullMarked
package io.torussm.daemon.alert;

import org.jspecify.annotations.NullMarked;
