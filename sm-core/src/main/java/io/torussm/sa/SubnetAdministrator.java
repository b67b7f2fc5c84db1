package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ClassPortInfo;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.RmppSender;
import io.torussm.view.PublishedView;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes SA MADs and answers them (IBA 15.3, 15.4).
 *
 * <p>{@link #received} runs on the transport's thread and only queues; the queue and its threads are the executor's, and
 * when it refuses, the requester is told BUSY. Nothing is answered before the first view is published.
 */
public final class SubnetAdministrator {
    private static final Logger LOG = LoggerFactory.getLogger(SubnetAdministrator.class);
    private static final int CLASS_VERSION = 2;
    private static final int QKEY_GSI = 0x80010000;

    /**
     * Who is trusted, and how much is sent at most.
     *
     * @param smKey SM_Key that makes a request trusted; requests with any other but 0 are not answered
     * @param maxTableBytes records of one answer; a larger one is refused with NO_RESOURCES
     */
    public record Settings(long smKey, int maxTableBytes) {}

    /** What was counted so far. */
    public record Stats(long requests, long answers, long busy, long dropped, long defects) {}

    private final Supplier<@Nullable PublishedView> view;
    private final Consumer<MadFrame> out;
    private final Executor workers;
    private final Settings settings;
    private final RmppSender rmpp;
    private final Map<Integer, RecordHandler> handlers;
    private volatile @Nullable ViewIndex cached;

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
     * @param workers bounded; refuses with RejectedExecutionException when full
     * @param loop for the timers of RMPP
     */
    public SubnetAdministrator(
            Supplier<@Nullable PublishedView> view,
            Consumer<MadFrame> out,
            Executor workers,
            Loop loop,
            RmppSender.Limits limits,
            Settings settings) {
        this.view = view;
        this.out = out;
        this.workers = workers;
        this.settings = settings;
        this.rmpp = new RmppSender(loop, limits, out);
        this.handlers = Stream.of(new NodeRecordHandler(), new PortInfoRecordHandler(), new PathRecordHandler())
                .collect(Collectors.toUnmodifiableMap(handler -> handler.type().id(), handler -> handler));
    }

    /** The counters; from any thread. */
    public Stats stats() {
        return new Stats(requests.sum(), answers.sum(), busy.sum(), dropped.sum(), defects.sum());
    }

    /** Takes a MAD of class SubnAdm from the transport's thread; does not block. */
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (SaMad.RMPP_TYPE.get(mad, 0) > RmppSender.DATA) {
            rmpp.receive(frame);
            return;
        }
        if (MadHeader.isResponse(mad) || frame.undelivered()) {
            dropped.increment();
            return;
        }
        requests.increment();
        try {
            workers.execute(() -> handle(frame));
        } catch (RejectedExecutionException full) {
            busy.increment();
            refuse(frame, MadStatus.BUSY);
        }
    }

    /** The edge of this stage: a defect costs one answer and is counted and logged, never a thread. */
    private void handle(MadFrame frame) {
        try {
            answer(frame);
        } catch (RuntimeException e) {
            defects.increment();
            LOG.error(
                    "no answer to SA attribute 0x{} from LID {} because of a defect in this program",
                    Integer.toHexString(MadHeader.attributeId(frame.mad())),
                    frame.peer().lid(),
                    e);
        }
    }

    private void answer(MadFrame frame) {
        byte[] mad = frame.mad();
        PublishedView current = view.get();
        long smKey = SaMad.SM_KEY.get(mad, 0);
        boolean isTrusted = smKey != 0 && smKey == settings.smKey();
        boolean isHeard = current != null
                && (smKey == 0 || isTrusted)
                && current.subnet().portOfLid(frame.peer().lid()) != Fabric.NONE;
        if (current == null || !isHeard) {
            dropped.increment();
            return;
        }
        if (MadHeader.BASE_VERSION.get(mad, 0) != 1 || MadHeader.CLASS_VERSION.get(mad, 0) != CLASS_VERSION) {
            refuse(frame, MadStatus.UNSUPPORTED_VERSION);
            return;
        }
        int attribute = MadHeader.attributeId(mad);
        int method = MadHeader.method(mad);
        RecordHandler handler = handlers.get(attribute);
        if (attribute == ClassPortInfo.TYPE.id()) {
            answerClassPortInfo(frame, current, method);
        } else if (handler == null || method != Method.GET && method != Method.GET_TABLE) {
            refuse(frame, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else {
            Query query = new Query(mad, SaMad.COMPONENT_MASK.get(mad, 0), isTrusted, index(current));
            if (method == Method.GET) {
                answerOne(frame, handler, query);
            } else {
                answerTable(frame, handler, query);
            }
        }
    }

    private ViewIndex index(PublishedView current) {
        ViewIndex known = cached;
        if (known == null || known.view().sweep() != current.sweep()) {
            known = new ViewIndex(current);
            cached = known;
        }
        return known;
    }

    private void answerOne(MadFrame frame, RecordHandler handler, Query query) {
        RecordTable records = new RecordTable(handler.type().layout().size(), 2);
        int status = handler.answer(query, records);
        if (status == MadStatus.OK && records.count() != 1) {
            status = records.count() == 0 ? MadStatus.SA_NO_RECORDS : MadStatus.SA_TOO_MANY_RECORDS;
        }
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] answer = SaMad.answer(frame.mad(), Method.GET_RESP, MadStatus.OK);
        SaMad.ATTRIBUTE_OFFSET.set(answer, 0, handler.type().layout().size() / Long.BYTES);
        byte[] bytes = records.toBytes();
        System.arraycopy(bytes, 0, answer, SaMad.DATA, bytes.length);
        send(frame, answer);
    }

    private void answerTable(MadFrame frame, RecordHandler handler, Query query) {
        int size = handler.type().layout().size();
        int maxRecords = settings.maxTableBytes() / size;
        RecordTable records = new RecordTable(size, maxRecords + 1);
        int status = handler.answer(query, records);
        if (status == MadStatus.OK && records.count() > maxRecords) {
            status = MadStatus.SA_NO_RESOURCES;
        }
        if (status != MadStatus.OK) {
            refuse(frame, status);
            return;
        }
        byte[] header = SaMad.answer(frame.mad(), Method.GET_TABLE_RESP, MadStatus.OK);
        SaMad.ATTRIBUTE_OFFSET.set(header, 0, records.count() == 0 ? 0 : size / Long.BYTES);
        answers.increment();
        rmpp.send(frame.peer(), header, records.toBytes(), () -> {
            busy.increment();
            refuse(frame, MadStatus.BUSY);
        });
    }

    private void answerClassPortInfo(MadFrame frame, PublishedView current, int method) {
        if (method != Method.GET) {
            refuse(frame, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
            return;
        }
        int capabilities2 = ClassPortInfo.CAP2_FULL_PORT_INFO_RECORD
                | ClassPortInfo.CAP2_EXTENDED_SPEEDS
                | (current.qos() ? ClassPortInfo.CAP2_QOS_WITH_PATH_RECORDS : 0);
        ClassPortInfo info = ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.BASE_VERSION, 1)
                .with(ClassPortInfo.CLASS_VERSION, CLASS_VERSION)
                .with(ClassPortInfo.CAPABILITY_MASK, ClassPortInfo.CAP_PORT_INFO_CAP_MASK_MATCH)
                .with(ClassPortInfo.CAPABILITY_MASK2, capabilities2)
                .with(ClassPortInfo.RESP_TIME_VALUE, current.responseTimeValue())
                .with(ClassPortInfo.REDIRECT_QP, 1)
                .with(ClassPortInfo.REDIRECT_Q_KEY, Integer.toUnsignedLong(QKEY_GSI))
                .with(ClassPortInfo.TRAP_QP, 1)
                .with(ClassPortInfo.TRAP_Q_KEY, Integer.toUnsignedLong(QKEY_GSI));
        byte[] answer = SaMad.answer(frame.mad(), Method.GET_RESP, MadStatus.OK);
        info.write(answer, SaMad.DATA);
        send(frame, answer);
    }

    /** An error is answered with the request's own data (IBA 13.4.7) and never by RMPP. */
    private void refuse(MadFrame frame, int status) {
        byte[] mad = frame.mad();
        byte[] answer = SaMad.answer(mad, MadHeader.method(mad) | Method.RESPONSE, status);
        if (MadHeader.method(mad) == Method.SET) {
            MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
        }
        System.arraycopy(mad, SaMad.DATA, answer, SaMad.DATA, SaMad.DATA_SIZE);
        send(frame, answer);
    }

    private void send(MadFrame request, byte[] answer) {
        answers.increment();
        out.accept(new MadFrame(request.peer(), answer));
    }
}
