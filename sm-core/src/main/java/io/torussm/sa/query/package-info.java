/**
 * What every attribute that the SA serves has in common: the request, the view it is answered from, and the table that
 * the answer is written into.
 *
 * <p><b>Enters</b>: a {@link io.torussm.sa.query.Query}, which is one request with the one view that counts for it,
 * from {@link io.torussm.sa.SubnetAdministrator}. <b>Leaves</b>: one call of {@link io.torussm.sa.query.QueryReply}. In
 * between stands an {@link io.torussm.sa.query.AttributeHandler}, which owns the choice of methods: {@code
 * RecordHandler} serves Get and GetTable, {@code ChangingHandler} Set and Delete as well, and those of neither shape
 * serve what they like. Handlers are in {@link io.torussm.sa} and {@code io.torussm.paths}; both know this package, and
 * it knows neither.
 *
 * <p><b>Records.</b> A candidate is written in place, at the end of the {@link io.torussm.sa.query.RecordTable}, and
 * kept if {@link io.torussm.mad.sa.ComponentMask} says that it matches. One that does not match costs only its writing.
 *
 * <p><b>Partitions.</b> A requester sees ports that it shares a partition with, groups of its partitions, and nothing
 * else, unless it shows the SM_Key (IBA 15.4.1.2). {@code Query.maySee} is the one place that says so; every handler
 * asks it before it writes a record.
 *
 * <p><b>Threads.</b> A query and its table belong to the worker that answers it. {@link io.torussm.sa.query.ViewIndex}
 * is immutable and shared; {@link io.torussm.sa.query.IndexedViews} builds it once for each view: before the end of the
 * sweep that publishes it, on the pool where routes are computed, and of a view between sweeps for the first request,
 * while others wait.
 *
 * <p><b>Cost.</b> An index is two bytes for each port slot (2.4 MB at 16,384 switches of 64 ports) and about 24 for
 * each end port: GUIDs in a hash of primitive arrays, the least MTU and rate of each cable. A GUID names the port that
 * has it as its own or as an alias; {@code ViewIndex.portOfGuid} is the one place that knows. Records are not indexed
 * by their other components: queries for them look at each, since they are rare and the answer is usually the whole
 * table.
 */
@NullMarked
package io.torussm.sa.query;

import org.jspecify.annotations.NullMarked;
