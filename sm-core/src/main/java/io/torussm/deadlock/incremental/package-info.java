/**
 * The proof of a plan from the certificate of an earlier plan that differs little, for the seconds after a fault. The
 * package is not part of the trusted base: its certificates are marked as incremental, and the SM proves their plans
 * again as a whole when it is idle.
 *
 * <p>{@code SameChannels} finds the channels that two plans share although their numbers moved. {@code ChangedTraffic}
 * computes the sets of SLs of the new plan, equal to those of a whole walk, from the parts of trees that lead to a
 * changed entry: {@code ChangedColumns} lists these entries, {@code TreePart} walks such parts, and {@code DoubtedSls}
 * decides which sets lost their last packet. {@code ChangedGraph} copies the edges of links that leave a switch around
 * which nothing changed. {@code RaisedNumbers} keeps the earlier numbers, and raises those at the end of an edge that
 * does not lead upward; different channels may get equal numbers.
 *
 * <p>If SL2VL rows or SLs changed, or too many entries did, the checker walks all trees. Pure: any thread may call it,
 * and the result does not depend on the number of tasks.
 */
@NullMarked
package io.torussm.deadlock.incremental;

import org.jspecify.annotations.NullMarked;
