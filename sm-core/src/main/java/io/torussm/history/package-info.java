/**
 * Past states of the subnet, and the change that each sweep made.
 *
 * <p>The input is a {@link io.torussm.view.FabricState} at the end of each sweep, an immutable value that the
 * loop of the SM hands over unread. It is converted to rows: bytes under a key that is stable when indexes
 * change. There are rows for nodes, their ports, cables, forwarding tables, SLs, SL2VL tables, the multicast
 * tree, rings, missing cables and conditions. The compressed difference from the previous rows is kept; of a
 * row in both states only the changed runs of bytes.
 *
 * <p>A {@link io.torussm.history.Change} contains the amounts of change. A
 * {@link io.torussm.history.PastState} is built from the last whole state and the differences since. It
 * contains a view like any other, so that code that explains paths or draws the torus also serves the past. A
 * {@link io.torussm.history.StateDifference} compares two past states.
 *
 * <p>A whole state is kept after 64 changes, or when the changes since the last one are larger than a whole
 * state. A whole state and the changes after it are a segment of a {@link io.torussm.state.SegmentLog}, in
 * memory as on the disk. The oldest segment is dropped when the limits of the settings are exceeded. Damage
 * loses the rest of its segment.
 *
 * <p>Differences are computed on the loop that writes state files; no other loop waits for it. Cost for each
 * state that differs: a pass over all tables of both states and, unless the routes are the same, over the SL
 * of each pair of switches. At most four states wait; further ones are merged into one change, which reports
 * their number. Any thread may read; a state that is read takes as much memory as its tables.
 *
 * <p>M_Keys and violation counters are excluded. Also not recorded: partitions, groups, VL arbitration, and
 * the reasons of an engine for a hop.
 */
@NullMarked
package io.torussm.history;

import org.jspecify.annotations.NullMarked;
