package io.torussm.transport.datagram;

import io.torussm.event.FatalErrors;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * A loop that waits for tasks, timers and datagram sockets simultaneously. The thread that reads a datagram also
 * handles it, and a task from the loop itself needs no wake-up. A thrown exception of a task is passed to a handler and
 * does not end the loop.
 *
 * <p>The thread sleeps in ppoll(2). Before, it sets {@link #isAsleep} and checks the tasks again. A thread that adds a
 * task first adds it, then reads {@link #isAsleep}, and writes to an eventfd if it is set. So no wake-up is lost.
 */
public final class SocketLoop implements Loop, DatagramNetwork, AutoCloseable {
    /** Max tasks between two checks of timers and sockets, so that tasks that add tasks cannot block these. */
    private static final int MAX_TASKS_IN_A_TURN = 4_096;

    /**
     * Bytes of {@code struct pollfd}: descriptor, requested events, returned events. The next constants are its offsets
     * and events.
     */
    private static final int POLL_SIZE = 8;

    private static final int POLL_EVENTS = 4;
    private static final int POLL_RETURNED_EVENTS = 6;
    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;

    private static final long ONE_SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Max time that {@link #close} waits for the thread. */
    private static final long END_TIMEOUT_MS = 2_000;

    private final LibC libc;
    private final Runtime runtime = Runtime.getSystemRuntime();
    private final MessageVector vector = new MessageVector(runtime);
    private final Consumer<Throwable> onDefect;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<TimedTask> timers = new PriorityQueue<>();

    /** The open sockets. */
    private final List<NativeEndpoint> endpoints = new ArrayList<>();

    /** The {@code struct timespec} of ppoll(2). */
    private final Pointer timeout = Memory.allocateDirect(runtime, 2 * Long.BYTES, true);

    /** The number 1, which wakes the thread if it is written to {@link #wakeFd}. */
    private final Pointer wakeUpNumber = Memory.allocateDirect(runtime, Long.BYTES, true);

    /** The number read from {@link #wakeFd}; not used. */
    private final Pointer wakeUpCount = Memory.allocateDirect(runtime, Long.BYTES, true);

    /** The eventfd at index 0 of {@link #pollArray}. */
    private final int wakeFd;

    /** The sockets at index 1 and above of {@link #pollArray}. */
    private NativeEndpoint[] polledEndpoints = new NativeEndpoint[0];

    /** The {@code struct pollfd}s of ppoll(2). */
    private Pointer pollArray = Memory.allocateDirect(runtime, POLL_SIZE, true);

    /** True if {@link #polledEndpoints} and {@link #pollArray} are to be made from {@link #endpoints} again. */
    private boolean isPollArrayStale = true;

    /** Number of the next timer: timers that are due simultaneously run in this order. */
    private long sequence;

    private volatile boolean isAsleep;
    private volatile boolean isClosed;

    /** A timer. */
    private static final class TimedTask implements Timer, Comparable<TimedTask> {
        final long dueNs;
        final long order;
        final Runnable action;
        volatile boolean isCancelled;

        TimedTask(long dueNs, long order, Runnable action) {
            this.dueNs = dueNs;
            this.order = order;
            this.action = action;
        }

        @Override
        public void cancel() {
            isCancelled = true;
        }

        @Override
        public int compareTo(TimedTask other) {
            return dueNs != other.dueNs ? Long.compare(dueNs, other.dueNs) : Long.compare(order, other.order);
        }
    }

    /**
     * Starts the thread.
     *
     * @param name name of the thread
     * @param onDefect handler of thrown exceptions of tasks, called on the loop
     * @throws IOException if the C library cannot be called
     */
    public SocketLoop(String name, Consumer<Throwable> onDefect) throws IOException {
        this.onDefect = onDefect;
        libc = LibC.load();
        wakeFd = libc.eventfd(0, LibC.EFD_NONBLOCK | LibC.EFD_CLOEXEC);
        if (wakeFd < 0) {
            throw new IOException("no eventfd: errno " + runtime.getLastError());
        }
        wakeUpNumber.putLong(0, 1);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    MessageVector vector() {
        return vector;
    }

    @Override
    public DatagramEndpoint bind(DatagramAddress local, Runnable ready) throws IOException {
        requireInLoop();
        NativeEndpoint endpoint = new NativeEndpoint(this, libc, runtime, local, ready);
        endpoints.add(endpoint);
        markPollArrayStale();
        return endpoint;
    }

    /** Removes a closed socket. */
    void remove(NativeEndpoint endpoint) {
        requireInLoop();
        endpoints.remove(endpoint);
        markPollArrayStale();
    }

    private void markPollArrayStale() {
        isPollArrayStale = true;
    }

    /** Updates the events of an endpoint. */
    void updateEvents(NativeEndpoint endpoint) {
        if (!isPollArrayStale) {
            writePollEntry(endpoint.pollIndex, endpoint);
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (isAsleep && !isInLoop()) {
            libc.write(wakeFd, wakeUpNumber, Long.BYTES);
        }
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        TimedTask timed;
        if (isInLoop()) {
            timed = new TimedTask(nowNs() + Math.max(0, delayNs), sequence++, task);
            timers.add(timed);
        } else {
            timed = new TimedTask(nowNs() + Math.max(0, delayNs), Long.MAX_VALUE, task);
            execute(() -> timers.add(timed));
        }
        return timed;
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public Instant timeOfDay() {
        return Instant.ofEpochMilli(System.currentTimeMillis());
    }

    @Override
    public boolean isInLoop() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        while (!isClosed) {
            runTasks();
            runTimers();
            poll();
        }
        runTasks();
        List.copyOf(endpoints).forEach(NativeEndpoint::close);
        libc.close(wakeFd);
    }

    /** Runs waiting tasks, at most {@link #MAX_TASKS_IN_A_TURN}. */
    private void runTasks() {
        for (int remaining = MAX_TASKS_IN_A_TURN; remaining > 0; remaining--) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            runGuarded(task);
        }
    }

    private void runTimers() {
        long nowNs = nowNs();
        for (TimedTask next = timers.peek(); next != null && isOver(next, nowNs); next = timers.peek()) {
            timers.remove();
            if (!next.isCancelled) {
                runGuarded(next.action);
            }
        }
    }

    private static boolean isOver(TimedTask timed, long nowNs) {
        return timed.isCancelled || timed.dueNs - nowNs <= 0;
    }

    private void runGuarded(Runnable task) {
        FatalErrors.guard(task, onDefect);
    }

    /** Waits for sockets and tasks, at most until the next timer, and calls the owners of ready sockets. */
    private void poll() {
        if (isPollArrayStale) {
            rebuildPollArray();
        }
        isAsleep = true;
        long waitNs = tasks.isEmpty() && !isClosed ? nextTimerNs() : 0;
        if (waitNs >= 0) {
            timeout.putLong(0, waitNs / ONE_SECOND_NS);
            timeout.putLong(Long.BYTES, waitNs % ONE_SECOND_NS);
        }
        int found = libc.ppoll(pollArray, polledEndpoints.length + 1L, waitNs >= 0 ? timeout : null, null);
        isAsleep = false;
        if (found <= 0) {
            return;
        }
        if (pollArray.getShort(POLL_RETURNED_EVENTS) != 0) {
            libc.read(wakeFd, wakeUpCount, Long.BYTES);
            found--;
        }
        // An owner may bind or close sockets, which changes neither this array nor the polled memory before the next
        // wait.
        NativeEndpoint[] sockets = polledEndpoints;
        for (int i = 0; i < sockets.length && found > 0; i++) {
            if (pollArray.getShort((i + 1L) * POLL_SIZE + POLL_RETURNED_EVENTS) != 0) {
                found--;
                if (!sockets[i].isClosed()) {
                    runGuarded(sockets[i].readyCallback);
                }
            }
        }
    }

    /** Returns the time to the next timer; negative if there is no timer. */
    private long nextTimerNs() {
        TimedTask next = timers.peek();
        return next == null ? -1 : Math.max(0, next.dueNs - nowNs());
    }

    /** Makes the array for ppoll(2) from the open sockets. */
    private void rebuildPollArray() {
        isPollArrayStale = false;
        polledEndpoints = endpoints.toArray(new NativeEndpoint[0]);
        pollArray = Memory.allocateDirect(runtime, (polledEndpoints.length + 1) * POLL_SIZE, true);
        writePollEntry(0, wakeFd, POLLIN);
        for (int i = 0; i < polledEndpoints.length; i++) {
            polledEndpoints[i].pollIndex = i + 1;
            writePollEntry(i + 1, polledEndpoints[i]);
        }
    }

    private void writePollEntry(int place, NativeEndpoint endpoint) {
        writePollEntry(place, endpoint.fd, (short) (POLLIN | (endpoint.awaitsRoom ? POLLOUT : 0)));
    }

    private void writePollEntry(int place, int fd, short events) {
        pollArray.putInt((long) place * POLL_SIZE, fd);
        pollArray.putShort((long) place * POLL_SIZE + POLL_EVENTS, events);
    }

    /** Runs all earlier tasks, closes all sockets and ends the thread. */
    @Override
    public void close() {
        isClosed = true;
        execute(() -> {});
        if (isInLoop()) {
            return;
        }
        try {
            thread.join(END_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
