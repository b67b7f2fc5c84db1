/**
 * What the flight recorder is told, and when its file is written.
 *
 * <p>{@link io.torussm.daemon.recorder.SmRecorder} stands between an SM and what that works with ({@link
 * io.torussm.daemon.assembly.SmPlatform}): it notes options, files, seeds, traffic, how long routing and the disk took, commands
 * and the ends of sweeps in a ring ({@link io.torussm.recording.FlightRecorder}). {@link
 * io.torussm.daemon.recorder.TroubleFiles} writes the ring to disk when something went wrong, or when somebody asks.
 *
 * <p>Threads: noting is done by whoever does what is noted, and never waits; files are written on the loop of the disk.
 */
@NullMarked
package io.torussm.daemon.recorder;

import org.jspecify.annotations.NullMarked;
