/**
 * RMPP (IBA 13.6): messages of several MADs. It is implemented here and not by the kernel, so that it is the same on
 * every transport.
 *
 * <p>{@link io.torussm.transport.rmpp.RmppSender} cuts a table into segments and respects the window that ACKs open.
 * {@link io.torussm.transport.rmpp.RmppReceiver} reassembles segments. A transaction is identified by LID, QP and
 * optional GID of the far end, class and TID. Its repetitions and its duration are bounded. Each side bounds the
 * number of open transactions and their bytes, and refuses any excess immediately.
 *
 * <p>Some peers never acknowledge, such as the receivers of ibsim's preload library. They still receive the first
 * segment, marked as the last one if the table is that short. Then the transaction ends silently.
 *
 * <p>Owner thread: the loop that each side is given.
 */
@NullMarked
package io.torussm.transport.rmpp;

import org.jspecify.annotations.NullMarked;
