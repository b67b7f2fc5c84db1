package io.torussm.daemon.http.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.console.fabric.ExplainPath;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.health.Check;
import io.torussm.daemon.health.HealthReport;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.page.DeviceCard;
import io.torussm.daemon.http.page.Picture;
import io.torussm.daemon.json.Json;
import io.torussm.daemon.placement.PlacedHosts;
import io.torussm.fabric.Fabric;
import io.torussm.history.Change;
import io.torussm.inventory.Difference;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lists under {@value #ROOT} for programs: records of the subnet, one page at a time. Later versions may add
 * fields, and remove none.
 * Owner thread: {@code http-worker}.
 */
public final class Resources {
    public static final String ROOT = "/api/v1/";

    private static final String DESCRIPTION = "openapi.json";
    private static final Reply NO_SUBNET = Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "no subnet is up yet");
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 10_000;

    private final SmObserver observer;
    private final CounterLists counters;
    private final List<Operation<?>> operations;
    private final Map<String, Resource<?>> all = new LinkedHashMap<>();
    private final Map<String, SmList<?>> smLists = new LinkedHashMap<>();
    private final Map<String, Document> documents = new LinkedHashMap<>();

    /**
     * A list of records.
     *
     * @param meaning description in one sentence
     * @param items function that computes the items for each request from the last discovery
     */
    record Resource<T>(String meaning, Class<T> type, BiFunction<FabricState, PlacedSubnet, List<T>> items) {}

    /**
     * A list of records that does not need a subnet.
     *
     * @param meaning description in one sentence
     * @param items function that computes the items for each request
     */
    record SmList<T>(String meaning, Class<T> type, Function<FabricState, List<T>> items) {}

    /**
     * A single record that can be read.
     *
     * @param meaning description in one sentence
     * @param parameters required parameters of the address
     * @param answer function of their values, in this order
     */
    record Document(String meaning, Class<?> type, List<String> parameters, Function<List<String>, Reply> answer) {}

    /**
     * A page of a list.
     *
     * @param total number of items of the list
     * @param offset offset of the first item of the page
     * @param foundAt time of discovery; null if unknown
     * @param sweep number of the sweep that published the active subnet, 0 without one; pages with one number are
     *     consistent
     */
    record Page(int total, int offset, @Nullable Instant foundAt, long sweep, List<?> items) {}

    /** A switch, channel adapter or router. */
    record Device(
            String name,
            String type,
            String guid,
            String place,
            int ports,
            int lid,
            String vendorId,
            String deviceId,
            String revision) {}

    /** A port. Width, speed and all later components are empty or 0 without a link. */
    record Port(
            String device,
            String deviceGuid,
            int number,
            String portGuid,
            int lid,
            String state,
            String width,
            String speed,
            int mtu,
            String peerGuid,
            int peerNumber) {}

    /** A cable. The speed is in Gb/s per lane. */
    record Link(
            String from,
            String fromGuid,
            int fromPort,
            String to,
            String toGuid,
            int toPort,
            String width,
            String speed) {}

    /** The change of a cable; {@code kind} is a {@link io.torussm.view.CableHistory.EntryType}. */
    record CableChange(Instant at, String kind, String near, String far) {}

    /**
     * A change of the subnet. {@code /api/torus?at=} accepts its time or its sweep.
     *
     * @param at time of the change
     * @param sweep number of the sweep that made it
     * @param isFirst true if no previous state is stored
     * @param routing state of the routing
     * @param engine name of the routing engine
     * @param merged number of states since the previous kept one that are part of this change
     * @param nodesAdded number of added nodes
     * @param nodesRemoved number of removed nodes
     * @param cablesAdded number of added cables
     * @param cablesRemoved number of removed cables
     * @param switches number of switches whose forwarding tables changed
     * @param entries number of changed LFT entries
     * @param sls number of changed SLs of paths
     * @param rings number of rings with another state
     */
    record SubnetChange(
            Instant at,
            long sweep,
            boolean isFirst,
            String routing,
            String engine,
            int merged,
            int nodesAdded,
            int nodesRemoved,
            int cablesAdded,
            int cablesRemoved,
            int switches,
            int entries,
            int sls,
            int rings) {
        static SubnetChange of(Change change) {
            Change.Counts counts = change.counts();
            return new SubnetChange(
                    change.at(),
                    change.sweep(),
                    change.isFirst(),
                    change.routing().toString(),
                    change.engine(),
                    change.merged(),
                    counts.nodesAdded(),
                    counts.nodesRemoved(),
                    counts.cablesAdded(),
                    counts.cablesRemoved(),
                    counts.switches(),
                    counts.entries(),
                    counts.sls(),
                    counts.rings());
        }
    }

    /** @param operations operations that the OpenAPI document describes beside the lists */
    public Resources(SmObserver observer, List<Operation<?>> operations) {
        this.observer = observer;
        counters = new CounterLists(observer);
        this.operations = List.copyOf(operations);
        all.put("systems", new Resource<>("switches, channel adapters and routers", Device.class, Resources::devices));
        all.put("ports", new Resource<>("all ports, also those without a link", Port.class, Resources::ports));
        all.put("links", new Resource<>("cables, each once", Link.class, Resources::links));
        all.put(
                "hosts",
                new Resource<>("hosts that can be reached, with their places", PlacedHosts.Host.class, this::hosts));
        all.put(
                "conditions",
                new Resource<>("open conditions", Condition.class, (state, found) -> Condition.all(observer)));
        all.put("health", new Resource<>("all checks, the worst first", Check.class, this::health));
        all.put(
                "inventory",
                new Resource<>(
                        "differences from the accepted fabric, the worst first, and then drained devices",
                        Difference.class,
                        (state, found) -> Stream.concat(
                                        observer.inventory().differencesOf(found.fabric()).stream(),
                                        observer.inventory().drained(found.fabric()).stream())
                                .toList()));
        all.put(
                "changes",
                new Resource<>(
                        "how much each change of the subnet changed, the oldest first",
                        SubnetChange.class,
                        (state, found) -> observer.changes().changes().stream()
                                .map(SubnetChange::of)
                                .toList()));
        all.put(
                "cable-history",
                new Resource<>("when cables went down and came back", CableChange.class, (state, found) -> history()));
        all.put(
                "counters",
                new Resource<>(
                        "counters of ports, if they are read", CounterLists.PortCount.class, counters::counters));
        addSm(new SmLists(observer), new Picture(observer));
    }

    private void addSm(SmLists sm, Picture picture) {
        smLists.put(
                "events", new SmList<>("the last events, the oldest first", SmLists.Event.class, state -> sm.events()));
        smLists.put(
                "partitions",
                new SmList<>("partitions as file and run time give them", SmLists.Partition.class, sm::partitions));
        smLists.put(
                "drains", new SmList<>("switches and cables out of use", SmLists.Drained.class, state -> sm.drained()));
        smLists.put(
                "firmware",
                new SmList<>(
                        "firmware versions of devices, by kind, if they are read",
                        SmLists.Firmware.class,
                        sm::firmware));
        smLists.put(
                "vport-changes",
                new SmList<>(
                        "which virtual ports came and went, the last change first",
                        SmLists.VPortChange.class,
                        state -> sm.vportChanges()));
        documents.put("plan", new Document("the active routes", SmLists.RoutesInForce.class, List.of(), none -> {
            SmLists.RoutesInForce plan = sm.plan(observer.state());
            return plan == null ? NO_SUBNET : Reply.tagged(Reply.JSON, Json.bytes(plan));
        }));
        documents.put(
                "counter-history",
                new Document(
                        "the last samples of the counters of a port",
                        CounterLists.History.class,
                        List.of("guid", "port"),
                        values -> counters.history(values.get(0), values.get(1))));
        documents.put(
                "paths",
                new Document(
                        "the way of a packet between two LIDs, by the SL level that is wanted",
                        ExplainPath.Explanation.class,
                        List.of("src", "dst", "level"),
                        values -> picture.path(values.get(0), values.get(1), values.get(2))));
    }

    /** Returns all lists, by name. */
    private Map<String, Class<?>> types() {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        all.forEach((name, resource) -> types.put(name, resource.type()));
        smLists.forEach((name, list) -> types.put(name, list.type()));
        return types;
    }

    /**
     * Returns the reply to a request.
     *
     * @param name rest of the address after {@value #ROOT}
     * @param parameters parameters of the address: {@code offset} of the first item (default: 0), {@code limit} of
     *     items, and those of {@link Filters}
     */
    public Reply answer(String name, Map<String, String> parameters) {
        if (name.equals(DESCRIPTION)) {
            return Reply.tagged(Reply.JSON, Json.bytes(describe()));
        }
        Document document = documents.get(name);
        if (document != null) {
            return document.answer()
                    .apply(document.parameters().stream()
                            .map(each -> parameters.getOrDefault(each, ""))
                            .toList());
        }
        Class<?> type = types().get(name);
        if (type == null) {
            return Reply.text(
                    HttpResponseStatus.NOT_FOUND,
                    "there is " + String.join(", ", types().keySet()) + ", " + String.join(", ", documents.keySet())
                            + ", " + DESCRIPTION);
        }
        String offset = parameters.getOrDefault("offset", "");
        String limit = parameters.getOrDefault("limit", "");
        if (!offset.matches("\\d{0,7}") || !limit.matches("\\d{0,5}") || number(limit, DEFAULT_LIMIT) > MAX_LIMIT) {
            return Reply.text(HttpResponseStatus.BAD_REQUEST, "offset is a number, and limit one up to " + MAX_LIMIT);
        }
        FabricState state = observer.state();
        List<?> items = items(name, state);
        try {
            return items == null
                    ? NO_SUBNET
                    : page(
                            state,
                            Filters.filter(items, type, parameters),
                            number(offset, 0),
                            number(limit, DEFAULT_LIMIT));
        } catch (IllegalArgumentException e) {
            return Reply.text(HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the items of a list; null if the list needs a subnet, and none is known. */
    private @Nullable List<?> items(String name, FabricState state) {
        SmList<?> list = smLists.get(name);
        Resource<?> resource = all.get(name);
        PlacedSubnet found = state.visibleSubnet();
        if (list != null) {
            return list.items().apply(state);
        }
        return found == null || resource == null ? null : resource.items().apply(state, found);
    }

    private static Reply page(FabricState state, List<?> items, int offset, int limit) {
        int from = Math.min(items.size(), offset);
        int to = Math.min(items.size(), from + limit);
        PublishedView view = state.view();
        return Reply.tagged(
                Reply.JSON,
                Json.bytes(new Page(
                        items.size(),
                        from,
                        state.foundAt(),
                        view == null ? 0 : view.sweep(),
                        items.subList(from, to))));
    }

    private JsonNode describe() {
        Map<String, String> meanings = new LinkedHashMap<>();
        all.forEach((name, resource) -> meanings.put(name, resource.meaning()));
        smLists.forEach((name, list) -> meanings.put(name, list.meaning()));
        return OpenApi.of(observer.version(), types(), meanings, documents, operations);
    }

    private static int number(String text, int defaultValue) {
        return text.isEmpty() ? defaultValue : Integer.parseInt(text);
    }

    private static List<Device> devices(FabricState state, PlacedSubnet found) {
        Fabric fabric = found.fabric();
        return IntStream.range(0, fabric.nodeCount())
                .mapToObj(node -> device(found, node))
                .toList();
    }

    private static Device device(PlacedSubnet found, int node) {
        Fabric fabric = found.fabric();
        NodeInfo info = fabric.node(node).info();
        int first = fabric.port(node, fabric.isSwitch(node) ? 0 : 1);
        return new Device(
                fabric.nodeName(node),
                fabric.isSwitch(node) ? "switch" : info.nodeType() == NodeInfo.ROUTER ? "router" : "ca",
                Guid.format(fabric.nodeGuid(node)),
                found.place(node),
                fabric.numPorts(node),
                found.subnet().lid(first),
                String.format("0x%06x", info.get(NodeInfo.VENDOR_ID)),
                String.format("0x%04x", info.get(NodeInfo.DEVICE_ID)),
                String.format("0x%08x", info.get(NodeInfo.REVISION)));
    }

    private static List<Port> ports(FabricState state, PlacedSubnet found) {
        Fabric fabric = found.fabric();
        return IntStream.range(0, fabric.portCount())
                .mapToObj(port -> port(found, port))
                .toList();
    }

    private static Port port(PlacedSubnet found, int port) {
        Fabric fabric = found.fabric();
        int node = fabric.nodeOf(port);
        int peer = fabric.peer(port);
        PortInfo info = fabric.portInfo(port);
        PortInfo linked = peer == Fabric.NONE ? null : info;
        return new Port(
                fabric.nodeName(node),
                Guid.format(fabric.nodeGuid(node)),
                fabric.portNum(port),
                fabric.isEndport(port) ? Guid.format(fabric.portGuid(port)) : "",
                fabric.isEndport(port) ? found.subnet().lid(port) : 0,
                DeviceCard.stateOf(info),
                linked == null ? "" : linked.widthText(""),
                linked == null ? "" : linked.speedText(""),
                linked == null ? 0 : PortInfo.mtuBytes(linked.neighborMtu()),
                peer == Fabric.NONE ? "" : Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))),
                peer == Fabric.NONE ? 0 : fabric.portNum(peer));
    }

    private static List<Link> links(FabricState state, PlacedSubnet found) {
        Fabric fabric = found.fabric();
        List<Link> links = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            if (peer > port) {
                PortInfo info = fabric.portInfo(port);
                links.add(new Link(
                        fabric.nodeName(fabric.nodeOf(port)),
                        Guid.format(fabric.nodeGuid(fabric.nodeOf(port))),
                        fabric.portNum(port),
                        fabric.nodeName(fabric.nodeOf(peer)),
                        Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))),
                        fabric.portNum(peer),
                        info == null ? "" : info.widthText(""),
                        info == null ? "" : info.speedText("")));
            }
        }
        return links;
    }

    private List<PlacedHosts.Host> hosts(FabricState state, PlacedSubnet found) {
        PublishedView view = state.view();
        return view == null ? List.of() : PlacedHosts.of(state, view).hosts();
    }

    private List<Check> health(FabricState state, PlacedSubnet found) {
        return HealthReport.of(observer, found, Instant.EPOCH).checks();
    }

    private List<CableChange> history() {
        return observer.cableHistory().entries().stream()
                .map(entry -> new CableChange(
                        entry.at(),
                        entry.kind().toString(),
                        entry.near().text(),
                        entry.far().text()))
                .toList();
    }
}
