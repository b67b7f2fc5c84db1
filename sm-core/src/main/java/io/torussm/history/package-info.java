/**
 * The subnet as it was: what ruled before, and what each sweep changed of it.
 *
 * <p>In goes a {@link io.torussm.view.FabricState} at the end of each sweep, an immutable value that the loop of the SM hands over
 * without looking at it. It is taken apart into rows, bytes under a key that stays when indexes move: nodes, their ports, cables,
 * forwarding tables, SLs, SL2VL tables, the tree of multicast, rings, missing cables, conditions. What is kept is the difference
 * from the rows before, compressed: of a row that stays only the runs of bytes that changed. A
 * {@link io.torussm.history.Change} tells how much changed; a {@link io.torussm.history.PastState} is put together from the last
 * whole state before it and the differences since, and holds a view like any other, so that whoever explains paths or draws the
 * torus does so of the past too; a {@link io.torussm.history.StateDifference} compares two of them.
 *
 * <p>Whole states come now and then: after 64 changes, or when the changes since the last one are larger than a whole state would
 * be. A whole state and the changes after it are a segment of a {@link io.torussm.state.SegmentLog}, in memory as on the disk; the
 * oldest segment is dropped when there is more than the settings allow. Damage costs what follows it in its segment.
 *
 * <p>Differences are made on the loop that writes state files, which the others do not wait for. Cost: a pass over all tables of
 * both states and the SL of each pair of switches (unless the routes are the same), for each state that differs. At most
 * four states wait; more become one change, which says how many it holds. Any thread asks; a state that is asked for takes as much
 * memory as its tables.
 *
 * <p>M_Keys and counters of violations are no part of it. Not kept either: partitions, groups, VL arbitration, the reasons that an
 * engine has for a hop.
 */
@NullMarked
package io.torussm.history;

import org.jspecify.annotations.NullMarked;
