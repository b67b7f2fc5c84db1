package io.torussm.partition;

import io.torussm.event.Finding;
import io.torussm.partition.RunTimePartition.Member;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * partitions.conf, parsed, perhaps with what was added at run time: partitions in the order of their P_Keys, and the multicast
 * groups that exist without members.
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
     * @param added members that were added at run time, by port GUID; see {@link RunTimePartitions} for who wins
     */
    public record Partition(int pKey, String name, int sl, List<Rule> rules, Map<Long, Member> added) {
        public Partition {
            rules = List.copyOf(rules);
            added = Collections.unmodifiableMap(new TreeMap<>(added));
        }

        /** As a file gives it. */
        public Partition(int pKey, String name, int sl, List<Rule> rules) {
            this(pKey, name, sl, rules, Map.of());
        }

        Partition with(Map<Long, Member> members) {
            return new Partition(pKey, name, sl, rules, members);
        }

        /** The rule that names a port, unless a later one for all ports undoes it; null if there is none. */
        public @Nullable Rule ruleFor(long guid) {
            for (int i = rules.size() - 1; i >= 0; i--) {
                Rule rule = rules.get(i);
                if (rule.who() == Who.ALL || rule.isFor(guid)) {
                    return rule.isFor(guid) ? rule : null;
                }
            }
            return null;
        }

        /** Whether it has rules for classes of ports. */
        boolean isForMany() {
            return rules.stream().anyMatch(rule -> rule.who() != Who.PORT && rule.who() != Who.SELF);
        }

        /** The members that are named one by one, by file or at run time, in the order of their GUIDs. */
        public List<Named> named() {
            Map<Long, Named> all = new TreeMap<>();
            added.forEach((guid, member) ->
                    all.put(guid, new Named(guid, member.membership(), member.isAtIndex0(), true, 0)));
            for (Rule rule : rules) {
                if (rule.who() == Who.ALL) {
                    all.values().removeIf(each -> !each.isOfRunTime());
                } else if (rule.who() == Who.PORT) {
                    all.put(
                            rule.portGuid(),
                            new Named(rule.portGuid(), rule.membership(), rule.isAtIndex0(), false, rule.line()));
                }
            }
            return List.copyOf(all.values());
        }

        /** As messages name it. */
        public String title() {
            return name.isEmpty() ? PKeys.format(pKey) : "\"" + name + "\" (" + PKeys.format(pKey) + ")";
        }
    }

    /** The partition with a P_Key, of which only the 15 bits count; null if there is none. */
    public @Nullable Partition find(int pKey) {
        for (Partition partition : partitions) {
            if (partition.pKey() == PKeys.base(pKey)) {
                return partition;
            }
        }
        return null;
    }

    /** The broadcast group of IPoIB of a partition, the first if it has one in several scopes; null if it has none. */
    public @Nullable WellKnownGroup broadcast(int pKey) {
        for (WellKnownGroup group : groups) {
            if (group.isBroadcast() && PKeys.base(group.pKey()) == PKeys.base(pKey)) {
                return group;
            }
        }
        return null;
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
     * @param line of the file, 0 if it stands in none; a rule in another line is the same rule
     */
    public record Rule(Who who, long portGuid, Membership membership, boolean isAtIndex0, int line) {
        /** A rule that stands in no file. */
        public Rule(Who who, long portGuid, Membership membership, boolean isAtIndex0) {
            this(who, portGuid, membership, isAtIndex0, 0);
        }

        boolean isFor(long guid) {
            return who == Who.PORT && portGuid == guid;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Rule that
                    && who == that.who
                    && portGuid == that.portGuid
                    && membership == that.membership
                    && isAtIndex0 == that.isAtIndex0;
        }

        @Override
        public int hashCode() {
            return Objects.hash(who, portGuid, membership, isAtIndex0);
        }
    }

    /**
     * A member that is named by its GUID.
     *
     * @param isOfRunTime whether it was added at run time; what the file says of a port goes before that
     * @param line of the file; 0 if it was added at run time
     */
    public record Named(long guid, Membership membership, boolean isAtIndex0, boolean isOfRunTime, int line) {}

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
