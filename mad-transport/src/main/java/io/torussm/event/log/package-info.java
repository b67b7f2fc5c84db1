/**
 * Events on their way to the log. What enters is an event with its values; what leaves is one line {@code TSM-nnnn text}, with
 * the code and the values as key-value pairs of SLF4J, which the console, the web page, JSON, metrics and journald take.
 * Any thread; a level that is off costs nothing but the values. What is left out is everything at level debug and
 * trace: those lines are for developers, have no code, and go to SLF4J as they are.
 */
@NullMarked
package io.torussm.event.log;

import org.jspecify.annotations.NullMarked;
