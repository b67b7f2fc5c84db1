package io.torussm;

import io.torussm.recording.RecorderInterleavings;
import io.torussm.sa.QueueInterleavings;
import io.torussm.sa.query.ViewInterleavings;
import io.torussm.transport.FrameInterleavings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;

/** Explores the interleavings of threads with Lincheck, and prints the outcomes. packaging/concurrency.sh runs it. */
public final class Interleavings {
    private Interleavings() {}

    /** Threads that share an object, until all have ended. */
    public interface Scenario {
        void run(List<String> outcome);
    }

    private static List<Thread> started = new ArrayList<>();

    public static void main(String[] args) {
        int limit = Integer.parseInt(args[0]);
        findsAPlantedRace(limit);
        Map<String, IntConsumer> scenarios = new LinkedHashMap<>();
        scenarios.put("views", ViewInterleavings::published);
        scenarios.put("requests", QueueInterleavings::explore);
        scenarios.put("received", FrameInterleavings::received);
        scenarios.put("paced", FrameInterleavings::paced);
        scenarios.put("closed", FrameInterleavings::closed);
        scenarios.put("recorded", RecorderInterleavings::recorded);
        scenarios.put("dropped", RecorderInterleavings::dropped);
        if (args.length == 1) {
            scenarios.values().forEach(each -> each.accept(limit));
        } else {
            scenarios.get(args[1]).accept(limit);
        }
    }

    /** Fails if no interleaving is found in which two threads count to one. */
    private static void findsAPlantedRace(int limit) {
        try {
            Lincheck.runConcurrentTest(limit, () -> {
                int[] count = {0};
                Thread other = new Thread(() -> count[0]++);
                other.start();
                count[0]++;
                join(other);
                check(count[0] == 2, "no increment is lost");
            });
        } catch (LincheckAssertionError found) {
            return;
        }
        throw new IllegalStateException("the planted race was not found");
    }

    /** Runs a scenario in at most {@code limit} interleavings. */
    public static void explore(String name, int limit, Scenario scenario) {
        System.out.println("scenario " + name);
        Lincheck.runConcurrentTest(limit, () -> {
            started = new ArrayList<>();
            List<String> outcome = new ArrayList<>();
            scenario.run(outcome);
            System.out.println("outcome " + String.join(", ", outcome));
        });
    }

    public static Thread start(Runnable task) {
        Thread thread = new Thread(task);
        synchronized (started) {
            started.add(thread);
        }
        thread.start();
        return thread;
    }

    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for all threads, including threads that other threads have started. */
    public static void joinStarted() {
        for (int i = 0; ; i++) {
            Thread next;
            synchronized (started) {
                if (i == started.size()) {
                    return;
                }
                next = started.get(i);
            }
            join(next);
        }
    }

    public static void check(boolean isTrue, String what) {
        if (!isTrue) {
            throw new AssertionError(what);
        }
    }
}
