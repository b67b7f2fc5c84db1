/**
 * The way of events to the log. The input is an event with its values. The output is one line {@code TSM-nnnn text},
 * with the code and the values as key-value pairs of SLF4J for the console, the web page, JSON, metrics and journald.
 * Any thread may report. A disabled level costs only the values. Lines of level debug and trace are for developers,
 * have no code and go to SLF4J directly.
 */
@NullMarked
package io.torussm.event.log;

import org.jspecify.annotations.NullMarked;
