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
    record SubnetPublished() implements DaemonEvent {}

    /** Multicast groups changed. */
    record MulticastChanged() implements DaemonEvent {}

    /**
     * A sweep ended without a subnet.
     *
     * @param code exit code of {@code --once}
     * @param reason reason that is logged
     */
    record NoSubnet(ExitCode code, Finding reason) implements DaemonEvent {}

    /** The fabric of another SM was read. */
    record ShadowReported(ShadowReport report) implements DaemonEvent {}

    /** The SM could not start. */
    record StartFailed() implements DaemonEvent {}

    /** The port is permanently lost. */
    record PortLost(String reason) implements DaemonEvent {}

    /**
     * The port can be used again, or cannot be used any more.
     *
     * @param problem reason why the port cannot be used; empty if it can be used
     */
    record PortChanged(String problem) implements DaemonEvent {}

    /** An end of the process was requested. */
    record EndRequested(String reason) implements DaemonEvent {}

    /** A reload of the configuration was requested. */
    record ReloadRequested() implements DaemonEvent {}

    /**
     * The change of a shadow to a standby SM was requested.
     *
     * @param then callback; called with the control of the standby SM
     */
    record StandbyRequested(Consumer<SmControl> then) implements DaemonEvent {}

    /**
     * Dumps were requested.
     *
     * @param result future of the result: true if the dumps were written
     */
    record DumpRequested(CompletableFuture<Boolean> result) implements DaemonEvent {}
}
