/**
 * The common parts of all attributes that the SA serves: the request, the view, and the table of records of the answer.
 *
 * <p><b>Input</b>: a {@link io.torussm.sa.query.Query}, which is one request with one view, from
 * {@link io.torussm.sa.SubnetAdministrator}. <b>Output</b>: one call of {@link io.torussm.sa.query.QueryReply}. Between
 * them is an {@link io.torussm.sa.query.AttributeHandler}. {@code RecordHandler} serves Get and GetTable, {@code
 * ChangingHandler} also Set and Delete; other handlers select their methods themselves. Handlers are in
 * {@link io.torussm.sa} and {@code io.torussm.paths}, which depend on this package.
 *
 * <p><b>Records.</b> A candidate is written in place, at the end of the {@link io.torussm.sa.query.RecordTable}, and
 * kept if it matches the {@link io.torussm.mad.sa.ComponentMask}. A candidate that does not match costs only the write
 * of its fields.
 *
 * <p><b>Partitions.</b> An untrusted requester sees only ports with which it shares a partition, and groups of its
 * partitions (IBA 15.4.1.2). Every handler calls {@code Query.maySee} before it writes a record.
 *
 * <p><b>Threads.</b> A query and its table belong to the worker that answers it. {@link io.torussm.sa.query.ViewIndex}
 * is immutable and shared. {@link io.torussm.sa.query.IndexedViews} builds it once for each view: on the routing pool
 * before a sweep publishes the view, or for the first request to a view that was published between sweeps; other
 * requests wait.
 *
 * <p><b>Cost.</b> An index takes two bytes for each port index (2.4 MB at 16,384 switches of 64 ports) and about 24 for
 * each end port: GUIDs in a hash table of primitive arrays, the smaller MTU and rate of each cable. Only
 * {@code ViewIndex.portOfGuid} resolves GUIDs, those of aliases included. Records are not indexed by other components.
 * Queries for these are rare and usually request the whole table, so that each record is compared.
 */
@NullMarked
package io.torussm.sa.query;

import org.jspecify.annotations.NullMarked;
