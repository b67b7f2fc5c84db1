package io.torussm.daemon.process;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.Finding;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An event of the process; {@link Daemon} processes one after the other. */
sealed interface DaemonEvent {
    /** A subnet is up. {@link DaemonEvents#latest} returns only the newest one, because each is large. */
    record Changed() implements DaemonEvent {}

    /** Multicast groups changed. */
    record MulticastChanged() implements DaemonEvent {}

    /**
     * A sweep ended without a subnet.
     *
     * @param code exit code of {@code --once}
     * @param why reason that is logged
     */
    record Down(ExitCode code, Finding why) implements DaemonEvent {}

    /** The fabric of another SM was read. */
    record Looked(ShadowReport report) implements DaemonEvent {}

    /** The SM could not start. */
    record NotBegun() implements DaemonEvent {}

    /** The port is permanently lost. */
    record PortLost(String why) implements DaemonEvent {}

    /**
     * The port can be used again, or cannot be used any more.
     *
     * @param trouble reason why the port cannot be used; empty if it can be used
     */
    record PortChanged(String trouble) implements DaemonEvent {}

    /** An end of the process was requested. */
    record EndAsked(String why) implements DaemonEvent {}

    /** A reload of the configuration was requested. */
    record ReloadAsked() implements DaemonEvent {}

    /**
     * The change of a shadow to a standby SM was requested.
     *
     * @param then callback; called with the control of the standby SM
     */
    record ShadowLeft(Consumer<SmControl> then) implements DaemonEvent {}

    /**
     * Dumps were requested.
     *
     * @param done future of the result: true if the dumps were written
     */
    record DumpAsked(CompletableFuture<Boolean> done) implements DaemonEvent {}
}
