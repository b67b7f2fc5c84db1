package io.torussm.sim.congestion;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.TimeStamp;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The congestion control agent of a switch, or of one port of a channel adapter or router (IBA annex A10). It responds
 * within the limits and faults of a {@link CongestionProfile}. The response to a Set has the content that is effective
 * afterwards. Owner thread: the loop of the fabric.
 */
public final class CongestionAgent {
    /** In place of a status: there is no response. */
    public static final int NO_RESPONSE = -1;

    private static final int CLASS_PORT_INFO = 0x0001;
    private static final int NOTICE = 0x0002;
    private static final int INFO = 0x0011;
    private static final int KEY_INFO = 0x0012;
    private static final int LOG = 0x0013;
    private static final int TIME_STAMP = 0x0018;

    /** 4.096 us times 2 to the power of this: 17 ms. */
    private static final int RESP_TIME_VALUE = 12;

    /** Sets that are kept. */
    private static final int MAX_SETS = 64;

    private final int nodeType;
    private final CongestionSettings settings;
    private final CongestionKey key = new CongestionKey();
    private final List<byte[]> sets = new ArrayList<>();
    private CongestionLog log;

    /**
     * Creates an agent as after power-up.
     *
     * @param nodeType {@link NodeInfo#SWITCH}, channel adapter or router
     * @param numPorts external ports of the device
     */
    public CongestionAgent(int nodeType, int numPorts) {
        this.nodeType = nodeType;
        settings = new CongestionSettings(nodeType, numPorts);
        log = emptyLog();
    }

    private CongestionLog emptyLog() {
        int type = nodeType == NodeInfo.SWITCH ? CongestionLog.LOG_TYPE_SWITCH : CongestionLog.LOG_TYPE_ADAPTER;
        return CongestionLog.TYPE.zero().with(CongestionLog.LOG_TYPE, type);
    }

    /** Returns the settings. */
    public CongestionSettings settings() {
        return settings;
    }

    /** Returns the key and its violations, as a requester with the key sees them. */
    public CongestionKeyInfo key() {
        return key.visibleTo(key.value());
    }

    /** Returns the first {@value #MAX_SETS} Sets that it received since power-up, in their order. */
    public List<byte[]> sets() {
        return sets.stream().map(byte[]::clone).toList();
    }

    /** Replaces the log, which lasts until it is read. */
    public void setLog(CongestionLog newer) {
        log = newer;
    }

    /**
     * Responds to a request, within its own bytes.
     *
     * @param slid LID of the requester
     * @param lid LID of this agent
     * @param sinceNs time since power-up of the fabric
     * @param chance source of numbers from 0 to 1
     * @return the status of the response, or {@link #NO_RESPONSE}
     */
    public int answer(byte[] mad, CongestionProfile profile, int slid, int lid, long sinceNs, DoubleSupplier chance) {
        if (MadHeader.method(mad) == Method.SET && sets.size() < MAX_SETS) {
            sets.add(mad.clone());
        }
        AgentProfile.Rule rule = profile.agent().rule(mad, sinceNs, chance);
        if (rule != null && rule.action() == AgentProfile.Action.DROP) {
            return NO_RESPONSE;
        } else if (rule != null && rule.action() == AgentProfile.Action.REFUSE) {
            return rule.status();
        }
        if (MadHeader.BASE_VERSION.get(mad, 0) != 1
                || MadHeader.CLASS_VERSION.get(mad, 0) != CongestionMad.CLASS_VERSION) {
            return MadStatus.UNSUPPORTED_VERSION;
        }
        int method = MadHeader.method(mad);
        if (method != Method.GET && method != Method.SET) {
            return MadStatus.UNSUPPORTED_METHOD;
        }
        if (!key.checkKey(mad, nodeType, slid, lid, sinceNs)) {
            return NO_RESPONSE;
        }
        boolean isSet = method == Method.SET && rule == null;
        int status = isSet ? set(mad, profile.info()) : MadStatus.OK;
        status = status == MadStatus.OK ? get(mad, profile.info(), sinceNs) : status;
        profile.agent().writeFalseValues(mad, sinceNs, chance);
        return status;
    }

    private int set(byte[] mad, CongestionInfo info) {
        return switch (MadHeader.attributeId(mad)) {
            case NOTICE -> {
                key.clearNotice();
                yield MadStatus.OK;
            }
            case KEY_INFO -> {
                key.set(CongestionKeyInfo.TYPE.read(mad, CongestionMad.DATA_OFFSET));
                yield MadStatus.OK;
            }
            default -> settings.set(mad, info);
        };
    }

    private int get(byte[] mad, CongestionInfo info, long sinceNs) {
        switch (MadHeader.attributeId(mad)) {
            case CLASS_PORT_INFO -> classPortInfo().write(mad, CongestionMad.DATA_OFFSET);
            case NOTICE -> key.notice().write(mad, CongestionMad.DATA_OFFSET);
            case INFO -> info.write(mad, CongestionMad.DATA_OFFSET);
            case KEY_INFO -> key.visibleTo(CongestionMad.CC_KEY.get(mad, 0)).write(mad, CongestionMad.DATA_OFFSET);
            case LOG -> {
                log.with(log.isOfSwitch() ? CongestionLog.SWITCH_TIME : CongestionLog.ADAPTER_TIME, time(sinceNs))
                        .write(mad, CongestionMad.LOG_OFFSET);
                log = emptyLog();
            }
            case TIME_STAMP ->
                TimeStamp.TYPE.zero().with(TimeStamp.TIME_STAMP, time(sinceNs)).write(mad, CongestionMad.DATA_OFFSET);
            default -> {
                return settings.get(mad, info);
            }
        }
        return MadStatus.OK;
    }

    private static long time(long sinceNs) {
        return sinceNs / TimeStamp.UNIT_NS & 0xffff_ffffL;
    }

    private static ClassPortInfo classPortInfo() {
        return ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.BASE_VERSION, 1)
                .with(ClassPortInfo.CLASS_VERSION, CongestionMad.CLASS_VERSION)
                .with(ClassPortInfo.CAPABILITY_MASK, ClassPortInfo.CAP_HAS_NOTICES)
                .with(ClassPortInfo.RESP_TIME_VALUE, RESP_TIME_VALUE);
    }
}
