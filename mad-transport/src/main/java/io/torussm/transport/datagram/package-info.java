/**
 * Datagrams of the UNIX domain and of UDP, through the C library. The JDK supports neither UNIX datagrams nor batches
 * of datagrams.
 *
 * <p>There are two users. {@link io.torussm.transport.datagram.UnixDatagramSocket} only sends: to systemd's service
 * manager (see sd_notify(3), without libsystemd) and to journald. {@link io.torussm.transport.datagram.SocketLoop} is a
 * {@link io.torussm.transport.Loop} that waits for timers and for its
 * {@link io.torussm.transport.datagram.DatagramEndpoint}s. The thread that reads a datagram also answers it.
 * <h2>Cost</h2>
 *
 * <p>Up to 32 datagrams are read, or sent, by one system call (recvmmsg, sendmmsg). Buffers are native memory, 300 KiB
 * that each loop allocates once. A received datagram is passed on in a reused array. Waiting is one ppoll over all
 * endpoints, so its cost grows with their number: suitable for hundreds, not for ten thousand.
 * <h2>Limits</h2>
 *
 * <p>No call waits for a peer: sending to a peer that does not read returns immediately. A datagram longer than {@link
 * io.torussm.transport.datagram.DatagramEndpoint#MAX_LENGTH} is truncated. Only 64-bit Linux is supported, since the
 * offsets in structures are those of its ABI.
 */
@NullMarked
package io.torussm.transport.datagram;

import org.jspecify.annotations.NullMarked;
