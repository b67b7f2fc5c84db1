/**
 * The flight recorder: what a subnet manager sent, received and was told in the last minutes, and its file.
 *
 * <p>In come MADs and notes, with their times, from any thread; out comes an immutable {@link
 * io.torussm.recording.Recording}, and a file that Wireshark opens and {@code torus-sm replay} runs. Who decides what is noted,
 * when a file is written and what becomes of it is elsewhere ({@code io.torussm.daemon.recorder}).
 *
 * <p>Costs. The ring is bounded in bytes. A MAD costs a look at its bytes, a copy of those that differ from the one before it, and an
 * uncontended lock; nothing is formatted before a file is written. A checkpoint holds on to the tables of a moment, five of them at most.
 */
@NullMarked
package io.torussm.recording;

import org.jspecify.annotations.NullMarked;
