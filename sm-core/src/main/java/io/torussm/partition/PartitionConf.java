package io.torussm.partition;

import io.torussm.event.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * partitions.conf, parsed: partitions in the order of their P_Keys, and the multicast groups that exist without members.
 *
 * <p>There is always a default partition: all end ports are full members of it where there is no file, or an empty one,
 * and limited members at first where there is one. The port of the SM is a full member of it, whatever a file says.
 *
 * @param file where it comes from, for people
 * @param partitions by P_Key, ascending; the default partition is among them
 * @param groups in the order of the file
 */
public record PartitionConf(String file, List<Partition> partitions, List<WellKnownGroup> groups) {
    /** The name of a configuration that no file was read for. */
    public static final String NO_FILE = "(no partitions.conf)";

    /** Every end port is a full member of the default partition, which has its broadcast group. */
    public static final PartitionConf NONE = PartitionParser.withoutFile();

    public PartitionConf {
        partitions = List.copyOf(partitions);
        groups = List.copyOf(groups);
    }

    /**
     * A partition.
     *
     * @param pKey its 15 bits
     * @param name the first one that was given, empty if none was
     * @param sl SL that its traffic is meant to have, 0 to 15; the routing decides what comes of it
     * @param rules the last one that fits a port decides
     */
    public record Partition(int pKey, String name, int sl, List<Rule> rules) {
        public Partition {
            rules = List.copyOf(rules);
        }

        /** As messages name it. */
        public String title() {
            return name.isEmpty() ? PKeys.format(pKey) : "\"" + name + "\" (" + PKeys.format(pKey) + ")";
        }
    }

    /** Which ports a rule is for. */
    public enum Who {
        ALL,
        ALL_CAS,
        ALL_SWITCHES,
        ALL_ROUTERS,
        /** The port of the SM. */
        SELF,
        /** The port with a GUID. */
        PORT
    }

    /**
     * Members of a partition.
     *
     * @param portGuid of a rule for a port, else 0
     * @param isAtIndex0 whether the key goes to index 0 of the members' tables
     */
    public record Rule(Who who, long portGuid, Membership membership, boolean isAtIndex0) {}

    /**
     * What came of a file.
     *
     * @param conf null if there is an error
     * @param findings errors and doubts, each with file, line and remedy
     */
    public record Parsed(@Nullable PartitionConf conf, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Reads the text of a file; {@code qos} false makes every SL 0. */
    public static Parsed parse(String file, String text, boolean qos) {
        return new PartitionParser(file, qos).parse(text);
    }
}
