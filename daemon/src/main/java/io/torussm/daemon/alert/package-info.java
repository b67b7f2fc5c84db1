/**
 * Alerts to whom nobody has to come and ask: events of the journal, handed to a program or sent to a web address.
 *
 * <p>In go the entries of the {@link io.torussm.daemon.journal.Journal}, which is the queue, too: 1,000 events, of which the oldest are
 * forgotten first, and the next alert says how many were. Each receiver has a thread of its own, {@code alert}, which hands over one
 * event at a time in their order and waits as long as that takes, for 30 s at most; nobody waits for it. What cannot be delivered is
 * tried again after 1 s, 2 s, and so on up to a minute.
 */
@NullMarked
package io.torussm.daemon.alert;

import org.jspecify.annotations.NullMarked;
