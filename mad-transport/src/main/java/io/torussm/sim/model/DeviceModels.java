package io.torussm.sim.model;

import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The imperfect devices of a fabric: a list of changes, each for the nodes that match a predicate. A later change sees
 * the result of earlier ones. Immutable.
 */
public final class DeviceModels {
    /** The models of a fabric with perfect devices only. */
    public static final DeviceModels PERFECT = new DeviceModels(List.of());

    private final List<Rule> rules;

    /** A change for the nodes that match a predicate. */
    private record Rule(Predicate<Topology.Node> filter, UnaryOperator<DeviceModel> change) {}

    private DeviceModels(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Returns a copy with one more change.
     *
     * @param filter predicate of the nodes to change
     * @param change change of their models
     */
    public DeviceModels with(Predicate<Topology.Node> filter, UnaryOperator<DeviceModel> change) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(filter, change));
        return new DeviceModels(more);
    }

    /** Returns a predicate for the node with a NodeGUID. */
    public static Predicate<Topology.Node> byGuid(long nodeGuid) {
        return node -> node.nodeGuid() == nodeGuid;
    }

    /**
     * Returns a predicate for nodes by NodeDescription.
     *
     * @param pattern pattern, in which * stands for any text and ? for one character
     */
    public static Predicate<Topology.Node> byDescription(String pattern) {
        String regex = pattern.chars()
                .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining());
        Pattern compiled = Pattern.compile(regex, Pattern.DOTALL);
        return node -> compiled.matcher(node.description()).matches();
    }

    /** Returns the model of a node, after all changes that match it. */
    public DeviceModel of(Topology.Node node) {
        DeviceModel model = DeviceModel.PERFECT;
        for (Rule rule : rules) {
            model = rule.filter.test(node) ? rule.change.apply(model) : model;
        }
        return model;
    }
}
