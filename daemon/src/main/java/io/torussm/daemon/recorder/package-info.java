/**
 * The recording of an SM with the flight recorder, and the writing of recordings to files.
 *
 * <p>{@link io.torussm.daemon.recorder.SmRecorder} wraps the platform of an SM
 * ({@link io.torussm.daemon.assembly.SmPlatform}). It records options, files, seeds, MADs, durations of
 * routing and of disk operations, commands and the ends of sweeps in a ring buffer
 * ({@link io.torussm.recording.FlightRecorder}). {@link io.torussm.daemon.recorder.RecordingFiles} writes the
 * ring buffer to a file after a fault, or on request.
 *
 * <p>Threads: entries are recorded on the thread of the recorded action, without waiting; files are written
 * on the loop of the disk.
 */
@NullMarked
package io.torussm.daemon.recorder;

import org.jspecify.annotations.NullMarked;
