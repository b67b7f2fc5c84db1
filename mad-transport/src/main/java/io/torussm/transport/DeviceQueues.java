package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.DrPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for the windows of their devices. Devices have turns; an urgent request does not wait for the
 * window of its device. Confined to the client's loop.
 *
 * <p>All routes that leave the first switch by one port share the queue of that port for VL 15. So their devices
 * together have a window, too.
 *
 * <p>Invariants: a device is in the map while it has a queued request or one in flight, and may stay there idle. {@code
 * queuedCount} is the sum of all queues. A device that may send is in {@code ready} once, or in {@code blocked} of its
 * first hop if that is full.
 */
final class DeviceQueues {
    /** Max concurrent requests through one port of the first switch, as many as a modest switch queues. */
    static final int FIRST_HOP_WINDOW = 64;

    /**
     * Initial capacity of the queue of a device. A stage that pulls has one or two requests at each device at a time.
     */
    private static final int INITIAL_QUEUE_CAPACITY = 2;

    /**
     * Max idle devices in the map. A stage that writes entry by entry returns to each device for every SMP, and a new
     * device costs six objects.
     */
    private static final int MAX_IDLE_DEVICES = 1 << 14;

    /** Max devices in the map once no request is queued or in flight; only slow devices are kept. */
    private static final int MAX_DEVICES_AT_REST = 64;

    /** Requests in a row without a response (each with all tries) after which the queue of a device ends. */
    private static final int MAX_UNANSWERED_IN_A_ROW = 3;

    /**
     * Excess of Busy responses after which the queue of a device ends, one or two seconds. One Busy response is free
     * for each {@link #BUSY_SHARE} other ones.
     */
    private static final int MAX_BUSY_EXCESS = 64;

    private static final int BUSY_SHARE = 8;

    private final IntSupplier window;
    private final Map<Integer, FirstHop> firstHops = new HashMap<>();
    private Map<DrPath, Device> devices = new HashMap<>();
    private final ArrayDeque<Device> ready = new ArrayDeque<>();
    private int queued;
    private int inFlight;

    /** The requests in flight through one port of the first switch, to that switch, or to the local port. */
    private static final class FirstHop {
        final ArrayDeque<Device> blocked = new ArrayDeque<>();
        int inFlight;
    }

    /** The requests that are queued for, or in flight to, the device at the end of one route. */
    static final class Device {
        final ArrayDeque<Transaction<?>> queue = new ArrayDeque<>(INITIAL_QUEUE_CAPACITY);
        final DrPath path;
        private final FirstHop firstHop;
        int inFlight;

        /** Requests in a row that ended without a response. */
        int unanswered;

        /** Requests with a response since the device was last idle; {@link #busy} counts its Busy responses. */
        int answered;

        int busy;

        /** The time-out of a slow device; null if the device responds promptly. */
        @Nullable
        RetransmissionTimeout slowTimeout;

        /** True if the device is in {@code ready} or {@code blocked}. */
        boolean isReady;

        Device(DrPath path, FirstHop firstHop) {
            this.path = path;
            this.firstHop = firstHop;
        }

        /** Resets the counts of responses. */
        void resetCounts() {
            unanswered = 0;
            answered = 0;
            busy = 0;
        }
    }

    /**
     * Creates empty queues.
     *
     * @param window max concurrent requests to one device
     */
    DeviceQueues(IntSupplier window) {
        this.window = window;
    }

    <A extends Attribute<A>> void add(SmpRequest<A> request, MadScope scope) {
        Device device = device(request.path());
        Transaction<A> transaction = new Transaction<>(request, scope, device);
        if (request.isUrgent()) {
            device.queue.addFirst(transaction);
        } else {
            device.queue.add(transaction);
        }
        queued++;
        makeReady(device);
    }

    private Device device(DrPath path) {
        Device known = devices.get(path);
        if (known != null) {
            return known;
        }
        Device device = newDevice(path);
        devices.put(path, device);
        return device;
    }

    private Device newDevice(DrPath path) {
        // Port 0 of a path is a port of this host, port 1 is the output port of the first switch. The key has 8 bits
        // for each.
        int first = path.hops() == 0 ? 0 : path.port(0);
        int second = path.hops() < 2 ? 0 : path.port(1);
        return new Device(path, firstHops.computeIfAbsent(first << 8 | second, unused -> new FirstHop()));
    }

