package io.torussm.qos.policy;

import io.torussm.conf.ConfLines;
import io.torussm.event.SmEvent;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.qos.policy.PolicyPortGroup.NamedPartition;
import io.torussm.qos.policy.PolicyPortGroup.NamedPort;
import io.torussm.qos.policy.PolicyPortGroup.NodeKind;
import io.torussm.qos.policy.QosPolicy.Parsed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The parser of qos-policy.conf. A file has sections, which may contain sections, and lines {@code keyword:
 * value}. A {@code #} begins a comment. A parser reads one file.
 *
 * <p>After an error the parser assumes a valid line if possible, so that it reports all errors of a file in one
 * pass. A file with an error is not used.
 */
final class PolicyParser {
    /** The maximum numbers of names, and of numbers and ranges, in a file; a bound for the memory. */
    private static final int MAX_NAMES = 1 << 16;

    private static final int MAX_RANGES = 1 << 17;

    private static final int MAX_SL = 15;
    private static final int MAX_MTU = 5;
    private static final int MAX_RATE = 63;
    private static final int MAX_LIFE = 63;
    private static final int MAX_QOS_CLASS = 0xfff;
    private static final int MAX_PATH_BITS = 127;
    private static final int SL_COUNT = 16;

    private static final String KINDS = "CA, SWITCH, ROUTER, SELF or ALL";

    private final ConfLines lines;
    private final String file;
    private final PolicyAssembly assembly;
    /** The number of the line at which each section last began. */
    private final Map<Section, Integer> lastBeginLines = new EnumMap<>(Section.class);
    /** The innermost open section; null outside of sections. */
    private @Nullable Section current;
    /** The content of that section. */
    private PolicyBlock block = new PolicyBlock(0);

    private boolean isSetupReported;
    /** True if the file has only comments so far. */
    private boolean isBlank = true;

    private int names;
    private int rangeCount;
    private final PolicyTokens words;

    PolicyParser(String file) {
        this.file = file;
        this.lines = new ConfLines(file, SmEvent.QOS_POLICY_ERROR, SmEvent.QOS_POLICY_WARNING);
        this.assembly = new PolicyAssembly(file, lines);
        this.words = new PolicyTokens(lines);
    }

    Parsed parse(String text) {
        lines.read(
                text,
                "QoS policy",
                "begin another line with the same keyword after some of them",
                next -> parseLine(PolicyTokens.withoutComment(next)));
        Section open = current;
        if (open != null) {
            finish(open);
            lines.error(
                    lastBeginLines.getOrDefault(open, 0),
                    open.word() + " has no end; write " + open.end() + " after its last line");
        }
        QosPolicy policy = isBlank ? QosPolicy.NONE : assembly.policy();
        if (isBlank && lines.isClean()) {
            lines.warn(0, "there is no policy in the file; to have one, begin with qos-ulps");
        }
        return new Parsed(lines.isClean() ? policy : null, lines.findings());
    }

    private void parseLine(String text) {
        if (text.isEmpty()) {
            return;
        }
        isBlank = false;
        Section section = Section.ofBeginLine(text);
        Section ended = Section.ofEndLine(text);
        if (section != null) {
            begin(section);
        } else if (ended != null) {
            end(ended);
        } else if (current == null) {
            error(ConfLines.quote(text) + " is in no section; write it after qos-ulps, port-groups, qos-levels or "
                    + "qos-match-rules, or correct it");
        } else if (current == Section.ULPS) {
            parseUlp(text);
        } else {
            parseStatement(current, text);
        }
    }

    private void begin(Section section) {
        Section enclosing = current;
        if (enclosing != section.parent()) {
            if (enclosing != null && isWithin(enclosing, section.parent())) {
                finish(enclosing);
                error(enclosing.word() + " of line " + lastBeginLines.get(enclosing) + " has no end; write "
                        + enclosing.end() + " before " + section.word());
            } else {
                error(section.word() + " does not belong here; it stands in "
                        + (section.parent() == null
                                ? "no other section"
                                : section.parent().word()));
            }
        }
        current = section;
        lastBeginLines.put(section, lines.line());
        block = new PolicyBlock(lines.line());
        if (section == Section.SETUP && !isSetupReported) {
            isSetupReported = true;
            lines.warn(
                    "qos-setup is read, but not used: SL2VL tables belong to the routing, and VL arbitration is set by "
                            + "qos_vlarb_high, qos_vlarb_low and the like; remove the section");
        }
    }

    private static boolean isWithin(Section inner, @Nullable Section outer) {
        for (Section section = inner; section != null; section = section.parent()) {
            if (section == outer) {
                return true;
            }
        }
        return outer == null;
    }

    private void end(Section section) {
        Section open = current;
        if (open == null || !isWithin(open, section)) {
            error(section.end() + " ends nothing; write " + section.word() + " where it begins");
        } else {
            finish(open);
            if (open != section) {
                error(open.word() + " of line " + lastBeginLines.get(open) + " has no end; write " + open.end()
                        + " before " + section.end());
            }
        }
        current = section.parent();
    }

    private void finish(Section section) {
        switch (section) {
            case GROUP -> assembly.addGroup(block);
            case LEVEL -> assembly.addLevel(block);
            case RULE -> assembly.addRule(block, lines.line());
            default -> {}
        }
    }

    private void parseStatement(Section section, String text) {
        int colon = text.indexOf(':');
        String key = colon < 0 ? text : text.substring(0, colon).strip();
        String value = colon < 0 ? "" : text.substring(colon + 1).strip();
        if (colon < 0) {
            error(ConfLines.quote(text) + " is no line of " + section.word() + "; use " + section.content()
                    + (isLeaf(section) ? " with ':' and a value" : ""));
        } else if (!parse(section, key, value)) {
            error(ConfLines.quote(key) + " does not belong into " + section.word() + "; use " + section.content());
        }
    }

    private static boolean isLeaf(Section section) {
        return switch (section) {
            case GROUP, LEVEL, RULE, SL2VL, VLARB -> true;
            default -> false;
        };
    }

    /** Parses a line of a section. Returns false if the section must not have a line with this keyword. */
    private boolean parse(Section section, String key, String value) {
        return switch (section) {
            case GROUP -> parseGroup(key, value);
            case LEVEL -> parseLevel(key, value);
            case RULE -> parseRule(key, value);
            case SL2VL, VLARB -> parseSetup(section, key, value);
            default -> false;
        };
    }

    private boolean parseGroup(String key, String value) {
        switch (key) {
            case "name" -> parseName(key, value);
            case "use" -> checkFirst(key);
            case "port-guid" -> addRanges(key, words.guids(value));
            case "pkey" -> addRanges(key, words.pKeys(value));
            case "port-name" -> admitNames(words.names(value)).forEach(this::parsePort);
            case "partition" ->
                admitNames(words.names(value))
                        .forEach(name -> block.partitions.add(new NamedPartition(name, lines.line())));
            case "node-type" -> words.names(value).forEach(this::parseKind);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Counts names. Returns them, or an empty list with an error if the file has too many. */
    private List<String> admitNames(List<String> more) {
        names += more.size();
        if (names > MAX_NAMES) {
            error("more than " + MAX_NAMES
                    + " names in the file; use port-guid with ranges, pkey or node-type instead");
            return List.of();
        }
        return more;
    }

    /** Parses a port {@code description/Pn}. The description may contain slashes. */
    private void parsePort(String name) {
        int slash = name.lastIndexOf('/');
        String number = slash < 0 ? "" : name.substring(slash + 1).strip();
        if (slash <= 0 || !number.startsWith("P")) {
            error(ConfLines.quote(name)
                    + " is no port; write the node's description, '/P' and the number of the port, such "
                    + "as \"host1 HCA-1/P1\"");
        } else {
            int portNum = words.number(
                    number.substring(1),
                    0,
                    NodeInfo.MAX_PORT_NUM,
                    "the number of a port after '/P', 0 to " + NodeInfo.MAX_PORT_NUM);
            block.ports.add(new NamedPort(name.substring(0, slash).strip(), portNum, lines.line()));
        }
    }

    private void parseKind(String name) {
        for (NodeKind kind : NodeKind.values()) {
            if (kind.name().equalsIgnoreCase(name)) {
                block.kinds.add(kind);
                return;
            }
        }
        error(ConfLines.quote(name) + " is not " + KINDS);
    }

    private boolean parseLevel(String key, String value) {
        switch (key) {
            case "name" -> parseName(key, value);
            case "use" -> checkFirst(key);
            case "sl" -> parseNumber(key, value, 0, MAX_SL, "an SL, 0 to 15", sl -> true);
            case "mtu-limit" ->
                parseNumber(key, value, 1, MAX_MTU, "an MTU code, 1 (256 bytes) to 5 (4096)", mtu -> true);
            case "rate-limit" ->
                parseNumber(
                        key,
                        value,
                        Rates.SLOWEST_CODE,
                        MAX_RATE,
                        "a rate code, such as 3 (10 Gb/s) or 7 (40 Gb/s)",
                        Rates::isDefined);
            case "packet-life" ->
                parseNumber(key, value, 0, MAX_LIFE, "a packet life time, 0 to 63: 4.096 us x 2^n", life -> true);
            case "pkey" -> addRanges(key, words.pKeys(value));
            case "path-bits" -> {
                addRanges(key, words.ranges(value, MAX_PATH_BITS, "path bits, 0 to 127, nor a range such as 0-3"));
                lines.warn("path-bits is not used: a path has all LIDs of its ends; remove the line");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean parseRule(String key, String value) {
        switch (key) {
            case "use" -> checkFirst(key);
            case "qos-class" ->
                addRanges(key, words.ranges(value, MAX_QOS_CLASS, "a QoSClass, 0 to 4095, nor a range such as 7-9"));
            case "service-id" -> addRanges(key, words.serviceIds(value));
            case "pkey" -> addRanges(key, words.pKeys(value));
            case "source" ->
                admitNames(words.names(value))
                        .forEach(name -> block.sources.add(new PolicyBlock.GroupName(name, lines.line())));
            case "destination" ->
                admitNames(words.names(value))
                        .forEach(name -> block.destinations.add(new PolicyBlock.GroupName(name, lines.line())));
            case "qos-level-name" -> parseName(key, value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /**
     * Checks the values of a line of qos-setup, which is not used. Returns false if the section must not have this
     * keyword.
     */
    private boolean parseSetup(Section section, String key, String value) {
        if (!List.of(section.content().split(", | or ")).contains(key)) {
            return false;
        }
        if (key.equals("vl-high-limit")) {
            words.number(value, 0, 255, "a limit, 0 to 255");
        } else if (key.equals("sl2vl-table")) {
            String[] vls = value.split(",", -1);
            for (String vl : vls) {
                words.number(vl.strip(), 0, 15, "a VL, 0 to 15");
            }
            if (vls.length != SL_COUNT) {
                error("sl2vl-table has " + vls.length + " values; give it " + SL_COUNT + ", the VL of each SL");
            }
        } else if (value.isEmpty()) {
            error(key + " has no value");
        }
        return true;
    }

    /** Checks whether a keyword occurs for the first time in its section; otherwise adds an error. */
    private boolean checkFirst(String key) {
        Integer previous = block.lineOfKeyword.putIfAbsent(key, lines.line());
        if (previous != null) {
            error(key + " was already given in line " + previous + "; remove one of the two lines");
        }
        return previous == null;
    }

    private void parseName(String key, String value) {
        if (checkFirst(key)) {
            block.name = words.name(value);
        }
    }

    private void parseNumber(String key, String value, int min, int max, String noun, Predicate<Integer> isDefined) {
        if (checkFirst(key)) {
            int number = words.number(value, min, max, noun);
            if (!isDefined.test(number)) {
                error(ConfLines.quote(value) + " is not " + noun);
            }
            block.numbers.put(key, number);
        }
    }

    /**
     * Adds numbers of a keyword, which may occur several times. Adds an error instead if the file has too many
     * ranges.
     */
    private void addRanges(String key, NumberRanges more) {
        block.lineOfKeyword.putIfAbsent(key, lines.line());
        rangeCount += more.count();
        if (rangeCount > MAX_RANGES) {
            error("more than " + MAX_RANGES + " numbers and ranges in the file; use longer ranges, pkey or node-type");
        } else {
            block.ranges.computeIfAbsent(key, same -> new ArrayList<>()).add(more);
        }
    }

    private void parseUlp(String text) {
        UlpLine ulp = UlpLine.of(text, words);
        if (ulp == null) {
            error(ConfLines.quote(text) + " is no line of qos-ulps; use " + Section.ULPS.content());
            return;
        }
        int sl = words.number(ulp.sl(), 0, MAX_SL, "an SL, 0 to 15, after the last ':'");
        QosLevel level = QosLevel.ofSl(file + ":" + lines.line(), sl);
        if (ulp.isDefault()) {
            assembly.addDefault(level, lines.line());
        } else {
            assembly.addUlp(ulp, level, lines.line());
        }
    }

    private void error(String message) {
        lines.error(message);
    }
}
