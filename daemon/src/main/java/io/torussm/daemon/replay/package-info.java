/**
 * A recording run again, in virtual time: the whole SM ({@link io.torussm.daemon.twin.VirtualSm}) behind a port that answers as the
 * wire did ({@code ReplayPort}), and what it decides, step by step.
 *
 * <p>In comes a {@link io.torussm.recording.Recording}; out go {@link io.torussm.daemon.replay.Decision}s, the differences of two
 * runs, and the states of the fabric for the page. It runs in the thread of its caller and touches nothing but a directory of its
 * own for the recorded files, which is deleted at the end.
 *
 * <p>What is exact and what is not is in {@code docs/developer/captures.md}.
 */
@NullMarked
package io.torussm.daemon.replay;

import org.jspecify.annotations.NullMarked;
