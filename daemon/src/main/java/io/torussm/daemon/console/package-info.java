/**
 * The operator's console: a line protocol on a UNIX-domain socket, and optionally on a TCP port of the loopback
 * interface, which permits no changes.
 *
 * <p>A request is one line. The response is any number of lines, and then {@code .ok} or {@code .error}. A dot at the
 * beginning of another line is doubled. A connection may send several requests in succession.
 *
 * <p>{@link io.torussm.daemon.console.Commands} finds and runs the command of a request. Commands on switches, ports
 * and cables are in {@code console.fabric}, all others in {@code console.sm}. Both make their responses of {@code
 * console.answer}. {@code console.server} has the sockets, {@code console.client} the client's end of the connection.
 *
 * <p>Threads: {@code console} owns all connections. Up to four {@code console-worker} threads run commands, one of a
 * connection at a time, so that commands of several connections run in parallel. They use the SM through {@link
 * io.torussm.daemon.control.SmControl}, which never waits, and read the published view. So no client can delay the SM.
 * Limits exist for connections, waiting requests, the size of a request and of a response, and unread responses.
 */
@NullMarked
package io.torussm.daemon.console;

import org.jspecify.annotations.NullMarked;
