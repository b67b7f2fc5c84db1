package io.torussm.daemon.config;

import io.torussm.event.SmEvent;
import io.torussm.mad.Guid;
import io.torussm.qos.VlWeight;
import io.torussm.subnet.LinkSpeeds;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The type of the value of a setting, and its parser. The error for an invalid value names the valid ones.
 *
 * @param <T> type of the parsed value
 */
public interface ValueType<T> {
    /** Max number of characters of a list: more than a full VL arbitration table needs. */
    int MAX_LIST_LENGTH = 1024;

    /** A number, decimal or hexadecimal after 0x; the group of digits is without leading zeros. */
    Pattern NUMBER = Pattern.compile("(?<sign>[+-]?)(?:0+(?=[0-9]))?(?<digits>0[xX][0-9a-fA-F]+|[0-9]+)");

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the text is invalid; the message continues a sentence that begins with the
     *     name of the setting
     */
    T read(String text);

    /** Returns the placeholder of the value in {@code --help}. */
    String label();

    /** Returns the valid values if they are a range or a choice; empty otherwise. */
    default String range() {
        return "";
    }

    /** Checks whether commas separate several values, so that the configuration file may contain a list instead. */
    default boolean isList() {
        return false;
    }

    /** The type of a whole number, decimal or hexadecimal after 0x. */
    record Int(int min, int max) implements ValueType<Integer> {
        @Override
        public Integer read(String text) {
            long value;
            try {
                value = Long.decode(decimalOrHex(text));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number, " + range() + ", decimal or 0x...", e);
            }
            if (value < min || value > max) {
                throw new IllegalArgumentException("must be " + range());
            }
            return (int) value;
        }

        @Override
        public String range() {
            return min + " to " + max;
        }

        @Override
        public String label() {
            return "N";
        }
    }

    /** The type of a whole number; the number {@code unset} means that no value is set. */
    record IntOrUnset(int min, int max, int unset) implements ValueType<Optional<Integer>> {
        @Override
        public Optional<Integer> read(String text) {
            int value = new Int(Math.min(min, unset), max).read(text);
            return value == unset ? Optional.empty() : Optional.of(value);
        }

        @Override
        public String label() {
            return "N";
        }

        @Override
        public String range() {
            return Math.min(min, unset) + " to " + max;
        }
    }

    /** The type of 64 bits: a GUID, a key or a prefix, decimal or hexadecimal after 0x. */
    record Bits64() implements ValueType<Long> {
        @Override
        public Long read(String text) {
            try {
                return Guid.parse(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a number of up to 64 bits, decimal or 0x...", e);
            }
        }

        @Override
        public String label() {
            return "0xHEX";
        }
    }

    /** The type of several {@link Bits64}, separated by commas; may be empty. */
    record Bits64Set(String label) implements ValueType<Set<Long>> {
        @Override
        public Set<Long> read(String text) {
            try {
                return items(text, MAX_LIST_LENGTH).map(Guid::parse).collect(Collectors.toUnmodifiableSet());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "must be numbers of up to 64 bits, decimal or 0x..., separated by commas", e);
            }
        }

        @Override
        public boolean isList() {
            return true;
        }
    }

    /** The type of codes of events, separated by commas; may be empty. A minus before a code excludes the event. */
    record EventCodes(String label) implements ValueType<Set<String>> {
        @Override
        public Set<String> read(String text) {
            if (items(text, MAX_LIST_LENGTH).anyMatch(code -> SmEvent.ofCode(code.replaceFirst("^-", "")) == null)) {
                throw new IllegalArgumentException("must be codes of the events reference, such as TSM-4007,-TSM-3014");
            }
            return items(text, MAX_LIST_LENGTH).collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public boolean isList() {
            return true;
        }
    }

