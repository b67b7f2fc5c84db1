package io.torussm.congestion;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.subnet.Subnet;
import io.torussm.transport.GsiClient;
import io.torussm.transport.GsiRequest;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.Outcome;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of congestion control of all switches and channel adapters, as long as this SM is master. Each device
 * is read first, and a Set is sent only if it differs. A device that fails is asked again later, and delays no other.
 * Owner thread: the loop, unless a method says otherwise.
 */
public final class CongestionManager {
    private static final EventLog EVENTS = EventLog.of(CongestionManager.class);
    private static final int QP1 = 1;

    /** From one look for devices that are due to the next. */
    private static final long TICK_NS = TimeUnit.SECONDS.toNanos(30);

    /** From a good run to the next check of a device, which may have restarted meanwhile. */
    private static final long CHECK_NS = TimeUnit.MINUTES.toNanos(5);

    /** The maximum number of failed devices that are reported by name. */
    private static final int MAX_REPORTED = 50;

    private final Loop loop;
    private final GsiClient client;
    private final Supplier<CongestionOptions> options;
    private final Deque<CongestionDevice> ready = new ArrayDeque<>();
    private Map<NodePort, CongestionDevice> devices = Map.of();
    private List<CongestionStep<?>> switchSteps = List.of();
    private List<CongestionStep<?>> adapterSteps = List.of();
    private @Nullable PublishedView view;
    private Loop.Timer nextTick = () -> {};
    private int outstandingRequests;
    private boolean isSending;
    private int reportedDevices;
    private long sets;
    private volatile CongestionStatistics statistics = CongestionStatistics.NONE;

    /**
     * Creates a manager that waits for a subnet.
     *
     * @param loop owner, which is also that of the client
     * @param options read at each use, on the loop
     */
    public CongestionManager(Loop loop, GsiClient client, Supplier<CongestionOptions> options) {
        this.loop = loop;
        this.client = client;
        this.options = options;
    }

    /** Returns the state. Any thread. */
    public CongestionStatistics statistics() {
        return statistics;
    }

    /** Takes a new subnet of which this SM is master. Any thread. */
    public void subnetUp(PublishedView newer) {
        loop.execute(() -> {
            view = newer;
            updateDevices(newer);
        });
    }

    /** Stops: another SM is master, or this one ends. Any thread. */
    public void end() {
        loop.execute(() -> {
            view = null;
            forgetDevices();
        });
    }

    /** Checks all devices, and reads their logs, as soon as requests that are under way permit. Any thread. */
    public void readNow() {
        loop.execute(() -> {
            for (CongestionDevice device : devices.values()) {
                device.notBeforeNs = device.failures == 0 ? loop.nowNs() : device.notBeforeNs;
            }
            if (view != null) {
                tick();
            }
        });
    }

    /** Applies changed options to all devices. Settings of devices stay when the option is taken away. Any thread. */
    public void settingsChanged() {
        loop.execute(() -> {
            PublishedView currentView = view;
            devices.values().forEach(device -> reportRecovery(device, "the options have changed"));
            forgetDevices();
            if (currentView != null) {
                updateDevices(currentView);
            }
        });
    }

    private void forgetDevices() {
        nextTick.cancel();
        devices.values().forEach(device -> device.isStale = true);
        devices = Map.of();
        ready.clear();
        reportedDevices = 0;
        publishStatistics();
    }

