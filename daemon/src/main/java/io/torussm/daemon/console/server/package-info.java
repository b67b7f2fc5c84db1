/**
 * The sockets of the console: connections, their limits, and the threads that run commands.
 *
 * <p>The package {@code console} has the line protocol and the commands.
 */
@NullMarked
package io.torussm.daemon.console.server;

import org.jspecify.annotations.NullMarked;
