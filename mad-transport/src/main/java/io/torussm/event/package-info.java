/**
 * What an operator may read in the log, said once. {@link io.torussm.event.SmEvent} lists every event with its stable code, severity,
 * text, meaning and remedy; {@link io.torussm.event.EventField} names what a text may hold, so that machines need not parse
 * sentences; a {@link io.torussm.event.Finding} is an event with its values.
 *
 * <p>What enters are values of the code that reports; what leaves is text, made only when somebody shows it. Everything here
 * is immutable and belongs to no thread. Logging is left out, since routing engines and parsers use this package and log
 * nothing: {@code io.torussm.event.log} does it, and the daemon counts events where it keeps the last of them. Texts
 * from the wire, such as node descriptions, were cleaned of control characters where they were read. M_Keys and SM_Keys are
 * never a field.
 */
@NullMarked
package io.torussm.event;

import org.jspecify.annotations.NullMarked;
