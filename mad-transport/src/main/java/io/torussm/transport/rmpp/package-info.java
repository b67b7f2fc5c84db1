/**
 * RMPP (IBA 13.6): messages of several MADs. Implemented here and not by the kernel, so that it is equal on all
 * transports.
 *
 * <p>{@link io.torussm.transport.rmpp.RmppSender} cuts a table into segments and sends as many as ACKs allow.
 * {@link io.torussm.transport.rmpp.RmppReceiver} reassembles segments. A transaction is identified by LID, QP and
 * optional GID of the peer, class and TID. Its repetitions and its duration are bounded. Each side bounds the number of
 * open transactions and their bytes, and refuses any excess immediately.
 *
 * <p>Some peers never acknowledge, such as the receivers of ibsim's preload library. They receive only the first
 * segment, which is marked as the last one if the table is that short. Then the transaction ends without an ABORT.
 *
 * <p>Owner thread: the loop of each side.
 */
@NullMarked
package io.torussm.transport.rmpp;

import org.jspecify.annotations.NullMarked;