    private void updateDevices(PublishedView currentView) {
        CongestionOptions wanted = options.get();
        if (!wanted.isCongestionControlled()) {
            return;
        }
        switchSteps = CongestionStep.ofSwitch(wanted);
        adapterSteps = CongestionStep.ofAdapter(wanted);
        Map<NodePort, CongestionDevice> present = new LinkedHashMap<>();
        Fabric fabric = currentView.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            CongestionDevice device = fabric.isEndport(port) ? device(currentView, port) : null;
            if (device != null) {
                present.put(fabric.nodePort(port), device);
            }
        }
        devices.forEach((key, device) -> {
            if (present.get(key) != device) {
                device.isStale = true;
                reportRecovery(device, "it left, or has another address");
            }
        });
        devices = present;
        tick();
    }

    /** Returns the known device at an end port, or a new one; null for routers, and for ports without a path. */
    private @Nullable CongestionDevice device(PublishedView currentView, int port) {
        Subnet subnet = currentView.subnet();
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeOf(port);
        int sl = currentView.slFromSm(port);
        if (sl < 0 || fabric.node(node).info().nodeType() == NodeInfo.ROUTER) {
            return null;
        }
        MadAddress address = new MadAddress(subnet.lid(port), QP1, sl, 0);
        CongestionDevice known = devices.get(fabric.nodePort(port));
        if (known != null && known.address.equals(address)) {
            return known;
        }
        boolean isSwitch = fabric.isSwitch(node);
        DeviceText name = isSwitch ? subnet.deviceOf(port) : subnet.devicePort(port);
        return new CongestionDevice(
                address,
                name,
                new CongestedPort(
                        name,
                        fabric.nodeGuid(node),
                        isSwitch ? 0 : fabric.portNum(port),
                        0,
                        0,
                        new BitSet(),
                        new BitSet()));
    }

    private void tick() {
        nextTick.cancel();
        nextTick = loop.schedule(TICK_NS, this::tick);
        long nowNs = loop.nowNs();
        for (CongestionDevice device : devices.values()) {
            if (!device.isBusy && (device.notBeforeNs == 0 || nowNs - device.notBeforeNs >= 0)) {
                device.isBusy = true;
                device.nextStep = 0;
                ready.add(device);
            }
        }
        send();
    }

    private void send() {
        if (isSending) {
            return; // a request that ends before its call returns
        }
        isSending = true;
        CongestionOptions current = options.get();
        while (!ready.isEmpty() && outstandingRequests < current.congestionMads()) {
            CongestionDevice device = ready.remove();
            if (current.congestionKey() != 0) {
                readKey(device, current.congestionKey());
            } else {
                device.key = 0;
                read(device);
            }
        }
        isSending = false;
        if (outstandingRequests == 0) {
            publishStatistics();
        }
    }

    /**
     * Finds out whether Sets need the key. A host that hides its key is not sent ours, because it may have none and
     * only wait for it. A switch is.
     */
    private void readKey(CongestionDevice device, long key) {
        requestAttribute(device, Method.GET, 0, 0, CongestionKeyInfo.TYPE.zero(), info -> {
            long shown = info.get(CongestionKeyInfo.CC_KEY);
            boolean isProtected = info.get(CongestionKeyInfo.PROTECT_BIT) != 0;
            if (shown == 0 && isProtected && !device.isSwitch) {
                handleFailure(device, "it hides its CC_Key, and cc_key is not sent to such hosts", 1);
                return;
            }
            device.key = shown == key || isProtected ? key : 0;
            read(device);
        });
    }

    private void read(CongestionDevice device) {
        List<CongestionStep<?>> steps = device.isSwitch ? switchSteps : adapterSteps;
        if (device.nextStep < steps.size()) {
            read(device, steps.get(device.nextStep));
        } else {
            device.noteSuccess(loop.nowNs(), CHECK_NS);
            reportRecovery(device, "it has all settings");
            readLog(device);
        }
    }

    /** Reads the log, which begins again then. A device without a log is as good as others. */
    private void readLog(CongestionDevice device) {
        if (device.hasNoLog()) {
            device.isBusy = false;
            return;
        }
        request(device, Method.GET, 0, 0, CongestionLog.TYPE.zero(), outcome -> {
            device.isBusy = false;
            if (outcome instanceof Outcome.Reply<CongestionLog> reply) {
                device.badLogs = 0;
                device.addLog(reply.value());
            } else if (outcome instanceof Outcome.Failure<CongestionLog> failure) {
                boolean isRefusal =
                        failure.reason() == Outcome.FailureReason.BAD_STATUS && failure.status() != MadStatus.BUSY;
                device.badLogs += isRefusal ? 1 : 0;
            }
        });
    }

    private <A extends Attribute<A>> void read(CongestionDevice device, CongestionStep<A> step) {
        requestAttribute(
                device, Method.GET, 0, step.modifier(), step.value().type().zero(), present -> {
                    if (step.isDone(present)) {
                        device.nextStep++;
                        read(device);
                    } else {
                        write(device, step);
                    }
                });
    }

    private <A extends Attribute<A>> void write(CongestionDevice device, CongestionStep<A> step) {
        sets++;
        requestAttribute(device, Method.SET, device.key, step.modifier(), step.value(), result -> {
            if (step.isDone(result)) {
                device.nextStep++;
                read(device);
            } else {
                handleFailure(
                        device, "it accepts " + step.value().type().layout().name() + " and does not change", 1);
            }
        });
    }

    /** A consumer of good responses. */
    private interface Response<A> {
        void received(A value);
    }

    private <A extends Attribute<A>> void requestAttribute(
            CongestionDevice device, int method, long key, int modifier, A value, Response<A> then) {
        request(device, method, key, modifier, value, outcome -> received(device, method, value, outcome, then));
    }

    private <A extends Attribute<A>> void request(
            CongestionDevice device, int method, long key, int modifier, A value, Consumer<Outcome<A>> then) {
        outstandingRequests++;
        client.send(GsiRequest.congestion(device.address, method, key, modifier, value, (outcome, atNs) -> {
            outstandingRequests--;
            try {
                if (!device.isStale) {
                    then.accept(outcome);
                }
            } finally {
                send();
            }
        }));
    }

    private <A extends Attribute<A>> void received(
            CongestionDevice device, int method, A value, Outcome<A> outcome, Response<A> then) {
        if (outcome instanceof Outcome.Reply<A> reply) {
            then.received(reply.value());
        } else if (outcome instanceof Outcome.Failure<A> failure) {
            String request = (method == Method.GET ? "Get(" : "Set(")
                    + value.type().layout().name() + ")";
            boolean isStatus = failure.reason() == Outcome.FailureReason.BAD_STATUS;
            boolean isForGood = isStatus && failure.status() != MadStatus.BUSY;
            String reason = isStatus
                    ? String.format("status 0x%04x", failure.status())
                    : failure.reason() == Outcome.FailureReason.TIMEOUT ? "no response" : failure.toString();
            handleFailure(device, request + ": " + reason, isForGood ? 1 : 2);
        }
    }

    /** @param tolerated failed runs until the report */
    private void handleFailure(CongestionDevice device, String reason, int tolerated) {
        device.noteFailure(loop.nowNs());
        device.isBusy = false;
        if (device.failures >= tolerated && !device.isReported && reportedDevices < MAX_REPORTED) {
            device.isReported = true;
            reportedDevices++;
            EVENTS.report(SmEvent.CONGESTION_NOT_SET, EventField.NAME.of(device.name), EventField.REASON.of(reason));
        }
    }

    private void reportRecovery(CongestionDevice device, String reason) {
        if (device.isReported) {
            device.isReported = false;
            reportedDevices--;
            EVENTS.report(SmEvent.CONGESTION_SET, EventField.NAME.of(device.name), EventField.REASON.of(reason));
        }
    }

    private void publishStatistics() {
        int good = 0;
        int failed = 0;
        long marks = 0;
        long triggers = 0;
        List<CongestedPort> congested = new ArrayList<>();
        for (CongestionDevice device : devices.values()) {
            failed += device.failures > 0 ? 1 : 0;
            good += device.failures == 0 && device.notBeforeNs != 0 ? 1 : 0;
            if (device.congested.events() > 0) {
                congested.add(device.congested);
                marks += device.isSwitch ? device.congested.events() : 0;
                triggers += device.isSwitch ? 0 : device.congested.events();
            }
        }
        congested.sort((first, second) -> Long.compare(second.events(), first.events()));
        boolean isOn = view != null && options.get().isCongestionControlled();
        statistics = new CongestionStatistics(
                isOn,
                devices.size(),
                good,
                failed,
                sets,
                marks,
                triggers,
                congested.subList(0, Math.min(congested.size(), CongestionStatistics.MAX_CONGESTED)));
    }
}
