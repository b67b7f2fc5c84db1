package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.partition.Membership;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionChange;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeDecision;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartitions;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The command that changes members of partitions at run time. Without {@code yes} it only shows the effects. */
public final class PartitionCommand {
    private static final String YES = "yes";
    private static final String NAME = "name=";
    private static final String REQUESTER = "the console";
    private static final int MAX_SHOWN = 64;

    /** Time-out of a change, in seconds. A sweep of a large fabric may come before the change. */
    private static final long TIMEOUT_S = 120;

    private final SmControl control;

    /**
     * The effects of a previewed or requested change.
     *
     * @param partition name of the partition
     * @param changed number of ports with other P_Keys, including virtual ports
     * @param ports first of these ports
     * @param outcome outcome of the request; null for a preview
     */
    private record Changed(
            String partition,
            int changed,
            List<ChangedMembers.Port> ports,
            RunTimeOutcome.@Nullable ChangeStatus outcome,
            String text)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.addAll(
                    ports.isEmpty() ? List.of("no port in the fabric changes") : ChangedMembers.lines(ports, changed));
            lines.add(text);
            return lines;
        }
    }

    /** The options of the command: all words that are not members. */
    private static final class Options {
        Membership membership = Membership.FULL;
        boolean isIpoib;
        boolean isAtIndex0;
        String name = "";
        final List<String> members = new ArrayList<>();

        Options(List<String> words) {
            for (String word : words) {
                parse(word);
            }
        }

        private void parse(String word) {
            switch (word) {
                case "full" -> membership = Membership.FULL;
                case "limited" -> membership = Membership.LIMITED;
                case "both" -> membership = Membership.BOTH;
                case "ipoib" -> isIpoib = true;
                case "indx0" -> isAtIndex0 = true;
                default -> {
                    if (word.startsWith(NAME)) {
                        name = word.substring(NAME.length());
                    } else {
                        members.add(word);
                    }
                }
            }
        }
    }

    public PartitionCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.change(
                "partition add|remove|delete PARTITION [MEMBERS] [yes]",
                "add members to a partition at run time, or remove them; without yes, show the effect",
                this::run,
                "PARTITION is a P_Key such as 0x10, or the name of a partition that there is. MEMBERS are port GUIDs,"
                        + " also of ports that",
                "are not in the fabric, and names of hosts. add takes besides them full (the default), limited or"
                        + " both; ipoib for a",
                "broadcast group; indx0 for index 0 of the tables; and name=NAME for a new partition. The last member"
                        + " that is removed",
                "takes the partition with it; delete removes all added members. partitions.conf is not"
                        + " changed. With",
                "yes the answer comes when the tables of the ports are confirmed. It outlives restarts, see"
                        + " partitions.md.");
    }

    private Answer run(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean isSure = words.size() > 2 && words.get(words.size() - 1).equals(YES);
        if (isSure) {
            words.remove(words.size() - 1);
        }
        if (words.size() < 2) {
            throw new UsageException();
        }
        return Answer.from(control.view(), view -> run(view, words, isSure));
    }

    private Answer run(PublishedView view, List<String> words, boolean isSure) {
        int pKey = PartitionList.pKey(view, words.get(1));
        if (pKey == 0) {
            return Answer.refusal(unknown(words.get(0), words.get(1)));
        }
        List<String> rest = words.subList(2, words.size());
        return switch (words.get(0)) {
            case "add" -> {
                Options options = new Options(rest);
                Map<Long, Member> members = new TreeMap<>();
                String problem = resolve(
                        view,
                        options.members,
                        guid -> members.put(guid, new Member(options.membership, options.isAtIndex0)));
                yield problem.isEmpty()
                        ? change(
                                view, new RunTimeChange.Add(pKey, options.name, options.isIpoib, null, members), isSure)
                        : Answer.refusal(problem);
            }
            case "remove" -> {
                Set<Long> guids = new TreeSet<>();
                String problem = resolve(view, rest, guids::add);
                if (rest.isEmpty()) {
                    throw new UsageException("say which members are to be removed");
                }
                yield problem.isEmpty()
                        ? change(view, new RunTimeChange.Remove(pKey, guids), isSure)
                        : Answer.refusal(problem);
            }
            case "delete" -> {
                if (!rest.isEmpty()) {
                    throw new UsageException();
                }
                yield change(view, new RunTimeChange.Delete(pKey), isSure);
            }
            default -> throw new UsageException();
        };
    }

    /** Returns the refusal of a word that is neither the name of a partition nor a valid P_Key. */
    private static String unknown(String verb, String word) {
        String shown = Printable.text(word, MAX_SHOWN);
        if (word.matches("(0x)?[0-9a-fA-F]+|-?\\d+")) {
            return shown + " is no P_Key; a P_Key is 0x0001 to 0x7fff, without the bit of full members";
        }
        return "there is no partition \"" + shown + "\""
                + (verb.equals("add") ? "; for a new one give its P_Key and name=" + shown : "; see partitions");
    }

    private interface GuidReceiver {
        Object accept(long guid);
    }

    /**
     * Resolves members to GUIDs.
     *
     * @param to receiver of the GUIDs
     * @return error text on the first invalid member; empty if all are valid
     */
    private static String resolve(PublishedView view, List<String> members, GuidReceiver to) {
        Fabric fabric = view.subnet().fabric();
        EndportNames names = new EndportNames(view.placed());
        for (String member : members) {
            EndportNames.EndportMatch found = names.find(member);
            OptionalLong guid = Guid.parseAnyForm(member);
            if (found.lid() != 0) {
                to.accept(fabric.portGuid(view.subnet().portOfLid(found.lid())));
            } else if (guid.isPresent()) {
                to.accept(guid.getAsLong());
            } else {
                return found.problem();
            }
        }
        return "";
    }

    private Answer change(PublishedView view, RunTimeChange change, boolean isSure) {
        RunTimeDecision decision = RunTimeDecision.of(
                control.runTimePartitions(),
                change,
                view.partitions().settings().file());
        RunTimePartitions next = decision.next();
        RunTimeOutcome refusal = decision.refusal();
        if (next == null) {
            return Answer.refusal(refusal == null ? "" : Printable.text(refusal.text(), 1000));
        }
        PartitionChange preview = PartitionChange.of(
                view.subnet().fabric(),
                view.partitions(),
                view.partitions().settings().with(next, view.qos()));
        if (!isSure) {
            return Answer.of(changeReport(view, change, preview, null, "nothing was done; append yes to do it"));
        }
        RunTimeOutcome outcome = outcome(change);
        return new Answer(
                changeReport(view, change, preview, outcome.kind(), Printable.text(outcome.text(), 1000)),
                outcome.isDone());
    }

    private RunTimeOutcome outcome(RunTimeChange change) {
        try {
            return control.changePartitions(new RunTimeChange.Request(change, REQUESTER, true))
                    .get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RunTimeOutcome(RunTimeOutcome.ChangeStatus.UNCONFIRMED, "interrupted");
        } catch (ExecutionException | TimeoutException e) {
            return new RunTimeOutcome(
                    RunTimeOutcome.ChangeStatus.UNCONFIRMED,
                    "not confirmed within " + TIMEOUT_S + " s; it waits for a sweep, or for the disk");
        }
    }

    private Changed changeReport(
            PublishedView view,
            RunTimeChange change,
            PartitionChange preview,
            RunTimeOutcome.@Nullable ChangeStatus outcome,
            String text) {
        return new Changed(
                PKeys.format(change.pKey()),
                preview.ports().size() + preview.vports().size(),
                ChangedMembers.of(control, view.subnet().fabric(), preview),
                outcome,
                text);
    }
}
