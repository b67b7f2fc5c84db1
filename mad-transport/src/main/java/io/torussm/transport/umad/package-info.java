/**
 * The real HCA: {@link io.torussm.transport.MadTransport} on libibumad, and through its preload library ibsim as well.
 *
 * <p>{@code LibIbUmad} and {@code UserMadMemory}, a MAD as libibumad takes and gives it, are the only classes that know of native
 * memory. The former calls {@code IbUmad}, libibumad's functions as C has them ({@link io.torussm.transport.foreign}), and
 * implements {@code Umad}, a library of plain Java values that reports errors as {@code errno}. {@code UmadTransport} above it owns
 * the port: agents, the IsSM device, and the order in which they come and go; {@code MadDevice} is one opened device with its
 * receive thread, of which adapters in two halves have two: SMPs go by the one, all else by the other. {@code LinkWatch} looks at
 * the state of the port twice a second, since the device does not report that the link goes. {@code Remedies} turns an
 * {@code errno} into what the operator can do about it. {@code RehearsedPort} is a port without an adapter, for who wants all of that
 * loaded.
 *
 * <p>Five agents are registered per port: directed-route SMPs, LID-routed SMPs, SA MADs, and two that only get answers, of
 * performance management and of congestion control, without which an SM can do. All are given single
 * MADs of 256 bytes: segmentation (RMPP) is done above, in Java, so that it works the same on the embedded fabric, on
 * ibsim (which has none) and on hardware, where the kernel is asked to keep its hands off ({@code UMAD_USER_RMPP}).
 *
 * <p>Threads: any thread sends; each has a native buffer of its own, so senders meet only in the kernel. One daemon
 * thread per device, {@code umad-receive}, polls, copies each MAD into a frame and hands it over; it stands aside while another thread receives
 * ({@link io.torussm.transport.MadTransport#receiveHere}), and a lock sees to it that one does at a time. Closing first refuses
 * new sends ({@code HandleUsers}), then waits for those under way and for the receive thread, and only then gives the descriptor back: a
 * number that the system hands to somebody else is never written to.
 *
 * <p>umad2sim, ibsim's preload library, differs in ways that matter here: it crashes when a MAD arrives for a class
 * without an agent (so agents come before IsSM); it has no time-outs; it delivers only 224 bytes of a MAD, of which
 * the rest is zero, or in ibsim 0.10 anything; and more than some 16 MADs in flight can lock it up together with the
 * simulator, which {@link io.torussm.transport.umad.UmadTransport#maxOutstanding()} and
 * {@link io.torussm.transport.umad.UmadTransport#maxOutstandingGmps()} prevent.
 */
@NullMarked
package io.torussm.transport.umad;

import org.jspecify.annotations.NullMarked;
