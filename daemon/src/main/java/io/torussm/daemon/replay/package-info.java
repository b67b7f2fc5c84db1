/**
 * The replay of a recording in virtual time: the whole SM ({@link io.torussm.daemon.twin.VirtualSm}) behind a
 * port with the recorded responses ({@code ReplayPort}), and the decisions of the SM.
 *
 * <p>Input: a {@link io.torussm.recording.Recording}. Output: {@link io.torussm.daemon.replay.Decision}s, the
 * differences of two runs, and the states of the fabric for the web page. It runs in the thread of its caller. It
 * writes only to a temporary directory with the recorded files, which is deleted at the end.
 *
 * <p>{@code docs/developer/captures.md} describes the limits of the accuracy.
 */
@NullMarked
package io.torussm.daemon.replay;

import org.jspecify.annotations.NullMarked;
