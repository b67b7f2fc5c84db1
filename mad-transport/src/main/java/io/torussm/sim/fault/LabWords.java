package io.torussm.sim.fault;

import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AgentProfile.ExtendedSpeeds;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The commands for faults that ibsim does not have: power, faults of agents, bad cables. */
final class LabWords {
    private static final String DROP = "Drop \"nodeid\" attribute [Get|Set] [probability]";
    private static final String REFUSE = "Refuse \"nodeid\" attribute [Get|Set] [status [probability]]";
    private static final String LIE = "Lie \"nodeid\" attribute field|byte value [probability]";
    private static final String LOSS = "Loss [\"nodeid\"[port]] probability";
    private static final String BOUNCE = "Bounce \"nodeid\"[port] TIME [at attribute [Get|Set] [count]]";
    private static final String SPEEDS = "Speeds \"nodeid\" shown|hidden|hidden_and_bit_not_echoed";
    private static final int MAX_STATUS = 0x7fff;
    private static final int MAX_DESCRIPTION = 64;
    private static final Map<String, ExtendedSpeeds> SPEEDS_BY_WORD = new TreeMap<>(Map.of(
            "shown", ExtendedSpeeds.SHOWN,
            "hidden", ExtendedSpeeds.HIDDEN,
            "hidden_and_bit_not_echoed", ExtendedSpeeds.HIDDEN_AND_BIT_NOT_ECHOED));

    private final Faults faults;

    LabWords(Faults faults) {
        this.faults = faults;
    }

    List<ConsoleWord> all() {
        return List.of(
                new ConsoleWord("Off", "Off \"nodeid\"", "take the power off a node", this::off),
                new ConsoleWord(
                        "On", "On \"nodeid\"", "put it back on; all is forgotten that was programmed", this::on),
                new ConsoleWord("Reboot", "Reboot \"nodeid\"", "off and on immediately", this::reboot),
                new ConsoleWord("Deaf", "Deaf \"nodeid\"", "the agent answers nothing; packets still pass", this::deaf),
                new ConsoleWord(
                        "Busy", "Busy \"nodeid\" [probability]", "the agent answers Busy, 1 if not said", this::busy),
                new ConsoleWord("Drop", DROP, "the agent does not answer such requests", this::drop),
                new ConsoleWord("Refuse", REFUSE, "it refuses them with a status, 0x1C if not said", this::refuse),
                new ConsoleWord(
                        "Disobey",
                        "Disobey \"nodeid\" attribute",
                        "it accepts Sets and changes nothing",
                        this::disobey),
                new ConsoleWord("Lie", LIE, "its answers have a false value", this::lie),
                new ConsoleWord("Speeds", SPEEDS, "extended speeds without AttributeModifier bit 31", this::speeds),
                new ConsoleWord("Obey", "Obey \"nodeid\"", "the agent is again as it was at the start", this::obey),
                new ConsoleWord("Loss", LOSS, "MADs and packets are lost on a cable; MADs everywhere", this::loss),
                new ConsoleWord("Bounce", BOUNCE, "the link is down so long: now, or at a request", this::bounce),
                new ConsoleWord("Describe", "Describe \"nodeid\" \"text\"", "another NodeDescription", this::describe));
    }

    private Arguments args(ConsoleLine line, String usage) {
        return new Arguments(faults.nodes(), line, usage);
    }

    private ConsoleWord.Action off(ConsoleLine line) throws BadLineException {
        long guid = onlyNode(line, "Off \"nodeid\"");
        return ConsoleWord.silentAction(() -> faults.powerOff(guid));
    }

    private ConsoleWord.Action on(ConsoleLine line) throws BadLineException {
        long guid = onlyNode(line, "On \"nodeid\"");
        return () -> faults.powerOn(guid)
                ? ConsoleReply.DONE
                : ConsoleReply.failure("nodeid " + faults.nodes().text(guid) + " has power");
    }

    private ConsoleWord.Action reboot(ConsoleLine line) throws BadLineException {
        long guid = onlyNode(line, "Reboot \"nodeid\"");
        return ConsoleWord.silentAction(() -> {
            faults.powerOff(guid);
            faults.powerOn(guid);
        });
    }

    private long onlyNode(ConsoleLine line, String usage) throws BadLineException {
        Arguments args = args(line, usage);
        Topology.Node node = args.wholeNode(0);
        args.requireEnd();
        return node.nodeGuid();
    }

    private ConsoleWord.Action deaf(ConsoleLine line) throws BadLineException {
        long guid = onlyNode(line, "Deaf \"nodeid\"");
        return prependRules(guid, "Deaf", "", AgentProfile.CONFORMING.droppingAll());
    }

    /** Returns an action that puts rules before the other rules of an agent. */
    private ConsoleWord.Action prependRules(long guid, String kind, String detail, AgentProfile rules) {
        return ConsoleWord.silentAction(() -> faults.changeAgent(guid, kind, detail, rules::and));
    }

