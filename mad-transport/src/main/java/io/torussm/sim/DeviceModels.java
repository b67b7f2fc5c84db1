package io.torussm.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which devices of a fabric depart from perfect ones, and how: rules that are applied in their order to every node that they
 * fit, so that a later one changes what an earlier one left. Immutable.
 */
public final class DeviceModels {
    /** All devices are perfect. */
    public static final DeviceModels PERFECT = new DeviceModels(List.of());

    private final List<Rule> rules;

    private record Rule(Predicate<Topology.Node> which, UnaryOperator<DeviceModel> change) {}

    private DeviceModels(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Also changes the devices that a predicate holds for. */
    public DeviceModels with(Predicate<Topology.Node> which, UnaryOperator<DeviceModel> change) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(which, change));
        return new DeviceModels(more);
    }

    /** The node with a NodeGUID. */
    public static Predicate<Topology.Node> guid(long nodeGuid) {
        return node -> node.nodeGuid() == nodeGuid;
    }

    /**
     * Nodes by NodeDescription.
     *
     * @param pattern in which * stands for any text and ? for one character
     */
    public static Predicate<Topology.Node> named(String pattern) {
        String regex = pattern.chars()
                .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining());
        Pattern compiled = Pattern.compile(regex, Pattern.DOTALL);
        return node -> compiled.matcher(node.description()).matches();
    }

    DeviceModel of(Topology.Node node) {
        DeviceModel model = DeviceModel.PERFECT;
        for (Rule rule : rules) {
            model = rule.which.test(node) ? rule.change.apply(model) : model;
        }
        return model;
    }
}
