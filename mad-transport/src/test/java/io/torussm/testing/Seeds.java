package io.torussm.testing;

import java.util.stream.LongStream;

/**
 * Seeds for {@code @MethodSource("io.torussm.testing.Seeds#few")}: the same ones every run, or the one that
 * {@code -Dseed=N} names, to replay a failure; {@code -Dseeds=N} asks for more.
 */
public final class Seeds {
    private Seeds() {}

    /** Returns twelve seeds, or the seeds of the system properties. */
    public static LongStream few() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.rangeClosed(1, Long.getLong("seeds", 12));
    }
}
