/**
 * How MADs travel: the {@link io.torussm.transport.MadTransport} SPI with its two implementations (the real HCA in
 * {@code transport.umad}, the embedded fabric in {@code sim}), and above it {@link io.torussm.transport.MadClient},
 * which turns datagrams into transactions.
 *
 * <p>Threads: a transport hands received frames over on its own thread; the client moves SMPs through a bounded queue to
 * its {@link io.torussm.transport.Loop}, and everything else of it lives there. SA MADs are handed to the SA on the
 * receive thread, so that a storm of queries and a sweep do not wait for each other. While it waits for answers the loop receives by
 * itself ({@code OwnReceiving}) and the transport's thread stands aside, a millisecond at a time: an answer then wakes one thread
 * instead of two. The first MAD that is no SMP ends that for a while.
 *
 * <p>Time: where the transport gives unanswered requests back, its clock ends a try ({@code Tries}). What a transport refuses
 * is repeated and counted as no try.
 *
 * <p>Bounds: {@link io.torussm.transport.WireWindow} says how many requests are on the wire, from 64 at first to
 * {@code wireWindow}, less where several devices lose them together; {@code deviceWindow} are at one device, and 64 at most
 * leave the first switch by one port. Sources are
 * pulled only while the wire has room and few requests wait behind the windows of devices, so that the memory of a stage
 * that pulls follows the window and not the work; what a stage submits by itself is queued as it comes. One request costs
 * about a kilobyte, most of it the MAD, from its making to its outcome.
 *
 * <p>Every transaction has exactly one outcome, delivered on the loop: the reply, or why there is none. What answers nothing
 * is counted in {@link io.torussm.transport.MadClient.Stats} and dropped. A continuation that throws is a bug of its
 * stage: it is counted, its {@link io.torussm.transport.MadScope} gets it, and the other stages do not notice.
 *
 * <p>{@link io.torussm.transport.GsiClient} asks agents behind QP1, such as those that count: on the same port, but on a loop of its choice
 * and with a window and a pace of its own, so that neither SMPs nor the SA wait for it.
 *
 * <p>{@link io.torussm.transport.MadTap} stands between client and transport when somebody wants to see the MADs: it
 * writes them to a file for Wireshark, and gives up the file rather than delay a MAD.
 *
 * <p>{@link io.torussm.transport.SteadyPort} opens a port again whose adapter was reset. The address of a frame,
 * {@link io.torussm.transport.MadAddress}, goes unchanged from a request to its answer, global route header and all.
 *
 * <p>Long answers travel by RMPP (IBA 13.6), spoken here and not by the kernel, so that it is the same on every transport:
 * {@link io.torussm.transport.RmppSender} cuts a table into segments and obeys the window that ACKs open,
 * {@link io.torussm.transport.RmppReceiver} puts segments together. Transactions are distinguished by the far end's LID, QP
 * and, if it has one, GID, the class and the TID. Each has a bounded number of repetitions and a bounded life; each side bounds how many are
 * open and how many bytes they hold, and refuses at once what is too much. A peer that never acknowledges anything (the
 * receivers of ibsim's preload library do not) still gets its first segment, whole and marked as the last if it is, and
 * is then given up without a word.
 */
@NullMarked
package io.torussm.transport;

import org.jspecify.annotations.NullMarked;
