/**
 * The subnet administrator (IBA 15): admission, queue and dispatch of requests, and a handler for each record.
 *
 * <p><b>Enters</b>: SA MADs, on the transport's thread; the view that is published; registrations that hosts made. <b>Leaves</b>:
 * MADs, by RMPP or plain; changes of registrations, which go to the {@code sm} loop and come back as answers.
 *
 * <p><b>The way of a request.</b>
 *
 * <pre>
 *   transport thread               | worker                                     | loop of RMPP
 *   received -> admit -> queue --> | answer -> handler -> search -> Responder -> | segments, ACKs, timers
 *                                  |                                    \-> one MAD, sent at once
 * </pre>
 *
 * {@link io.torussm.sa.SubnetAdministrator} admits a request if it may be answered at all: there is no answer before the first
 * view, to a wrong SM_Key, to a LID that belongs to no port, and to what is no request. {@code SegmentedRequests} puts those
 * together that come by RMPP. A brief one, which a few look-ups answer, is answered at once by the thread that received it, as long as
 * nothing waits and that takes less than half of its time: waking a worker would cost more. Any other waits in the
 * {@code RequestQueue}, in turns of the requesters, tables apart from small answers; or waits to be refused with BUSY; or is dropped. A worker takes the view that is published now and keeps it
 * until the answer is written, so the SL that is granted belongs to the tables that the switches hold. What the methods of an
 * attribute mean is its handler's affair ({@link io.torussm.sa.query.AttributeHandler}); {@code Responder} makes MADs of
 * answers, counts them and notes how long they took. Tables of end ports and of paths are found while they are sent: {@code StreamedTables}
 * has the next part of each found in a turn of its own, as the receiver acknowledges those before. Errors go out as plain MADs with the request's own data; tables always
 * by RMPP, even if they fit one segment.
 *
 * <p><b>Records.</b> A handler each, listed in {@link io.torussm.sa.AttributeHandlers}; those of paths are in
 * {@link io.torussm.paths}. Nearly all records describe what is at an end port: {@code EndportRecords} is the one mechanism
 * for these, and a source writes the fields; no source compares them by itself. Three things are no comparison: a LID, which
 * names a port by any of its LIDs, CapabilityMask by containment, and the port numbers of an end port's QoS tables. Secrets are
 * cleared before the comparison, so that nobody can guess them by asking.
 *
 * <p><b>Changes.</b> Set and Delete of MCMemberRecord are judged on a worker as far as the view goes, handed to the
 * {@code sm} loop, and answered from there when the change is published; so are those of ServiceRecord, GUIDInfoRecord and
 * InformInfo. Untrusted requesters see groups, not their members, except for themselves.
 *
 * <p><b>Threads.</b> {@code received} runs on the transport's thread, and so do handlers of brief requests; others on the workers, two at once, of which at most one
 * is at a table; registrations belong to the {@code sm} loop; RMPP to its own loop. Handlers have no state.
 *
 * <p><b>Bounds.</b> The queue, in all and by requester; the bytes of one table that is found before it is sent; the views that are
 * held for others; those of
 * {@link io.torussm.transport.RmppSender} and {@link io.torussm.transport.RmppReceiver}.
 *
 * <p><b>Left out</b>: SubnAdmGetTraceTable and the records that no known client asks for. They are refused as IBA
 * says, and have no bit in ClassPortInfo.
 */
@NullMarked
package io.torussm.sa;

import org.jspecify.annotations.NullMarked;
