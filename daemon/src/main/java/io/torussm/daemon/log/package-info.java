/**
 * The log: its format, its files and journald, and the copy of warnings in the journal of events.
 */
@NullMarked
package io.torussm.daemon.log;

import org.jspecify.annotations.NullMarked;
