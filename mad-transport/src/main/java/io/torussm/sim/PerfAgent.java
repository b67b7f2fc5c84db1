package io.torussm.sim;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PerfCapability;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.sim.agent.FirmwareAgent;
import io.torussm.sim.congestion.CongestionAgent;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.PortCounter;
import io.torussm.transport.MadAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The performance management agent of all devices (IBA 16.1), and the way to other agents behind QP1. It responds
 * within the limits of the device's {@link CounterProfile}. The response to a Set contains the counters afterwards.
 */
final class PerfAgent {
    /** The value in place of a status if there is no response. */
    static final int NO_RESPONSE = CongestionAgent.NO_RESPONSE;

    /** Attribute IDs (IBA table 16-3), equal to those of their types, which a switch statement cannot use. */
    private static final int CLASS_PORT_INFO = 0x0001;

    private static final int PORT_COUNTERS = 0x0012;
    private static final int RCV_ERROR_DETAILS = 0x0015;
    private static final int XMIT_DISCARD_DETAILS = 0x0016;
    private static final int PORT_COUNTERS_EXTENDED = 0x001D;

    /** RespTimeValue of a second: 4.096 us x 2^18. */
    private static final int RESP_TIME_VALUE = 18;

    private static final Table<PortCounters> COUNTERS = new Table<>(PortCounters.COUNTERS);
    private static final Table<PortCountersExtended> EXTENDED = new Table<>(PortCountersExtended.COUNTERS);
    private static final Table<PortRcvErrorDetails> RCV_DETAILS = new Table<>(PortRcvErrorDetails.COUNTERS);
    private static final Table<PortXmitDiscardDetails> XMIT_DETAILS = new Table<>(PortXmitDiscardDetails.COUNTERS);

    private final LongSupplier uptimeNs;
    private final DoubleSupplier chance;
    /** Devices whose requests are redirected to a QP, by QPN. */
    private final Map<Integer, SimDevice> devicesByQpn = new HashMap<>();

    /** An attribute of counters: its fields, the counter and the max value of each field. */
    private static final class Table<A extends Attribute<A>> {
        final CounterSet<A> set;
        final Field[] fields;
        final PortCounter[] counters;
        final long[] maxima;

        Table(CounterSet<A> set) {
            this.set = set;
            fields = set.counters().toArray(new Field[0]);
            counters = Arrays.stream(fields).map(PortCounter::of).toArray(PortCounter[]::new);
            maxima = Arrays.stream(fields).mapToLong(CounterSet::maximum).toArray();
        }
    }

    /**
     * Creates an agent without redirections.
     *
     * @param sinceNs time since power-up of the fabric
     * @param chance source of random numbers from 0 to 1
     */
    PerfAgent(LongSupplier sinceNs, DoubleSupplier chance) {
        this.uptimeNs = sinceNs;
        this.chance = chance;
    }

    /** Checks whether a MAD is a request to an agent that a device has behind QP1. */
    static boolean isForAgent(byte[] mad, SimDevice device) {
        int mgmtClass = MadHeader.mgmtClass(mad);
        boolean isStandard = mgmtClass == MgmtClass.PERF_MGT || mgmtClass == MgmtClass.CONGESTION_CONTROL;
        return !MadHeader.isResponse(mad) && (isStandard || FirmwareAgent.isForAgent(device.vendor, mgmtClass));
    }

    /** Declares that requests to a QP concern a device, at whichever port they arrive. */
    void addRedirection(int qpn, SimDevice device) {
        devicesByQpn.put(qpn, device);
    }

