package io.torussm.partition;

import io.torussm.mad.Guid;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import io.torussm.state.StateFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the file {@code partition-members}: a partition, then its members.
 *
 * <pre>
 * partition 0x0010 ipoib mtu 4 rate 3 sl 0 compute
 * member 0x0002c90300001231 full index0
 * </pre>
 */
final class RunTimePartitionFile {
    static final StateFile FILE = StateFile.of(
            "partition-members",
            1,
            32L << 20,
            "members that were added to partitions at run time are none until they are added again");

    private static final Pattern PARTITION = Pattern.compile(
            "partition (0x[0-9a-f]{4}) (ipoib|-) mtu ([1-5]) rate ([0-9]{1,2}) sl ([0-9]{1,2})(?: ([!-~]{1,64}))?");
    private static final Pattern MEMBER = Pattern.compile("member (0x[0-9a-f]{16}) (full|limited|both) (index0|-)");

    private RunTimePartitionFile() {}

    /** Returns one line for each partition and member. */
    static Stream<String> lines(RunTimePartitions all) {
        return all.all().stream()
                .flatMap(each -> Stream.concat(
                        Stream.of(line(each)),
                        each.members().entrySet().stream().map(member -> line(member.getKey(), member.getValue()))));
    }

    private static String line(RunTimePartition one) {
        return String.format(
                        Locale.ROOT,
                        "partition %s %s mtu %d rate %d sl %d %s",
                        PKeys.format(one.pKey()),
                        one.isIpoib() ? "ipoib" : "-",
                        one.qos().mtu(),
                        one.qos().rate(),
                        one.qos().sl(),
                        one.name())
                .strip();
    }

    private static String line(long guid, Member member) {
        return "member " + Guid.format(guid) + " " + member.membership().word() + " "
                + (member.isAtIndex0() ? "index0" : "-");
    }

    /** A parser of the lines. */
    static final class PartitionLines implements StateFile.Parser<RunTimePartitions> {
        private final Map<Integer, RunTimePartition> partitions = new TreeMap<>();
        private final Map<Long, Member> members = new TreeMap<>();
        private @Nullable RunTimePartition currentPartition;
        private int count;

        @Override
        public String parseLine(String line) {
            Matcher partition = PARTITION.matcher(line);
            Matcher member = MEMBER.matcher(line);
            if (partition.matches()) {
                return partition(partition);
            }
            return member.matches() ? member(member) : "neither a partition nor a member";
        }

        private String partition(Matcher line) {
            close();
            int pKey = Integer.parseInt(line.group(1).substring(2), 16);
            Qos qos = new Qos(
                    Integer.parseInt(line.group(3)), Integer.parseInt(line.group(4)), Integer.parseInt(line.group(5)));
            String name = line.group(6) == null ? "" : line.group(6);
            RunTimePartition next =
                    new RunTimePartition(pKey, name, line.group(2).equals("ipoib"), qos, Map.of());
            if (partitions.size() == RunTimePartitions.MAX_PARTITIONS) {
                return "more than " + RunTimePartitions.MAX_PARTITIONS + " partitions";
            }
            if (partitions.containsKey(pKey)) {
                return "the partition is there twice";
            }
            currentPartition = next;
            return RunTimeDecision.problem(next);
        }

        private String member(Matcher line) {
            long guid = Guid.parse(line.group(1));
            Membership membership = Membership.valueOf(line.group(2).toUpperCase(Locale.ROOT));
            if (currentPartition == null) {
                return "a member comes after its partition";
            }
            if (++count > RunTimePartitions.MAX_MEMBERS) {
                return "more than " + RunTimePartitions.MAX_MEMBERS + " members";
            }
            if (guid == 0) {
                return "there is no port GUID 0";
            }
            boolean isNew = members.putIfAbsent(
                            guid, new Member(membership, line.group(3).equals("index0")))
                    == null;
            return isNew ? "" : "the member is there twice";
        }

        private void close() {
            RunTimePartition previous = currentPartition;
            if (previous != null) {
                partitions.put(previous.pKey(), previous.with(members));
                members.clear();
            }
        }

        @Override
        public RunTimePartitions value() {
            close();
            return RunTimePartitions.of(List.copyOf(partitions.values()));
        }
    }
}
