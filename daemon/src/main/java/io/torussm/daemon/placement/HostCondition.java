package io.torussm.daemon.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A condition of a host, in the form of a Kubernetes NodeCondition.
 *
 * @param host name of the host: the beginning of its node description, up to the first blank or dot
 * @param type type of the condition
 * @param status {@code True} if the host is good, {@code False} if it has a problem
 * @param reason one word in camel case
 * @param message problems, separated by semicolons
 */
public record HostCondition(String host, String type, String status, String reason, String message) {
    private static final String TYPE = "InfiniBandReady";

    private static HostCondition of(String host, List<String> problems) {
        return problems.isEmpty()
                ? new HostCondition(host, TYPE, "True", "PortsServed", "")
                : new HostCondition(host, TYPE, "False", "PortProblem", String.join("; ", problems));
    }

    /**
     * Returns the conditions of hosts in the order of their names.
     *
     * @param adapters problems of adapters, by node description; a host may have several adapters
     */
    public static List<HostCondition> all(Map<String, List<String>> adapters) {
        Map<String, List<String>> hosts = new TreeMap<>();
        adapters.forEach((adapter, problems) -> hosts.computeIfAbsent(
                        PlacedHosts.hostName(adapter).orElse(adapter), name -> new ArrayList<>())
                .addAll(problems));
        return hosts.entrySet().stream()
                .map(host -> of(host.getKey(), host.getValue()))
                .toList();
    }
}
