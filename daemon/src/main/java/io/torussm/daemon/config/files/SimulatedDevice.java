package io.torussm.daemon.config.files;

import io.torussm.daemon.config.HoconFile;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.GroupClient;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.AgentProfile.ExtendedSpeeds;
import io.torussm.sim.model.AttributeNames;
import io.torussm.sim.model.BouncingLink;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.topology.Hardware;
import io.torussm.sim.topology.Hardware.Sl2VlWildcards;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reader of an entry of a file of {@link SimulatedDevices}, which changes the matching devices of the embedded
 * fabric. docs/operator/rehearsing.md describes the keys. {@link HoconObject} records errors, after which the whole
 * file is rejected; so the default that replaces an invalid value has no effect.
 */
final class SimulatedDevice {
    /** Keys that this class reads; {@link SimulatedDevices} matches {@code name} and {@code guid} with devices. */
    private static final Set<String> OWN_KEYS = Set.of(
            "name",
            "guid",
            "vls",
            "mtu",
            "neighbor_mtu",
            "port0_neighbor_mtu",
            "vl_arbitration_entries",
            "inbound_enforcement",
            "outbound_enforcement",
            "client_reregistration",
            "sl2vl_wildcards",
            "port_state_table",
            "extended_speeds",
            "refuse",
            "drop",
            "disobey",
            "busy",
            "deaf",
            "lies",
            "from",
            "until",
            "bounce",
            "join");

    /** All keys that an entry may have. */
    static final Set<String> KEYS = Stream.of(
                    OWN_KEYS,
                    SimulatedCounters.KEYS,
                    SimulatedVPorts.KEYS,
                    SimulatedCongestion.KEYS,
                    SimulatedFirmware.KEYS)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** VLCap (PortInfo) by number of data VLs. */
    private static final Map<Integer, Integer> VL_CAPS = Map.of(1, 1, 2, 2, 4, 3, 8, 4, 15, 5);

    /** Codes of MTUs by bytes. */
    private static final Map<Integer, Integer> MTUS = Map.of(256, 1, 512, 2, 1024, 3, 2048, 4, 4096, 5);

    /** The 15 status bits of a directed-route SMP; bit 15 is the direction (IBA 14.2.1.2). */
    private static final int MAX_STATUS = 0x7fff;

    private static final Map<String, Integer> ATTRIBUTES = AttributeNames.all();
    private static final Set<String> DROP_KEYS = Set.of("attribute", "method", "probability");
    private static final Set<String> REFUSE_KEYS = Set.of("attribute", "method", "probability", "status");
    private static final Set<String> LIE_KEYS =
            Set.of("attribute", "byte", "field", "value", "from", "until", "probability");
    private static final Set<String> BOUNCE_KEYS = Set.of("port", "attribute", "method", "count", "down", "again");
    private static final Pattern MGID = Pattern.compile("0x(ff\\p{XDigit}{14}):(\\p{XDigit}{16})");
    private static final Map<String, ExtendedSpeeds> SPEEDS = new TreeMap<>(Map.of(
            "shown", ExtendedSpeeds.SHOWN,
            "hidden", ExtendedSpeeds.HIDDEN,
            "hidden_and_bit_not_echoed", ExtendedSpeeds.HIDDEN_AND_BIT_NOT_ECHOED));
    private static final Map<String, Sl2VlWildcards> WILDCARDS = new TreeMap<>(Map.of(
            "absent", Sl2VlWildcards.ABSENT,
            "masks", Sl2VlWildcards.MASKS,
            "obeyed", Sl2VlWildcards.EXECUTED,
            "refused", Sl2VlWildcards.REFUSED,
            "ignored", Sl2VlWildcards.IGNORED));
    private static final Map<String, Integer> METHODS =
            new TreeMap<>(Map.of(AttributeNames.ANY, AgentProfile.ANY, "Get", Method.GET, "Set", Method.SET));

    private final HoconObject entry;

    /** Creates a reader of an entry. */
    SimulatedDevice(HoconObject entry) {
        this.entry = entry;
    }

    /** Returns a model with the changes of this entry. Properties without a key are unchanged. */
    DeviceModel change(DeviceModel previous) {
        AgentProfile agent = agent();
        DeviceModel model = previous.hardware(this::hardware)
                .agent(earlier -> earlier.and(agent))
                .counters(counters -> SimulatedCongestion.change(SimulatedCounters.change(counters, entry), entry))
                .vendor(vendor -> SimulatedFirmware.change(SimulatedVPorts.change(vendor, entry), entry));
        for (HoconObject each : entry.objects("bounce", BOUNCE_KEYS)) {
            model = model.bouncing(bounce(each));
        }
        for (String group : entry.texts("join")) {
            model = join(model, group);
        }
        return model;
    }

    private Hardware hardware(Hardware previous) {
        return previous.withVls(entry.code("vls", VL_CAPS, previous.vlCap()))
                .withMtu(
                        entry.code("mtu", MTUS, previous.mtus().cap()),
                        entry.code("neighbor_mtu", MTUS, previous.mtus().neighbor()))
                .withPort0NeighborMtu(
                        entry.code("port0_neighbor_mtu", MTUS, previous.mtus().port0Neighbor()))
                .withVlArbitration(entry.integer(
                        "vl_arbitration_entries", 1, Hardware.MAX_VL_ARBITRATION_CAP, previous.vlArbitrationCap()))
                .enforcing(
                        entry.flag("inbound_enforcement", previous.enforcesInbound()),
                        entry.flag("outbound_enforcement", previous.enforcesOutbound()))
                .reregistering(entry.flag("client_reregistration", previous.isReregistrationSupported()))
                .withPortStateTable(entry.flag("port_state_table", previous.hasPortStateTable()))
                .withSl2VlWildcards(wildcards(previous.sl2vlWildcards()));
    }

