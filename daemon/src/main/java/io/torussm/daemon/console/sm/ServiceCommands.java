package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PKeys;
import io.torussm.qos.QosSettings.Arbitration;
import io.torussm.qos.VlWeight;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The commands for services to hosts: partitions, multicast, the SA, QoS. */
public final class ServiceCommands {
    private final SmControl control;

    private record Group(
            String mlid,
            String mgid,
            String pKey,
            int mtu,
            @Nullable Double gbps,
            int rateCode,
            int sl,
            int members) {}

    private record Groups(List<Group> groups) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("MLID", "MGID", "P_Key", "MTU", "rate", "SL", "members");
            groups.forEach(each -> table.row(
                    each.mlid(), each.mgid(), each.pKey(), each.mtu(), each.rateCode(), each.sl(), each.members()));
            return table.lines();
        }
    }

    private record Member(String portGid, String joinState, boolean isProxy, int lid, String name) {}

    private record Members(Group group, List<Member> members) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("port GID", "join state", "LID", "name");
            members.forEach(each -> table.row(
                    each.portGid(),
                    each.joinState() + (each.isProxy() ? " by proxy" : ""),
                    each.lid() == 0 ? "" : each.lid(),
                    each.name()));
            List<String> lines = new ArrayList<>();
            lines.add(group.mlid() + " " + group.mgid() + ", P_Key " + group.pKey() + ", MTU " + group.mtu()
                    + ", rate code " + group.rateCode() + ", SL " + group.sl());
            lines.addAll(table.lines());
            return lines;
        }
    }

    /** The statistics of one attribute. Times in microseconds are powers of two; null for more than a second. */
    private record Attribute(
            String attribute,
            List<AttributeStatistics.Count> counts,
            long answers,
            @Nullable Long halfWithinUs,
            @Nullable Long nearlyAllWithinUs,
            List<Long> latencyBuckets) {}

    private record SaFacts(SubnetAdministrator.Stats stats, List<Attribute> attributes) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("requests " + stats.requests() + ", answers " + stats.answers() + ", busy " + stats.busy()
                    + ", dropped " + stats.dropped());
            lines.add("waiting now " + stats.waiting() + ", at most " + stats.mostWaiting());
            TextTable table = new TextTable("attribute", "method", "requests", "answers", "busy", "dropped");
            attributes.forEach(each -> each.counts()
                    .forEach(count -> table.row(
                            each.attribute(),
                            count.method(),
                            count.taken(),
                            count.answered(),
                            count.busy(),
                            count.dropped())));
            lines.addAll(table.lines());
            TextTable latencies = new TextTable("attribute", "half within", "99.9 % within");
            attributes.stream()
                    .filter(each -> each.answers() > 0)
                    .forEach(each -> latencies.row(
                            each.attribute(), latencyText(each.halfWithinUs()), latencyText(each.nearlyAllWithinUs())));
            lines.addAll(latencies.lines());
            return lines;
        }

        private static String latencyText(@Nullable Long us) {
            return us == null ? "more than 1 s" : us + " us";
        }
    }

    private record Arbitrated(String ports, int highLimit, List<VlWeight> high, List<VlWeight> low) {}

    private record QosFacts(
            boolean isOn,
            List<Arbitrated> arbitration,
            String policyFile,
            List<QosPolicy.LevelText> levels,
            List<QosPolicy.RuleText> rules)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("QoS tables are " + (isOn ? "programmed" : "not programmed (qos = false)"));
            TextTable table = new TextTable("ports", "high limit", "high VL:weight", "low VL:weight");
            arbitration.forEach(each -> table.row(each.ports(), each.highLimit(), text(each.high()), text(each.low())));
            lines.addAll(table.lines());
            lines.add("policy: " + policyFile);
            TextTable shown = new TextTable("level", "SL", "limits");
            levels.forEach(level -> shown.row(level.name(), level.sl(), level.limits()));
            lines.addAll(levels.isEmpty() ? List.of() : shown.lines());
            TextTable matched = new TextTable("line", "level", "for requests with");
            rules.forEach(rule -> matched.row(rule.line(), rule.level(), rule.criteria()));
            lines.addAll(rules.isEmpty() ? List.of() : matched.lines());
            return lines;
        }
    }

    public ServiceCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.withApply(
                        "partitions [PARTITION|preview|apply]",
                        "P_Key, members and name of each; or the members of one, by name or P_Key",
                        this::partitions,
                        "preview shows the ports with other P_Keys under the present partitions.conf.",
                        "apply does that, also if it is more than max_partition_change allows without a question."),
                Command.query(
                        "mcast [GROUP]", "multicast groups, or the members of one, by MLID or MGID", this::multicast),
                Command.query("sa", "requests of hosts to the SA, and their times", Command.withoutArguments(this::sa)),
                Command.query(
                        "qos",
                        "active VL arbitration, levels and rules of the policy file",
                        Command.withoutArguments(this::qos)));
    }

    private Answer partitions(List<String> arguments) {
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        return Answer.from(control.view(), view -> {
            PartitionList list = new PartitionList(view, control.vports());
            if (arguments.equals(List.of("preview")) || arguments.equals(List.of(Command.APPLY))) {
                return new PartitionPreviews(control, view)
                        .answer(arguments.get(0).equals(Command.APPLY));
            }
            return arguments.isEmpty() ? Answer.of(list.all()) : list.members(arguments.get(0));
        });
    }

    private Answer multicast(List<String> arguments) {
        MulticastView groups = control.multicast();
        if (arguments.size() > 1) {
            throw new UsageException();
        }
        if (arguments.isEmpty()) {
            return Answer.of(new Groups(
                    groups.groups().stream().map(ServiceCommands::group).toList()));
        }
        String wanted = arguments.get(0).toLowerCase(Locale.ROOT);
        return groups.groups().stream()
                .filter(group ->
                        mlid(group).equals(wanted) || group.mgid().toString().equals(wanted))
                .findFirst()
                .map(group -> Answer.of(new Members(group(group), members(group))))
                .orElseGet(() -> Answer.refusal(
                        "no multicast group has the MLID or MGID \"" + Printable.text(wanted, 64) + "\"; see mcast"));
    }

    private static Group group(MulticastGroup group) {
        MCMemberRecord values = group.record();
        return new Group(
                mlid(group),
                group.mgid().toString(),
                PKeys.format(values.pKey()),
                PortInfo.mtuBytes(values.mtu()),
                Rates.isDefined(values.rate()) ? Rates.gigabits(values.rate()) : null,
                values.rate(),
                values.sl(),
                group.members().size());
    }

    /** Returns the MLID of a group, as {@code 0xc000}. */
    public static String mlid(MulticastGroup group) {
        return String.format(Locale.ROOT, "0x%04x", group.mlid());
    }

    private List<Member> members(MulticastGroup group) {
        PublishedView view = control.view();
        Map<Long, Integer> ports = new HashMap<>();
        if (view != null) {
            Fabric fabric = view.subnet().fabric();
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.isEndport(port)) {
                    ports.put(fabric.portGuid(port), port);
                }
            }
        }
        return group.members().stream()
                .map(member -> member(member, view, ports.get(member.portGid().guid())))
                .toList();
    }

    private static Member member(MulticastGroup.Member member, @Nullable PublishedView view, @Nullable Integer port) {
        int lid = 0;
        String name = "";
        if (view != null && port != null) {
            Fabric fabric = view.subnet().fabric();
            lid = view.subnet().lid(port);
            name = PortFacts.name(fabric, fabric.nodeOf(port));
        }
        return new Member(member.portGid().toString(), joinState(member.joinState()), member.isProxy(), lid, name);
    }

    private static String joinState(int bits) {
        List<String> words = new ArrayList<>();
        if ((bits & MCMemberRecord.FULL_MEMBER) != 0) {
            words.add("full");
        }
        if ((bits & MCMemberRecord.NON_MEMBER) != 0) {
            words.add("non-member");
        }
        if ((bits & (MCMemberRecord.SEND_ONLY_NON_MEMBER | MCMemberRecord.SEND_ONLY_FULL_MEMBER)) != 0) {
            words.add("send-only");
        }
        return String.join("+", words);
    }

    private Answer sa() {
        SmStatistics current = control.statistics();
        if (current == null) {
            return Answer.refusal("the SM has not begun yet");
        }
        return Answer.of(new SaFacts(
                current.sa().stats(),
                current.sa().traffic().stream().map(ServiceCommands::attribute).toList()));
    }

    private static Attribute attribute(AttributeStatistics traffic) {
        return new Attribute(
                traffic.attribute(),
                traffic.counts(),
                traffic.latencies().stream().mapToLong(Long::longValue).sum(),
                finiteOrNull(traffic.withinUs(0.5)),
                finiteOrNull(traffic.withinUs(0.999)),
                traffic.latencies());
    }

    private static @Nullable Long finiteOrNull(long us) {
        return us == Long.MAX_VALUE ? null : us;
    }

    private Answer qos() {
        SmControl.Qos qos = control.qos();
        List<Arbitrated> arbitration = new ArrayList<>();
        for (PortClass portClass : PortClass.values()) {
            Arbitration tables = qos.options().settings().of(portClass);
            arbitration.add(new Arbitrated(
                    portClass.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    tables.highLimit(),
                    tables.high(),
                    tables.low()));
        }
        return Answer.of(new QosFacts(
                qos.isOn(),
                arbitration,
                Printable.text(qos.policy().file(), 200),
                qos.policy().levelTexts(),
                qos.policy().ruleTexts()));
    }

    private static String text(List<VlWeight> entries) {
        return entries.isEmpty()
                ? "none"
                : entries.stream()
                        .map(entry -> entry.vl() + ":" + entry.weight())
                        .collect(Collectors.joining(","));
    }
}
