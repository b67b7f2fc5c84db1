package io.torussm.sa;

import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.sa.query.AttributeHandler;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The entry of SA MADs (IBA 15.3, 15.4): admission, queue and dispatch.
 *
 * <p>{@link #received} runs on the transport's thread. It admits and queues requests, and answers small ones
 * while none are waiting. {@link RequestQueue} selects the requests that wait or are refused with BUSY; its
 * lanes run on the executor. A request with a wrong SM_Key, and a MAD that is no request, are not answered. A
 * request from a LID of no port, or before the first view, waits for a limited time for the next view.
 */
public final class SubnetAdministrator {
    private static final EventLog EVENTS = EventLog.of(SubnetAdministrator.class);
    private static final int MAX_ATTRIBUTE = 0xff;

    /** The LID of no port. */
    private static final int NOBODY = 0;

    /**
     * The settings of trust and of sizes.
     *
     * @param smKey SM_Key that makes a request trusted; it may change. Requests with any other but 0 are not
     * answered
     * @param isKeySecret whether the key is secret
     * @param maxTableBytes limit of the records of an answer that is computed before it is sent; a larger one
     * is refused with NO_RESOURCES
     * @param tables limits and time-outs of all answers of several segments
     * @param segmenter the code that splits tables into segments
     */
    public record Settings(
            LongSupplier smKey,
            BooleanSupplier isKeySecret,
            int maxTableBytes,
            RmppSender.Limits tables,
            RmppSender.Segmenter segmenter) {
        /** Makes settings with a secret key, and with RMPP of this program. */
        public Settings(long smKey, int maxTableBytes) {
            this(() -> smKey, () -> true, maxTableBytes, RmppSender.Limits.DEFAULT, RmppSender.Segmenter.SENDER);
        }
    }

    /** The number of simultaneous requests; an executor with as many threads suffices. */
    public static final int LANES = RequestQueue.Limits.DEFAULT.lanes();

    /**
     * The counters.
     *
     * @param requests valid requests
     * @param answers answers with any status
     * @param busy requests refused with BUSY for lack of room
     * @param dropped MADs that expect no answer, get none, or exceed the room for refusals
     * @param defects answers that were lost to a bug
     * @param waiting requests that wait now for an answer, or for the next view
     * @param mostWaiting the highest number that waited simultaneously
     */
    public record Stats(
            long requests, long answers, long busy, long dropped, long defects, int waiting, int mostWaiting) {}

    private final IndexedViews views;
    private final Loop loop;
    private final Settings settings;

    /** By attribute ID. */
    private final @Nullable AttributeHandler[] handlers = new AttributeHandler[MAX_ATTRIBUTE + 1];

    private final RequestStatistics statistics;
    private final RmppSender tables;
    private final SegmentedRequests segments;
    private final StreamedTables streams;
    private final Responder responder;
    private final RequestQueue queue;
    private final EarlyRequests early = new EarlyRequests();
    private final LongAdder unanswerable = new LongAdder();
    private final LongAdder defects = new LongAdder();

    /**
     * Creates an SA that answers as soon as there is a view.
     *
     * @param handlers one handler for each served attribute
     * @param out sends; called on any thread
     * @param workers runs at most {@link #LANES} tasks of the SA simultaneously, which answer until no
     * request waits
     * @param loop loop for the timers of RMPP, and the clock
     */
    public SubnetAdministrator(
            IndexedViews views,
            List<AttributeHandler> handlers,
            Consumer<MadFrame> out,
            Executor workers,
            Loop loop,
            Settings settings) {
        this.views = views;
        this.loop = loop;
        this.settings = settings;
        handlers.forEach(handler -> this.handlers[handler.type().id()] = handler);
        statistics = new RequestStatistics(served());
        tables = new RmppSender(loop, settings.tables(), settings.segmenter(), this::baseLid, out);
        segments = new SegmentedRequests(loop, this::baseLid, out, tables, this::admit, unanswerable::increment);
        queue = new RequestQueue(workers, RequestQueue.Limits.DEFAULT, this::serve);
        streams = new StreamedTables(
                tables, settings.tables().maxHeld(), part -> queue.offer(part) == RequestQueue.Disposition.WAITS);
        responder = new Responder(out, tables, streams, settings.maxTableBytes(), statistics, loop::nowNs);
    }

    /** Returns the attributes of which a method is served, by ID. */
    List<AttributeType<?>> served() {
        return Arrays.stream(handlers)
                .filter(Objects::nonNull)
                .<AttributeType<?>>map(AttributeHandler::type)
                .toList();
    }

    /** Returns the counters; from any thread. */
    public Stats stats() {
        AttributeStatistics.Count all = statistics.total();
        long nowNs = loop.nowNs();
        return new Stats(
                all.taken(),
                all.answered(),
                all.busy(),
                all.dropped()
                        + unanswerable.sum()
                        + early.outdated(nowNs)
                        + tables.stats().strays()
                        + segments.strays(),
                defects.sum(),
                queue.waiting() + early.waiting(nowNs),
                queue.mostWaiting());
    }

    /** Returns counters and latencies by attribute and method; from any thread. */
    public List<AttributeStatistics> traffic() {
        return statistics.counted();
    }

    /** Returns the outcomes of table answers; from any thread. */
    public RmppSender.Stats tableStats() {
        return tables.stats();
    }

    /** Returns the number of table answers that are being sent; from any thread. */
    public int openTables() {
        return tables.openCount();
    }

    /**
     * Returns the number of segmented requests that are, or were a moment ago, incomplete; on the loop of
     * RMPP.
     */
    int openRequests() {
        return segments.openCount();
    }

    /** Receives a MAD of class SubnAdm on the transport's thread; does not block. */
    public void received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (mad.length < MadHeader.MAD_SIZE || MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM) {
            unanswerable.increment();
        } else if (frame.undelivered()) {
            unanswerable.increment();
            tables.undelivered(frame);
        } else if (Rmpp.isControl(mad)) {
            segments.control(frame);
        } else if (settings.segmenter() == RmppSender.Segmenter.SENDER && SegmentedRequests.isSegment(mad)) {
            if (requester(frame) == NOBODY) {
                unanswerable.increment();
            } else {
                segments.receive(frame);
            }
        } else {
            admit(frame);
        }
    }

    /**
     * Prepares the next view before its publication, so that the first request need not wait. Any thread
     * except those that answer.
     */
    public void prepare(PublishedView next) {
        views.prepare(next);
    }

    /** Answers early requests after the publication of a view. Any thread. */
    public void published() {
        streams.limit(views.current());
        early.take(loop.nowNs(), frame -> requester(frame) != NOBODY).forEach(this::admit);
    }

    /** Queues a request that may be answered, now or when the requester's port is known. */
    private void admit(MadFrame frame) {
        int requester = requester(frame);
        if (requester != NOBODY) {
            take(frame, requester);
        } else if (!mayAsk(frame.mad()) || !early.offer(baseLid(frame.peer().lid()), frame, loop.nowNs())) {
            unanswerable.increment();
        } else if (requester(frame) != NOBODY) {
            published(); // published just now
        }
    }

    private void take(MadFrame frame, int requester) {
        byte[] mad = frame.mad();
        AttributeHandler handler = handler(mad);
        boolean isLarge = handler != null && handler.isLarge(mad);
        Request request = new Request(frame, requester, isLarge, loop.nowNs());
        PublishedView current = views.current();
        boolean isBrief = handler != null
                && current != null
                && handler.isBrief(mad, current.subnet().maxLmc());
        if (isBrief && queue.claimImmediateAnswer(request.sinceNs())) {
            statistics.taken(mad, RequestQueue.Disposition.WAITS);
            serve(request, false);
        } else {
            statistics.taken(mad, queue.offer(request));
        }
    }

    /**
     * Returns the base LID of the requesting port; 0 if this view gives it no answer. Changes wait until this SM has
     * programmed the subnet.
     */
    private int requester(MadFrame frame) {
        PublishedView current = views.current();
        if (current == null || !mayAsk(frame.mad()) || (current.isRemembered() && isChange(frame.mad()))) {
            return NOBODY;
        }
        return baseLid(current, frame.peer().lid(), NOBODY);
    }

    /** Returns the base LID of the port that has a LID now; the LID itself if no port has it. */
    private int baseLid(int lid) {
        PublishedView current = views.current();
        return current == null ? lid : baseLid(current, lid, lid);
    }

    private static int baseLid(PublishedView view, int lid, int otherwise) {
        Subnet subnet = view.subnet();
        int port = subnet.portOfLid(lid);
        return port == Fabric.NONE ? otherwise : subnet.lid(port);
    }

    private boolean mayAsk(byte[] mad) {
        return isRequest(mad) && (SaMad.SM_KEY.get(mad, 0) == 0 || isTrusted(mad));
    }

    /** Checks that a MAD is neither a response nor a message without a response (IBA 13.4.5). */
    private static boolean isRequest(byte[] mad) {
        return switch (MadHeader.method(mad)) {
            case Method.SEND, Method.TRAP, Method.REPORT, Method.TRAP_REPRESS -> false;
            default -> !MadHeader.isResponse(mad);
        };
    }

    private static boolean isChange(byte[] mad) {
        int method = MadHeader.method(mad);
        return method == Method.SET || method == Method.DELETE;
    }

    private boolean isTrusted(byte[] mad) {
        long smKey = SaMad.SM_KEY.get(mad, 0);
        return smKey != 0 && smKey == settings.smKey().getAsLong();
    }

    private @Nullable AttributeHandler handler(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        return attribute <= MAX_ATTRIBUTE ? handlers[attribute] : null;
    }

    /**
     * Serves a request. This is the boundary of the stage: a defect costs one answer, and is counted and
     * logged; no thread ends.
     */
    private void serve(Request request, boolean isRefused) {
        MadFrame frame = request.frame();
        try {
            Runnable part = request.part();
            if (part != null) {
                part.run();
                return;
            }
            tables.endUnlessAnswering(frame.peer(), frame.mad());
            if (isRefused) {
                responder.refuseBusy(frame);
            } else {
                answer(request);
            }
        } catch (RuntimeException | Error e) {
            defects.increment();
            EVENTS.report(
                    SmEvent.SA_DEFECT,
                    e,
                    EventField.ATTRIBUTE.of("0x" + Integer.toHexString(MadHeader.attributeId(frame.mad()))),
                    EventField.LID.of(frame.peer().lid()));
            FatalErrors.escalate(e);
        }
    }

    /**
     * Answers from the current view, which may be newer than the request: the requester may be absent from
     * it.
     */
    private void answer(Request request) {
        MadFrame frame = request.frame();
        byte[] mad = frame.mad();
        ViewIndex index = views.index();
        int port = index == null
                ? Fabric.NONE
                : index.subnet().portOfLid(frame.peer().lid());
        if (index == null || port == Fabric.NONE) {
            statistics.dropped(mad);
            return;
        }
        QueryReply reply = responder.to(request);
        AttributeHandler handler = handler(mad);
        if (MadHeader.BASE_VERSION.get(mad, 0) != 1 || MadHeader.CLASS_VERSION.get(mad, 0) != SaMad.CLASS_VERSION) {
            reply.refuse(MadStatus.UNSUPPORTED_VERSION);
        } else if (handler == null) {
            reply.refuse(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else {
            long mask = SaMad.COMPONENT_MASK.get(mad, 0);
            boolean isTrusted = isTrusted(mad);
            boolean isUnbounded = isTrusted && settings.isKeySecret().getAsBoolean();
            handler.serve(new Query(frame.peer(), mad, mask, isTrusted, isUnbounded, port, index), reply);
        }
    }
}
