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
 * The notifications of systemd, or of another service manager that set {@code NOTIFY_SOCKET}: the process is
 * ready, its status, its watchdog, its end. Without that variable there are none.
 *
 * <p>The process is ready once the first sweep has ended: as master with a subnet up, as standby, or with
 * refused routes, which {@code STATUS} reports. A longer wait would delay the start of the machine for a
 * fault that a restart does not repair. May be used by any thread.
 */
public final class ServiceManager {
    private static final EventLog EVENTS = EventLog.of(ServiceManager.class);
    private static final long BEAT_NS = TimeUnit.SECONDS.toNanos(10);

    /** Number of notifications within the time-out of the watchdog, so that one lost message does not matter. */
    private static final int BEATS = 3;

    private static final int MAX_STATUS = 500;

    private final @Nullable UnixDatagramSocket socket;
    private final long watchdogNs;
    private boolean isReady;
    private boolean isTroubleLogged;
    private String trouble = "";
    private String portTrouble = "";
    private String lastSent = "";

    private ServiceManager(@Nullable UnixDatagramSocket socket, long watchdogNs) {
        this.socket = socket;
        this.watchdogNs = watchdogNs;
    }

    /**
     * Returns the service manager that the environment names.
     *
     * @param pid process ID of this one; {@code WATCHDOG_USEC} applies if {@code WATCHDOG_PID} equals it or is not
     *     set
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

    /** Returns the interval between calls of {@link #beat}. */
    public long beatNs() {
        return watchdogNs == 0 ? BEAT_NS : watchdogNs / BEATS;
    }

    /**
     * Notes the end of a sweep, or that there will be none.
     *
     * @param newTrouble why there is no subnet of this SM; empty if there is one
     * @param headline state of the SM, one line
     */
    public synchronized void ended(String newTrouble, String headline) {
        isReady = true;
        trouble = newTrouble;
        String state = state(headline);
        if (!state.equals(lastSent)) {
            send(state, state);
        }
    }

    /** Notes that the process works as configured, though it has no port, and so neither a subnet nor a fault. */
    public void ready(String headline) {
        ended("", headline);
    }

    /**
     * Notes that the port of the SM cannot be used, or can be used again.
     *
     * @param newTrouble why not; empty if it can
     */
    public synchronized void port(String newTrouble, String headline) {
        portTrouble = newTrouble;
        String state = state(headline);
        if (!state.equals(lastSent)) {
            send(state, state);
        }
    }

    /**
     * Notes that the loop of the SM is alive; called by a task that ran there.
     *
     * @param headline text as for {@link #ended}; only read if there is a service manager
     */
    public synchronized void beat(Supplier<String> headline) {
        if (socket != null) {
            String state = state(headline.get());
            send(state.equals(lastSent) ? "WATCHDOG=1" : "WATCHDOG=1\n" + state, state);
        }
    }

    private String state(String headline) {
        String status = Stream.of(headline, portTrouble, trouble)
                .filter(part -> !part.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
        String line = status.replaceAll("\\p{Cntrl}+", " ");
        return (isReady ? "READY=1\n" : "") + "STATUS="
                + (line.length() > MAX_STATUS ? line.substring(0, MAX_STATUS) : line);
    }

    /** Notes that the configuration is read again, until {@link #reloaded}. */
    public synchronized void reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()), "");
    }

    /** Notes that the configuration was read, or the old one stays. */
    public synchronized void reloaded() {
        send("READY=1", "");
    }

    /** Notes that the orderly end has begun. */
    public synchronized void stopping() {
        send("STOPPING=1\nSTATUS=ending", "");
    }

    /**
     * Sends a message. If it does not arrive, that is logged once, and its content is sent with the next
     * beat.
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
            if (!isTroubleLogged) {
                isTroubleLogged = true;
                EVENTS.report(SmEvent.NOTIFY_FAILED, EventField.REASON.of(e.getMessage()));
            }
        }
    }
}
