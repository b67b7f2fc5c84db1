package io.torussm.sa;

import io.torussm.mad.AttributeType;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaCapability;
import io.torussm.mad.sa.SaMad;
import io.torussm.sa.query.AttributeHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.view.PublishedView;

/**
 * The handler of ClassPortInfo of the SA (IBA 15.2.4). Its capability bits are those of the served functions. Event
 * forwarding has no bit, because every SA must offer it. {@link ClassPortInfo#CAP_SENDS_TRAPS} and
 * {@link ClassPortInfo#CAP_HAS_NOTICES} are 0: an SA sends Reports and no traps, and Get and Set of Notice are not
 * served.
 */
final class ClassPortInfoHandler implements AttributeHandler {
    private static final int BASE_VERSION = 1;
    private static final long QKEY_GSI = 0x8001_0000L;
    private static final int QP_GSI = 1;

    /**
     * The bits of CapabilityMask. IsOptionalRecordsSupported is 0, because for example RandomForwardingTableRecord is
     * not served.
     */
    private static final int CAPABILITIES =
            SaCapability.UD_MULTICAST | SaCapability.MULTI_PATH | SaCapability.PORT_INFO_CAP_MASK_MATCH;

    private static final int CAPABILITIES2 = SaCapability.MULTICAST_FDB_TOP
            | SaCapability.ALIAS_GUIDS
            | SaCapability.SEND_ONLY_FULL_MEMBER
            | SaCapability.FULL_PORT_INFO_RECORD
            | SaCapability.EXTENDED_SPEEDS
            | SaCapability.PORT_INFO_CAP_MASK2_MATCH
            | SaCapability.LINK_WIDTH_2X
            | SaCapability.LINK_SPEED_HDR
            | SaCapability.LINK_SPEED_NDR;

    @Override
    public AttributeType<?> type() {
        return ClassPortInfo.TYPE;
    }

    @Override
    public void serve(Query query, QueryReply reply) {
        if (query.method() == Method.GET) {
            reply.sendAttribute(of(query.index().view()));
        } else {
            reply.refuse(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
    }

    private static ClassPortInfo of(PublishedView view) {
        return ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.BASE_VERSION, BASE_VERSION)
                .with(ClassPortInfo.CLASS_VERSION, SaMad.CLASS_VERSION)
                .with(ClassPortInfo.CAPABILITY_MASK, CAPABILITIES)
                .with(ClassPortInfo.CAPABILITY_MASK2, CAPABILITIES2)
                .with(ClassPortInfo.RESP_TIME_VALUE, view.responseTimeValue())
                .with(ClassPortInfo.REDIRECT_QP, QP_GSI)
                .with(ClassPortInfo.REDIRECT_Q_KEY, QKEY_GSI)
                .with(ClassPortInfo.TRAP_QP, QP_GSI)
                .with(ClassPortInfo.TRAP_Q_KEY, QKEY_GSI);
    }
}
