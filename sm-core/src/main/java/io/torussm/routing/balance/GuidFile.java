package io.torussm.routing.balance;

import io.torussm.conf.ConfLines;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.tree.NamedSwitches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * A file whose lines begin with a GUID in C notation, followed by numbers; a {@code #} begins a comment. GUIDs
 * that are not in the subnet have no effect.
 *
 * <p>Every wrong line is an error. OpenSM is less strict: it skips some wrong lines and stops at others.
 */
public final class GuidFile {
    /** The setting that names the file with the switches at the top. */
    public static final String ROOTS = "root_guid_file";

    private final List<Line> lines = new ArrayList<>();
    private final List<Finding> findings;

    /**
     * A line of the file.
     *
     * @param guid GUID at the beginning of the line
     * @param numbers words after the GUID as numbers, 0 for a word that is no number
     * @param where beginning of a finding: {@code file:line: }
     */
    public record Line(long guid, List<Long> numbers, String where) {
        /**
         * Returns a finding about a line whose switch is absent from the fabric.
         *
         * @param event event with severity ERROR if the engine needs the switch, else WARNING
         * @param message name of the setting, such as {@code root_guid_file}
         */
        public Finding absent(SmEvent event, String message) {
            DeviceText device = DeviceText.ofDevice(Guid.format(guid), EventField.GUID.of(guid));
            return event.finding(
                    where + "there is no switch ",
                    device,
                    ", which " + message + " lists: it is off, or the file is that of another fabric");
        }
    }

    /** A rule for the words after the GUID. */
    public interface Shape {
        /** Returns the fault of the words after the GUID, as the end of a finding; empty if the words are correct. */
        String problem(List<String> words);
    }

    /** The rule that ignores words after the GUID. */
    public static final Shape GUID_ALONE = words -> "";

    /** The rule that requires exactly one number after the GUID. */
    public static final Shape ONE_NUMBER =
            words -> words.size() == 1 && ConfLines.number(words.get(0)).isPresent() ? "" : "write a GUID and a number";

    /**
     * Reads the file of a setting. Without a file, the result has no lines and no errors.
     *
     * @param key key of the setting
     * @param shape rule for the words of a line
     */
    public GuidFile(EngineConfig config, String key, Shape shape) {
        EngineFile file = config.file(key).orElse(EngineFile.read(key, ""));
        ConfLines conf = new ConfLines(file.name(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        String text = file.text();
        if (text == null) {
            conf.error(file.problem() + "; see " + key);
        } else {
            conf.read(text, key, "list a port once at most", line -> parse(conf, shape, line));
        }
        findings = conf.findings();
    }

    /**
     * The rule that allows words after the GUID, but no number alone: NVIDIA's OpenSM reads ranks of roots there, in a
     * syntax that no public page states, and a switch of a lower rank is no root.
     */
    private static final Shape NO_RANK =
            words -> words.size() == 1 && ConfLines.number(words.get(0)).isPresent()
                    ? "the number " + ConfLines.quote(words.get(0))
                            + " may be a rank of NVIDIA's OpenSM, and ranks are not read; list the switches at the top only, a"
                            + " GUID a line, and write other words after #"
                    : "";

    /** Reads the file of {@code root_guid_file}. */
    public static GuidFile roots(EngineConfig config) {
        return new GuidFile(config, ROOTS, NO_RANK);
    }

    private void parse(ConfLines conf, Shape shape, String line) {
        List<String> words = Arrays.asList(ConfLines.withoutComment(line).split("\\s+", -1));
        if (words.get(0).isEmpty()) {
            return;
        }
        OptionalLong guid = ConfLines.number(words.get(0));
        List<String> rest = words.subList(1, words.size());
        String problem = guid.isEmpty()
                ? ConfLines.quote(words.get(0))
                        + " is no GUID; begin the line with one such as 0x0002c90300000001, or with # if it is a"
                        + " comment"
                : shape.problem(rest);
        if (problem.isEmpty()) {
            List<Long> numbers =
                    rest.stream().map(word -> ConfLines.number(word).orElse(0)).toList();
            lines.add(new Line(guid.orElseThrow(), numbers, conf.position(conf.line())));
        } else {
            conf.error(problem);
        }
    }

    /**
     * Returns the fault of a word that must be a number in a range, as the end of a finding; empty if the word is
     * correct.
     *
     * @param message noun for the number
     */
    static String problem(String word, String message, int min, int max) {
        long number = ConfLines.number(word).orElse(-1);
        return number >= min && number <= max
                ? ""
                : ConfLines.quote(word) + " is no " + message + "; write numbers from " + min + " to " + max;
    }

    /** Returns the lines without errors, in order. */
    public List<Line> lines() {
        return lines;
    }

    /**
     * Returns the indexes of the switches that the file lists, and of the switches to which listed hosts are
     * attached. Hosts are listed by node or port GUID.
     *
     * @param absent receives the lines whose GUID denotes no switch and no attached host
     */
    public BitSet switches(Fabric fabric, List<Line> absent) {
        NamedSwitches switches = new NamedSwitches(fabric);
        BitSet listed = new BitSet();
        for (Line line : lines) {
            List<Integer> matches = switches.of(line.guid());
            matches.forEach(listed::set);
            if (matches.isEmpty()) {
                absent.add(line);
            }
        }
        return listed;
    }

    /** Returns the errors of the file. */
    public List<Finding> findings() {
        return findings;
    }
}
