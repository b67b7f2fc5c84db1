package io.torussm.state;

import io.torussm.sim.VirtualLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that adds records to a log until it is killed: arguments are the directory and the first number. After each
 * record it writes a line with its number to standard output.
 */
public final class TirelessLogger {
    static final SegmentLog.RecordFormat KIND = new SegmentLog.RecordFormat("tireless", 1, "the test fails");

    private TirelessLogger() {}

    /** The record of a number. */
    static byte[] record(int number) {
        return (number + " " + "x".repeat(number * 37 % 9000)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Adds until it is killed; every now and then a segment is new. */
    public static void main(String[] arguments) throws IOException {
        SegmentLog log =
                StateDirectory.open(Path.of(arguments[0]), new VirtualLoop()).log(KIND);
        log.read();
        for (int number = Integer.parseInt(arguments[1]); ; number++) {
            if (number % 50 == 0) {
                log.roll();
            }
            log.append(List.of(record(number)), number % 3 == 0);
            System.out.println(number);
            System.out.flush();
        }
    }
}
