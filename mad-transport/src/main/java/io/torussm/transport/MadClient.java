package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions over a {@link MadTransport}: windows, retries, matching of replies, cancellation by {@link MadScope}.
 *
 * <p>Transaction IDs: umad owns the upper 32 bits, so only the lower ones are used: a slot number in the lowest
 * {@value #SLOT_BITS} bits and a generation above it, which starts at a random value. A late reply to an earlier
 * transaction, or to an earlier life of the process, therefore finds no match; it is counted and dropped.
 *
 * <p>Owner thread: the loop. Only {@link #received} and {@link #transportFailed} are called by the transport's thread;
 * they hand over through a bounded queue.
 */
public final class MadClient implements MadTransport.Receiver {
    private static final int SLOT_BITS = 12;
    private static final int MAX_SLOTS = 1 << SLOT_BITS;
    private static final int INBOUND_CAPACITY = 1 << 14;
    private static final long TID_MASK = 0xffffffffL;

    /**
     * Windows and patience.
     *
     * @param wireWindow requests on the wire at once, 1 to 4096; the transport may allow fewer
     * @param deviceWindow requests at one device at once
     * @param timeoutMs wait for the first try; doubled for each further one
     * @param retries further tries
     * @param mKey the M_Key that requests carry
     */
    public record Settings(int wireWindow, int deviceWindow, int timeoutMs, int retries, long mKey) {
        public Settings {
            if (wireWindow < 1 || wireWindow > MAX_SLOTS || deviceWindow < 1 || timeoutMs < 1 || retries < 0) {
                throw new IllegalArgumentException("windows and timeout must be positive, the wire window at most "
                        + MAX_SLOTS + ": " + wireWindow + ", " + deviceWindow + ", " + timeoutMs + ", " + retries);
            }
        }
    }

    /** What was counted so far. */
    public record Stats(
            long sent,
            long replies,
            long retries,
            long timeouts,
            long late,
            long unsolicited,
            long malformed,
            long overflow) {}

    /** Who gets what is not a reply. */
    public interface Unsolicited {
        /** SMPs of others: SMInfo requests, traps. On the loop. */
        void subnetManagement(MadFrame frame);

        /** Every SA MAD. On the transport's thread; must not block. */
        void subnetAdministration(MadFrame frame);

        /** The port is gone. On the loop. */
        void portLost(String why);
    }

    private final MadTransport transport;
    private final Loop loop;
    private final Settings settings;
    private final Unsolicited unsolicited;

    private final ArrayBlockingQueue<MadFrame> inbound = new ArrayBlockingQueue<>(INBOUND_CAPACITY);
    private final AtomicBoolean draining = new AtomicBoolean();

    private final @Nullable Transaction<?>[] slots;
    private final int[] freeSlots;
    private int freeCount;
    private int generation;
    private final Map<DrPath, Device> devices = new HashMap<>();
    private final ArrayDeque<Device> ready = new ArrayDeque<>();
    private final ArrayDeque<Source> sources = new ArrayDeque<>();
    private int queued;
    private boolean pumping;
    private Loop.@Nullable Timer clock;

    private final LongAdder sent = new LongAdder();
    private final LongAdder replies = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder strangers = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder overflow = new LongAdder();

    /** A source of requests and the scope that it belongs to. */
    private record Source(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {}

    /** What is queued for, and in flight at, the device at the end of one route. */
    private static final class Device {
        final ArrayDeque<Transaction<?>> queue = new ArrayDeque<>();
        final DrPath path;
        int inFlight;
        boolean isReady;

        Device(DrPath path) {
            this.path = path;
        }
    }

    /** One request from submission to its only outcome. */
    private static final class Transaction<A extends Attribute<A>> {
        final SmpRequest<A> request;
        final MadScope scope;
        final Device device;
        byte[] mad = new byte[0];
        int slot = -1;
        int tries;
        long deadlineNs;

        Transaction(SmpRequest<A> request, MadScope scope, Device device) {
            this.request = request;
            this.scope = scope;
            this.device = device;
        }
    }

    /**
     * A client on a transport that it starts.
     *
     * @param seed where the generation of transaction IDs starts; random in production
     */
    public MadClient(MadTransport transport, Loop loop, Settings settings, int seed, Unsolicited unsolicited) {
        this.transport = transport;
        this.loop = loop;
        this.settings = settings;
        this.unsolicited = unsolicited;
        this.generation = seed;
        int window = Math.min(settings.wireWindow(), Math.max(1, transport.maxOutstanding()));
        slots = new Transaction<?>[window];
        freeSlots = new int[window];
        for (int i = 0; i < window; i++) {
            freeSlots[i] = window - 1 - i;
        }
        freeCount = window;
        transport.start(this);
    }

    /** Opens a set of transactions. */
    public MadScope scope() {
        loop.check();
        return new MadScope(this);
    }

    /** Sends a MAD that expects no answer: a response, a TrapRepress. May be called from any thread. */
    public void send(MadFrame frame) {
        if (transport.send(frame, 0)) {
            sent.increment();
        }
    }

    /** The counters; may be read from any thread. */
    public Stats stats() {
        return new Stats(
                sent.sum(),
                replies.sum(),
                retries.sum(),
                timeouts.sum(),
                late.sum(),
                strangers.sum(),
                malformed.sum(),
                overflow.sum());
    }

    /** The port that this client sends from. */
    public LocalPort localPort() {
        return transport.localPort();
    }

    Loop loop() {
        return loop;
    }

    <A extends Attribute<A>> void submit(SmpRequest<A> request, MadScope scope) {
        loop.check();
        enqueue(request, scope);
        pump();
    }

    void pull(Iterator<? extends SmpRequest<?>> source, MadScope scope) {
        loop.check();
        scope.opened();
        sources.add(new Source(source, scope));
        pump();
    }

    void cancel(MadScope scope) {
        loop.check();
        sources.removeIf(source -> source.scope() == scope);
        ArrayDeque<Transaction<?>> cancelled = new ArrayDeque<>();
        for (Device device : devices.values()) {
            device.queue.removeIf(transaction -> transaction.scope == scope && cancelled.add(transaction));
        }
        queued -= cancelled.size();
        for (Transaction<?> transaction : slots) {
            if (transaction != null && transaction.scope == scope) {
                release(transaction);
                cancelled.add(transaction);
            }
        }
        cancelled.forEach(transaction -> end(transaction, Outcome.Kind.CANCELLED, 0));
        pump();
    }

    private <A extends Attribute<A>> void enqueue(SmpRequest<A> request, MadScope scope) {
        scope.opened();
        Device device = devices.computeIfAbsent(request.path(), Device::new);
        Transaction<A> transaction = new Transaction<>(request, scope, device);
        if (scope.isClosed()) {
            end(transaction, Outcome.Kind.CANCELLED, 0);
            return;
        }
        device.queue.add(transaction);
        queued++;
        makeReady(device);
    }

    private void makeReady(Device device) {
        if (!device.isReady && !device.queue.isEmpty() && device.inFlight < settings.deviceWindow()) {
            device.isReady = true;
            ready.add(device);
        }
    }

    /** Sends while the window has room, taking turns between devices; asks sources for more only when it has. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (freeCount > 0 && (!ready.isEmpty() || pullOne())) {
                sendNext();
            }
        } finally {
            pumping = false;
        }
        watchClock();
    }

    private void sendNext() {
        Device device = ready.poll();
        if (device == null) {
            return;
        }
        device.isReady = false;
        Transaction<?> transaction = device.queue.poll();
        if (transaction == null) {
            forgetIfUnused(device);
            return;
        }
        queued--;
        device.inFlight++;
        makeReady(device);
        transmit(transaction);
    }

    /** Takes one request from the next source; false if there is none, or enough is queued behind device windows. */
    private boolean pullOne() {
        while (queued < 4 * slots.length) {
            Source source = sources.poll();
            if (source == null) {
                return false;
            }
            if (source.requests().hasNext()) {
                enqueue(source.requests().next(), source.scope());
                sources.addFirst(source);
                return true;
            }
            source.scope().ended();
        }
        return false;
    }

    private void transmit(Transaction<?> transaction) {
        int slot = freeSlots[--freeCount];
        slots[slot] = transaction;
        transaction.slot = slot;
        generation++;
        long tid = ((long) generation << SLOT_BITS | slot) & TID_MASK;
        SmpRequest<?> request = transaction.request;
        byte[] mad = Smp.directed(
                request.method(),
                tid == 0 ? 1L << SLOT_BITS : tid,
                request.type().id(),
                request.attributeModifier(),
                settings.mKey(),
                request.path());
        Attribute<?> value = request.value();
        if (value != null) {
            value.write(mad, Smp.DATA);
        }
        transaction.mad = mad;
        transmitAgain(transaction);
    }

    private void transmitAgain(Transaction<?> transaction) {
        int timeoutMs = settings.timeoutMs() << Math.min(transaction.tries, 8);
        transaction.tries++;
        transaction.deadlineNs = loop.nowNs() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        sent.increment();
        transport.send(new MadFrame(MadAddress.DIRECTED, transaction.mad), timeoutMs);
    }

    /** One timer serves all deadlines: it looks at the slots, of which there are few, a few times per timeout. */
    private void watchClock() {
        if (clock == null && freeCount < slots.length) {
            long periodNs = Math.max(1, TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs()) / 4);
            clock = loop.schedule(periodNs, this::lookAtClock);
        }
    }

    private void lookAtClock() {
        clock = null;
        long nowNs = loop.nowNs();
        for (Transaction<?> transaction : slots.clone()) {
            if (transaction != null && transaction.slot >= 0 && transaction.deadlineNs - nowNs <= 0) {
                retryOrGiveUp(transaction);
            }
        }
        pump();
    }

    private void retryOrGiveUp(Transaction<?> transaction) {
        if (transaction.tries <= settings.retries()) {
            retries.increment();
            transmitAgain(transaction);
        } else {
            timeouts.increment();
            release(transaction);
            end(transaction, Outcome.Kind.TIMEOUT, 0);
        }
    }

    @Override
    public void received(MadFrame frame) {
        if (frame.mad().length < MadHeader.MAD_SIZE) {
            malformed.increment();
            return;
        }
        int mgmtClass = MadHeader.mgmtClass(frame.mad());
        if (mgmtClass == MgmtClass.SUBN_ADM) {
            unsolicited.subnetAdministration(frame);
        } else if (!MgmtClass.isSmp(mgmtClass)) {
            strangers.increment();
        } else if (!inbound.offer(frame)) {
            overflow.increment();
        } else if (draining.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    @Override
    public void transportFailed(String why) {
        loop.execute(() -> unsolicited.portLost(why));
    }

    private void drain() {
        draining.set(false);
        for (MadFrame frame = inbound.poll(); frame != null; frame = inbound.poll()) {
            accept(frame);
            pump();
        }
    }

    private void accept(MadFrame frame) {
        byte[] mad = frame.mad();
        if (frame.undelivered()) {
            Transaction<?> transaction = find(mad);
            if (transaction != null) {
                // Retried when its time is up: what could not be delivered now may be a link that is just coming up.
                transaction.deadlineNs = Math.min(transaction.deadlineNs, loop.nowNs() + retryPauseNs());
            }
        } else if (MadHeader.isResponse(mad)) {
            Transaction<?> transaction = find(mad);
            if (transaction == null) {
                late.increment();
            } else {
                replies.increment();
                release(transaction);
                complete(transaction, mad);
            }
        } else {
            strangers.increment();
            unsolicited.subnetManagement(frame);
        }
    }

    private long retryPauseNs() {
        return TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs()) / 4;
    }

    /** The transaction that a MAD belongs to: same class, lower TID bits, attribute and modifier (IBA 13.4.6.4). */
    private @Nullable Transaction<?> find(byte[] mad) {
        long tid = MadHeader.tid(mad) & TID_MASK;
        int slot = (int) (tid & (MAX_SLOTS - 1));
        Transaction<?> transaction = slot < slots.length ? slots[slot] : null;
        boolean matches = transaction != null
                && (MadHeader.tid(transaction.mad) & TID_MASK) == tid
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == MadHeader.attributeId(transaction.mad)
                && MadHeader.attributeModifier(mad) == MadHeader.attributeModifier(transaction.mad);
        return matches ? transaction : null;
    }

    private <A extends Attribute<A>> void complete(Transaction<A> transaction, byte[] mad) {
        int status = MadHeader.status(mad);
        if (MadHeader.method(mad) != Method.GET_RESP) {
            malformed.increment();
            end(transaction, Outcome.Kind.MALFORMED, 0);
        } else if (status != MadStatus.OK) {
            end(transaction, Outcome.Kind.BAD_STATUS, status);
        } else {
            deliver(transaction, new Outcome.Reply<>(transaction.request.type().read(mad, Smp.DATA)));
        }
    }

    private void release(Transaction<?> transaction) {
        slots[transaction.slot] = null;
        freeSlots[freeCount++] = transaction.slot;
        transaction.slot = -1;
        Device device = transaction.device;
        device.inFlight--;
        makeReady(device);
        forgetIfUnused(device);
    }

    private void forgetIfUnused(Device device) {
        if (device.inFlight == 0 && device.queue.isEmpty()) {
            devices.remove(device.path);
        }
    }

    private static <A extends Attribute<A>> void end(Transaction<A> transaction, Outcome.Kind kind, int status) {
        deliver(transaction, new Outcome.Failure<>(kind, status));
    }

    private static <A extends Attribute<A>> void deliver(Transaction<A> transaction, Outcome<A> outcome) {
        Consumer<Outcome<A>> then = transaction.request.then();
        try {
            then.accept(outcome);
        } finally {
            transaction.scope.ended();
        }
    }
}
