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

/** The type of a setting's value, and its parser. The error for an invalid value names the valid ones. */
public interface ValueType<T> {
    /** Maximum number of characters of a list: more than a full VL arbitration table needs. */
    int MAX_LIST = 1024;

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    T read(String text);

    /** Returns the placeholder of the value in {@code --help}. */
    String label();

    /** Returns the valid values if these are a range or a choice; else empty. */
    default String range() {
        return "";
    }

    /** A whole number, decimal or hexadecimal after 0x. */
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

    /** A whole number, or a number outside of the range that stands for "not set". */
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

    /** Sixty-four bits: a GUID, a key or a prefix, decimal or hexadecimal after 0x. */
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

    /** Several of {@link Bits64}, separated by commas; may be empty. */
    record Bits64Set(String label) implements ValueType<Set<Long>> {
        @Override
        public Set<Long> read(String text) {
            try {
                return items(text, MAX_LIST).map(Guid::parse).collect(Collectors.toUnmodifiableSet());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "must be numbers of up to 64 bits, decimal or 0x..., separated by commas", e);
            }
        }
    }

    /** Codes of events, each after a minus if it is excluded, separated by commas; may be empty. */
    record EventCodes(String label) implements ValueType<Set<String>> {
        @Override
        public Set<String> read(String text) {
            if (items(text, MAX_LIST).anyMatch(code -> SmEvent.ofCode(code.replaceFirst("^-", "")) == null)) {
                throw new IllegalArgumentException("must be codes of the events reference, such as TSM-4007,-TSM-3014");
            }
            return items(text, MAX_LIST).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** A boolean, in any of the usual words. */
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

    /** Any text on one line. */
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

    /** The name of a file or directory; none if empty. */
    record FileName(String label) implements ValueType<Optional<Path>> {
        @Override
        public Optional<Path> read(String text) {
            try {
                return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("must be the name of a file or directory", e);
            }
        }
    }

    /** The name of a log file; none for standard output. */
    record LogFile(String label) implements ValueType<Optional<Path>> {
        @Override
        public Optional<Path> read(String text) {
            return text.equals("stdout") ? Optional.empty() : file(label()).read(text);
        }
    }

    /** Names separated by commas; in the configuration file a list, too. */
    record Names(String label) implements ValueType<String> {
        @Override
        public String read(String text) {
            return text(label).read(text);
        }
    }

    /** Ports with the widths and speeds that are enabled there; may be empty. */
    record LinkPorts() implements ValueType<List<LinkSpeeds.OfPort>> {
        private static final int MAX_LENGTH = 1 << 16;
        private static final Pattern PORT =
                Pattern.compile("(\\w{1,18})/(\\d{1,3})((?: +(?:width|speed|speed_ext)=\\d{1,3})+)");

        @Override
        public List<LinkSpeeds.OfPort> read(String text) {
            return items(text, MAX_LENGTH).map(LinkPorts::port).toList();
        }

        private static LinkSpeeds.OfPort port(String text) {
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
            return new LinkSpeeds.OfPort(
                    guid,
                    Integer.parseInt(matcher.group(2)),
                    value(matcher.group(3), "width", LinkSpeeds.ALL_WIDTHS),
                    value(matcher.group(3), "speed", LinkSpeeds.ALL_SPEEDS),
                    value(matcher.group(3), "speed_ext", LinkSpeeds.ALL_EXTENDED));
        }

        private static @Nullable Integer value(String words, String name, int max) {
            Matcher matcher = Pattern.compile(" " + name + "=(\\d+)").matcher(words);
            if (!matcher.find()) {
                return null;
            }
            int value = Integer.parseInt(matcher.group(1));
            if (value > max) {
                throw new IllegalArgumentException(name + " must be 0 to " + max);
            }
            return value;
        }

        @Override
        public String label() {
            return "PORT,...";
        }
    }

    /** Entries of a VL arbitration table; none if not set. */
    record VlWeights() implements ValueType<Optional<List<VlWeight>>> {
        @Override
        public Optional<List<VlWeight>> read(String text) {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            if (!text.matches("[0-9:, -]{1," + MAX_LIST + "}")) {
                throw new IllegalArgumentException("must be VL:weight,VL:weight,... in numbers");
            }
            try {
                return Optional.of(VlWeight.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("must be VL:weight,VL:weight,... (" + e.getMessage() + ")", e);
            }
        }

        @Override
        public String label() {
            return "VL:W,...";
        }
    }

    /** The VL of each SL, from SL 0 on; none if not set. */
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
        public String label() {
            return "VL,...";
        }
    }

    /** A value with a parser of its own, which throws IllegalArgumentException as {@link #read}. */
    record Parsed<T>(String label, Function<String, T> parser) implements ValueType<T> {
        @Override
        public T read(String text) {
            return parser.apply(text);
        }
    }

    /** One of a few words. */
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

    /** One of the constants of an enum, in lower case. */
    record Choice<E extends Enum<E>>(Class<E> type) implements ValueType<E> {
        @Override
        public E read(String text) {
            new Word(words()).read(text);
            return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        }

        private List<String> words() {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                    .toList();
        }

        @Override
        public String label() {
            return String.join("|", words());
        }

        @Override
        public String range() {
            return String.join(", ", words());
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

    /** Returns the items between the commas of a list; none if the text is blank. */
    static Stream<String> items(String text, int maxLength) {
        if (text.length() > maxLength) {
            throw new IllegalArgumentException("must be at most " + maxLength + " characters");
        }
        return text.isBlank()
                ? Stream.empty()
                : Arrays.stream(text.split(",", -1)).map(String::strip);
    }

    /** Removes leading zeros. Long.decode reads them as octal, which is never intended here. */
    private static String decimalOrHex(String text) {
        String digits = text.replaceFirst("^0+(?=[0-9])", "");
        return digits.startsWith("#") ? "#" : digits;
    }
}
