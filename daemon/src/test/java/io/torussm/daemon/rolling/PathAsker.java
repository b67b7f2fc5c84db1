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
final class PathAsker {
    /** Stands for the SL of a pair without a path. */
    static final int NO_PATH = -1;

    private static final long PATH_MASK = PathRecord.COMPONENTS.bit(PathRecord.SLID)
            | PathRecord.COMPONENTS.bit(PathRecord.DLID)
            | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
    private static final int WINDOW = 16;
    private static final int TRIES = 5;
    private static final int TIMEOUT_MS = 1_000;
    /** An SA that says nothing to as many in a row is asked no more. */
    private static final int MOST_UNANSWERED = 5 * WINDOW;

    private final MadClient client;
    private final Loop loop;
    private final ArrayDeque<Question> left = new ArrayDeque<>();
    private final Map<Integer, Question> asked = new HashMap<>();
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

    private record Question(Pair pair, int tries, long sentNs) {}

    PathAsker(MadClient client, Loop loop) {
        this.client = client;
        this.loop = loop;
    }

    /**
     * Asks all; {@code end} gets the SLs, {@link #NO_PATH} where the SA grants none. A pair that is never answered is
     * left out.
     */
    void ask(List<Pair> pairs, MadAddress address, Consumer<Map<Pair, Integer>> end) {
        loop.check();
        asked.clear();
        left.clear();
        answers.clear();
        unanswered = 0;
        pairs.forEach(pair -> left.add(new Question(pair, 0, 0)));
        sa = address;
        then = end;
        goOn();
        watch();
    }

    private void watch() {
        if (then == null) {
            return;
        }
        long nowNs = loop.nowNs();
        List<Integer> overdue = asked.entrySet().stream()
                .filter(each -> nowNs - each.getValue().sentNs > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS))
                .map(Map.Entry::getKey)
                .toList();
        unanswered += overdue.size();
        if (unanswered > MOST_UNANSWERED) {
            asked.clear();
            left.clear();
            goOn();
            return;
        }
        for (int each : overdue) {
            Question question = asked.remove(each);
            if (question != null && question.tries < TRIES) {
                left.add(question);
            }
        }
        goOn();
        loop.schedule(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS), this::watch);
    }

    private void goOn() {
        MadAddress to = sa;
        while (to != null && asked.size() < WINDOW && !left.isEmpty()) {
            Question next = left.remove();
            asked.put(++tid, new Question(next.pair, next.tries + 1, loop.nowNs()));
            byte[] mad = SaMad.request(Method.GET, tid, PathRecord.TYPE.id(), 0, PATH_MASK);
            PathRecord.TYPE
                    .zero()
                    .with(PathRecord.SLID, next.pair.slid)
                    .with(PathRecord.DLID, next.pair.dlid)
                    .with(PathRecord.NUMB_PATH, 1)
                    .write(mad, SaMad.DATA);
            client.send(new MadFrame(to, mad), TIMEOUT_MS);
        }
        Consumer<Map<Pair, Integer>> end = then;
        if (end != null && asked.isEmpty() && left.isEmpty()) {
            then = null;
            end.accept(new TreeMap<>(answers));
        }
    }

    /** Takes an SA MAD, on any thread. */
    void received(MadFrame frame) {
        if (!frame.undelivered() && MadHeader.isResponse(frame.mad())) {
            loop.execute(() -> take(frame.mad()));
        }
    }

    private void take(byte[] mad) {
        Question question = asked.remove((int) MadHeader.tid(mad));
        unanswered = 0;
        if (question != null) {
            int sl = PathRecord.TYPE.read(mad, SaMad.DATA).sl();
            answers.put(question.pair, MadHeader.status(mad) == 0 ? sl : NO_PATH);
            goOn();
        }
    }
}
