/**
 * Routes that were computed elsewhere or earlier: OpenSM's {@code file} engine ({@code -R file}, {@code
 * opensm(8)}: "file: load a pre-computed routing from a file"). OpenSM dumps {@code opensm-lfts.dump} and {@code
 * opensm-lid-matrix.dump}; {@code dump_lfts(8)} also prints the former.
 *
 * <p><b>Input.</b> {@code lfts_file} has forwarding tables ({@link io.torussm.routing.file.DumpedTables}).
 * Without it, {@code lid_matrix_dump_file} gives the distance by each port ({@link
 * io.torussm.routing.file.DumpedHops}), and destinations are distributed over the nearest ports as by {@code
 * minhop}. Without both files, the routes are those of {@code minhop}. If the LID of an end port has changed,
 * the end port is found by the port GUID in its line.
 *
 * <p><b>Verification.</b> OpenSM writes the given tables without a check. In the recorded case {@code
 * file_stale}, tables are older than the loss of three cables: 97 pairs of hosts have no path, and a credit loop
 * closes. This engine refuses tables if a pair of hosts has no path although cables connect it. The refusal
 * names the pair ({@link io.torussm.routing.file.ReachedDestinations}), and the next engine of the chain is
 * tried. The proof of freedom from credit loops is the same as for all engines.
 */
@NullMarked
package io.torussm.routing.file;

import org.jspecify.annotations.NullMarked;
