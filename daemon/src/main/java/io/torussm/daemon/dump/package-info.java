/**
 * Tables of a published view as files, in the formats that OpenSM writes and ibdmchk reads.
 *
 * <p>In go a published view and the multicast groups; out come files in the directory of dumps. All are written beside
 * their old versions, line by line as they are made, and renamed when the last is complete: a reader sees no half of a
 * file, and if one cannot be written all stay old. It runs on the thread that calls, which is the daemon's own and
 * never the SM's.
 */
@NullMarked
package io.torussm.daemon.dump;

import org.jspecify.annotations.NullMarked;
