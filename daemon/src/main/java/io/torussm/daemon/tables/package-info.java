/**
 * The files in which subnet managers and diagnostic tools describe a fabric, line by line: links, forwarding tables, SL2VL rows,
 * multicast tables and SLs of paths, as OpenSM, ibdiagnet (old and new), ibdmchk and this SM write and read them.
 *
 * <p>Each class is the grammar of one kind of file, in all its dialects. In go its lines, through
 * {@link io.torussm.conf.ConfLines}, which knows file and line; out come values, to a sink of the caller, who knows what they are
 * good for: {@code daemon.traffic} sends packets over them, {@code daemon.proof} judges them. A line that is none is an error that says
 * what should be there; nothing is kept in memory but where a section began. What a sink refuses with an
 * {@link java.lang.IllegalArgumentException} is an error of the line.
 */
@NullMarked
package io.torussm.daemon.tables;

import org.jspecify.annotations.NullMarked;
