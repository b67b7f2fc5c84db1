package io.torussm.torus2qos.conf;

import io.torussm.conf.CNumber;
import io.torussm.conf.ConfLines;
import io.torussm.event.SmEvent;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Parsed;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parser of torus-2QoS.conf. Lines end with LF; words are separated by blanks, tabs and CRs; the first word
 * is the keyword. Surplus words after the arguments of a keyword are ignored, with a finding. A parser reads one
 * file. {@code port_order} takes all words of its line.
 */
final class ConfParser {
    private static final String KEYWORDS = "torus, mesh, xp_link, xm_link, yp_link, ym_link, zp_link, zm_link, "
            + "x_dateline, y_dateline, z_dateline, next_seed, portgroup_max_ports, port_order, max_changes";

    private final String file;
    private final ConfLines lines;
    private final List<Seed> seeds = new ArrayList<>();
    /** By dimension: the number of switches. */
    private final int[] radix = new int[Dim.COUNT];

    private final boolean[] mesh = new boolean[Dim.COUNT];
    private final int[] portOrder = new int[Torus2QosConf.PORT_ORDER_LENGTH];
    /** The number of the line with the sizes; 0 before that line. */
    private int sizeLine;
    /** The number of the last line with {@code port_order}; 0 before that line. */
    private int portOrderLine;

    private int portgroupMaxPorts = 16;
    private int maxChanges = 32;
    /** True if a line about sizes or seeds has an error, so that a check of the seeds would only repeat it. */
    private boolean hasSeedLineError;

    private String text = "";
    private String[] words = {};

    ConfParser(String file) {
        this.file = file;
        this.lines = new ConfLines(file, SmEvent.TORUS_CONF_ERROR, SmEvent.TORUS_CONF_WARNING);
        resolvePortOrder(new int[0], 0);
    }

    Parsed parse(String content) {
        lines.read(content, "configuration of torus-2QoS", "no keyword needs so many words", this::readLine);
        checkSize();
        Torus2QosConf conf = new Torus2QosConf(
                file, radix, mesh, seeds, portOrder, portOrderLine, portgroupMaxPorts, maxChanges, Balance.OFF);
        boolean isReadable = lines.isClean();
        if (sizeLine != 0 && !hasSeedLineError) {
            SeedRules.check(conf).forEach(lines::add);
        }
        boolean isUsable = lines.isClean();
        return new Parsed(file, isUsable ? conf : null, isReadable && !isUsable ? conf : null, lines.findings());
    }

    private void readLine(String next) {
        text = next;
        words = Arrays.stream(next.split("[ \t\r]+"))
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        if (words.length > 0 && !words[0].startsWith("#")) {
            parseLine(words[0]);
        }
    }

    private void parseLine(String keyword) {
        switch (keyword) {
            case "torus", "mesh" -> parseSize(keyword.equals("mesh"));
            case "xm_link" -> parseLink(0);
            case "xp_link" -> parseLink(1);
            case "ym_link" -> parseLink(2);
            case "yp_link" -> parseLink(3);
            case "zm_link" -> parseLink(4);
            case "zp_link" -> parseLink(5);
            case "x_dateline" -> parseDateline(0);
            case "y_dateline" -> parseDateline(1);
            case "z_dateline" -> parseDateline(2);
            case "next_seed" -> {
                openSeed();
                noteSurplusWords(1);
            }
            case "port_order" -> parsePortOrder();
            case "portgroup_max_ports" -> {
                if (checkWordCount(1, "the number of ports that a port group can hold")) {
                    portgroupMaxPorts = parseCount(1);
                }
            }
            case "max_changes" -> {
                if (checkWordCount(1, "the number of changes to report at most")) {
                    maxChanges = parseCount(1);
                }
            }
            default -> {
                hasSeedLineError = true;
                error("unknown keyword; keywords are lower case and one of " + KEYWORDS);
            }
        }
    }

    private void parseSize(boolean allMesh) {
        if (sizeLine != 0) {
            error("the sizes were already given in line " + sizeLine + "; remove one of the two lines");
            return;
        }
        if (!checkWordCount(3, "three radices, the switches in x, y and z (1 for a dimension that there is not)")) {
            hasSeedLineError = true;
            return;
        }
        sizeLine = lines.line();
        for (int d = 0; d < Dim.COUNT; d++) {
            String word = words[1 + d];
            CNumber number = CNumber.parse(word);
            radix[d] = number.asCount();
            mesh[d] = allMesh;
            char suffix = number.end() < word.length() ? word.charAt(number.end()) : ' ';
            if (radix[d] == 0) {
                hasSeedLineError = true;
                error("the radix " + ConfLines.quote(word) + " of " + Dim.name(d)
                        + " is no number above 0; give the number of switches along " + Dim.name(d));
            } else if (suffix == 'm' || suffix == 'M') {
                mesh[d] = true;
            } else if (suffix == 't' || suffix == 'T') {
                mesh[d] = false;
                if (radix[d] == 2) {
                    note("radix 2 is always a mesh dimension; the suffix of " + ConfLines.quote(word)
                            + " has no effect");
                }
            } else if (number.end() < word.length()) {
                warn(ConfLines.quote(word) + " is read as " + radix[d] + "; a radix takes only the suffix m or t");
            }
        }
        noteSurplusWords(4);
    }

