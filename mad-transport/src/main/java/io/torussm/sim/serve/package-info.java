/**
 * The embedded fabric for other programs, over the protocol between ibsim and its clients. Every program that uses
 * libibumad runs on it unchanged with libumad2sim preloaded (ibsim-run): OpenSM, infiniband-diags, osmtest, torus-sm.
 * <h2>The protocol</h2>
 *
 * <p>A client has two datagram sockets. The first carries {@link io.torussm.sim.serve.ControlMessage}s to the server:
 * requests for a port of a host, for registers of that port, for IsSM. The second carries
 * {@link io.torussm.sim.serve.MadDatagram}s: a MAD, LIDs and QPs. The server has one control socket, and for each
 * client a socket that the kernel connects to that client alone. Sockets are of the UNIX domain, in the abstract
 * namespace: {@code NAME:ctl}, {@code NAME:outID}, the client's {@code NAME:ctlPID} and {@code NAME:inPID}. Or they are
 * of UDP: a port for control, and that plus 1 plus the client's ID ({@link io.torussm.sim.serve.ListenAddress}).
 * <h2>The way of a MAD</h2>
 *
 * <pre>
 *   socket -> ServedClient.received -> SharedPort.send -> SimTransport, the fabric
 *   socket <- ServedClient.deliver  <- SharedPort.received <------'
 * </pre>
 *
 * <p>{@link io.torussm.sim.serve.SharedPort} serves the clients at a port as the kernel of a host serves its processes:
 * it distinguishes them by the upper bits of transaction IDs and delivers unsolicited SMPs and SA MADs to the client
 * with IsSM. A request without a response is returned as timed out, since libumad2sim has no timer.
 * <h2>Hostile clients</h2>
 *
 * <p>A datagram causes at most one response to its sender. The control address of a client, and the kernel's connection
 * of its socket, determine its permissions: a client cannot use the ID of another. Clients, waiting datagrams and open
 * requests are bounded ({@link io.torussm.sim.serve.ServeLimits}). Any excess is dropped and counted, and delays no
 * other client. The death of a client is detected within a second (UNIX domain), or at the next datagram for it (UDP).
 * Its IsSM is then cleared.
 * <h2>Threads</h2>
 *
 * <p>The only thread is the loop of the fabric, which also waits for the sockets
 * ({@link io.torussm.transport.datagram.SocketLoop}). A request to devices is read, forwarded, answered and sent by
 * this thread. One system call reads up to 32 datagrams of a client, and one sends the responses.
 */
@NullMarked
package io.torussm.sim.serve;

import org.jspecify.annotations.NullMarked;