    /** The type of a boolean: true, yes or on; false, no or off; in any case. */
    record Bool() implements ValueType<Boolean> {
        @Override
        public Boolean read(String text) {
            String word = text.toLowerCase(Locale.ROOT);
            if (Set.of("true", "yes", "on").contains(word)) {
                return true;
            }
            if (Set.of("false", "no", "off").contains(word)) {
                return false;
            }
            throw new IllegalArgumentException("must be true or false");
        }

        @Override
        public String label() {
            return "";
        }
    }

    /** The type of any text on one line. */
    record Text(String label) implements ValueType<String> {
        private static final int MAX_LENGTH = 4096;

        @Override
        public String read(String text) {
            if (text.length() > MAX_LENGTH || text.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException(
                        "must be one line of at most " + MAX_LENGTH + " characters without control characters");
            }
            return text;
        }
    }

    /** The type of the name of a file or directory, without control characters; may be empty. */
    record FileName(String label) implements ValueType<Optional<Path>> {
        @Override
        public Optional<Path> read(String text) {
            try {
                String line = text(label).read(text);
                return line.isEmpty() ? Optional.empty() : Optional.of(Path.of(line));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("must be the name of a file or directory", e);
            }
        }
    }

    /** The type of the name of a log file. The word stdout, or no text, stands for standard output, an empty value. */
    record LogFile(String label) implements ValueType<Optional<Path>> {
        @Override
        public Optional<Path> read(String text) {
            return text.equals("stdout") ? Optional.empty() : file(label()).read(text);
        }
    }

    /** The type of names separated by commas. */
    record Names(String label) implements ValueType<String> {
        @Override
        public String read(String text) {
            return text(label).read(text);
        }

        @Override
        public boolean isList() {
            return true;
        }
    }

    /** The type of ports with their enabled widths and speeds; may be empty. */
    record LinkPorts() implements ValueType<List<LinkSpeeds.PortSpeeds>> {
        private static final int MAX_LENGTH = 1 << 16;
        private static final int MAX_PORT = 254;
        private static final Pattern PORT =
                Pattern.compile("(\\w{1,18})/(\\d{1,3})((?: +(?:width|speed|speed_ext)=\\d{1,3})+)");

        @Override
        public List<LinkSpeeds.PortSpeeds> read(String text) {
            List<LinkSpeeds.PortSpeeds> ports =
                    items(text, MAX_LENGTH).map(LinkPorts::port).toList();
            if (ports.stream().map(LinkSpeeds.PortSpeeds::port).distinct().count() < ports.size()) {
                throw new IllegalArgumentException("must have each port once");
            }
            return ports;
        }

        private static LinkSpeeds.PortSpeeds port(String text) {
            Matcher matcher = PORT.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("must be GUID/PORT width=N speed=N speed_ext=N, ...");
            }
            long guid;
            try {
                guid = Guid.parse(matcher.group(1));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must begin with the GUID of a node, 0x...", e);
            }
            int portNum = Integer.parseInt(matcher.group(2));
            if (portNum < 1 || portNum > MAX_PORT) {
                throw new IllegalArgumentException("must have port numbers from 1 to " + MAX_PORT);
            }
            return new LinkSpeeds.PortSpeeds(
                    guid,
                    portNum,
                    value(matcher.group(3), "width", LinkSpeeds.ALL_WIDTHS),
                    value(matcher.group(3), "speed", LinkSpeeds.ALL_SPEEDS),
                    value(matcher.group(3), "speed_ext", LinkSpeeds.ALL_EXTENDED));
        }

        /** Returns the value of a word {@code name=N}; null if there is no such word. */
        private static @Nullable Integer value(String words, String name, int max) {
            Matcher matcher = Pattern.compile(" " + name + "=(\\d+)").matcher(words);
            if (!matcher.find()) {
                return null;
            }
            int value = Integer.parseInt(matcher.group(1));
            if (value > max) {
                throw new IllegalArgumentException(name + " must be 0 to " + max);
            }
            if (matcher.find()) {
                throw new IllegalArgumentException("must have each of width, speed and speed_ext once for a port");
            }
            return value;
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public String label() {
            return "PORT,...";
        }
    }

