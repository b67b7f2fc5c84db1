/**
 * The files that survive the process: LIDs, M_Keys, cables, coordinates, groups.
 *
 * <p>A state file ({@link io.torussm.state.StateFile}) is text, one record on each line, so that operators can read it.
 * If OpenSM has a file with the same content, that file can be used. The first line contains name and version, the last
 * line a checksum of the rest. A new version is written to a temporary file, synced and renamed, and the directory is
 * synced. So after a crash at any moment, the complete old or new file exists. A faulty file is renamed, reported in
 * one line, and never used in part.
 *
 * <p>Histories are in a {@link io.torussm.state.SegmentLog}: binary, each record with its checksum, the oldest records
 * dropped first.
 *
 * <p>The thread "state" writes files, so that a slow disk never delays a sweep. Of several unwritten versions of a file
 * only the newest is written, so the queue is bounded by the number of files.
 *
 * <p>Another SM may keep a copy: {@link io.torussm.state.Replica} receives every file that is written. {@link
 * io.torussm.state.StateDirectory#examine} verifies files of another SM like local files, for the {@link
 * io.torussm.state.StateSuccessor}.
 */
@NullMarked
package io.torussm.state;

import org.jspecify.annotations.NullMarked;
