package io.torussm.partition;

import io.torussm.event.Finding;
import io.torussm.partition.RunTimePartition.Member;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parsed partitions.conf, with or without run-time additions: partitions by P_Key, and the multicast
 * groups that exist without members.
 *
 * <p>There is always a default partition. Without a file, or with an empty one, all end ports are full
 * members of it. With a file they are limited members by default. The port of the SM is a full member in any
 * case.
 *
 * @param file path, for messages
 * @param partitions by P_Key, ascending, including the default partition
 * @param groups in the order of the file
 */
public record PartitionConf(String file, List<Partition> partitions, List<WellKnownGroup> groups) {
    /** The name of a configuration without a file. */
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
     * @param pKey 15 bits
     * @param name the first given one, empty if there is none
     * @param sl wanted SL of its traffic, 0 to 15; the routing decides the actual one
     * @param rules the last one that fits a port decides
     * @param runTimeMembers members that were added at run time, by port GUID; see {@link RunTimePartitions} for the
     *     precedence
     */
    public record Partition(int pKey, String name, int sl, List<Rule> rules, Map<Long, Member> runTimeMembers) {
        public Partition {
            rules = List.copyOf(rules);
            runTimeMembers = Collections.unmodifiableMap(new TreeMap<>(runTimeMembers));
        }

        /** Creates a partition of a file. */
        public Partition(int pKey, String name, int sl, List<Rule> rules) {
            this(pKey, name, sl, rules, Map.of());
        }

        Partition with(Map<Long, Member> members) {
            return new Partition(pKey, name, sl, rules, members);
        }

        /**
         * Returns the rule that names a port, unless a later rule for all ports overrides it; null if there
         * is none.
         */
        public @Nullable Rule ruleFor(long guid) {
            for (int i = rules.size() - 1; i >= 0; i--) {
                Rule rule = rules.get(i);
                if (rule.memberClass() == MemberClass.ALL || rule.isFor(guid)) {
                    return rule.isFor(guid) ? rule : null;
                }
            }
            return null;
        }

        /** Checks whether it has rules for classes of ports. */
        boolean hasClassRules() {
            return rules.stream()
                    .anyMatch(rule -> rule.memberClass() != MemberClass.PORT && rule.memberClass() != MemberClass.SELF);
        }

        /** Returns the members with explicit GUIDs, by file or at run time, sorted by GUID. */
        public List<NamedMember> namedMembers() {
            Map<Long, NamedMember> ofFile = new TreeMap<>();
            for (Rule rule : rules) {
                long guid = rule.portGuid();
                if (rule.memberClass() == MemberClass.ALL) {
                    ofFile.clear();
                } else if (rule.memberClass() == MemberClass.PORT) {
                    ofFile.put(guid, new NamedMember(guid, rule.membership(), rule.isAtIndex0(), false, rule.line()));
                }
            }
            Map<Long, NamedMember> all = new TreeMap<>();
            runTimeMembers.forEach((guid, member) ->
                    all.put(guid, new NamedMember(guid, member.membership(), member.isAtIndex0(), true, 0)));
            all.putAll(ofFile);
            return List.copyOf(all.values());
        }

        /**
         * Checks whether two ports are full members, by the last rules that fit them. Ports count whether they are
         * present or not. So a rule for a class of ports, such as ALL_ROUTERS, gives two members.
         *
         * @param smPortGuid GUID of the port of the SM
         * @param nodeTypeOf type of the node of a port GUID, as in NodeInfo; 0 for an absent port
         */
        public boolean hasTwoFullMembers(long smPortGuid, LongToIntFunction nodeTypeOf) {
            return new LastRules(this).hasTwoFullMembers(smPortGuid, nodeTypeOf);
        }

        /** Returns its name in messages. */
        public String title() {
            return name.isEmpty() ? PKeys.format(pKey) : "\"" + name + "\" (" + PKeys.format(pKey) + ")";
        }
    }

    /** Returns the partition of a P_Key, of which only the 15 bits count; null if there is none. */
    public @Nullable Partition find(int pKey) {
        for (Partition partition : partitions) {
            if (partition.pKey() == PKeys.base(pKey)) {
                return partition;
            }
        }
        return null;
    }

    /** Returns the IPoIB broadcast group of a partition, the first of several scopes; null if it has none. */
    public @Nullable WellKnownGroup broadcast(int pKey) {
        for (WellKnownGroup group : groups) {
            if (group.isBroadcast() && PKeys.base(group.pKey()) == PKeys.base(pKey)) {
                return group;
            }
        }
        return null;
    }

    /** The class of ports to which a rule applies. */
    public enum MemberClass {
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
     * A rule for members of a partition.
     *
     * @param portGuid PortGUID of a rule for a port, else 0
     * @param isAtIndex0 whether the key goes to index 0 of the members' tables
     * @param line line of the file, 0 if there is none; not compared by equals
     */
    public record Rule(MemberClass memberClass, long portGuid, Membership membership, boolean isAtIndex0, int line) {
        /** Creates a rule without a file. */
        public Rule(MemberClass who, long portGuid, Membership membership, boolean isAtIndex0) {
            this(who, portGuid, membership, isAtIndex0, 0);
        }

        boolean isFor(long guid) {
            return memberClass == MemberClass.PORT && portGuid == guid;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Rule that
                    && memberClass == that.memberClass
                    && portGuid == that.portGuid
                    && membership == that.membership
                    && isAtIndex0 == that.isAtIndex0;
        }

        @Override
        public int hashCode() {
            return Objects.hash(memberClass, portGuid, membership, isAtIndex0);
        }
    }

    /**
     * A member with an explicit GUID.
     *
     * @param isOfRunTime whether it was added at run time; the file takes precedence
     * @param line line of the file; 0 if it was added at run time
     */
    public record NamedMember(long guid, Membership membership, boolean isAtIndex0, boolean isOfRunTime, int line) {}

    /**
     * The outcome of parsing a file.
     *
     * @param conf null if there is an error
     * @param findings errors and warnings, each with file, line and remedy
     */
    public record Parsed(@Nullable PartitionConf conf, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Parses the text of a file; {@code qos} false makes every SL 0. */
    public static Parsed parse(String file, String text, boolean qos) {
        return new PartitionParser(file, qos).parse(text);
    }
}
