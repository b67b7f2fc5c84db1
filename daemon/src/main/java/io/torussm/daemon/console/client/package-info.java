/**
 * The client of the console: a connection, completion of words, and help without a running daemon.
 */
@NullMarked
package io.torussm.daemon.console.client;

import org.jspecify.annotations.NullMarked;
