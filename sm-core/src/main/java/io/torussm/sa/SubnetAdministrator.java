package io.torussm.sa;

import io.torussm.alias.AliasGuids;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.ClassPortInfo;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.SmInfo;
import io.torussm.registration.Registrations;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Rmpp;
import io.torussm.transport.RmppReceiver;
import io.torussm.transport.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes SA MADs and answers them (IBA 15.3, 15.4).
 *
 * <p>{@link #received} runs on the transport's thread and only judges and queues; who waits in turn and who is told BUSY
 * is the affair of {@link RequestQueue}, whose lanes run on the executor. Silence is kept before the first view is published, to
 * wrong SM_Keys, to LIDs that belong to nobody, and to whatever is no request.
 */
public final class SubnetAdministrator {
    private static final EventLog EVENTS = EventLog.of(SubnetAdministrator.class);
    private static final int MAX_RECORD_ATTRIBUTE = 0xff;

    /**
     * Who is trusted, and how much is sent at most.
     *
     * @param smKey SM_Key that makes a request trusted; requests with any other but 0 are not answered
     * @param maxTableBytes records of one answer; a larger one is refused with NO_RESOURCES
     * @param segmenter who cuts tables into segments
     */
    public record Settings(long smKey, int maxTableBytes, RmppSender.Segmenter segmenter) {
        /** With RMPP of our own. */
        public Settings(long smKey, int maxTableBytes) {
            this(smKey, maxTableBytes, RmppSender.Segmenter.SENDER);
        }
    }

    /** Requests in work at once; an executor with as many threads is enough. */
    public static final int LANES = RequestQueue.Limits.DEFAULT.lanes();

    /**
     * What was counted so far.
     *
     * @param requests that may be answered
     * @param answers of any status
     * @param busy requests turned away for want of room
     * @param dropped MADs that nobody waits for an answer to, or that may have none, or are too many even for a refusal
     * @param defects answers that a bug cost
     * @param waiting requests that wait for an answer now
     * @param mostWaiting the most that ever did at once
     */
    public record Stats(
            long requests, long answers, long busy, long dropped, long defects, int waiting, int mostWaiting) {}

    private final Supplier<@Nullable PublishedView> view;
    private final Consumer<MadFrame> out;
    private final RequestQueue queue;
    private final Loop loop;
    private final RequestStatistics traffic;
    private final Settings settings;
    private final AliasGuids aliases;
    private final RmppSender rmpp;

    /** Requests that come in segments. */
    private final RmppReceiver intake;

    /** By attribute ID. */
    private final @Nullable RecordHandler[] handlers = new RecordHandler[MAX_RECORD_ATTRIBUTE + 1];

    private volatile @Nullable ViewIndex cached;
    private volatile PrefixRoutes prefixRoutes = PrefixRoutes.NONE;
    private volatile PathPolicy pathPolicy = PathPolicy.NONE;

    private final LongAdder requests = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder defects = new LongAdder();

    /**
     * A subnet administrator.
     *
     * @param view null while there is nothing to answer from
     * @param out sends; called on any thread
     * @param workers runs at most {@link #LANES} tasks of the SA at a time, which answer until nothing waits
     * @param loop for the timers of RMPP, and the clock
     * @param registrations that requests change, and tell of
     * @param subnetManagers all that are known, this one too, with their SM_Keys; asked on any thread
     */
    public SubnetAdministrator(
            Supplier<@Nullable PublishedView> view,
            Consumer<MadFrame> out,
            Executor workers,
            Loop loop,
            RmppSender.Limits limits,
            Registrations registrations,
            Supplier<List<SmInfo>> subnetManagers,
            Settings settings) {
        this.view = view;
        this.out = out;
        this.queue = new RequestQueue(workers, RequestQueue.Limits.DEFAULT, this::serve);
        this.loop = loop;
        this.settings = settings;
        this.aliases = registrations.aliases();
        this.rmpp = new RmppSender(loop, limits, settings.segmenter(), out);
        this.intake = new RmppReceiver(loop, RmppReceiver.Limits.REQUESTS, out, new Intake());
        for (RecordHandler handler : new RecordHandler[] {
            NodeRecords.handler(),
            PortInfoRecords.handler(),
            PortRecords.links(),
            PortRecords.pKeys(),
            SwitchRecords.switchInfos(registrations.memberships()),
            SwitchRecords.forwardingTables(),
            SwitchRecords.multicastTables(registrations.memberships()),
            QosRecords.slToVl(),
            QosRecords.vlArbitration(),
            new SmInfoRecords(subnetManagers),
            new GuidInfoRecordHandler(registrations.aliases(), registrations.memberships()),
            new PathRecordHandler(registrations.memberships(), () -> prefixRoutes),
            new MultiPathHandler(),
            new MCMemberRecordHandler(registrations.memberships()),
            new ServiceRecordHandler(registrations.services(), loop::nowNs),
            new InformInfoHandler(registrations.subscriptions()),
            new InformInfoRecordHandler(registrations.subscriptions())
        }) {
            handlers[handler.type().id()] = handler;
        }
        traffic = new RequestStatistics(served());
    }

    /** The attributes that some method is served of. */
    List<AttributeType<?>> served() {
        List<AttributeType<?>> served = new ArrayList<>(List.of(ClassPortInfo.TYPE));
        for (RecordHandler handler : handlers) {
            if (handler != null) {
                served.add(handler.type());
            }
        }
        return served;
    }

    /** Says which routers lead to other subnets, from now on; from any thread. */
    public void setPrefixRoutes(PrefixRoutes routes) {
        prefixRoutes = routes;
    }

    /** Says which QoS level each path has, from the next request on; from any thread. */
    public void setPathPolicy(PathPolicy policy) {
        pathPolicy = policy;
    }

    /** The counters; from any thread. */
    public Stats stats() {
        return new Stats(
                requests.sum(),
                answers.sum(),
                busy.sum(),
                dropped.sum() + rmpp.stats().strays(),
                defects.sum(),
                queue.waiting(),
                queue.mostWaiting());
    }

    /** What was asked for, by attribute and method, and how long it took; from any thread. */
    public List<AttributeStatistics> traffic() {
        return traffic.counted();
    }

    /** How table answers ended; from any thread. */
    public RmppSender.Stats tableStats() {
        return rmpp.stats();
    }

    /** Table answers under way; from any thread. */
    public int openTables() {
        return rmpp.openCount();
    }

    /** Requests that come in segments and are not complete, or were a moment ago; on the loop of RMPP. */
    int openRequests() {
        return intake.openCount();
    }

    /** Takes a MAD of class SubnAdm from the transport's thread; does not block. */
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (mad.length < MadHeader.MAD_SIZE || MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM) {
            dropped.increment();
        } else if (frame.undelivered()) {
            dropped.increment();
            rmpp.undelivered(frame);
        } else if (Rmpp.isControl(mad)) {
            control(frame);
        } else if (isSegmented(mad) && mayBeAnswered(frame, view.get())) {
            intake.receive(frame);
        } else {
            take(frame);
        }
    }

    /** GetMulti is the one method whose requests come by RMPP; its transfer turns round when the request is complete. */
    private boolean isSegmented(byte[] mad) {
        return settings.segmenter() == RmppSender.Segmenter.SENDER
                && MadHeader.method(mad) == Method.GET_MULTI
                && Rmpp.isActive(mad)
                && Rmpp.type(mad) == Rmpp.DATA;
    }

    /** The ACK by which a requester turns the transfer round may come before there is an answer to send. */
    private void control(MadFrame frame) {
        byte[] mad = frame.mad();
        int type = Rmpp.type(mad);
        boolean isAnswered = rmpp.isOpen(frame.peer(), mad);
        if (isAnswered || MadHeader.method(mad) != Method.GET_MULTI) {
            rmpp.receive(frame);
        } else if (type == Rmpp.STOP || type == Rmpp.ABORT) {
            intake.receive(frame);
        }
    }

    /** Takes the requests that came in segments. */
    private final class Intake implements RmppReceiver.Sink {
        @Override
        public void received(MadFrame first, byte[] data) {
            byte[] request = Arrays.copyOf(first.mad(), SaMad.DATA + data.length);
            System.arraycopy(data, 0, request, SaMad.DATA, data.length);
            take(new MadFrame(first.peer(), request));
        }

        @Override
        public void failed(MadAddress peer, long tid, int status) {
            dropped.increment();
        }
    }

    private void take(MadFrame frame) {
        byte[] mad = frame.mad();
        PublishedView current = view.get();
        if (current == null || !mayBeAnswered(frame, current)) {
            dropped.increment();
            return;
        }
        Subnet subnet = current.subnet();
        int requester = subnet.lid(subnet.portOfLid(frame.peer().lid()));
        RequestQueue.Disposition disposition = queue.offer(new Request(frame, requester, isLarge(mad), loop.nowNs()));
        requests.increment();
        traffic.taken(mad, disposition);
        switch (disposition) {
            case WAITS -> {}
            case IS_REFUSED -> busy.increment();
            case IS_DROPPED -> dropped.increment();
        }
    }

    private boolean isLarge(byte[] mad) {
        RecordHandler handler = handler(mad);
        return handler != null
                && switch (MadHeader.method(mad)) {
                    case Method.GET_TABLE, Method.GET_TRACE_TABLE, Method.GET_MULTI -> true;
                    case Method.GET -> handler.isLarge(mad);
                    default -> false;
                };
    }

    private @Nullable RecordHandler handler(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        return attribute <= MAX_RECORD_ATTRIBUTE ? handlers[attribute] : null;
    }

    /** The edge of this stage: a defect costs one answer and is counted and logged, never a thread. */
    private void serve(Request request, boolean isRefused) {
        MadFrame frame = request.frame();
        try {
            if (isRefused) {
                refuse(frame, MadStatus.BUSY);
            } else {
                answer(request);
            }
        } catch (RuntimeException e) {
            defects.increment();
            EVENTS.report(
                    SmEvent.SA_DEFECT,
                    e,
                    EventField.ATTRIBUTE.of("0x" + Integer.toHexString(MadHeader.attributeId(frame.mad()))),
                    EventField.LID.of(frame.peer().lid()));
        }
    }

    private boolean mayBeAnswered(MadFrame frame, @Nullable PublishedView current) {
        return current != null
                && isRequest(frame.mad())
                && (SaMad.SM_KEY.get(frame.mad(), 0) == 0 || isTrusted(frame.mad()))
                && current.subnet().portOfLid(frame.peer().lid()) != Fabric.NONE;
    }

    /** Neither a response nor a message that has none (IBA 13.4.5). */
    private static boolean isRequest(byte[] mad) {
        return switch (MadHeader.method(mad)) {
            case Method.SEND, Method.TRAP, Method.REPORT, Method.TRAP_REPRESS -> false;
            default -> !MadHeader.isResponse(mad);
        };
    }

    private boolean isTrusted(byte[] mad) {
        long smKey = SaMad.SM_KEY.get(mad, 0);
        return smKey != 0 && smKey == settings.smKey();
    }

    /** The view may have changed since the request came in; it counts as it is now, until the answer is sent. */
    private void answer(Request request) {
        MadFrame frame = request.frame();
        byte[] mad = frame.mad();
        PublishedView current = view.get();
        if (current == null || !mayBeAnswered(frame, current)) {
            dropped.increment();
            traffic.dropped(mad);
            return;
        }
        int method = MadHeader.method(mad);
        RecordHandler handler = handler(mad);
        boolean isOurVersion =
                MadHeader.BASE_VERSION.get(mad, 0) == 1 && MadHeader.CLASS_VERSION.get(mad, 0) == SaMad.CLASS_VERSION;
        if (!isOurVersion) {
            refuse(frame, MadStatus.UNSUPPORTED_VERSION);
        } else if (MadHeader.attributeId(mad) == ClassPortInfo.TYPE.id() && method == Method.GET) {
            byte[] answer = SaMad.answer(mad, Method.GET_RESP, MadStatus.OK);
            ClassPortInfoAnswer.of(current).write(answer, SaMad.DATA);
            send(frame, answer);
        } else if (handler instanceof MultiPathHandler) {
            answerMulti(frame, handler, current);
        } else if (handler != null && method == Method.GET) {
            answerOne(frame, handler, query(frame, current));
        } else if (handler != null && method == Method.GET_TABLE) {
            answerTable(frame, handler, handler.type(), query(frame, current));
        } else if (handler instanceof ChangingHandler changing && (method == Method.SET || method == Method.DELETE)) {
            changing.change(query(frame, current), (status, record) -> {
                answerChange(frame, status, record);
                measure(request);
            });
            return;
        } else {
            refuse(frame, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        }
        measure(request);
    }

    private void measure(Request request) {
        traffic.took(request.frame().mad(), loop.nowNs() - request.sinceNs());
    }

    private Query query(MadFrame frame, PublishedView current) {
        byte[] mad = frame.mad();
        int requester = current.subnet().portOfLid(frame.peer().lid());
        return new Query(
                frame.peer(), mad, SaMad.COMPONENT_MASK.get(mad, 0), isTrusted(mad), requester, index(current));
    }

    private void answerChange(MadFrame frame, int status, byte[] record) {
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] mad = frame.mad();
        int method = MadHeader.method(mad) == Method.SET ? Method.GET_RESP : Method.DELETE_RESP;
        byte[] answer = SaMad.answer(mad, method, MadStatus.OK);
        SaMad.ATTRIBUTE_OFFSET.set(answer, 0, record.length / Long.BYTES);
        System.arraycopy(record, 0, answer, SaMad.DATA, record.length);
        send(frame, answer);
    }

    private ViewIndex index(PublishedView current) {
        ViewIndex known = cached;
        return known != null && known.isOf(current, pathPolicy) ? known : renewIndex(current);
    }

    /** One thread prepares a view, while those that need it too wait for it. */
    private synchronized ViewIndex renewIndex(PublishedView current) {
        ViewIndex known = cached;
        PathPolicy policy = pathPolicy;
        if (known == null || !known.isOf(current, policy)) {
            known = new ViewIndex(current, policy, guid -> aliases.table().portOf(guid));
            cached = known;
        }
        return known;
    }

    private void answerOne(MadFrame frame, RecordHandler handler, Query query) {
        int size = handler.type().layout().size();
        RecordTable records = new RecordTable(size, 1);
        int status = handler.answer(query, records);
        if (status != MadStatus.OK) {
            refuse(frame, status);
        } else if (records.isOverflown()) {
            refuse(frame, MadStatus.SA_TOO_MANY_RECORDS);
        } else if (records.count() == 0) {
            refuse(frame, MadStatus.SA_NO_RECORDS);
        } else {
            byte[] answer = SaMad.answer(frame.mad(), Method.GET_RESP, MadStatus.OK);
            SaMad.ATTRIBUTE_OFFSET.set(answer, 0, size / Long.BYTES);
            System.arraycopy(records.bytes(), 0, answer, SaMad.DATA, size);
            send(frame, answer);
        }
    }

    /** Only by RMPP can both the request and the answer be as long as they may be (IBA 15.2.5.20). */
    private void answerMulti(MadFrame frame, RecordHandler handler, PublishedView current) {
        if (MadHeader.method(frame.mad()) != Method.GET_MULTI) {
            refuse(frame, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else if (!Rmpp.isActive(frame.mad())) {
            refuse(frame, MadStatus.SA_REQ_INVALID);
        } else {
            answerTable(frame, handler, PathRecord.TYPE, query(frame, current));
        }
    }

    private void answerTable(MadFrame frame, RecordHandler handler, AttributeType<?> answered, Query query) {
        if (rmpp.isOpen(frame.peer(), frame.mad())) {
            dropped.increment();
            traffic.dropped(frame.mad());
            return;
        }
        int size = answered.layout().size();
        RecordTable records = new RecordTable(size, settings.maxTableBytes() / size);
        int status = handler.answer(query, records);
        if (status != MadStatus.OK || records.isOverflown()) {
            refuse(frame, status != MadStatus.OK ? status : MadStatus.SA_NO_RESOURCES);
            return;
        }
        byte[] header = SaMad.answer(frame.mad(), MadHeader.method(frame.mad()) | Method.RESPONSE, MadStatus.OK);
        MadHeader.ATTRIBUTE_ID.set(header, 0, answered.id());
        SaMad.ATTRIBUTE_OFFSET.set(header, 0, records.count() == 0 ? 0 : size / Long.BYTES);
        if (rmpp.send(frame.peer(), header, records.toBytes())) {
            answers.increment();
            traffic.answered(frame.mad(), MadStatus.OK);
        } else {
            busy.increment();
            traffic.busy(frame.mad());
            refuse(frame, MadStatus.BUSY);
        }
    }

    /**
     * An error is answered with the request's own data (IBA 13.4.7) and never by RMPP. GetMulti is answered by PathRecords,
     * whatever comes of it.
     */
    private void refuse(MadFrame frame, int status) {
        byte[] mad = frame.mad();
        byte[] answer = SaMad.answer(mad, MadHeader.method(mad) | Method.RESPONSE, status);
        if (MadHeader.method(mad) == Method.SET) {
            MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
        } else if (MadHeader.method(mad) == Method.GET_MULTI
                && MadHeader.attributeId(mad) == MultiPathRecord.TYPE.id()) {
            MadHeader.ATTRIBUTE_ID.set(answer, 0, PathRecord.TYPE.id());
        }
        System.arraycopy(mad, SaMad.DATA, answer, SaMad.DATA, Math.min(SaMad.DATA_SIZE, mad.length - SaMad.DATA));
        send(frame, answer);
    }

    private void send(MadFrame request, byte[] answer) {
        answers.increment();
        traffic.answered(request.mad(), MadHeader.status(answer));
        out.accept(new MadFrame(request.peer(), answer));
    }
}
