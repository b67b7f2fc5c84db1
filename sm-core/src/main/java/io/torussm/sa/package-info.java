/**
 * The subnet administrator (IBA 15): answers queries from the one published view.
 *
 * <p>{@link io.torussm.sa.SubnetAdministrator} takes MADs from the transport's thread, judges them by the rules that all
 * requests share and hands them to one {@code ...Handler} per record on its own threads. A handler appends records to a
 * {@code RecordTable}, which knows how many may be sent; which records match is decided by
 * {@link io.torussm.mad.sa.ComponentMask} for all of them alike. SLs come from the routing plan and from nowhere else.
 *
 * <p>A request sees one view from its first to its last byte, so the SL that it is granted belongs to the tables that the
 * switches hold.
 */
@NullMarked
package io.torussm.sa;

import org.jspecify.annotations.NullMarked;
