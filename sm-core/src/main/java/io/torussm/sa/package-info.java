/**
 * The subnet administrator (IBA 15): admission, queue and dispatch of requests, and a handler for each
 * record.
 *
 * <p><b>Input</b>: SA MADs, on the transport's thread; the published view; registrations of hosts.
 * <b>Output</b>: MADs, by RMPP or plain; changes of registrations, which go to the {@code sm} loop and return
 * as answers.
 *
 * <p><b>The path of a request.</b>
 *
 * <pre>
 * transport thread               | worker                                     | loop of RMPP
 * onMad -> admit -> queue --> | answer -> handler -> search -> Responder -> | segments, ACKs, timers
 *                                |                                    \-> one MAD, sent directly
 * </pre>
 *
 * <p>{@link io.torussm.sa.SubnetAdministrator} admits a request if it may be answered. There is no answer
 * before the first view, to a wrong SM_Key, to a LID of no port, or to a MAD that is no request.
 * {@code SegmentedRequests} reassembles requests that arrive by RMPP.
 *
 * <p>A small request needs a few look-ups. The receiving thread answers it directly, if no request waits and
 * such answers take less than half of its time: waking a worker would cost more. Any other request waits in
 * the {@code RequestQueue}, in turns of the requesters, tables apart from small answers. If there is no room,
 * it waits to be refused with BUSY, or is dropped.
 *
 * <p>A worker uses the published view until the answer is written. Therefore the granted SL belongs to the
 * programmed tables. The handler of an attribute implements its methods
 * ({@link io.torussm.sa.query.AttributeHandler}). {@code Responder} makes MADs of answers, counts them and
 * records their latencies. Tables of end ports and of paths are computed while they are sent:
 * {@code StreamedTables} computes each part in a turn of its own, as the receiver acknowledges previous
 * parts. Errors are plain MADs with the request's own data; tables always use RMPP, even if they fit one
 * segment.
 *
 * <p><b>Records.</b> Each has a handler, listed in {@link io.torussm.sa.AttributeHandlers}; those of paths
 * are in {@link io.torussm.paths}. Nearly all records describe an end port: {@code EndportRecords} serves all
 * of these, and a source only writes the fields. Three components are not compared for equality: a LID, which
 * may be any LID of a port; CapabilityMask, by containment; and the port numbers of an end port's QoS tables.
 * Secrets are cleared before the comparison, so that they cannot be guessed by queries.
 *
 * <p><b>Changes.</b> A worker checks Set and Delete of MCMemberRecord against the view and hands them to the
 * {@code sm} loop, which answers when the change is published. The same applies to ServiceRecord,
 * GUIDInfoRecord and InformInfo. Untrusted requesters see groups, but of the members only themselves.
 *
 * <p><b>Threads.</b> {@code onMad} and handlers of small requests run on the transport's thread. Other
 * handlers run on two workers, of which at most one computes a table. Registrations belong to the {@code sm}
 * loop, RMPP to its own loop. Handlers have no state.
 *
 * <p><b>Bounds.</b> The queue, in total and by requester; the bytes of a table that is computed before it is
 * sent; the retained earlier views; those of {@link io.torussm.transport.rmpp.RmppSender} and
 * {@link io.torussm.transport.rmpp.RmppReceiver}.
 *
 * <p><b>Not served</b>: SubnAdmGetTraceTable and records that no known client queries. They are refused as
 * IBA requires, and have no bit in ClassPortInfo.
 */
@NullMarked
package io.torussm.sa;

import org.jspecify.annotations.NullMarked;
