/**
 * How MADs travel: the {@link io.torussm.transport.MadTransport} SPI with its two implementations (the real HCA in
 * {@code transport.umad}, the embedded fabric in {@code sim}), and above it {@link io.torussm.transport.MadClient},
 * which turns datagrams into transactions.
 *
 * <p>Threads: a transport hands received frames over on its own thread; the client moves SMPs to its
 * {@link io.torussm.transport.Loop} and everything else of it lives there. SA MADs are handed to the SA on the receive
 * thread, so that a storm of queries and a sweep do not wait for each other.
 *
 * <p>Bounds: at most {@code wireWindow} requests are on the wire and {@code deviceWindow} at one device; producers are
 * pulled only when there is room, so memory follows the window and not the work.
 */
@NullMarked
package io.torussm.transport;

import org.jspecify.annotations.NullMarked;