    /** Returns the number of requests in all queues. */
    int queuedCount() {
        return queued;
    }

    /** Checks whether a device may send. Its requests may have been cancelled since. */
    boolean hasReady() {
        return !ready.isEmpty();
    }

    /**
     * Removes the next request of the device whose turn it is, and counts it as in flight. Returns null if no device
     * may send, or if the device was blocked or had no request left; other devices may then still be ready.
     */
    @Nullable
    Transaction<?> poll() {
        Device device = ready.poll();
        if (device == null) {
            return null;
        }
        if (device.firstHop.inFlight >= FIRST_HOP_WINDOW) {
            device.firstHop.blocked.add(device);
            return null;
        }
        device.isReady = false;
        Transaction<?> transaction = device.queue.poll();
        if (transaction == null) {
            removeIfUnused(device);
            return null;
        }
        queued--;
        inFlight++;
        device.inFlight++;
        device.firstHop.inFlight++;
        makeReady(device);
        return transaction;
    }

    /** Counts the end of a request in flight to a device. */
    void handleRequestEnd(Device device) {
        inFlight--;
        device.inFlight--;
        device.firstHop.inFlight--;
        unblock(device.firstHop);
        makeReady(device);
        removeIfUnused(device);
    }

    /** Makes the next blocked device of a port ready. Devices whose requests were cancelled are dropped. */
    private void unblock(FirstHop hop) {
        Device next = hop.blocked.poll();
        while (next != null && next.queue.isEmpty()) {
            next.isReady = false;
            removeIfUnused(next);
            next = hop.blocked.poll();
        }
        if (next != null) {
            ready.add(next);
        }
    }

    /** Removes and returns all queued requests that satisfy a condition. */
    List<Transaction<?>> removeIf(Predicate<Transaction<?>> condition) {
        List<Transaction<?>> removed = new ArrayList<>();
        for (Device device : devices.values()) {
            device.queue.removeIf(transaction -> condition.test(transaction) && removed.add(transaction));
        }
        queued -= removed.size();
        return removed;
    }

    /**
     * Counts a request without a response. After several in a row, removes the whole queue of the scope for this
     * device: it is likely to respond to no other request, and trying these a few at a time could take minutes.
     *
     * @return the transactions that end: the one in flight first, then those that are no longer queued
     */
    List<Transaction<?>> endUnanswered(Transaction<?> unanswered) {
        List<Transaction<?>> ended = new ArrayList<>(List.of(unanswered));
        if (++unanswered.device.unanswered >= MAX_UNANSWERED_IN_A_ROW) {
            drain(unanswered, ended);
        }
        return ended;
    }

    /**
     * Counts a Busy response. If the device is busy most of the time, removes and returns the queue of the scope for
     * this device.
     */
    List<Transaction<?>> endBusy(Transaction<?> busy) {
        Device device = busy.device;
        List<Transaction<?>> ended = new ArrayList<>();
        if (++device.busy - device.answered / BUSY_SHARE >= MAX_BUSY_EXCESS) {
            drain(busy, ended);
        }
        return ended;
    }

    private void drain(Transaction<?> example, List<Transaction<?>> drained) {
        int before = drained.size();
        example.device.queue.removeIf(waiting -> waiting.scope == example.scope && drained.add(waiting));
        queued -= drained.size() - before;
    }

    /** Adds a device to {@code ready} if it has a request and its window has room. An urgent request needs no room. */
    private void makeReady(Device device) {
        Transaction<?> next = device.queue.peek();
        if (!device.isReady && next != null && (device.inFlight < window.getAsInt() || next.request.isUrgent())) {
            device.isReady = true;
            ready.add(device);
        }
    }

    private void removeIfUnused(Device device) {
        if (device.inFlight > 0 || !device.queue.isEmpty()) {
            return;
        }
        device.resetCounts();
        if (devices.size() > MAX_IDLE_DEVICES) {
            // Removes this object only: cancelling may have left an idle device in the ready queue, and a new object
            // for its path may be in the map.
            devices.remove(device.path, device);
        }
        if (queued + inFlight == 0 && devices.size() > MAX_DEVICES_AT_REST) {
            devices = devices.values().stream()
                    .filter(known -> known.slowTimeout != null)
                    .limit(MAX_DEVICES_AT_REST)
                    .collect(Collectors.toMap(known -> known.path, known -> known, (one, same) -> one, HashMap::new));
        }
    }
}