    private void checkSize() {
        if (sizeLine == 0 && !hasSeedLineError) {
            hasSeedLineError = true;
            lines.error(
                    0,
                    "there is no torus or mesh line; add one such as \"torus 6 5 4\" with the number "
                            + "of switches in x, y and z");
        }
        long positions = 1;
        for (int d = 0; d < Dim.COUNT; d++) {
            positions = Math.min(positions * radix[d], 1L << 31);
        }
        if (positions > Torus2QosConf.MAX_POSITIONS) {
            hasSeedLineError = true;
            lines.error(
                    sizeLine,
                    "the sizes make more than " + Torus2QosConf.MAX_POSITIONS
                            + " switches, which is more than a subnet has LIDs for; correct the radices");
        }
    }

    private void parseLink(int group) {
        Seed seed = currentSeed();
        if (!checkWordCount(2, "two NodeGUIDs, the seed switch and its neighbour in " + Dim.groupName(group))) {
            hasSeedLineError = true;
            return;
        }
        Link previous = seed.link(group);
        if (previous != null) {
            warn(words[0] + " of this seed was already given in line " + previous.line() + "; this one is used");
        }
        seed.links()[group] =
                new Link(lines.line(), parseNumber(1).value(), parseNumber(2).value());
    }

    private void parseDateline(int d) {
        Seed seed = currentSeed();
        if (!checkWordCount(1, "the number of steps from the seed switch to the origin")) {
            hasSeedLineError = true;
            return;
        }
        CNumber number = parseNumber(1);
        if (number.isOverflow() || number.value() <= -radix[d] || number.value() >= radix[d]) {
            hasSeedLineError = true;
            error(
                    sizeLine == 0
                            ? "a dateline needs the sizes first; move the torus or mesh line to the top"
                            : "the dateline must be above " + -radix[d] + " and below " + radix[d] + ", the radix of "
                                    + Dim.name(d));
        } else {
            seed.dateline()[d] = (int) number.value();
        }
    }

    private void parsePortOrder() {
        int[] listed = new int[portOrder.length];
        int length = 0;
        for (int i = 1; i < words.length && length < listed.length; i++) {
            if (words[i].startsWith("#")) {
                warn("port_order has no comments: every word from " + ConfLines.quote(words[i])
                        + " on counts as a port number; put the comment on a separate line");
            }
            int port = CNumber.parse(words[i]).asCount();
            if (contains(listed, length, port)) {
                note("port " + port + " is named twice in port_order; only the first counts");
            } else {
                listed[length++] = port;
            }
        }
        portOrderLine = lines.line();
        resolvePortOrder(listed, length);
    }

    /**
     * Sets the port order: the listed port numbers, then all others in ascending order.
     *
     * @param length number of listed port numbers
     */
    private void resolvePortOrder(int[] listed, int length) {
        int i = 0;
        while (i < length) {
            portOrder[i] = listed[i];
            i++;
        }
        for (int port = 0; i < portOrder.length; port++) {
            if (!contains(listed, length, port)) {
                portOrder[i++] = port;
            }
        }
    }

    private static boolean contains(int[] list, int length, int value) {
        for (int i = 0; i < length; i++) {
            if (list[i] == value) {
                return true;
            }
        }
        return false;
    }

    private Seed currentSeed() {
        if (seeds.isEmpty()) {
            openSeed();
        }
        return seeds.get(seeds.size() - 1);
    }

    private void openSeed() {
        seeds.add(new Seed(lines.line(), new Link[Dim.LOCAL], new int[Dim.COUNT]));
    }

    /** Checks whether the line has enough words after the keyword, and adds an error if not. */
    private boolean checkWordCount(int count, String noun) {
        if (words.length <= count) {
            error(words[0] + " needs " + noun + "; " + (words.length - 1) + " of " + count + " given");
            return false;
        }
        if (!words[0].equals("torus") && !words[0].equals("mesh")) {
            noteSurplusWords(count + 1);
        }
        return true;
    }

    /**
     * Adds a note about surplus words of the line, unless they begin a comment.
     *
     * @param first index of the first surplus word
     */
    private void noteSurplusWords(int first) {
        if (words.length > first && !words[first].startsWith("#")) {
            note("the words from " + ConfLines.quote(words[first]) + " on are ignored");
        }
    }

    private int parseCount(int word) {
        return parseNumber(word).asCount();
    }

    private CNumber parseNumber(int word) {
        CNumber number = CNumber.parse(words[word]);
        if (!number.hasDigits() || number.end() < words[word].length()) {
            warn(ConfLines.quote(words[word]) + " is no plain number; it is read as " + number.value());
        }
        return number;
    }

    private void error(String message) {
        lines.error(ConfLines.quote(text) + ": " + message);
    }

    private void warn(String message) {
        lines.warn(message);
    }

    private void note(String message) {
        lines.add(SmEvent.TORUS_CONF_NOTE.finding(lines.position(lines.line()) + message));
    }
}