    /**
     * Answers a request in its bytes.
     *
     * @param in port that received the request
     * @return status of the response, or {@link #NO_RESPONSE}
     */
    int answer(Packet packet, SimPort in) {
        byte[] mad = packet.mad;
        if (MadHeader.mgmtClass(mad) == MgmtClass.CONGESTION_CONTROL) {
            return answerCongestion(packet, in);
        } else if (MadHeader.mgmtClass(mad) == MgmtClass.MELLANOX) {
            return FirmwareAgent.answer(in.device.vendor, in.device.node, mad);
        }
        SimDevice redirected = devicesByQpn.get(packet.qpn);
        SimDevice device = redirected == null ? in.device : redirected;
        CounterProfile profile = device.counterProfile;
        AgentProfile.Rule rule = profile.agent().rule(mad, uptimeNs.getAsLong(), chance);
        if (rule != null && rule.action() == AgentProfile.Action.DROP) {
            return NO_RESPONSE;
        } else if (rule != null && rule.action() == AgentProfile.Action.REFUSE) {
            return rule.status();
        } else if (rule != null) { // IGNORE_SET: a Set is answered like a Get
            MadHeader.METHOD.set(mad, 0, Method.GET);
        }
        SimPort target = device.redirection;
        CounterProfile.Redirection redirection = profile.redirection();
        if (redirected == null && redirection != null && target != null) {
            redirect(mad, target, redirection.qpn());
            return MadStatus.REDIRECT;
        }
        device.updateCounters(uptimeNs.getAsLong());
        return answerPerf(device, redirected == null ? in : null, mad);
    }

    /** Answers a request of congestion control, which is not redirected. The agent's delay is added to the packet. */
    private int answerCongestion(Packet packet, SimPort in) {
        CongestionProfile profile = in.device.counterProfile.congestion();
        if (profile == null) {
            return NO_RESPONSE;
        }
        packet.preparationNs = profile.delayNs();
        SimPort end = in.device.endPort(in);
        return end.congestion().answer(packet.mad, profile, packet.slid, end.lid(), uptimeNs.getAsLong(), chance);
    }

    /** Writes a redirection (IBA 13.5.2): a ClassPortInfo, in response to any request. */
    private static void redirect(byte[] mad, SimPort elsewhere, int qpn) {
        MadHeader.ATTRIBUTE_ID.set(mad, 0, CLASS_PORT_INFO);
        Arrays.fill(mad, PerfMad.DATA_OFFSET, mad.length, (byte) 0);
        capabilities(elsewhere.device)
                .with(ClassPortInfo.REDIRECT_LID, elsewhere.lid())
                .with(ClassPortInfo.REDIRECT_GID, elsewhere.gid(0))
                .with(ClassPortInfo.REDIRECT_P_KEY, PKeyTable.DEFAULT_FULL)
                .with(ClassPortInfo.REDIRECT_QP, qpn)
                .write(mad, PerfMad.DATA_OFFSET);
    }

    /** @param in port that received the request; null if the request was redirected */
    private static int answerPerf(SimDevice device, @Nullable SimPort in, byte[] mad) {
        int method = MadHeader.method(mad);
        if (MadHeader.BASE_VERSION.get(mad, 0) != 1 || MadHeader.CLASS_VERSION.get(mad, 0) != PerfMad.CLASS_VERSION) {
            return MadStatus.UNSUPPORTED_VERSION;
        } else if (method != Method.GET && method != Method.SET) {
            return MadStatus.UNSUPPORTED_METHOD;
        }
        SimPort own = device.isSwitch || in == null ? device.port(device.node.firstPort()) : in;
        Table<?> table = table(device.counterProfile, MadHeader.attributeId(mad));
        if (table != null) {
            return answerCounters(table, Objects.requireNonNull(own), mad);
        } else if (MadHeader.attributeId(mad) == CLASS_PORT_INFO && method == Method.GET) {
            capabilities(device).write(mad, PerfMad.DATA_OFFSET);
            return MadStatus.OK;
        }
        return MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
    }

    /** Returns the counters of an attribute; null if the device does not support the attribute. */
    private static @Nullable Table<?> table(CounterProfile profile, int attributeId) {
        return switch (attributeId) {
            case PORT_COUNTERS -> COUNTERS;
            case PORT_COUNTERS_EXTENDED -> profile.extended() == CounterProfile.Extended.NONE ? null : EXTENDED;
            case RCV_ERROR_DETAILS -> profile.hasDetails() ? RCV_DETAILS : null;
            case XMIT_DISCARD_DETAILS -> profile.hasDetails() ? XMIT_DETAILS : null;
            default -> null;
        };
    }

