/**
 * The transport of MADs: the {@link io.torussm.transport.MadTransport} SPI with its two implementations (the real
 * adapter in {@code transport.umad}, the embedded fabric in {@code sim}), and the
 * {@link io.torussm.transport.MadClient} above it, which turns datagrams into transactions.
 *
 * <p>Threads: a transport passes received frames on by its own thread. The client moves SMPs through a bounded queue to
 * its {@link io.torussm.transport.Loop}, which does all other work. SA MADs reach the SA on the receiving thread, so
 * that a storm of queries and a sweep do not delay each other. While the loop waits for responses it receives directly
 * ({@code OwnReceiving}), and the transport's thread pauses for a millisecond at a time. A response then wakes one
 * thread instead of two. The first MAD that is no SMP suspends this for a while.
 *
 * <p>Time: if the transport returns requests without a response, its clock ends a try ({@code Tries}). A request that
 * the transport refuses is repeated and does not count as a try.
 *
 * <p>Limits: {@link io.torussm.transport.WireWindow} limits the requests on the wire, from 64 initially to
 * {@code wireWindow}, less if several devices lose requests together. At most {@code deviceWindow} are in flight to one
 * device, and 64 through one port of the first switch. Sources are pulled only while the wire has room and the queues
 * of devices are short. So the memory of a stage that pulls depends on the window and not on its work. Requests that a
 * stage submits directly are queued. A request takes about a kilobyte, most of it the MAD, until its outcome.
 *
 * <p>Each transaction has exactly one outcome, delivered on the loop: the response, or the reason for its absence. A
 * response without a transaction is counted in {@link io.torussm.transport.MadClient.Stats} and dropped. An exception
 * of a continuation is a defect of its stage: it is counted and passed to its {@link io.torussm.transport.MadScope}.
 * Other stages are not affected.
 *
 * <p>{@link io.torussm.transport.GsiClient} sends requests to agents behind QP1, such as performance agents. It uses
 * the same port, but a loop of its choice and its own window and rate. So neither SMPs nor the SA wait for it.
 *
 * <p>The address of a frame, {@link io.torussm.transport.MadAddress}, is copied unchanged from a request to its
 * response, with its global route header.
 *
 * <p>Below this package: decorators of a port ({@code transport.port}), captures ({@code transport.capture}), and
 * messages of several MADs ({@code transport.rmpp}).
 */
@NullMarked
package io.torussm.transport;

import org.jspecify.annotations.NullMarked;
