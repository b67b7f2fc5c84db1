/**
 * The proof of a plan from the certificate of an earlier one that differs little, for the seconds after a fault. No
 * part of the trusted base: its certificates say that they are incremental, and the SM proves them again as a whole
 * when it is idle.
 *
 * <p>{@code SameChannels} finds the channels that two plans share although their numbers moved. {@code ChangedTraffic}
 * works out the sets of SLs of the new plan, equal to those of a whole walk, from the parts of trees that lead to an
 * entry that changes: {@code ChangedColumns} lists these entries, {@code TreePart} walks such parts, and {@code
 * DoubtedSls} decides which sets lost their last packet. {@code ChangedGraph} copies the edges behind switches around
 * which nothing changed. {@code RaisedNumbers} keeps the earlier numbers and raises those that an edge no longer fits;
 * different channels may get equal numbers.
 *
 * <p>Changes that do not fit (other SL2VL rows or SLs, or too many changes) leave everything to a whole walk. Pure; the
 * result does not depend on the number of tasks.
 */
@NullMarked
package io.torussm.deadlock.incremental;

import org.jspecify.annotations.NullMarked;
