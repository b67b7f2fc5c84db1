package io.torussm.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bytes of other programs, from {@code .hex} files. Samples are separated by blank lines. Each has a comment with the
 * origin of the bytes, lines of hexadecimal digits, and lines of {@code name=value} with their meaning.
 */
public final class HexSamples {
    private HexSamples() {}

    /** Some bytes and their meaning according to whoever produced them. */
    public record Sample(String title, byte[] bytes, Map<String, String> values) {

        /** Returns a value as a number, decimal or hexadecimal. */
        public long number(String name) {
            return parse(text(name));
        }

        /** Returns a value as a list of numbers. */
        public List<Integer> numbers(String name) {
            List<Integer> list = new ArrayList<>();
            for (String number : text(name).split(",", -1)) {
                list.add((int) parse(number));
            }
            return list;
        }

        /** Returns a value as it is written. */
        public String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException(title + " has no " + name);
            }
            return value;
        }

        private static long parse(String number) {
            return number.startsWith("0x") ? Long.parseUnsignedLong(number.substring(2), 16) : Long.parseLong(number);
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** Reads all samples of a file beside a class. */
    public static List<Sample> read(Class<?> beside, String file) {
        List<Sample> samples = new ArrayList<>();
        for (String block : text(beside, file).split("\n\\s*\n", -1)) {
            StringBuilder title = new StringBuilder();
            StringBuilder hex = new StringBuilder();
            Map<String, String> values = new LinkedHashMap<>();
            for (String line : block.lines().toList()) {
                if (line.startsWith("#")) {
                    title.append(line.substring(1));
                } else if (line.contains("=")) {
                    for (String pair : line.split(" ", -1)) {
                        int equals = pair.indexOf('=');
                        values.put(pair.substring(0, equals), pair.substring(equals + 1));
                    }
                } else {
                    hex.append(line.strip());
                }
            }
            if (hex.length() > 0) {
                byte[] bytes = HexFormat.of().parseHex(hex);
                samples.add(new Sample(title.toString().strip(), bytes, values));
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalStateException(file + " has no samples");
        }
        return samples;
    }

    private static String text(Class<?> beside, String file) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + file + " beside " + beside.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
