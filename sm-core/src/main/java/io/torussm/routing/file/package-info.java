/**
 * Routes that were computed elsewhere, or before: OpenSM's {@code file} engine ({@code -R file}, {@code opensm(8)}: "file:
 * load a pre-computed routing from a file"; {@code opensm-lfts.dump} and {@code opensm-lid-matrix.dump} are what it dumps,
 * and {@code dump_lfts(8)} prints the former, too).
 *
 * <p><b>What enters.</b> {@code lfts_file} has forwarding tables ({@link io.torussm.routing.file.DumpedTables}). Without it,
 * {@code lid_matrix_dump_file} says how far it is by each port ({@link io.torussm.routing.file.DumpedHops}), and destinations
 * are spread over the nearest ones as by {@code minhop}. Without both this is {@code minhop}. An end port that has another
 * LID now is found by the port GUID in its line.
 *
 * <p><b>What is judged.</b> OpenSM writes what it is given: in the recorded case {@code file_stale}, tables that are older than the
 * loss of three cables, 97 pairs of hosts are without a path, and a credit loop is closed. Here tables that lead a pair of
 * hosts nowhere although cables connect it are refused, and the pair is named ({@link io.torussm.routing.file.Reach}), so
 * that the next engine is asked; the proof of freedom from credit loops is that of all engines.
 */
@NullMarked
package io.torussm.routing.file;

import org.jspecify.annotations.NullMarked;
