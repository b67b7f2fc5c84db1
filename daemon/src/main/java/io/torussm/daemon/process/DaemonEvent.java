package io.torussm.daemon.process;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.Finding;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An event of the process; {@link Daemon} processes one after the other. */
sealed interface DaemonEvent {
    /** A subnet is up. Only the newest of several counts, since each is large; the daemon has it. */
    record Changed() implements DaemonEvent {}

    /** Multicast groups changed. */
    record MulticastChanged() implements DaemonEvent {}

    /** A sweep ended without a subnet; {@code code} is the exit code of {@code --once}. */
    record Down(ExitCode code, Finding why) implements DaemonEvent {}

    /** The fabric of another SM was read. */
    record Looked(ShadowReport report) implements DaemonEvent {}

    /** The SM could not start. */
    record NotBegun() implements DaemonEvent {}

    /** The port is permanently lost. */
    record PortLost(String why) implements DaemonEvent {}

    /** The port can be used again ({@code trouble} is empty), or cannot. */
    record PortChanged(String trouble) implements DaemonEvent {}

    /** An end of the process was requested. */
    record EndAsked(String why) implements DaemonEvent {}

    /** A reload of the configuration was requested. */
    record ReloadAsked() implements DaemonEvent {}

    /** The change of a shadow to a standby was requested, with {@code then} to run after it. */
    record ShadowLeft(Consumer<SmControl> then) implements DaemonEvent {}

    /** Dumps were requested; {@code done} receives whether they were written. */
    record DumpAsked(CompletableFuture<Boolean> done) implements DaemonEvent {}
}
