/**
 * Files that outlive the process: addresses, keys, cables, places, groups.
 *
 * <p>A state file is text, one record a line, so that operators can read it and, where OpenSM keeps the same facts, bring
 * its file along. The first line names kind and version, the last one a checksum of all before it. A file is written
 * aside, synced, renamed, and its directory synced: after a crash at any moment there is the old file or the new one,
 * whole. A file that is not what it should be is set aside under another name, reported in one line, and never trusted in
 * part.
 *
 * <p>What grows by records is a {@link io.torussm.state.SegmentLog}: binary, each record with a checksum of its own, the oldest thrown
 * away first.
 *
 * <p>Writing happens on a loop of its own, so that a slow disk never holds up a sweep. Only the newest version of a file
 * waits, which bounds what waits by the number of kinds.
 *
 * <p>Another SM may keep a copy: {@link io.torussm.state.Replica} gets every file that is written, and
 * {@link io.torussm.state.StateDirectory#examine} takes what it wrote as distrustfully as a file, for the store that is
 * {@link io.torussm.state.StateSuccessor} to it.
 */
@NullMarked
package io.torussm.state;

import org.jspecify.annotations.NullMarked;
