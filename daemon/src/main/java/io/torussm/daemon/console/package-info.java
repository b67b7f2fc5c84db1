/**
 * The operator's console: a line protocol on a UNIX-domain socket.
 *
 * <p>A request is one line. The answer is any number of lines, each with a leading dot doubled, and then {@code .ok} or
 * {@code .error}. A connection may send one request after the other. Everything is answered from the published view, on
 * the console's own thread, so no client can delay the SM.
 */
@NullMarked
package io.torussm.daemon.console;

import org.jspecify.annotations.NullMarked;