    private ConsoleWord.Action busy(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Busy \"nodeid\" [probability]");
        Topology.Node node = args.wholeNode(0);
        double probability = args.probability(1);
        args.requireEnd();
        return prependRules(
                node.nodeGuid(), "Busy", "with probability " + probability, AgentProfile.CONFORMING.busy(probability));
    }

    private ConsoleWord.Action drop(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, DROP);
        Topology.Node node = args.wholeNode(0);
        int attribute = args.attribute();
        int method = args.method();
        double probability = args.probability(1);
        args.requireEnd();
        return prependRules(
                node.nodeGuid(),
                "Drop " + line.rest().get(0),
                "with probability " + probability,
                AgentProfile.CONFORMING.dropping(attribute, method, probability));
    }

    private ConsoleWord.Action refuse(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, REFUSE);
        Topology.Node node = args.wholeNode(0);
        int attribute = args.attribute();
        int method = args.method();
        int status = args.hasMore() ? (int) args.number(1, MAX_STATUS) : MadStatus.INVALID_FIELD;
        double probability = args.probability(1);
        args.requireEnd();
        return prependRules(
                node.nodeGuid(),
                "Refuse " + line.rest().get(0),
                String.format(Locale.ROOT, "with status 0x%04x and probability %s", status, probability),
                AgentProfile.CONFORMING.refusing(attribute, method, status, probability));
    }

    private ConsoleWord.Action disobey(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, "Disobey \"nodeid\" attribute");
        Topology.Node node = args.wholeNode(0);
        int attribute = args.attribute();
        args.requireEnd();
        return prependRules(
                node.nodeGuid(), "Disobey " + line.rest().get(0), "", AgentProfile.CONFORMING.ignoringSets(attribute));
    }

    private ConsoleWord.Action lie(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, LIE);
        Topology.Node node = args.wholeNode(0);
        int attribute = args.attribute();
        Field field = args.field(attribute);
        long value = args.number(0, field.width() >= Long.SIZE - 1 ? Long.MAX_VALUE : (1L << field.width()) - 1);
        double probability = args.probability(1);
        args.requireEnd();
        return prependRules(
                node.nodeGuid(),
                "Lie " + line.rest().get(0) + " " + line.rest().get(1),
                "value " + value + " with probability " + probability,
                AgentProfile.CONFORMING.withFalseValue(
                        FalseValue.of(attribute, field, value).with(probability)));
    }

    private ConsoleWord.Action speeds(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, SPEEDS);
        Topology.Node node = args.wholeNode(0);
        String word = args.word("how").toLowerCase(Locale.ROOT);
        args.requireEnd();
        ExtendedSpeeds mode = SPEEDS_BY_WORD.get(word);
        if (mode == null) {
            throw new BadLineException("\"" + word + "\" is not known; write " + SPEEDS);
        }
        UnaryOperator<AgentProfile> change = profile -> profile.showing(mode);
        return ConsoleWord.silentAction(() -> faults.changeAgent(node.nodeGuid(), "Speeds", word, change));
    }

    private ConsoleWord.Action obey(ConsoleLine line) throws BadLineException {
        long guid = onlyNode(line, "Obey \"nodeid\"");
        return ConsoleWord.silentAction(() -> faults.restoreAgent(guid));
    }

    private ConsoleWord.Action loss(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, LOSS);
        List<CableEnd> ports = args.has(0) ? args.ports(0, 1) : List.of();
        args.requireWord("a probability");
        double probability = args.probability(0);
        args.requireEnd();
        return args.has(0)
                ? ConsoleWord.silentAction(() -> ports.forEach(end -> faults.setLoss(end, probability)))
                : ConsoleWord.silentAction(() -> faults.setLoss(probability));
    }

    private ConsoleWord.Action bounce(ConsoleLine line) throws BadLineException {
        Arguments args = args(line, BOUNCE);
        CableEnd port = args.port(0, 1);
        long downNs = args.timeSpanNs();
        if (!args.removeIfEqual("at")) {
            args.requireEnd();
            return () -> bounceLink(port, downNs);
        }
        int attribute = args.attribute();
        int method = args.method();
        int count = args.hasMore() ? (int) args.number(1, Integer.MAX_VALUE) : 1;
        args.requireEnd();
        SimFabric fabric = faults.fabric();
        return ConsoleWord.silentAction(
                () -> fabric.onRequest(attribute, method, count, () -> bounceLink(port, downNs)));
    }

    /** Unplugs a cable for a time. */
    private ConsoleReply bounceLink(CableEnd port, long downNs) {
        List<Faults.Broken> newFaults = faults.collectFaults(() -> faults.unlink(port));
        if (newFaults.isEmpty()) {
            return ConsoleReply.failure(
                    "port " + port.portNum() + " at nodeid " + faults.nodes().text(port.nodeGuid()) + " is not linked");
        }
        faults.loop().schedule(downNs, () -> faults.repair(newFaults));
        return ConsoleReply.DONE;
    }

    private ConsoleWord.Action describe(ConsoleLine line) throws BadLineException {
        String usage = "Describe \"nodeid\" \"text\"";
        Arguments args = args(line, usage);
        Topology.Node node = args.wholeNode(0);
        String text = args.quoted(1);
        args.requireEnd();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_DESCRIPTION) {
            throw new BadLineException(
                    "a NodeDescription has at most " + MAX_DESCRIPTION + " bytes; write a shorter one");
        }
        return ConsoleWord.silentAction(() -> faults.setDescription(node.nodeGuid(), text));
    }
}