    /** The type of the entries of a VL arbitration table; may be empty. */
    record VlWeights() implements ValueType<Optional<List<VlWeight>>> {
        @Override
        public Optional<List<VlWeight>> read(String text) {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            if (!text.matches("[0-9:, -]{1," + MAX_LIST_LENGTH + "}")) {
                throw new IllegalArgumentException("must be VL:weight,VL:weight,... in numbers");
            }
            try {
                return Optional.of(VlWeight.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("must be VL:weight,VL:weight,... (" + e.getMessage() + ")", e);
            }
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public String label() {
            return "VL:W,...";
        }
    }

    /** The type of the VLs of SL 0 to 15; may be empty. */
    record VlBySl() implements ValueType<Optional<List<Integer>>> {
        private static final String VL = "([0-9]|1[0-5])";

        @Override
        public Optional<List<Integer>> read(String text) {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            if (!text.matches(VL + "(," + VL + "){15}")) {
                throw new IllegalArgumentException("must be sixteen VLs, 0 to 15, with commas and nothing else");
            }
            return Optional.of(
                    Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList());
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public String label() {
            return "VL,...";
        }
    }

    /** The type of a value with another parser, which throws IllegalArgumentException like {@link #read}. */
    record Parsed<T>(String label, Function<String, T> parser) implements ValueType<T> {
        @Override
        public T read(String text) {
            return parser.apply(text);
        }
    }

    /** The type of one of several words. */
    record Word(List<String> words) implements ValueType<String> {
        @Override
        public String read(String text) {
            if (!words.contains(text)) {
                throw new IllegalArgumentException("must be one of " + String.join(", ", words));
            }
            return text;
        }

        @Override
        public String label() {
            return String.join("|", words);
        }

        @Override
        public String range() {
            return String.join(", ", words);
        }
    }

    /** The type of a constant of an enum, in lower case. */
    record Choice<E extends Enum<E>>(Class<E> type) implements ValueType<E> {
        @Override
        public E read(String text) {
            return Enum.valueOf(type, word().read(text).toUpperCase(Locale.ROOT));
        }

        private Word word() {
            return new Word(Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                    .toList());
        }

        @Override
        public String label() {
            return word().label();
        }

        @Override
        public String range() {
            return word().range();
        }
    }

    /** Returns the type of a whole number from {@code min} to {@code max}. */
    static ValueType<Integer> integer(int min, int max) {
        return new Int(min, max);
    }

    /** Returns the type of sixty-four bits. */
    static ValueType<Long> bits64() {
        return new Bits64();
    }

    /** Returns the type of a boolean. */
    static ValueType<Boolean> bool() {
        return new Bool();
    }

    /** Returns the type of any text on one line. */
    static ValueType<String> text(String label) {
        return new Text(label);
    }

    /** Returns the type of the name of a file or directory. */
    static ValueType<Optional<Path>> file(String label) {
        return new FileName(label);
    }

    /**
     * Returns the items between the commas of a list, without blanks at their ends; empty if the text is blank.
     *
     * @throws IllegalArgumentException if the text has more than {@code maxLength} characters
     */
    static Stream<String> items(String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new IllegalArgumentException("must be at most " + maxLength + " characters");
        }
        return text.isBlank()
                ? Stream.empty()
                : Arrays.stream(text.split(",", -1)).map(String::strip);
    }

    /**
     * Returns a number for Long.decode. Its notations with leading zeros, which mean octal, and with #, which means
     * hexadecimal, are not accepted: zeros are removed.
     *
     * @throws NumberFormatException if the text is not decimal, or hexadecimal after 0x
     */
    private static String decimalOrHex(String text) {
        Matcher matcher = NUMBER.matcher(text);
        if (!matcher.matches()) {
            throw new NumberFormatException("not decimal or 0x...");
        }
        return matcher.group("sign") + matcher.group("digits");
    }
}
