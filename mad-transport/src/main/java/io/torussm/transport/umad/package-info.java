/**
 * The real HCA: {@link io.torussm.transport.MadTransport} on libibumad, and through its preload library ibsim
 * as well.
 *
 * <p>Only {@code LibIbUmad} and {@code UserMadMemory}, a MAD in the form of libibumad, use native memory. The
 * former calls {@code IbUmad}, the C functions of libibumad ({@link io.torussm.transport.foreign}). It
 * implements {@code Umad}, which has plain Java values and reports errors as {@code errno}.
 * {@code UmadTransport} above it owns the port: its agents, the IsSM device, and their order of opening and
 * closing.
 *
 * <p>{@code MadDevice} is an open device with its receiving thread. An adapter in two halves has two: one for SMPs, one
 * for all other MADs. {@code LinkWatch} checks the state of the port twice a second, since the device does not report a
 * lost link. {@code PortFailureRemedies} turns an {@code errno} into a remedy for the operator. {@code RehearsedPort}
 * is a port without an adapter that loads all this code.
 *
 * <p>Five agents are registered per port: directed-route SMPs, LID-routed SMPs, SA MADs, and two for
 * responses only, of performance management and of congestion control, which are optional. All receive single
 * MADs of 256 bytes. Segmentation (RMPP) is done above, in Java, so that it is the same on the embedded
 * fabric, on ibsim (which has none) and on hardware. The kernel is configured not to segment
 * ({@code UMAD_USER_RMPP}).
 *
 * <p>Threads: any thread sends, each with a native buffer of its own, so senders meet only in the kernel. One
 * daemon thread per device, {@code umad-receive}, polls, copies each MAD into a frame and passes it on. It
 * pauses while another thread receives ({@link io.torussm.transport.MadTransport#receiveInline}), and a lock
 * admits one receiver at a time. Closing first rejects new sends ({@code HandleUsers}), then waits for
 * current ones and for the receiving thread. Only then it closes the descriptor, so that a number that the
 * system assigns to another file is never written to.
 *
 * <p>umad2sim, ibsim's preload library, differs in several ways. It crashes when a MAD arrives for a class
 * without an agent, so agents precede IsSM. It has no time-outs. It delivers only 224 bytes of a MAD, of
 * which the rest is zero, or undefined in ibsim 0.10. More than some 16 MADs in flight can lock it up
 * together with the simulator, which {@link io.torussm.transport.umad.UmadTransport#maxOutstanding()} and
 * {@link io.torussm.transport.umad.UmadTransport#maxOutstandingGmps()} prevent.
 */
@NullMarked
package io.torussm.transport.umad;

import org.jspecify.annotations.NullMarked;
