/**
 * The common part of all configuration files with lines: positions, limits, comments, numbers, and errors
 * with file and line. {@link io.torussm.conf.ConfLines} reads the text; the parser of each file is in the
 * package that it configures.
 *
 * <p>The input is a text, the output findings. There is no I/O, so that routing engines may use it. Not
 * covered: the main configuration file, which is HOCON, and state files, which are not edited.
 */
@NullMarked
package io.torussm.conf;

import org.jspecify.annotations.NullMarked;