    private static ClassPortInfo capabilities(SimDevice device) {
        CounterProfile profile = device.counterProfile;
        int mask =
                switch (profile.extended()) {
                    case NONE -> 0;
                    case NO_IETF -> PerfCapability.EXTENDED_WIDTH_NO_IETF;
                    case IETF -> PerfCapability.EXTENDED_WIDTH;
                    case ALL -> PerfCapability.EXTENDED_WIDTH | PerfCapability.QP1_DROP;
                };
        mask |= profile.hasXmitWait() ? PerfCapability.XMIT_WAIT : 0;
        mask |= profile.sumsPorts() && device.isSwitch ? PerfCapability.ALL_PORT_SELECT : 0;
        boolean hasAll = profile.extended() == CounterProfile.Extended.ALL;
        return ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.BASE_VERSION, 1)
                .with(ClassPortInfo.CLASS_VERSION, PerfMad.CLASS_VERSION)
                .with(ClassPortInfo.CAPABILITY_MASK, mask)
                .with(ClassPortInfo.CAPABILITY_MASK2, hasAll ? PerfCapability.ADDITIONAL_EXTENDED : 0)
                .with(ClassPortInfo.RESP_TIME_VALUE, RESP_TIME_VALUE)
                .with(ClassPortInfo.REDIRECT_QP, 1)
                .with(ClassPortInfo.REDIRECT_Q_KEY, Integer.toUnsignedLong(MadAddress.QP1_Q_KEY));
    }

    private static <A extends Attribute<A>> int answerCounters(Table<A> table, SimPort own, byte[] mad) {
        A request = table.set.type().read(mad, PerfMad.DATA_OFFSET);
        SimPort[] ports = ports(own, table.set.port(request));
        if (ports.length == 0) {
            return MadStatus.INVALID_FIELD;
        }
        CounterProfile profile = own.device.counterProfile;
        boolean isExtended = table.set == EXTENDED.set;
        if (MadHeader.method(mad) == Method.SET) {
            for (Field field : table.set.selectedCounters(request)) {
                for (SimPort port : ports) {
                    port.counts().clear(PortCounter.of(field), isExtended);
                }
            }
        }
        int extended = isExtended ? extendedFields(profile) : table.fields.length;
        for (int i = 0; i < table.fields.length; i++) {
            boolean isThere = i < extended && (isExtended || isSupported(profile, table.counters[i]));
            long value = isThere ? valueOf(ports, table.counters[i], isExtended, profile.wraps(), table.maxima[i]) : 0;
            table.fields[i].set(mad, PerfMad.DATA_OFFSET, value);
        }
        return MadStatus.OK;
    }

    /** Returns the number of counters of PortCountersExtended that a device supports, which are the first ones. */
    private static int extendedFields(CounterProfile profile) {
        return switch (profile.extended()) {
            case NONE -> 0;
            case NO_IETF ->
                PortCountersExtended.COUNTERS.counters().indexOf(PortCountersExtended.PORT_UNICAST_XMIT_PKTS);
            case IETF -> PortCountersExtended.COUNTERS.counters().indexOf(PortCountersExtended.SYMBOL_ERROR_COUNTER);
            case ALL -> PortCountersExtended.COUNTERS.counters().size();
        };
    }

    private static boolean isSupported(CounterProfile profile, PortCounter counter) {
        return switch (counter) {
            case XMIT_WAIT -> profile.hasXmitWait();
            case QP1_DROPPED -> profile.extended() == CounterProfile.Extended.ALL;
            default -> true;
        };
    }

    /** Returns the selected ports: one or all of a switch, the receiving port of another device, or none if invalid. */
    private static SimPort[] ports(SimPort own, int select) {
        SimDevice device = own.device;
        boolean isOne = device.isSwitch ? device.port(select) != null : select == own.portNum;
        if (isOne) {
            return new SimPort[] {Objects.requireNonNull(device.port(select))};
        }
        return device.isSwitch && device.counterProfile.sumsPorts() && select == CounterSet.ALL_PORTS
                ? device.allPorts()
                : new SimPort[0];
    }

    /** Returns the sum of the values that ports show. Without wrapping, values and sum stop at the maximum. */
    private static long valueOf(SimPort[] ports, PortCounter counter, boolean isExtended, boolean wraps, long maximum) {
        long sum = 0;
        for (SimPort port : ports) {
            long counted = port.countOf(counter, isExtended);
            if (wraps) {
                sum = sum + counted & maximum; // modulo 2 to the width of the counter
            } else {
                long shown = Long.compareUnsigned(counted, maximum) > 0 ? maximum : counted;
                sum = Long.compareUnsigned(shown, maximum - sum) > 0 ? maximum : sum + shown;
            }
        }
        return sum;
    }
}
