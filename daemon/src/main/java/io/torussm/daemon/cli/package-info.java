/**
 * The command lines of {@code torus-sm} and {@code torus-smctl}.
 *
 * <p>{@code torus-sm} without a word runs the daemon; with one it does a {@code Subcommand}, which needs no port.
 * {@code torus-smctl} asks a running daemon over its console. In come arguments, out go lines on standard output,
 * complaints on standard error, and an exit code. All of it runs on the thread that called.
 */
@NullMarked
package io.torussm.daemon.cli;

import org.jspecify.annotations.NullMarked;
