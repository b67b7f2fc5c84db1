/**
 * Tables of a published view as files, in the formats that OpenSM writes and ibdmchk reads.
 *
 * <p>Input: a published view and the multicast groups. Output: files in the directory of dumps. New files are written
 * line by line beside the old files, and renamed when the last file is complete. So a reader sees complete files only.
 * If a file cannot be written, all old files stay. Runs on the thread of the caller, which is a thread of the daemon
 * and never that of the SM.
 */
@NullMarked
package io.torussm.daemon.dump;

import org.jspecify.annotations.NullMarked;
