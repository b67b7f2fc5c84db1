/**
 * Captures of MADs in files that Wireshark reads.
 *
 * <p>{@link io.torussm.transport.capture.MadTap} is placed between the client and its transport and writes MADs to a
 * file. If the disk is too slow, MADs are missing in the file, but none is delayed.
 * {@link io.torussm.transport.capture.CaptureReader} reads the MADs of such a file or of another program's capture.
 * {@link io.torussm.transport.capture.FramePcap} writes and reads files that preserve the peers of frames, such as
 * recordings.
 */
@NullMarked
package io.torussm.transport.capture;

import org.jspecify.annotations.NullMarked;
