/**
 * Datagrams of the UNIX domain and of UDP, through the C library: the JDK has none of the former, and none of either in batches.
 *
 * <p>Two users. {@link io.torussm.transport.datagram.UnixDatagramSocket} only sends: to systemd's service manager, as sd_notify(3)
 * describes it, and to journald; nothing is linked against libsystemd. {@link io.torussm.transport.datagram.SocketLoop} is a
 * {@link io.torussm.transport.Loop} that waits for timers and for its {@link io.torussm.transport.datagram.DatagramEndpoint}s at
 * once, so that what comes in is answered by the thread that read it.
 *
 * <h2>Cost</h2>
 *
 * <p>Up to 32 datagrams are read, or sent, by one system call (recvmmsg, sendmmsg). Buffers are native memory made once for each
 * loop, 300 KiB each way; what is read is handed over in an array that is used again. Waiting is one ppoll over all endpoints, so its cost
 * grows with their number: fit for hundreds, not for ten thousands.
 *
 * <h2>Bounds</h2>
 *
 * <p>Nothing here waits for a peer: sending to one that does not read returns at once. A datagram longer than
 * {@link io.torussm.transport.datagram.DatagramEndpoint#MAX_LENGTH} is cut. Linux with 64 bits only, since structures are laid
 * out by hand.
 */
@NullMarked
package io.torussm.transport.datagram;

import org.jspecify.annotations.NullMarked;
