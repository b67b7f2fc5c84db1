package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.datagram.UnixDatagramSocket;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The notifications to systemd, or to another service manager that sets {@code NOTIFY_SOCKET}: readiness, status,
 * watchdog and end of the process. If the variable is not set, no notification is sent.
 *
 * <p>The process is ready when the first sweep has ended: as master with a subnet up, as standby, or with refused
 * routes, which {@code STATUS} reports. A longer wait would delay the start of the machine because of a fault that a
 * restart does not repair. Thread-safe.
 */
public final class ServiceManager {
    private static final EventLog EVENTS = EventLog.of(ServiceManager.class);

    /** Interval of notifications without a watchdog. */
    private static final long NOTIFY_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    /** Number of notifications within the time-out of the watchdog, so that a lost message has no consequence. */
    private static final int NOTIFICATIONS_PER_TIMEOUT = 3;

    /** Max length of the status in characters. */
    private static final int MAX_STATUS = 500;

    /** Socket of the service manager; null without a service manager. */
    private final @Nullable UnixDatagramSocket socket;

    /** Time-out of the watchdog; 0 without a watchdog. */
    private final long watchdogNs;

    private boolean isReady;
    private boolean isFailureLogged;

    /** Reason why no subnet of this SM is up; empty if a subnet is up. */
    private String subnetProblem = "";

    /** Reason why the port cannot be used; empty if it can be used. */
    private String portProblem = "";

    /** Last state that was sent; empty if it has to be sent again. */
    private String lastSent = "";

    private ServiceManager(@Nullable UnixDatagramSocket socket, long watchdogNs) {
        this.socket = socket;
        this.watchdogNs = watchdogNs;
    }

    /**
     * Connects to the service manager that the environment names.
     *
     * @param pid ID of this process; {@code WATCHDOG_USEC} applies if {@code WATCHDOG_PID} is not set or equals the ID
     */
    public static ServiceManager of(Map<String, String> environment, long pid) {
        String name = environment.getOrDefault("NOTIFY_SOCKET", "");
        if (name.isEmpty()) {
            return new ServiceManager(null, 0);
        }
        try {
            boolean isMeant =
                    environment.getOrDefault("WATCHDOG_PID", Long.toString(pid)).equals(Long.toString(pid));
            String timeout = environment.getOrDefault("WATCHDOG_USEC", "0");
            return new ServiceManager(
                    UnixDatagramSocket.open(name),
                    isMeant && timeout.matches("[0-9]{1,15}")
                            ? TimeUnit.MICROSECONDS.toNanos(Long.parseLong(timeout))
                            : 0);
        } catch (IOException e) {
            EVENTS.report(SmEvent.NOTIFY_UNUSABLE, EventField.REASON.of(e.getMessage()));
            return new ServiceManager(null, 0);
        }
    }

    /** Returns the required interval between calls of {@link #ping} in ns. */
    public long pingIntervalNs() {
        return watchdogNs == 0 ? NOTIFY_INTERVAL_NS : watchdogNs / NOTIFICATIONS_PER_TIMEOUT;
    }

    /**
     * Reports the end of a sweep, or that no sweep is planned.
     *
     * @param newTrouble reason why no subnet of this SM is up; empty if a subnet is up
     * @param headline state of the SM in one line
     */
    public synchronized void sweepEnded(String newTrouble, String headline) {
        isReady = true;
        subnetProblem = newTrouble;
        String state = state(headline);
        if (!state.equals(lastSent)) {
            send(state, state);
        }
    }

    /** Reports that the process works as configured but has no port, so neither a subnet nor a fault. */
    public void waitingForPort(String headline) {
        sweepEnded("", headline);
    }

    /**
     * Reports that the port of the SM cannot be used, or can be used again.
     *
     * @param newTrouble reason why the port cannot be used; empty if it can be used
     * @param headline state of the SM in one line
     */
    public synchronized void portChanged(String newTrouble, String headline) {
        portProblem = newTrouble;
        String state = state(headline);
        if (!state.equals(lastSent)) {
            send(state, state);
        }
    }

    /**
     * Reports that the loop of the SM is alive; called by a task on the loop.
     *
     * @param headline supplier of the state of the SM in one line; not called without a service manager
     */
    public synchronized void ping(Supplier<String> headline) {
        if (socket != null) {
            String state = state(headline.get());
            send(state.equals(lastSent) ? "WATCHDOG=1" : "WATCHDOG=1\n" + state, state);
        }
    }

    private String state(String headline) {
        String status = Stream.of(headline, portProblem, subnetProblem)
                .filter(part -> !part.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
        String line = status.replaceAll("\\p{Cntrl}+", " ");
        return (isReady ? "READY=1\n" : "") + "STATUS="
                + (line.length() > MAX_STATUS ? line.substring(0, MAX_STATUS) : line);
    }

    /** Reports that the process reads the configuration again, until {@link #reloaded}. */
    public synchronized void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()), "");
    }

    /** Reports the end of a reload. If the new configuration had errors, the old one is still used. */
    public synchronized void reloaded() {
        send("READY=1", "");
    }

    /** Reports that the orderly end has begun. */
    public synchronized void stopping() {
        send("STOPPING=1\nSTATUS=ending", "");
    }

    /**
     * Sends a message. The first error is logged. After an error the state is sent with the next beat.
     *
     * @param newlySent state that the message contains; empty if it contains none
     */
    private void send(String message, String newlySent) {
        if (socket == null) {
            return;
        }
        try {
            socket.send(message);
            lastSent = newlySent;
        } catch (IOException e) {
            lastSent = "";
            if (!isFailureLogged) {
                isFailureLogged = true;
                EVENTS.report(SmEvent.NOTIFY_FAILED, EventField.REASON.of(e.getMessage()));
            }
        }
    }
}
