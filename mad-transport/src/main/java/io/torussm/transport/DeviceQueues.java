package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.DrPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for the windows of their devices, which have turns; urgent ones do not wait. Confined to
 * the client's loop.
 *
 * <p>All routes that leave the first switch by the same port share its queue for VL 15, so their devices
 * together have a window as well.
 *
 * <p>Invariants: a device is in the map while it has anything queued or in flight, and may stay there without
 * while others have; {@code queued} is the sum of all queues; a device that could send is in {@code ready},
 * once, or {@code blocked} where its way out of the first switch is full.
 */
final class DeviceQueues {
    /** Concurrent requests through one port of the first switch, as many as a modest switch queues. */
    static final int FIRST_HOP_WINDOW = 64;

    /** A stage that pulls has one or two requests at each device at a time. */
    private static final int USUALLY_QUEUED = 2;

    /**
     * Idle devices that are kept. A stage that writes entry by entry returns to each device for every SMP, and a new
     * device costs six objects. Once no request is queued or in flight, only a few slow devices are kept.
     */
    private static final int MAX_KEPT = 1 << 14;

    private static final int MAX_KEPT_AT_REST = 64;

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
        final ArrayDeque<Transaction<?>> queue = new ArrayDeque<>(USUALLY_QUEUED);
        final DrPath path;
        private final FirstHop firstHop;
        int inFlight;

        /** Requests in a row that ended without an answer. */
        int unanswered;

        /** Requests that it answered, and that it sent back as busy, while anything was queued or in flight. */
        int answered;

        int busy;

        /** How long it is waited for; null if it answers promptly. */
        @Nullable
        RetransmissionTimeout late;

        boolean isReady;

        Device(DrPath path, FirstHop firstHop) {
            this.path = path;
            this.firstHop = firstHop;
        }

        /** Forgets how the device behaved. */
        void forget() {
            unanswered = 0;
            answered = 0;
            busy = 0;
        }
    }

    /**
     * Creates empty queues.
     *
     * @param window maximum of concurrent requests to one device
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
        int first = path.hops() == 0 ? 0 : path.port(0);
        int second = path.hops() < 2 ? 0 : path.port(1);
        return new Device(path, firstHops.computeIfAbsent(first << 8 | second, unused -> new FirstHop()));
    }

    /** Requests in all queues. */
    int queued() {
        return queued;
    }

    /** Checks whether a device has its turn. Its requests may have been cancelled since. */
    boolean hasReady() {
        return !ready.isEmpty();
    }

    /** Takes the next request of the device whose turn it is, which counts as in flight; null if there is none. */
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
            forgetIfUnused(device);
            return null;
        }
        queued--;
        inFlight++;
        device.inFlight++;
        device.firstHop.inFlight++;
        makeReady(device);
        return transaction;
    }

    /** Ends the flight of a request to a device. */
    void landed(Device device) {
        inFlight--;
        device.inFlight--;
        device.firstHop.inFlight--;
        unblock(device.firstHop);
        makeReady(device);
        forgetIfUnused(device);
    }

    /** Readies the next device that waits for this port. Devices whose requests were cancelled are dropped. */
    private void unblock(FirstHop hop) {
        Device next = hop.blocked.poll();
        while (next != null && next.queue.isEmpty()) {
            next.isReady = false;
            forgetIfUnused(next);
            next = hop.blocked.poll();
        }
        if (next != null) {
            ready.add(next);
        }
    }

    /** Removes and returns all queued requests within a scope. */
    List<Transaction<?>> removeWithin(MadScope scope) {
        List<Transaction<?>> removed = new ArrayList<>();
        for (Device device : devices.values()) {
            device.queue.removeIf(transaction -> transaction.scope.isWithin(scope) && removed.add(transaction));
        }
        queued -= removed.size();
        return removed;
    }

    /** Moves the requests that a scope has queued for a device to a collection. */
    void drain(Device device, MadScope scope, Collection<Transaction<?>> drained) {
        int before = drained.size();
        device.queue.removeIf(waiting -> waiting.scope == scope && drained.add(waiting));
        queued -= drained.size() - before;
    }

    private void makeReady(Device device) {
        Transaction<?> next = device.queue.peek();
        if (!device.isReady && next != null && (device.inFlight < window.getAsInt() || next.request.isUrgent())) {
            device.isReady = true;
            ready.add(device);
        }
    }

    private void forgetIfUnused(Device device) {
        if (device.inFlight > 0 || !device.queue.isEmpty()) {
            return;
        }
        device.forget();
        if (devices.size() > MAX_KEPT) {
            // Only itself: cancelling may have left an empty device in the ready queue while a new one took its place.
            devices.remove(device.path, device);
        }
        if (queued + inFlight == 0 && devices.size() > MAX_KEPT_AT_REST) {
            devices = devices.values().stream()
                    .filter(known -> known.late != null)
                    .limit(MAX_KEPT_AT_REST)
                    .collect(Collectors.toMap(known -> known.path, known -> known, (one, same) -> one, HashMap::new));
        }
    }
}
