package io.torussm.daemon.http.ufm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.server.Router;
import io.torussm.daemon.json.Json;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.PlacedSubnet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lists for clients of UFM: version, P_Keys, systems, ports and links, with the names of UFM's REST API Guide. Each
 * device is a system of its own. Unknown values are {@code N/A}, as in UFM. Owner thread: the worker of {@link Router}.
 */
public final class UfmResources {
    /** The release of UFM with these addresses and names. Clients compare it. */
    static final String RELEASE = "6.11.1-2";

    private static final String UNKNOWN = "N/A";
    private static final String ALL = "";

    private final SmObserver observer;
    private final UfmPKeys pKeys;

    public UfmResources(SmObserver observer) {
        this.observer = observer;
        this.pKeys = new UfmPKeys(observer);
    }

    /**
     * Returns the reply to a request.
     *
     * @param path rest of the address after {@link UfmPaths#ROOT}
     * @param parameters parameters of the address
     */
    public Reply answer(String path, Map<String, String> parameters) {
        if (path.equals("app/ufm_version")) {
            return Reply.ok(JsonNodeFactory.instance
                    .objectNode()
                    .put("ufm_release_version", RELEASE)
                    .put("torus_sm_version", observer.version()));
        }
        String[] parts = path.split("/", -1);
        if (parts.length < 2 || parts.length > 3 || !parts[0].equals("resources")) {
            return notFound();
        }
        String one = parts.length == 3 ? parts[2] : ALL;
        if (parts[1].equals("pkeys")) {
            return pKeys.answer(one, isTrue(parameters, "guids_data"), isTrue(parameters, "qos_conf"));
        }
        PlacedSubnet found = observer.state().visibleSubnet();
        return switch (parts[1]) {
            case "systems", "ports", "links" ->
                found == null
                        ? Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "no subnet is up yet")
                        : list(parts[1], one, found.fabric(), found, parameters);
            default -> notFound();
        };
    }

    private static Reply notFound() {
        return Reply.text(
                HttpResponseStatus.NOT_FOUND,
                "of UFM's addresses there are app/ufm_version,"
                        + " resources/pkeys, resources/systems, resources/ports and resources/links");
    }

    static boolean isTrue(Map<String, String> parameters, String name) {
        return parameters.getOrDefault(name, "").equalsIgnoreCase("true");
    }

    private static Reply list(
            String label, String one, Fabric fabric, PlacedSubnet found, Map<String, String> parameters) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        switch (label) {
            case "systems" -> {
                String type = parameters.getOrDefault("type", ALL);
                nodes(
                        fabric,
                        node -> isNamed(fabric, node, one) && isOneOf(type, systemType(fabric, node)),
                        node -> system(list.addObject(), found, node, isTrue(parameters, "ports")));
            }
            case "ports" -> ports(list, one, found, parameters);
            default -> {
                String system = parameters.getOrDefault("system", ALL);
                IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.peer(port) > port)
                        .filter(port -> isNamed(fabric, fabric.nodeOf(port), system)
                                || isNamed(fabric, fabric.nodeOf(fabric.peer(port)), system))
                        .forEach(port -> link(list.addObject(), fabric, port));
            }
        }
        return Reply.tagged(Reply.JSON, Json.bytes(list));
    }

    private static void ports(ArrayNode list, String one, PlacedSubnet found, Map<String, String> parameters) {
        Fabric fabric = found.fabric();
        String system = parameters.getOrDefault("system", ALL);
        String type = parameters.getOrDefault("sys_type", ALL);
        boolean isActive = isTrue(parameters, "active");
        for (int port = 0; port < fabric.portCount(); port++) {
            int node = fabric.nodeOf(port);
            PortInfo info = fabric.portInfo(port);
            if (fabric.portNum(port) > 0
                    && isOneOf(one, portName(fabric, port))
                    && isNamed(fabric, node, system)
                    && isOneOf(type, systemType(fabric, node))
                    && (!isActive || (info != null && info.portState() == PortInfo.STATE_ACTIVE))) {
                port(list.addObject(), found, port);
            }
        }
    }

    private static void nodes(Fabric fabric, IntPredicate wanted, IntConsumer each) {
        IntStream.range(0, fabric.nodeCount()).filter(wanted).forEach(each);
    }

    /** Checks whether a node has the given name or GUID; true for an empty name. */
    private static boolean isNamed(Fabric fabric, int node, String name) {
        return name.isEmpty() || name.equals(guid(fabric.nodeGuid(node))) || name.equals(fabric.nodeName(node));
    }

    private static boolean isOneOf(String list, String value) {
        if (list.isEmpty()) {
            return true;
        }
        for (String each : list.split(",", -1)) {
            if (each.equalsIgnoreCase(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a GUID in UFM's form: sixteen hexadecimal digits. */
    static String guid(long guid) {
        return HexFormat.of().toHexDigits(guid);
    }

    private static String systemType(Fabric fabric, int node) {
        return fabric.isSwitch(node)
                ? "switch"
                : fabric.node(node).info().nodeType() == NodeInfo.ROUTER ? "router" : "host";
    }

    private static long guidOf(Fabric fabric, int port) {
        return fabric.isEndport(port) && fabric.portNum(port) > 0
                ? fabric.portGuid(port)
                : fabric.nodeGuid(fabric.nodeOf(port));
    }

    private static String portName(Fabric fabric, int port) {
        return guid(guidOf(fabric, port)) + "_" + fabric.portNum(port);
    }

    private static String portDescription(Fabric fabric, int port) {
        return fabric.nodeName(fabric.nodeOf(port)) + ":" + fabric.portNum(port);
    }

    /** Returns the role of a switch. It is a core switch if only switches are attached to it. */
    private static String role(Fabric fabric, int node) {
        if (!fabric.isSwitch(node)) {
            return "endpoint";
        }
        return IntStream.rangeClosed(1, fabric.numPorts(node))
                        .map(number -> fabric.peer(fabric.port(node, number)))
                        .anyMatch(peer -> peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)))
                ? "tor"
                : "core";
    }

    private static void system(ObjectNode json, PlacedSubnet found, int node, boolean withPorts) {
        Fabric fabric = found.fabric();
        NodeInfo info = fabric.node(node).info();
        String guid = guid(fabric.nodeGuid(node));
        json.put("system_name", fabric.nodeName(node));
        json.put("name", guid);
        json.put("guid", guid);
        json.put("system_guid", guid);
        json.put("type", systemType(fabric, node));
        json.put("role", role(fabric, node));
        json.put("state", "active");
        json.put("severity", "Info");
        json.put("ip", "0.0.0.0");
        json.put("vendor", String.format(Locale.ROOT, "0x%06x", info.get(NodeInfo.VENDOR_ID)));
        json.put("model", String.format(Locale.ROOT, "0x%04x", info.get(NodeInfo.DEVICE_ID)));
        json.put("description", found.place(node));
        json.put("fw_version", UNKNOWN);
        json.put("psid", UNKNOWN);
        json.put("technology", UNKNOWN);
        json.put("is_managed", false);
        json.put("total_alarms", 0);
        json.putArray("modules");
        ArrayNode ports = json.putArray("ports");
        for (int number = 1; number <= fabric.numPorts(node); number++) {
            int port = fabric.port(node, number);
            if (withPorts) {
                port(ports.addObject(), found, port);
            } else {
                ports.add(portName(fabric, port));
            }
        }
    }

    private static void port(ObjectNode json, PlacedSubnet found, int port) {
        Fabric fabric = found.fabric();
        int node = fabric.nodeOf(port);
        PortInfo info = fabric.portInfo(port);
        String number = Integer.toString(fabric.portNum(port));
        json.put("name", portName(fabric, port));
        json.put("guid", guid(guidOf(fabric, port)));
        json.put("number", fabric.portNum(port));
        json.put("external_number", fabric.portNum(port));
        json.put("dname", number);
        json.put("system_name", fabric.nodeName(node));
        json.put("systemID", guid(fabric.nodeGuid(node)));
        json.put("system_ip", "0.0.0.0");
        json.put("node_description", portDescription(fabric, port));
        json.put("description", fabric.isSwitch(node) ? "Switch IB Port" : "Computer IB Port");
        json.put(
                "path",
                "default / " + (fabric.isSwitch(node) ? "Switch: " : "Computer: ") + fabric.nodeName(node) + " / "
                        + number);
        json.put("lid", found.subnet().lid(fabric.isSwitch(node) ? fabric.port(node, 0) : port));
        json.put("severity", "Info");
        states(json, info);
        peer(json, fabric, port);
    }

    private static void states(ObjectNode json, @Nullable PortInfo info) {
        boolean isUp = info != null && info.portState() > PortInfo.STATE_DOWN;
        json.put("physical_state", info == null ? UNKNOWN : physical(info));
        json.put("logical_state", info == null ? UNKNOWN : logical(info));
        json.put("mtu", info == null ? 0 : PortInfo.mtuBytes(info.neighborMtu()));
        json.put("active_width", isUp && info != null ? info.widthText(UNKNOWN) : null);
        json.put(
                "active_speed",
                isUp && info != null ? LinkSpeed.of(info).map(LinkSpeed::name).orElse(UNKNOWN) : null);
    }

    /** Returns the physical state. Only a link that is up has another state than down. */
    private static String physical(PortInfo info) {
        if (info.portState() > PortInfo.STATE_DOWN) {
            return "Link Up";
        }
        return switch (info.portPhysicalState()) {
            case PortInfo.PHYS_POLLING -> "Polling";
            case PortInfo.PHYS_DISABLED -> "Disabled";
            case PortInfo.PHYS_LINK_UP -> "Link Up";
            default -> "Down";
        };
    }

    private static String logical(PortInfo info) {
        return switch (info.portState()) {
            case PortInfo.STATE_INITIALIZE -> "Initialize";
            case PortInfo.STATE_ARMED -> "Armed";
            case PortInfo.STATE_ACTIVE -> "Active";
            default -> "Down";
        };
    }

    private static void peer(ObjectNode json, Fabric fabric, int port) {
        int peer = fabric.peer(port);
        boolean isThere = peer != Fabric.NONE;
        json.put("peer", isThere ? portName(fabric, peer) : UNKNOWN);
        json.put("peer_guid", isThere ? guid(guidOf(fabric, peer)) : UNKNOWN);
        json.put("peer_node_guid", isThere ? guid(fabric.nodeGuid(fabric.nodeOf(peer))) : UNKNOWN);
        json.put("peer_node_name", isThere ? fabric.nodeName(fabric.nodeOf(peer)) : UNKNOWN);
        json.put("peer_node_description", isThere ? portDescription(fabric, peer) : UNKNOWN);
        json.put("peer_port_dname", isThere ? Integer.toString(fabric.portNum(peer)) : UNKNOWN);
    }

    private static void link(ObjectNode json, Fabric fabric, int port) {
        int peer = fabric.peer(port);
        PortInfo info = fabric.portInfo(port);
        json.put("name", portName(fabric, port) + ":" + portName(fabric, peer));
        end(json, "source", fabric, port);
        end(json, "destination", fabric, peer);
        json.put("width", info == null ? UNKNOWN : info.widthText(UNKNOWN));
        json.put("severity", "Info");
    }

    private static void end(ObjectNode json, String name, Fabric fabric, int port) {
        String number = Integer.toString(fabric.portNum(port));
        json.put(name + "_guid", guid(fabric.nodeGuid(fabric.nodeOf(port))));
        json.put(name + "_port", number);
        json.put(name + "_port_dname", number);
        json.put(name + "_port_name", portName(fabric, port));
        json.put(name + "_port_node_description", portDescription(fabric, port));
    }
}
