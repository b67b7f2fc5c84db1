package io.torussm.qos;

import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a VL arbitration table.
 *
 * @param vl data VL, 0 to 14
 * @param weight weight in units of 64 bytes, 0 to 255; arbitration skips an entry of weight 0
 */
public record VlWeight(int vl, int weight) {
    /** The maximum number of entries of a table (IBA 7.6.9.2). */
    public static final int MAX_ENTRIES = 64;

    static final int MAX_VL = 14;

    private static final int MAX_WEIGHT = 255;

    public VlWeight {
        if (vl < 0 || vl > MAX_VL) {
            throw new IllegalArgumentException("VL " + vl + " is no data VL: give 0 to " + MAX_VL);
        }
        if (weight < 0 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException("weight " + weight + ": give 0 to " + MAX_WEIGHT);
        }
    }

    /**
     * Parses entries {@code VL:weight,VL:weight,...} as in opensm.conf.
     *
     * @throws IllegalArgumentException if an entry is invalid, or there are more than {@value #MAX_ENTRIES}; the
     *     message has the entry and the expected form
     */
    public static List<VlWeight> parse(String text) {
        List<VlWeight> entries = new ArrayList<>();
        for (String entry : text.split(",", -1)) {
            String[] pair = entry.strip().split(":", -1);
            try {
                if (pair.length != 2) {
                    throw new IllegalArgumentException("expected VL:weight");
                }
                entries.add(new VlWeight(Integer.parseInt(pair[0].strip()), Integer.parseInt(pair[1].strip())));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "entry " + (entries.size() + 1) + " \"" + entry.strip() + "\": "
                                + (e instanceof NumberFormatException ? "expected VL:weight" : e.getMessage()),
                        e);
            }
        }
        if (entries.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException(entries.size() + " entries: a table has at most " + MAX_ENTRIES);
        }
        return entries;
    }
}
