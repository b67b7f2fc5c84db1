/**
 * Files that survive the process: addresses, keys, cables, coordinates, groups.
 *
 * <p>A state file is text, one record a line, so that operators can read it. If OpenSM keeps the same facts,
 * its file can be used. The first line contains name and version, the last one a checksum of the rest. A file
 * is written aside, synced, renamed, and its directory synced. After a crash at any moment the complete old
 * or new file exists. A faulty file is set aside under another name, reported in one line, and never used in
 * part.
 *
 * <p>Growing records are in a {@link io.torussm.state.SegmentLog}: binary, each record with its checksum, the
 * oldest dropped first.
 *
 * <p>Files are written on a separate loop, so that a slow disk never delays a sweep. Only the newest version
 * of a file waits, so the queue is bounded by the number of files.
 *
 * <p>Another SM may keep a copy: {@link io.torussm.state.Replica} receives every file that is written.
 * {@link io.torussm.state.StateDirectory#examine} verifies its files like local ones, for the
 * {@link io.torussm.state.StateSuccessor} store.
 */
@NullMarked
package io.torussm.state;

import org.jspecify.annotations.NullMarked;
