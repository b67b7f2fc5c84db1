/**
 * The operator's console: a line protocol on a UNIX-domain socket.
 *
 * <p>A request is one line. The answer is any number of lines, each with a leading dot doubled, and then {@code .ok} or
 * {@code .error}. A connection may send one request after the other.
 *
 * <p>Threads: {@code console} owns all connections; {@code console-worker}, a pool of four, runs commands, so several may
 * run at once. They answer from the published view and from values that any thread may read, so no client delays the SM.
 */
@NullMarked
package io.torussm.daemon.console;

import org.jspecify.annotations.NullMarked;
