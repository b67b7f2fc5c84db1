/**
 * The decorators of a port: transports that change the behaviour of another
 * {@link io.torussm.transport.MadTransport}.
 *
 * <p>{@link io.torussm.transport.port.SteadyPort} reopens a port after a reset of its adapter.
 * {@link io.torussm.transport.port.ReadOnlyPort} rejects Sets. {@link io.torussm.transport.port.PacedPort} limits the
 * rate of MADs. {@link io.torussm.transport.port.StandstillGuard} rejects Sets after the process was suspended, since
 * another SM may be master by then. {@link io.torussm.transport.port.KernelPort} adds the time-outs, duplicate checks
 * and limits of the Linux kernel to a simulated port.
 *
 * <p>All extend {@link io.torussm.transport.port.ForwardingTransport}. The order of the stack is in
 * {@code docs/developer/architecture.md}.
 */
@NullMarked
package io.torussm.transport.port;

import org.jspecify.annotations.NullMarked;
