/**
 * The files in which subnet managers and diagnostic tools describe a fabric, line by line: links, forwarding
 * tables, SL2VL rows, multicast tables and SLs of paths. OpenSM, ibdiagnet (old and new), ibdmchk and this SM
 * write and read them.
 *
 * <p>Each class is the grammar of one type of file, in all its dialects. Its input is lines, through
 * {@link io.torussm.conf.ConfLines}, which has file and line number. Its output is values, for a receiver of
 * the caller: {@code daemon.traffic} sends packets over them, {@code daemon.proof} verifies them. An invalid
 * line is an error that gives the expected form. Only the state of the current section is kept in memory. If
 * a receiver rejects a value with an {@link java.lang.IllegalArgumentException}, it is an error of the line.
 */
@NullMarked
package io.torussm.daemon.tables;

import org.jspecify.annotations.NullMarked;
