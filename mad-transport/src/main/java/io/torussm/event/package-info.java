/**
 * The catalogue of events. {@link io.torussm.event.SmEvent} lists every event with its stable code, severity, text,
 * meaning and remedy. {@link io.torussm.event.EventField} names the variable parts of a text, so that programs need not
 * parse sentences. A {@link io.torussm.event.Finding} is an event with its values.
 *
 * <p>The input is values of the reporting code. The output is text, made only when it is displayed. All values are
 * immutable and may be used by any thread. This package does not log, since routing engines and parsers use it and must
 * not log: {@code io.torussm.event.log} writes the log, and the daemon counts events where it keeps the last of them.
 * Texts from the wire, such as node descriptions, are cleaned of control characters when they are read. M_Keys and
 * SM_Keys are never a field.
 */
@NullMarked
package io.torussm.event;

import org.jspecify.annotations.NullMarked;
