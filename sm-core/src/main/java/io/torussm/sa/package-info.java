/**
 * The subnet administrator (IBA 15): answers queries from the one published view.
 *
 * <p><b>The way of a request.</b> {@link io.torussm.sa.SubnetAdministrator} takes it on the transport's thread and decides
 * there only whether it may be answered at all: silence is kept before the first view, to a wrong SM_Key, to a LID that
 * belongs to nobody, and to what is no request. Then it waits in the {@code RequestQueue}, in turns of the
 * requesters, tables apart from small answers, or waits to be told BUSY, or is dropped.
 * A worker takes the view that is published now and keeps it until the answer is written, so the SL that is granted
 * belongs to the tables that the switches hold. Errors go out as plain MADs with the request's own data; tables always by
 * RMPP, even if they fit one segment.
 *
 * <pre>
 *   transport thread     | worker                               | loop of RMPP
 *   judge -> queue ----> | Query -> handler -> RecordTable ---> | segments, ACKs, timers
 *                        |              \--> one MAD, sent at once; or BUSY
 * </pre>
 *
 * <p><b>Records.</b> A handler each. Nearly all of them tell of what is at an end port: {@link io.torussm.sa.EndportRecords}
 * is the one mechanism for these, and a source writes the fields. A candidate is written in place, at the end of the
 * {@code RecordTable}, and kept if {@link io.torussm.mad.sa.ComponentMask} says that it matches; no source compares fields
 * by itself. Three things are no comparison: a LID, which names a port by any of its LIDs, CapabilityMask by containment,
 * and the port numbers of an end port's QoS tables.
 * Secrets are cleared before the comparison, so that nobody can guess them by asking.
 *
 * <p><b>GUIDs.</b> A GUID names the port that has it as its own or as an alias; {@code ViewIndex.portOfGuid} is the one
 * place that knows. Aliases change between views, so they are looked up as they are now.
 *
 * <p><b>Changes.</b> Set and Delete of MCMemberRecord are judged on a worker as far as the view goes, handed to the
 * {@code sm} loop, and answered from there when the change is published; so are those of ServiceRecord and InformInfo.
 * Untrusted requesters are told of groups, not of their members, except for themselves.
 *
 * <p><b>Paths</b> are not stored, and a request for one is a set of constraints ({@code PathRequest}) on pairs of ports.
 * A path is walked along the tables in both directions: there for MTU and rate, back for Reversible. The SL is the
 * routing plan's and no other: a requested SL, or else the SL of the path's partition, is a hint to the plan, and a requested
 * one is no path if the plan says otherwise. With a {@code PathPolicy} the hint is the SL of the path's QoS level, which also
 * limits MTU, rate and P_Key. Its P_Key is one that both ends share, at least one of them as a full member.
 * MultiPathRecord is the same search for several pairs; its requests come by RMPP, and {@code RmppReceiver} puts them
 * together before they are queued. A DGID of another subnet is that of a router on the way ({@code PrefixRoutes}); a
 * multicast DGID has the one path that its group says ({@code MulticastPath}).
 *
 * <p><b>Partitions.</b> A requester is told of ports that it shares a partition with, and of groups of its partitions, and
 * of nothing else, unless it shows the SM_Key. {@code Query.maySee} is the one place that says so; every handler asks it
 * before it writes a record.
 *
 * <p><b>Cost.</b> {@code ViewIndex} prepares a view once: GUIDs in a hash of primitive arrays, MTU and rate of each cable
 * in two bytes for each port slot (2.4 MB at 16,384 switches of 64 ports). A path query by GIDs then allocates 664 bytes
 * and took, when measured with {@code PathRecordBenchmark} on a shared machine, 0.2 microseconds on a 4x4x4 torus and 2 on
 * a 10x10x10 one with 8,000 hosts, nearly all of it waiting for memory along two walks. The queue has added 0.1 to 0.2 since. NodeRecord and PortInfoRecord
 * queries look at every record unless a LID is given.
 *
 * <p><b>Bounds.</b> The queue, in all and by requester; the bytes of one table; the pairs of LIDs that are tried in vain for one path request
 * ({@code PathSearch}), after ports that cannot be the end of any path that is wanted were left out; and those of
 * {@link io.torussm.transport.RmppSender} and {@link io.torussm.transport.RmppReceiver}.
 */
@NullMarked
package io.torussm.sa;

import org.jspecify.annotations.NullMarked;