    private Sl2VlWildcards wildcards(Sl2VlWildcards previous) {
        String key = "sl2vl_wildcards";
        return entry.has(key) ? entry.choice(key, entry.text(key), WILDCARDS, previous) : previous;
    }

    /**
     * Returns the faults of the agent: no answers, lost or rejected requests, busy answers, ignored Sets, false values.
     * The period of the entry applies to all of them, but a false value may have its own. The visibility of speeds has
     * no period.
     */
    private AgentProfile agent() {
        AgentProfile agent = AgentProfile.CONFORMING;
        if (entry.flag("deaf", false)) {
            agent = agent.droppingAll();
        }
        for (HoconObject each : entry.objects("drop", DROP_KEYS)) {
            agent = agent.dropping(attribute(each), method(each), each.probability("probability", 1));
        }
        for (HoconObject each : entry.objects("refuse", REFUSE_KEYS)) {
            int status = each.integer("status", 1, MAX_STATUS, MadStatus.INVALID_FIELD);
            agent = agent.refusing(attribute(each), method(each), status, each.probability("probability", 1));
        }
        double busy = entry.probability("busy", 0);
        if (busy > 0) {
            agent = agent.busy(busy);
        }
        for (String attribute : entry.texts("disobey")) {
            agent = agent.ignoringSets(entry.choice("disobey", attribute, ATTRIBUTES, AgentProfile.ANY));
        }
        long fromNs = entry.timeNs("from", 0);
        long untilNs = entry.timeNs("until", Long.MAX_VALUE);
        if (fromNs >= untilNs) {
            entry.addProblem("until", "must be later than from");
        }
        agent = withFalseValues(agent.during(fromNs, untilNs), fromNs, untilNs);
        return agent.showing(speeds());
    }

    /** Adds the false values. Each has its own period (default: that of the entry). */
    private AgentProfile withFalseValues(AgentProfile previous, long fromNs, long untilNs) {
        AgentProfile agent = previous;
        for (HoconObject each : entry.objects("lies", LIE_KEYS)) {
            int attribute = attribute(each);
            Optional<Field> field = AttributeNames.field(attribute, nameOrOffset(each));
            if (field.isEmpty()) {
                each.addProblem(
                        "a lie needs an attribute, and a byte from 0 to 63 or IBA's name of a field: attribute = "
                                + "PortInfo, field = LID, value = 7");
                continue;
            }
            long beginNs = each.timeNs("from", fromNs);
            long endNs = each.timeNs("until", untilNs);
            if (beginNs >= endNs) {
                each.addProblem("until", "must be later than from");
            }
            agent = agent.withFalseValue(FalseValue.of(attribute, field.get(), value(each, field.get()))
                    .with(each.probability("probability", 1))
                    .during(beginNs, endNs));
        }
        return agent;
    }

    /**
     * Returns the name of a field for {@link AttributeNames#field}: that of IBA, or the offset of a byte in decimal.
     * Empty if the entry has neither.
     */
    private static String nameOrOffset(HoconObject entry) {
        if (entry.has("byte")) {
            return Integer.toString(entry.integer("byte", 0, Smp.DATA_SIZE - 1, 0));
        }
        return entry.has("field") ? entry.text("field") : "";
    }

    /** Returns the false value of a field: a number of at most 64 bits in the notation of GUIDs. */
    private static long value(HoconObject entry, Field field) {
        long value = entry.guid("value");
        if (field.width() < Long.SIZE && value >>> field.width() != 0) {
            entry.addProblem("value", "must fit the " + field.width() + " bits of " + field.name());
        }
        return value;
    }

    private static int attribute(HoconObject entry) {
        return entry.has("attribute")
                ? entry.choice("attribute", entry.text("attribute"), ATTRIBUTES, AgentProfile.ANY)
                : AgentProfile.ANY;
    }

    private static int method(HoconObject entry) {
        return entry.has("method")
                ? entry.choice("method", entry.text("method"), METHODS, AgentProfile.ANY)
                : AgentProfile.ANY;
    }

    private ExtendedSpeeds speeds() {
        return entry.has("extended_speeds")
                ? entry.choice("extended_speeds", entry.text("extended_speeds"), SPEEDS, ExtendedSpeeds.SHOWN)
                : ExtendedSpeeds.SHOWN;
    }

    private static BouncingLink bounce(HoconObject entry) {
        if (!entry.has("port")) {
            entry.addProblem("a bounce needs the port whose link goes down: port = 1");
        }
        return new BouncingLink(
                entry.integer("port", 1, NodeInfo.MAX_PORT_NUM, 1),
                attribute(entry),
                method(entry),
                entry.integer("count", 1, Integer.MAX_VALUE, 1),
                entry.timeNs("down", 0),
                entry.timeNs("again", 0)); // The pause before requests are counted again.
    }

    /** Adds a group that the hosts of a device join when their port is ACTIVE. */
    private DeviceModel join(DeviceModel model, String group) {
        Matcher mgid = MGID.matcher(group);
        if (!group.equals("ipoib") && !mgid.matches()) {
            entry.addProblem(
                    "join",
                    "must be ipoib, or MGIDs such as 0xff12401bffff0000:00000000ffffffff, not \""
                            + HoconFile.printable(group) + "\"");
            return model;
        }
        return model.joining(
                mgid.matches()
                        ? new Gid(Long.parseUnsignedLong(mgid.group(1), 16), Long.parseUnsignedLong(mgid.group(2), 16))
                        : GroupClient.IPOIB_BROADCAST);
    }
}
