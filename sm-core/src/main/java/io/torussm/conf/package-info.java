/**
 * What all configuration files that are read line by line have in common: positions, bounds, comments, numbers, and errors
 * that name file and line. {@link io.torussm.conf.ConfLines} goes through the text; what a line means is the parser's matter,
 * which stands in the package of what the file configures.
 *
 * <p>A text enters, findings leave. Nothing here does I/O, so routing engines may use it. What is left out: the main
 * configuration file, which is HOCON, and files of state, which nobody edits.
 */
@NullMarked
package io.torussm.conf;

import org.jspecify.annotations.NullMarked;
