package io.torussm.firmware;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.firmware.FirmwareInfo;
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
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reading of firmware versions, as long as this SM is master. A device of a vendor with this class is read when it
 * enters the subnet, and once a day, since it may have restarted unnoticed. A device without an answer is asked again
 * after an hour. Owner thread: the loop, unless a method says otherwise.
 */
public final class FirmwareReader {
    /** Max devices that are read simultaneously. A silent one has its place until the last time-out. */
    static final int MAX_DEVICES_IN_PROGRESS = 32;

    /** The part of the client's window, 1/4, that devices may have: silent ones must not stop the counters. */
    private static final int WINDOW_DIVISOR = 4;

    /** Readings after which the census is made again, even if others are outstanding. */
    static final int READINGS_PER_CENSUS = 256;

    static final long READ_INTERVAL_NS = TimeUnit.DAYS.toNanos(1);
    static final long RETRY_INTERVAL_NS = TimeUnit.HOURS.toNanos(1);

    /** VendorIDs whose devices have the class 0x0A: Mellanox, and Bull with the same chips. */
    private static final Set<Long> VENDORS = Set.of(0x0002c9L, 0x00119fL);

    private static final long TICK_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int QP1 = 1;

    private final Loop loop;
    private final GsiClient client;
    private final BooleanSupplier isEnabled;
    private final Deque<Device> ready = new ArrayDeque<>();

    /** Devices of the subnet that are read, by NodeGUID. */
    private Map<Long, Device> devices = Map.of();

    private @Nullable PublishedView view;
    private Loop.Timer nextTick = () -> {};
    private int devicesInProgress;
    private int readingsSinceCensus;
    private boolean isReading;
    private boolean isSending;
    private volatile FirmwareCensus census = FirmwareCensus.NONE;

    /** A device of the subnet. A device that has left is referenced by its outstanding request alone. */
    private static final class Device {
        final NodeInfo info;
        MadAddress address;
        FirmwareOutcome outcome = FirmwareOutcome.WAITING;

        @Nullable
        DeviceFirmware firmware;

        boolean isBusy;

        /** Time of the next reading. */
        long dueNs;

        Device(NodeInfo info, MadAddress address, long dueNs) {
            this.info = info;
            this.address = address;
            this.dueNs = dueNs;
        }

        void failed(FirmwareOutcome reason, long nowNs) {
            isBusy = false;
            outcome = reason;
            firmware = null;
            dueNs = nowNs + RETRY_INTERVAL_NS;
        }
    }

    /**
     * Creates a reader that waits for a subnet.
     *
     * @param loop owner, which is also that of the client
     * @param isWanted whether firmware is read; called on the loop
     */
    public FirmwareReader(Loop loop, GsiClient client, BooleanSupplier isWanted) {
        this.loop = loop;
        this.client = client;
        this.isEnabled = isWanted;
    }

    /** Returns the versions. Any thread. */
    public FirmwareCensus census() {
        return census;
    }

    /** Takes a new subnet of which this SM is master. Any thread. */
    public void subnetUp(PublishedView newer) {
        loop.execute(() -> {
            view = newer;
            updateDevices();
        });
    }

    /** Begins or ends to read, as is wanted now. Any thread. */
    public void settingsChanged() {
        loop.execute(this::updateDevices);
    }

    /** Stops: another SM is master, or this one ends. Any thread. */
    public void end() {
        loop.execute(() -> {
            view = null;
            updateDevices();
        });
    }

