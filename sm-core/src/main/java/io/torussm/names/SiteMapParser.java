package io.torussm.names;

import io.torussm.conf.ConfLines;
import io.torussm.event.SmEvent;
import io.torussm.event.Spelling;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.names.SiteMap.CableEnd;
import io.torussm.names.SiteMap.Site;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parser of a {@link SiteMap}. An instance is used once, by one thread. */
final class SiteMapParser {
    private static final List<String> KINDS = List.of("node", "place", "cable");
    private static final List<String> SITE_KEYS = List.of("rack", "row", "unit");
    private static final List<String> CABLE_KEYS = List.of("label");
    private static final Pattern PLACE = Pattern.compile("\\(?(\\d{1,3}),(\\d{1,3}),(\\d{1,3})\\)?");
    private static final Pattern END = Pattern.compile("(\\S{1,40})/(\\d{1,3})");
    private static final Pattern LINE = Pattern.compile("(\\S+)(?:\\s+(\\S+)(.*))?", Pattern.DOTALL);
    private static final Pattern FACT = Pattern.compile("\\s+([^\\s=\"]+)=(?:\"([^\"]*)\"|([^\\s\"]*))(?=\\s|$)");

    private final ConfLines lines;
    private final String file;
    private final Map<Long, Site> nodes = new HashMap<>();
    private final Map<String, Site> sitesByPlace = new HashMap<>();
    private final Map<CableEnd, String> labels = new HashMap<>();

    SiteMapParser(String file) {
        this.file = file;
        this.lines = new ConfLines(file, SmEvent.NAMES_ERROR, SmEvent.NAMES_WARNING);
    }

    SiteMap.Parsed parse(String text) {
        lines.readDump(text, "site map", "write one node, place or cable a line", this::parseLine);
        return new SiteMap.Parsed(
                lines.isClean() ? new SiteMap(file, nodes, sitesByPlace, labels) : null, lines.findings());
    }

    private void parseLine(String rawLine) {
        Matcher line = LINE.matcher(ConfLines.withoutComment(rawLine));
        if (!line.matches()) {
            return;
        }
        String key = line.group(2) == null ? "" : line.group(2);
        String facts = line.group(3) == null ? "" : line.group(3);
        switch (line.group(1)) {
            case "node" -> addNode(key, facts);
            case "place" -> addPlace(key, facts);
            case "cable" -> addCable(key, facts);
            default ->
                lines.error("a line begins with node, place or cable, not " + ConfLines.quote(line.group(1))
                        + "; did you mean \"" + Spelling.nearest(line.group(1), KINDS) + "\"?");
        }
    }

    private void addNode(String key, String facts) {
        OptionalLong guid = Guid.parseAnyForm(key);
        if (guid.isEmpty()) {
            lines.error(ConfLines.quote(key) + " is no node GUID; write one such as 0x0002c90300001234");
        } else {
            site(facts).ifPresent(site -> add(nodes, guid.getAsLong(), site, "node"));
        }
    }

    private void addPlace(String key, String facts) {
        Matcher place = PLACE.matcher(key);
        if (!place.matches()) {
            lines.error(ConfLines.quote(key) + " is no place in a torus; write one such as 0,1,2");
            return;
        }
        String at = "(" + Integer.valueOf(place.group(1)) + "," + Integer.valueOf(place.group(2)) + ","
                + Integer.valueOf(place.group(3)) + ")";
        site(facts).ifPresent(site -> add(sitesByPlace, at, site, "place"));
    }

    private void addCable(String key, String facts) {
        Matcher end = END.matcher(key);
        OptionalLong guid = end.matches() ? Guid.parseAnyForm(end.group(1)) : OptionalLong.empty();
        int portNum = guid.isPresent() ? Integer.parseInt(end.group(2)) : 0;
        if (portNum < 1 || portNum > NodeInfo.MAX_PORT_NUM) {
            lines.error(ConfLines.quote(key) + " is no end of a cable; write a node GUID and a port from 1 to "
                    + NodeInfo.MAX_PORT_NUM + ", such as 0x0002c90300001234/7");
            return;
        }
        facts(facts, CABLE_KEYS)
                .ifPresent(read ->
                        add(labels, new CableEnd(guid.getAsLong(), portNum), read.getOrDefault("label", ""), "cable"));
    }

    private <K, V> void add(Map<K, V> map, K key, V value, String kind) {
        if (map.putIfAbsent(key, value) != null) {
            lines.error("there is a line for this " + kind + " already; keep one of the two");
        }
    }

    private Optional<Site> site(String text) {
        return facts(text, SITE_KEYS)
                .map(read -> new Site(
                        read.getOrDefault("rack", ""), read.getOrDefault("row", ""), read.getOrDefault("unit", "")));
    }

    /** Returns the values of a line by key; if there is none, or an error, reports it and returns empty. */
    private Optional<Map<String, String>> facts(String text, List<String> keys) {
        Map<String, String> values = new HashMap<>();
        Matcher fact = FACT.matcher(text);
        int end = 0;
        while (fact.find() && fact.start() == end) {
            end = fact.end();
            String value = fact.group(2) == null ? fact.group(3) : fact.group(2).strip();
            String fault = fault(fact.group(1), value, keys);
            if (!fault.isEmpty() || values.put(fact.group(1), value) != null) {
                lines.error(fault.isEmpty() ? fact.group(1) + " stands twice in the line; keep one" : fault);
                return Optional.empty();
            }
        }
        if (end < text.length() || values.isEmpty()) {
            lines.error((values.isEmpty()
                            ? "the line has no value"
                            : "the line has an error at " + ConfLines.quote(text.substring(end)))
                    + "; write " + String.join("=... or ", keys) + "=..., values with blanks in quotation marks");
            return Optional.empty();
        }
        return Optional.of(values);
    }

    private static String fault(String key, String value, List<String> keys) {
        if (!keys.contains(key)) {
            return "there is no " + ConfLines.quote(key) + " here; did you mean \"" + Spelling.nearest(key, keys)
                    + "\"?";
        }
        if (value.isEmpty()) {
            return key + " has no value; write one, or leave it out";
        }
        if (value.codePointCount(0, value.length()) > NameText.MAX_CHARS) {
            return key + " has more than " + NameText.MAX_CHARS + " characters; shorten it";
        }
        return NameText.fault(value).map(reason -> key + " " + reason).orElse("");
    }
}
