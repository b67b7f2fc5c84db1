package io.torussm.partition;

import io.torussm.mad.Guid;
import io.torussm.mad.sa.Rates;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PartitionConf.Rule;
import io.torussm.partition.RunTimeOutcome.ChangeStatus;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartition.Qos;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The planned outcome of a run-time change, or the reason of its refusal; a pure function. The capacity of
 * tables is checked elsewhere.
 *
 * @param next all run-time additions after the change; null if it is refused
 * @param refusal reason; null if it is accepted
 * @param remark further information for the requester; may be empty
 */
public record RunTimeDecision(
        @Nullable RunTimePartitions next, @Nullable RunTimeOutcome refusal, String remark) {
    private static final int MAX_NAMED_PORTS = 3;
    private static final int MAX_MTU = 5;
    private static final int MAX_SL = 15;
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0," + (RunTimePartition.MAX_NAME_CHARS - 1) + "}");

    /** The refusal of a change. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final transient RunTimeOutcome outcome;

        Refused(ChangeStatus kind, String reason) {
            super(reason);
            outcome = new RunTimeOutcome(kind, reason);
        }
    }

    /** Decides about a change of the current run-time additions to a file. */
    public static RunTimeDecision of(RunTimePartitions now, RunTimeChange change, PartitionConf file) {
        if (change instanceof RunTimeChange.Reprogram) {
            return new RunTimeDecision(now, null, "");
        }
        try {
            checkPKey(change.pKey());
            return new Evaluation(now, change.pKey(), file).of(change);
        } catch (Refused refused) {
            return new RunTimeDecision(null, refused.outcome, "");
        }
    }

    private static void checkPKey(int pKey) throws Refused {
        if (pKey <= 0 || pKey > PKeys.DEFAULT) {
            throw new Refused(ChangeStatus.INVALID, "a P_Key is 0x0001 to 0x7fff, without the bit of full members");
        }
    }

    /** Returns the fault of a partition, independent of others; empty if there is none. */
    static String problem(RunTimePartition one) {
        Qos qos = one.qos();
        if (one.pKey() <= 0 || one.pKey() > PKeys.DEFAULT) {
            return "a P_Key is 0x0001 to 0x7fff";
        }
        if (!one.name().isEmpty() && !NAME.matcher(one.name()).matches()) {
            return "the name of a partition has letters, digits and . _ - and begins with a letter, in "
                    + RunTimePartition.MAX_NAME_CHARS + " characters at most";
        }
        if (qos.mtu() < 1 || qos.mtu() > MAX_MTU || !Rates.isDefined(qos.rate()) || qos.sl() < 0 || qos.sl() > MAX_SL) {
            return "an MTU code is 1 to 5, a rate code one of IBA's, and an SL 0 to 15";
        }
        return one.members().containsKey(0L) ? "there is no port GUID 0" : "";
    }

    /** One decision. */
    private static final class Evaluation {
        private final RunTimePartitions current;
        private final int pKey;
        private final PartitionConf file;
        private final @Nullable Partition filePartition;
        private final @Nullable RunTimePartition previous;

        Evaluation(RunTimePartitions now, int pKey, PartitionConf file) {
            this.current = now;
            this.pKey = pKey;
            this.file = file;
            this.filePartition = file.find(pKey);
            this.previous = now.find(pKey);
        }

        RunTimeDecision of(RunTimeChange change) throws Refused {
            if (change instanceof RunTimeChange.Add add) {
                Map<Long, Member> members = new TreeMap<>(previous == null ? Map.of() : previous.members());
                members.putAll(add.members());
                boolean isIpoib = add.isIpoib() || (previous != null && previous.isIpoib());
                return check(partition(add.name(), isIpoib, add.qos(), members), add.qos() != null);
            }
            if (change instanceof RunTimeChange.Replace replace) {
                checkFileMembers(replace.members());
                return check(
                        partition(replace.name(), replace.isIpoib(), replace.qos(), replace.members()),
                        replace.qos() != null);
            }
            if (change instanceof RunTimeChange.SetQos set) {
                RunTimePartition old = existing();
                return check(new RunTimePartition(pKey, old.name(), old.isIpoib(), set.qos(), old.members()), true);
            }
            return change instanceof RunTimeChange.Remove remove ? remove(remove) : delete();
        }

        private RunTimePartition partition(String name, boolean isIpoib, @Nullable Qos qos, Map<Long, Member> members) {
            String former = previous == null ? "" : previous.name();
            Qos formerQos = previous == null ? Qos.DEFAULT : previous.qos();
            return new RunTimePartition(
                    pKey, name.isEmpty() ? former : name, isIpoib, qos == null ? formerQos : qos, members);
        }

        private RunTimeDecision check(RunTimePartition next, boolean hasQos) throws Refused {
            String problem = problem(next);
            if (!problem.isEmpty()) {
                throw new Refused(ChangeStatus.INVALID, problem);
            }
            checkAgainstFile(next, hasQos);
            checkName(next.name());
            for (Map.Entry<Long, Member> each : next.members().entrySet()) {
                Rule rule = filePartition == null ? null : filePartition.ruleFor(each.getKey());
                Member former = previous == null ? null : previous.members().get(each.getKey());
                if (rule != null
                        && rule.membership() != each.getValue().membership()
                        && !each.getValue().equals(former)) {
                    throw new Refused(
                            ChangeStatus.GIVEN_BY_FILE,
                            sourceText(rule) + " names " + Guid.format(each.getKey()) + " as a "
                                    + rule.membership().word() + " member; change it there");
                }
            }
            RunTimePartitions all = current.with(next);
            if (all.members() > RunTimePartitions.MAX_MEMBERS || all.all().size() > RunTimePartitions.MAX_PARTITIONS) {
                throw new Refused(
                        ChangeStatus.INVALID,
                        "no more than " + RunTimePartitions.MAX_PARTITIONS + " partitions and "
                                + RunTimePartitions.MAX_MEMBERS + " members can be added at run time; remove some");
            }
            return new RunTimeDecision(all, null, "");
        }

        private void checkAgainstFile(RunTimePartition next, boolean hasQos) throws Refused {
            boolean isRenamed = filePartition != null
                    && !next.name().isEmpty()
                    && !next.name().equals(filePartition.name());
            if (filePartition != null && (hasQos || isRenamed)) {
                throw new Refused(
                        ChangeStatus.GIVEN_BY_FILE,
                        filePartition.title() + " is a partition of " + file.file()
                                + ", which says its name, MTU, rate and SL; change them there");
            }
        }

        private void checkName(String name) throws Refused {
            boolean isTaken = !name.isEmpty()
                    && (file.partitions().stream()
                                    .anyMatch(each ->
                                            each.pKey() != pKey && each.name().equals(name))
                            || current.all().stream()
                                    .anyMatch(each ->
                                            each.pKey() != pKey && each.name().equals(name)));
            if (isTaken) {
                throw new Refused(
                        ChangeStatus.INVALID, "another partition is called " + name + "; choose another name");
            }
        }

        private RunTimePartition existing() throws Refused {
            if (previous != null) {
                return previous;
            }
            throw filePartition == null
                    ? new Refused(ChangeStatus.ABSENT, "there is no partition " + PKeys.format(pKey))
                    : new Refused(
                            ChangeStatus.GIVEN_BY_FILE,
                            filePartition.title() + " is a partition of " + file.file()
                                    + ", and nothing was added to it at run time; change it there");
        }

        private void checkFileMembers(Map<Long, Member> members) throws Refused {
            if (filePartition != null) {
                for (PartitionConf.NamedMember named : filePartition.namedMembers()) {
                    if (!members.containsKey(named.guid())) {
                        throw new Refused(
                                ChangeStatus.GIVEN_BY_FILE,
                                file.file() + ":" + named.line() + " names " + Guid.format(named.guid())
                                        + " as a member; remove it there, or leave it among the members");
                    }
                }
            }
        }

        /**
         * Removes members. A member that was not added is ignored, unless the file names it: the requester
         * would take it for removed.
         */
        private RunTimeDecision remove(RunTimeChange.Remove remove) throws Refused {
            Map<Long, Member> members = new TreeMap<>(previous == null ? Map.of() : previous.members());
            TreeSet<Long> left = new TreeSet<>();
            for (long guid : new TreeSet<>(remove.guids())) {
                boolean wasAdded = members.remove(guid) != null;
                Rule rule = filePartition == null ? null : filePartition.ruleFor(guid);
                if (rule != null && !wasAdded) {
                    throw new Refused(
                            ChangeStatus.GIVEN_BY_FILE,
                            sourceText(rule) + " names " + Guid.format(guid) + " as a member; remove it there");
                }
                if (rule != null) {
                    left.add(guid);
                }
            }
            if (previous == null) {
                checkExists();
                return new RunTimeDecision(current, null, remainingText(List.of()));
            }
            boolean isEmptied = members.isEmpty() && !previous.members().isEmpty();
            return new RunTimeDecision(
                    isEmptied ? current.without(pKey) : current.with(previous.with(members)),
                    null,
                    remainingText(List.copyOf(left)));
        }

        private void checkExists() throws Refused {
            if (filePartition == null) {
                existing();
            }
        }

        private RunTimeDecision delete() throws Refused {
            existing();
            return new RunTimeDecision(
                    current.without(pKey),
                    null,
                    filePartition == null ? "" : "the partition itself stays, since it is in " + file.file());
        }

        private String remainingText(List<Long> guids) {
            if (guids.isEmpty()) {
                return filePartition != null && filePartition.hasClassRules()
                        ? file.file() + " has members by ALL or the like there, which may be among them"
                        : "";
            }
            StringBuilder text = new StringBuilder("members nevertheless, by " + file.file() + ":");
            guids.stream().limit(MAX_NAMED_PORTS).forEach(guid -> text.append(' ')
                    .append(Guid.format(guid)));
            return text.append(guids.size() > MAX_NAMED_PORTS ? " and more" : "")
                    .toString();
        }

        private String sourceText(Rule rule) {
            return file.file() + ":" + rule.line();
        }
    }
}
