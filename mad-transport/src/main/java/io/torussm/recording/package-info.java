/**
 * The flight recorder: the MADs and other input of a subnet manager in the last minutes, and their file.
 *
 * <p>The input is MADs and notes with their times, from any thread. The output is an immutable
 * {@link io.torussm.recording.Recording}, and a file that Wireshark opens and {@code torus-sm replay} runs. The
 * decisions about notes and files are in {@code io.torussm.daemon.recorder}.
 *
 * <p>Cost: the ring is bounded in bytes. A MAD costs a comparison of its bytes, a copy of those that differ from the
 * previous MAD, and an uncontended lock. Text is formatted only when a file is written. A checkpoint keeps the tables
 * of one moment in memory; there are at most five.
 */
@NullMarked
package io.torussm.recording;

import org.jspecify.annotations.NullMarked;
