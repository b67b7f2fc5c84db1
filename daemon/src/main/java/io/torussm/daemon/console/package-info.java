/**
 * The operator's console: a line protocol on a UNIX-domain socket, and if it is wanted on a TCP port of the loopback
 * interface, where nothing can be changed.
 *
 * <p>A request is one line. The answer is any number of lines, each with a leading dot doubled, and then {@code .ok} or
 * {@code .error}. A connection may send one request after the other.
 *
 * <p>Threads: {@code console} owns all connections; up to four {@code console-worker} threads run commands, one of a
 * connection at a time, so that commands of several connections run side by side. They see the SM through
 * {@link io.torussm.daemon.control.SmControl}, which never waits, and answer from the published view: no client can delay
 * the SM. Everything has a bound: connections, requests that wait, the size of a request and of an answer, and the answers
 * that nobody has read yet.
 *
 * <p>A command is one {@code Command} in a {@code *Commands} class. What it finds is a record that implements {@code Facts}:
 * its components are the JSON document, and its lines are made of nothing else.
 */
@NullMarked
package io.torussm.daemon.console;

import org.jspecify.annotations.NullMarked;
