package io.torussm.names;

import io.torussm.event.Finding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locations of nodes and the labels of cables in a file of the operator. Immutable.
 *
 * @param file path of the file; empty without a file
 * @param nodes locations by NodeGUID
 * @param places locations by coordinates in a torus, such as {@code (0,1,2)}
 * @param labels labels of cables, by the end that a line names
 */
public record SiteMap(String file, Map<Long, Site> nodes, Map<String, Site> places, Map<CableEnd, String> labels) {
    /** The map without locations and labels. */
    public static final SiteMap NONE = new SiteMap("", Map.of(), Map.of(), Map.of());

    public SiteMap {
        nodes = Collections.unmodifiableMap(new LinkedHashMap<>(nodes));
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /** An end of a cable. */
    public record CableEnd(long nodeGuid, int portNum) {}

    /** The location of a node; unknown parts are empty. */
    public record Site(String rack, String row, String unit) {
        /** An unknown location. */
        public static final Site UNKNOWN = new Site("", "", "");

        /** Checks whether no part is known. */
        public boolean isUnknown() {
            return rack.isEmpty() && row.isEmpty() && unit.isEmpty();
        }

        /** Returns a copy whose unknown parts are those of another location. */
        private Site orElse(Site other) {
            return new Site(
                    rack.isEmpty() ? other.rack : rack,
                    row.isEmpty() ? other.row : row,
                    unit.isEmpty() ? other.unit : unit);
        }

        /**
         * Returns a text for operators, such as {@code row B, rack R7, unit 12}; empty if no part is known.
         */
        @Override
        public String toString() {
            String text = (row.isEmpty() ? "" : ", row " + row)
                    + (rack.isEmpty() ? "" : ", rack " + rack)
                    + (unit.isEmpty() ? "" : ", unit " + unit);
            return text.isEmpty() ? "" : text.substring(2);
        }
    }

    /**
     * The outcome of parsing a file.
     *
     * @param map the map; null if there is an error
     * @param findings errors, each with file, line and remedy
     */
    public record Parsed(@Nullable SiteMap map, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Parses the text of a file, whose path is used in findings. */
    public static Parsed parse(String file, String text) {
        return new SiteMapParser(file).parse(text);
    }

    /**
     * Returns the location of a node. Each part comes from the line of the node, or else from the line of its
     * coordinates.
     *
     * @param place coordinates of the node, such as {@code (0,1,2)}; empty if it has none
     */
    public Site site(long nodeGuid, String place) {
        return nodes.getOrDefault(nodeGuid, Site.UNKNOWN).orElse(places.getOrDefault(place, Site.UNKNOWN));
    }

    /** Returns the label of the cable at a port; empty if no line names this end of the cable. */
    public String label(long nodeGuid, int portNum) {
        return labels.getOrDefault(new CableEnd(nodeGuid, portNum), "");
    }
}