    /** Takes the devices of the subnet; those that left are forgotten, so they are read again when they return. */
    private void updateDevices() {
        PublishedView current = view;
        nextTick.cancel();
        ready.forEach(device -> device.isBusy = false);
        ready.clear();
        isReading = current != null && isEnabled.getAsBoolean();
        if (current == null || !isReading) {
            devices = Map.of();
            census = FirmwareCensus.NONE;
            return;
        }
        Map<Long, Device> present = new LinkedHashMap<>();
        Fabric fabric = current.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                long guid = fabric.nodeGuid(fabric.nodeOf(port));
                Device device = present.containsKey(guid) ? null : device(current, port);
                if (device != null) {
                    present.put(guid, device);
                }
            }
        }
        devices = present;
        publishCensus();
        tick();
    }

    /** Returns the device of an end port; null if it is of another vendor, or cannot be reached through the port. */
    private @Nullable Device device(PublishedView current, int port) {
        Subnet subnet = current.subnet();
        Fabric fabric = subnet.fabric();
        NodeInfo info = fabric.node(fabric.nodeOf(port)).info();
        int sl = VENDORS.contains(info.get(NodeInfo.VENDOR_ID)) ? current.slFromSm(port) : -1;
        if (sl < 0) {
            return null;
        }
        MadAddress address = new MadAddress(subnet.lid(port), QP1, sl, 0);
        Device known = devices.get(info.nodeGuid());
        if (known == null || !isSameDevice(known.info, info)) {
            return new Device(info, address, loop.nowNs());
        }
        known.address = address;
        return known;
    }

    private static boolean isSameDevice(NodeInfo known, NodeInfo found) {
        return Stream.of(NodeInfo.DEVICE_ID, NodeInfo.REVISION, NodeInfo.VENDOR_ID)
                .allMatch(field -> known.get(field) == found.get(field));
    }

    private void tick() {
        nextTick = loop.schedule(TICK_NS, this::tick);
        long nowNs = loop.nowNs();
        for (Device device : devices.values()) {
            if (!device.isBusy && nowNs - device.dueNs >= 0) {
                device.isBusy = true;
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
        try {
            int places = Math.max(1, Math.min(MAX_DEVICES_IN_PROGRESS, client.window() / WINDOW_DIVISOR));
            while (!ready.isEmpty() && devicesInProgress < places) {
                read(ready.remove());
            }
        } finally {
            isSending = false;
        }
    }

    /** Asks whether the device has the class, as vendstat does, and then for its firmware. */
    private void read(Device device) {
        devicesInProgress++;
        requestAttribute(device, ClassPortInfo.TYPE, classInfo -> {
            if (devices.get(device.info.nodeGuid()) == device) {
                requestAttribute(device, FirmwareInfo.TYPE, info -> storeFirmware(device, info));
            } else {
                onReadingEnd(); // it has left, or this SM is not master any more
            }
        });
    }

    private <A extends Attribute<A>> void requestAttribute(Device device, AttributeType<A> type, Consumer<A> then) {
        client.send(GsiRequest.firmwareGet(device.address, type, (outcome, atNs) -> {
            if (outcome instanceof Outcome.Reply<A> reply) {
                then.accept(reply.value());
            } else if (outcome instanceof Outcome.Failure<A> failure) {
                failed(device, failure.reason());
                onReadingEnd();
            }
        }));
    }

    private void failed(Device device, Outcome.FailureReason reason) {
        switch (reason) {
            case TIMEOUT -> device.failed(FirmwareOutcome.SILENT, loop.nowNs());
            case BAD_STATUS -> device.failed(FirmwareOutcome.REJECTED, loop.nowNs());
            case MALFORMED -> device.failed(FirmwareOutcome.IMPLAUSIBLE, loop.nowNs());
            case CANCELLED -> device.isBusy = false; // it was not asked, and is due again at the next tick
        }
    }

    private void storeFirmware(Device device, FirmwareInfo info) {
        String version = info.version();
        if (version == null) {
            device.failed(FirmwareOutcome.IMPLAUSIBLE, loop.nowNs());
        } else {
            device.isBusy = false;
            device.outcome = FirmwareOutcome.READ;
            device.dueNs = loop.nowNs() + READ_INTERVAL_NS;
            device.firmware = new DeviceFirmware(
                    device.info.nodeGuid(), (int) device.info.get(NodeInfo.DEVICE_ID), info.psid(), version);
        }
        onReadingEnd();
    }

    private void onReadingEnd() {
        devicesInProgress--;
        readingsSinceCensus++;
        if (readingsSinceCensus >= READINGS_PER_CENSUS || (ready.isEmpty() && devicesInProgress == 0)) {
            publishCensus();
        }
        send();
    }

    /** Makes the census again, unless an outstanding request ended after this reader. */
    private void publishCensus() {
        readingsSinceCensus = 0;
        if (!isReading) {
            return;
        }
        List<DeviceFirmware> versions = new ArrayList<>();
        for (Device device : devices.values()) {
            DeviceFirmware firmware = device.firmware;
            if (firmware != null) {
                versions.add(firmware);
            }
        }
        census = FirmwareCensus.of(
                devices.values().stream().map(device -> device.outcome).toList(), versions);
    }
}
