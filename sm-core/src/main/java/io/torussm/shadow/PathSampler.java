package io.torussm.shadow;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The query of the SA of the master for the SLs of some paths, by Gets of PathRecord (IBA 15.2.5.16), one after the
 * other. After {@value #MAX_SILENT_PATHS} consecutive paths without an answer the queries end. Owner thread: the loop,
 * except for {@link #onMad}.
 */
public final class PathSampler {
    private static final long PATH_MASK = PathRecord.COMPONENTS.bit(PathRecord.SLID)
            | PathRecord.COMPONENTS.bit(PathRecord.DLID)
            | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
    private static final int TIMEOUT_MS = 1_000;
    private static final int TRIES = 3;
    private static final int MAX_SILENT_PATHS = 3;

    private final MadClient client;
    private final Loop loop;

    /** Paths without an answer so far, the present one first. */
    private final ArrayDeque<Pair> remainingPairs = new ArrayDeque<>();

    private final List<Answer> answers = new ArrayList<>();

    /** Callback of the queries in progress; null if there are none. */
    private @Nullable Consumer<List<Answer>> then;

    private @Nullable MadAddress sa;
    private long tid;

    /** Number of requests for the present path. */
    private int tries;

    /** Number of consecutive paths without an answer. */
    private int silentPaths;

    private Loop.Timer timer = () -> {};

    /** The LIDs of the source and destination of a path. */
    public record Pair(int slid, int dlid) {}

    /**
     * The answer of the SA for a path.
     *
     * @param slid LID of the source
     * @param dlid LID of the destination
     * @param sl the granted SL; -1 if the SA grants no path
     * @param status MAD status of the answer: 0, or the reason why the SA grants no path
     */
    public record Answer(int slid, int dlid, int sl, int status) {}

    /**
     * Creates a sampler.
     *
     * @param client client whose owner passes received MADs of subnet administration to {@link #onMad}
     * @param seed upper half of the transaction IDs
     */
    public PathSampler(MadClient client, Loop loop, int seed) {
        this.client = client;
        this.loop = loop;
        tid = (long) seed << Integer.SIZE | 1;
    }

    /**
     * Begins the queries. Earlier queries that have not ended are dropped, without their callback.
     *
     * @param pairs paths to query
     * @param address address of the SA
     * @param end callback, called once, on the loop, with the answers that arrived
     */
    public void query(List<Pair> pairs, MadAddress address, Consumer<List<Answer>> end) {
        loop.requireInLoop();
        timer.cancel();
        remainingPairs.clear();
        answers.clear();
        remainingPairs.addAll(pairs);
        sa = address;
        then = end;
        silentPaths = 0;
        tries = 0;
        sendNext();
    }

    /** Sends the next request, or ends the queries. */
    private void sendNext() {
        Pair pair = remainingPairs.peek();
        MadAddress saAddress = sa;
        Consumer<List<Answer>> end = then;
        if (end == null || saAddress == null) {
            return;
        } else if (pair == null || silentPaths >= MAX_SILENT_PATHS) {
            then = null;
            end.accept(List.copyOf(answers));
            return;
        }
        tid++;
        tries++;
        byte[] mad = SaMad.request(Method.GET, tid, PathRecord.TYPE.id(), 0, PATH_MASK);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, pair.slid)
                .with(PathRecord.DLID, pair.dlid)
                .with(PathRecord.NUMB_PATH, 1)
                .write(mad, SaMad.DATA_OFFSET);
        timer = loop.schedule(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS), this::onTimeout);
        client.send(new MadFrame(saAddress, mad), TIMEOUT_MS);
    }

    private void onTimeout() {
        if (tries >= TRIES) {
            remainingPairs.poll();
            silentPaths++;
            tries = 0;
        }
        sendNext();
    }

    /** Receives an SA MAD, which is ignored if it answers no query. May be called from any thread. */
    public void onMad(MadFrame frame) {
        if (!frame.isUndelivered() && MadHeader.isResponse(frame.mad())) {
            loop.execute(() -> onAnswer(frame.mad()));
        }
    }

    private void onAnswer(byte[] mad) {
        Pair pair = remainingPairs.peek();
        // The kernel keeps only the lower half of a transaction ID.
        if (pair == null || (int) MadHeader.tid(mad) != (int) tid || then == null) {
            return;
        }
        timer.cancel();
        remainingPairs.poll();
        silentPaths = 0;
        tries = 0;
        int status = MadHeader.status(mad);
        PathRecord record = PathRecord.TYPE.read(mad, SaMad.DATA_OFFSET);
        answers.add(new Answer(pair.slid, pair.dlid, status == 0 ? record.sl() : -1, status));
        sendNext();
    }
}
