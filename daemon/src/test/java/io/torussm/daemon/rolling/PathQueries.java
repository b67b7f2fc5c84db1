package io.torussm.daemon.rolling;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks an SA for the SL of many pairs, several questions at once. Owner thread: the loop. */
final class PathQueries {
    /** Stands for the SL of a pair without a path. */
    static final int NO_PATH = -1;

    private static final long PATH_MASK = PathRecord.COMPONENTS.bit(PathRecord.SLID)
            | PathRecord.COMPONENTS.bit(PathRecord.DLID)
            | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
    private static final int WINDOW = 16;
    private static final int TRIES = 5;
    private static final int TIMEOUT_MS = 1_000;
    /** An SA that says nothing to as many in a row is asked no more. */
    private static final int MAX_UNANSWERED = 5 * WINDOW;

    private final MadClient client;
    private final Loop loop;
    private final ArrayDeque<PendingQuery> waiting = new ArrayDeque<>();
    private final Map<Integer, PendingQuery> pending = new HashMap<>();
    private final Map<Pair, Integer> answers = new TreeMap<>();
    private @Nullable MadAddress sa;
    private @Nullable Consumer<Map<Pair, Integer>> then;
    private int tid = 1;
    /** Questions without an answer since the last that had one. */
    private int unanswered;

    /** Source and destination, by LIDs. */
    record Pair(int slid, int dlid) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return slid != other.slid ? Integer.compare(slid, other.slid) : Integer.compare(dlid, other.dlid);
        }
    }

    private record PendingQuery(Pair pair, int tries, long sentNs) {}

    PathQueries(MadClient client, Loop loop) {
        this.client = client;
        this.loop = loop;
    }

    /**
     * Asks all; {@code end} gets the SLs, {@link #NO_PATH} where the SA grants none. A pair that is never answered is
     * left out.
     */
    void query(List<Pair> pairs, MadAddress address, Consumer<Map<Pair, Integer>> end) {
        loop.requireInLoop();
        pending.clear();
        waiting.clear();
        answers.clear();
        unanswered = 0;
        pairs.forEach(pair -> waiting.add(new PendingQuery(pair, 0, 0)));
        sa = address;
        then = end;
        sendNext();
        watch();
    }

    private void watch() {
        if (then == null) {
            return;
        }
        long nowNs = loop.nowNs();
        List<Integer> overdue = pending.entrySet().stream()
                .filter(each -> nowNs - each.getValue().sentNs > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS))
                .map(Map.Entry::getKey)
                .toList();
        unanswered += overdue.size();
        if (unanswered > MAX_UNANSWERED) {
            pending.clear();
            waiting.clear();
            sendNext();
            return;
        }
        for (int each : overdue) {
            PendingQuery question = pending.remove(each);
            if (question != null && question.tries < TRIES) {
                waiting.add(question);
            }
        }
        sendNext();
        loop.schedule(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS), this::watch);
    }

    private void sendNext() {
        MadAddress to = sa;
        while (to != null && pending.size() < WINDOW && !waiting.isEmpty()) {
            PendingQuery next = waiting.remove();
            pending.put(++tid, new PendingQuery(next.pair, next.tries + 1, loop.nowNs()));
            byte[] mad = SaMad.request(Method.GET, tid, PathRecord.TYPE.id(), 0, PATH_MASK);
            PathRecord.TYPE
                    .zero()
                    .with(PathRecord.SLID, next.pair.slid)
                    .with(PathRecord.DLID, next.pair.dlid)
                    .with(PathRecord.NUMB_PATH, 1)
                    .write(mad, SaMad.DATA_OFFSET);
            client.send(new MadFrame(to, mad), TIMEOUT_MS);
        }
        Consumer<Map<Pair, Integer>> end = then;
        if (end != null && pending.isEmpty() && waiting.isEmpty()) {
            then = null;
            end.accept(new TreeMap<>(answers));
        }
    }

    /** Takes an SA MAD, on any thread. */
    void received(MadFrame frame) {
        if (!frame.isUndelivered() && MadHeader.isResponse(frame.mad())) {
            loop.execute(() -> handleResponse(frame.mad()));
        }
    }

    private void handleResponse(byte[] mad) {
        PendingQuery question = pending.remove((int) MadHeader.tid(mad));
        unanswered = 0;
        if (question != null) {
            int sl = PathRecord.TYPE.read(mad, SaMad.DATA_OFFSET).sl();
            answers.put(question.pair, MadHeader.status(mad) == 0 ? sl : NO_PATH);
            sendNext();
        }
    }
}
