package io.torussm.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Inputs of a fuzzer that led to a defect, or to code that others do not reach: {@code CLASS.fuzz}, a line of
 * hexadecimal digits each.
 */
public final class KeptInputs {
    private KeptInputs() {}

    /** Returns the inputs that are kept beside a class. */
    public static List<byte[]> of(Class<?> target) {
        String name = target.getSimpleName() + ".fuzz";
        try (InputStream in = target.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no " + name + " beside " + target.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(HexFormat.of()::parseHex)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }
}
