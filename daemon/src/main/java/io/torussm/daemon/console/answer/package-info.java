/**
 * Commands and responses as values, and their common parts: tables, names of end ports, facts of a port.
 *
 * <p>A command is one {@code Command} in a {@code *Commands} class. Its result is a record that implements
 * {@code Facts}. The components are the JSON document, and the lines are derived from them only.
 */
@NullMarked
package io.torussm.daemon.console.answer;

import org.jspecify.annotations.NullMarked;
