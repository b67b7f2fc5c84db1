/**
 * The embedded fabric for programs of others: it speaks the protocol between ibsim and its clients, so that whatever uses libibumad
 * runs on it unchanged once libumad2sim is preloaded (ibsim-run): OpenSM, infiniband-diags, osmtest, torus-sm itself.
 *
 * <h2>The protocol</h2>
 *
 * <p>A client has two datagram sockets. With the first it asks the server for {@link io.torussm.sim.serve.ControlMessage}s: to be
 * attached to a port of a host, for registers of that port, for IsSM. With the second it exchanges
 * {@link io.torussm.sim.serve.MadDatagram}s: a MAD, LIDs and QPs. The server has one control socket, and for each client a socket of its
 * own, which the kernel connects to that client alone. Sockets are of the UNIX domain, in the abstract namespace: {@code NAME:ctl},
 * {@code NAME:outID}, the client's {@code NAME:ctlPID} and {@code NAME:inPID}; or of UDP: a port, and that plus 1 plus the client's
 * ID ({@link io.torussm.sim.serve.ListenAddress}).
 *
 * <h2>The way of a MAD</h2>
 *
 * <pre>
 *   socket -> ServedClient.received -> SharedPort.send -> SimTransport, the fabric
 *   socket <- ServedClient.deliver  <- SharedPort.received <------'
 * </pre>
 *
 * <p>{@link io.torussm.sim.serve.SharedPort} is to the clients at a port what the kernel of a host is to its processes: it tells them
 * apart by the upper bits of transaction IDs and gives unsolicited SMPs and SA MADs to the one that has IsSM.
 * A request without an answer comes back, marked as timed out, since libumad2sim keeps no time.
 *
 * <h2>Clients are hostile until proven dead</h2>
 *
 * <p>Whatever a datagram holds costs its sender an answer at most. A client may do what its control address, and the kernel's
 * connection of its socket, allow: nobody can speak with the ID of another. Clients, datagrams that wait for one, and
 * requests that it awaits answers to are bounded ({@link io.torussm.sim.serve.ServeLimits}); what does not fit is dropped and counted,
 * and nobody else waits. A client that died without a word is noticed within a second (UNIX domain), or when something is sent to it
 * (UDP), and its IsSM is given back.
 *
 * <h2>Threads</h2>
 *
 * <p>One: the loop of the fabric, which also waits for the sockets ({@link io.torussm.transport.datagram.SocketLoop}). A request that
 * devices answer is read, walked, answered and sent by the same thread without a hand-over; up to 32 datagrams of a client are read, and
 * answered, by one system call each.
 */
@NullMarked
package io.torussm.sim.serve;

import org.jspecify.annotations.NullMarked;
