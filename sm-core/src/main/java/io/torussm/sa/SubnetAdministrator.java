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
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The entry of SA MADs (IBA 15.3, 15.4): admission, queue and dispatch.
 *
 * <p>{@link #onMad} runs on the transport's thread. It admits and queues requests, and answers small ones
 * while none are waiting. {@link RequestQueue} selects the requests that wait or are refused with BUSY; its
 * lanes run on the executor. A request with a wrong SM_Key, and a MAD that is no request, are not answered. A
 * request from a LID of no port, or before the first view, waits for a limited time for the next view.
 */
public final class SubnetAdministrator {
    private static final EventLog EVENTS = EventLog.of(SubnetAdministrator.class);

    /** The requester of a MAD that is not answered: no port has LID 0. */
    private static final int NO_REQUESTER = 0;

    /**
     * The settings of trust and of sizes.
     *
     * @param smKey returns the SM_Key that makes a request trusted; it may change. Requests with another SM_Key are not
     *     answered, except 0
     * @param isKeySecret checks whether the SM_Key is secret
     * @param maxTableBytes max size of the records of an answer that is computed before it is sent; a larger answer is
     *     refused with NO_RESOURCES
     * @param tables limits and time-outs of all answers of several segments
     * @param segmenter the code that splits tables into segments
     */
    public record Settings(
            LongSupplier smKey,
            BooleanSupplier isKeySecret,
            int maxTableBytes,
            RmppSender.Limits tables,
            RmppSender.Segmenter segmenter) {
        /** Creates settings with a secret SM_Key, and with the default limits and segments of {@link RmppSender}. */
        public Settings(long smKey, int maxTableBytes) {
            this(() -> smKey, () -> true, maxTableBytes, RmppSender.Limits.DEFAULT, RmppSender.Segmenter.SENDER);
        }
    }

    /** Max number of requests that are answered simultaneously; the executor needs as many threads. */
    public static final int LANES = RequestQueue.Limits.DEFAULT.lanes();

    /**
     * The counters.
     *
     * @param requests number of valid requests
     * @param answers number of answers with any status
     * @param busy number of requests that were refused with BUSY for lack of room
     * @param dropped number of MADs without an answer: no requests, or requests that must not or could not be answered
     * @param defects number of answers that were lost by a bug
     * @param waiting number of requests that wait for an answer, or for the next view
     * @param mostWaiting the highest number of requests that waited simultaneously for an answer
     */
    public record Stats(
            long requests, long answers, long busy, long dropped, long defects, int waiting, int mostWaiting) {}

    private final IndexedViews views;
    private final Loop loop;
    private final Settings settings;

    private final AttributeIndex<AttributeHandler> handlers;

    private final RequestStatistics statistics;
    private final RmppSender tables;
    private final SegmentedRequests segments;
    private final StreamedTables streams;
    private final Responder responder;
    private final RequestQueue queue;
    private final EarlyRequests earlyRequests = new EarlyRequests();
    private final LongAdder unanswerable = new LongAdder();
    private final LongAdder defects = new LongAdder();

    /**
     * Creates an SA, which answers requests as soon as there is a view.
     *
     * @param handlers one handler for each served attribute
     * @param out sends a MAD; called on any thread
     * @param workers executor of at most {@link #LANES} tasks, each of which answers requests until none waits
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
        this.handlers = new AttributeIndex<>(handlers, AttributeHandler::type);
        statistics = new RequestStatistics(servedAttributes());
        tables = new RmppSender(loop, settings.tables(), settings.segmenter(), this::baseLid, out);
        segments = new SegmentedRequests(loop, this::baseLid, out, tables, this::admit, unanswerable::increment);
        queue = new RequestQueue(workers, RequestQueue.Limits.DEFAULT, this::serve);
        streams = new StreamedTables(
                tables, settings.tables().maxHeld(), part -> queue.offer(part) == RequestQueue.Disposition.WAITS);
        responder = new Responder(out, tables, streams, settings.maxTableBytes(), statistics, loop::nowNs);
    }

    /** Returns the served attributes, by ascending ID. */
    List<AttributeType<?>> servedAttributes() {
        return handlers.types();
    }

    /** Returns the counters; may be called from any thread. */
    public Stats stats() {
        AttributeStatistics.Count all = statistics.total();
        long nowNs = loop.nowNs();
        return new Stats(
                all.taken(),
                all.answered(),
                all.busy(),
                all.dropped()
                        + unanswerable.sum()
                        + earlyRequests.expired(nowNs)
                        + tables.stats().strays()
                        + segments.straySegments(),
                defects.sum(),
                queue.waiting() + earlyRequests.waiting(nowNs),
                queue.maxWaiting());
    }

    /** Returns counters and latencies by attribute and method; may be called from any thread. */
    public List<AttributeStatistics> traffic() {
        return statistics.usedRows();
    }

    /** Returns the outcomes of table answers; may be called from any thread. */
    public RmppSender.Stats tableStats() {
        return tables.stats();
    }

    /** Returns the number of table answers that are being sent; may be called from any thread. */
    public int openTables() {
        return tables.openCount();
    }

    /**
     * Returns the number of incomplete segmented requests, and of those that became complete or failed a moment ago.
     * Called on the loop of RMPP.
     */
    int openRequests() {
        return segments.openCount();
    }

    /** Receives a MAD of class SubnAdm on the transport's thread; does not block. */
    public void onMad(MadFrame frame) {
        byte[] mad = frame.mad();
        if (mad.length < MadHeader.MAD_SIZE || MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM) {
            unanswerable.increment();
        } else if (frame.isUndelivered()) {
            unanswerable.increment();
            tables.undelivered(frame);
        } else if (Rmpp.isControl(mad)) {
            segments.control(frame);
        } else if (settings.segmenter() == RmppSender.Segmenter.SENDER && SegmentedRequests.isSegment(mad)) {
            if (requester(frame) == NO_REQUESTER) {
                unanswerable.increment();
            } else {
                segments.receive(frame);
            }
        } else {
            admit(frame);
        }
    }

    /**
     * Prepares the next view before its publication, so that the first request does not wait. May be called from any
     * thread that does not answer requests.
     */
    public void prepare(PublishedView next) {
        views.prepare(next);
    }

    /** Answers early requests after the publication of a view. May be called from any thread. */
    public void onPublication() {
        streams.limit(views.current());
        earlyRequests
                .take(loop.nowNs(), frame -> requester(frame) != NO_REQUESTER)
                .forEach(this::admit);
    }

    /** Queues a request that may be answered; if the port of the requester is unknown, it waits for the next view. */
    private void admit(MadFrame frame) {
        int requester = requester(frame);
        if (requester != NO_REQUESTER) {
            enqueue(frame, requester);
        } else if (!isAnswerable(frame.mad())
                || !earlyRequests.offer(baseLid(frame.peer().lid()), frame, loop.nowNs())) {
            unanswerable.increment();
        } else if (requester(frame) != NO_REQUESTER) {
            onPublication(); // A view was published between the first check and the offer.
        }
    }

    private void enqueue(MadFrame frame, int requester) {
        byte[] mad = frame.mad();
        AttributeHandler handler = handlers.of(mad);
        boolean isLarge = handler != null && handler.isLarge(mad);
        Request request = new Request(frame, requester, isLarge, loop.nowNs());
        PublishedView current = views.current();
        boolean isBrief = handler != null
                && current != null
                && handler.isBrief(mad, current.subnet().maxLmc());
        if (isBrief && queue.claimImmediateAnswer(request.sinceNs())) {
            statistics.countTaken(mad, RequestQueue.Disposition.WAITS);
            serve(request, false);
        } else {
            statistics.countTaken(mad, queue.offer(request));
        }
    }

    /**
     * Returns the base LID of the requesting port; {@link #NO_REQUESTER} if the current view does not permit an answer.
     * Changes are not answered from a remembered view: they wait until this SM has programmed the subnet.
     */
    private int requester(MadFrame frame) {
        PublishedView current = views.current();
        if (current == null || !isAnswerable(frame.mad()) || (current.isRemembered() && isChange(frame.mad()))) {
            return NO_REQUESTER;
        }
        return baseLid(current, frame.peer().lid(), NO_REQUESTER);
    }

    /** Returns the base LID of the port that has a LID; the LID itself if no port has it. */
    private int baseLid(int lid) {
        PublishedView current = views.current();
        return current == null ? lid : baseLid(current, lid, lid);
    }

    private static int baseLid(PublishedView view, int lid, int otherwise) {
        Subnet subnet = view.subnet();
        int port = subnet.portOfLid(lid);
        return port == Fabric.NONE ? otherwise : subnet.lid(port);
    }

    private boolean isAnswerable(byte[] mad) {
        return isRequest(mad) && (SaMad.SM_KEY.get(mad, 0) == 0 || isTrusted(mad));
    }

    /** Checks whether a MAD is a request, so neither a response nor a message without a response (IBA 13.4.5). */
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

    /**
     * Serves a request. A defect of a handler costs one answer, is counted and logged, and does not end the thread.
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
     * Answers from the current view. If a newer view than at the receipt no longer contains the requester, the request
     * is dropped.
     */
    private void answer(Request request) {
        MadFrame frame = request.frame();
        byte[] mad = frame.mad();
        ViewIndex index = views.index();
        int port = index == null
                ? Fabric.NONE
                : index.subnet().portOfLid(frame.peer().lid());
        if (index == null || port == Fabric.NONE) {
            statistics.countDropped(mad);
            return;
        }
        QueryReply reply = responder.to(request);
        AttributeHandler handler = handlers.of(mad);
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
