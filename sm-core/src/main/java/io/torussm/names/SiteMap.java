package io.torussm.names;

import io.torussm.event.Finding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where nodes stand and what is written on cables, as an operator wrote it down.
 *
 * @param file it stands in; empty for none
 * @param nodes by NodeGUID
 * @param places by place in a torus, such as {@code (0,1,2)}
 * @param labels by either end of a cable
 */
public record SiteMap(String file, Map<Long, Site> nodes, Map<String, Site> places, Map<CableEnd, String> labels) {
    /** Nothing is known. */
    public static final SiteMap NONE = new SiteMap("", Map.of(), Map.of(), Map.of());

    public SiteMap {
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** An end of a cable. */
    public record CableEnd(long nodeGuid, int portNum) {}

    /** Where a node stands; what is not known is empty. */
    public record Site(String rack, String row, String unit) {
        /** Nobody knows. */
        public static final Site UNKNOWN = new Site("", "", "");

        /** Whether nothing is known. */
        public boolean isUnknown() {
            return rack.isEmpty() && row.isEmpty() && unit.isEmpty();
        }

        private Site over(Site other) {
            return new Site(
                    rack.isEmpty() ? other.rack : rack,
                    row.isEmpty() ? other.row : row,
                    unit.isEmpty() ? other.unit : unit);
        }

        /** For people, such as {@code row B, rack R7, unit 12}; empty if nothing is known. */
        @Override
        public String toString() {
            String text = (row.isEmpty() ? "" : ", row " + row)
                    + (rack.isEmpty() ? "" : ", rack " + rack)
                    + (unit.isEmpty() ? "" : ", unit " + unit);
            return text.isEmpty() ? "" : text.substring(2);
        }
    }

    /**
     * What came of a file.
     *
     * @param map null if there is an error
     * @param findings errors, each with file, line and remedy
     */
    public record Parsed(@Nullable SiteMap map, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Reads the text of a file. */
    public static Parsed parse(String file, String text) {
        return new SiteMapParser(file).parse(text);
    }

    /** Where a node stands: what its own line says goes before what the line of its place says. */
    public Site site(long nodeGuid, String place) {
        return nodes.getOrDefault(nodeGuid, Site.UNKNOWN).over(places.getOrDefault(place, Site.UNKNOWN));
    }

    /** What is written on the cable at a port, if a line names this end of it; else empty. */
    public String label(long nodeGuid, int portNum) {
        return labels.getOrDefault(new CableEnd(nodeGuid, portNum), "");
    }
}
