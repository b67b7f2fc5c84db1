package io.torussm.daemon.process;

import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.Finding;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Something that happened to the process; {@link Daemon} takes one after the other. */
sealed interface DaemonEvent {
    /** A subnet is up. Only the last of several counts, since each is large; the daemon has it. */
    record Changed() implements DaemonEvent {}

    /** Multicast groups changed. */
    record MulticastChanged() implements DaemonEvent {}

    /** A sweep ended without a subnet; {@code code} is how {@code --once} ends. */
    record Down(ExitCode code, Finding why) implements DaemonEvent {}

    /** The fabric of another SM was read. */
    record Looked(ShadowReport report) implements DaemonEvent {}

    /** The SM could not begin. */
    record NotBegun() implements DaemonEvent {}

    /** The port is gone for good. */
    record PortLost(String why) implements DaemonEvent {}

    /** The port can be used again ({@code trouble} is empty), or cannot. */
    record PortChanged(String trouble) implements DaemonEvent {}

    /** The process is to end. */
    record EndAsked(String why) implements DaemonEvent {}

    /** The configuration is to be read again. */
    record ReloadAsked() implements DaemonEvent {}

    /** A process that only looks is to stand by, and {@code then} to be asked for. */
    record ShadowLeft(Consumer<SmControl> then) implements DaemonEvent {}

    /** Dumps are wanted; {@code done} hears whether they were written. */
    record DumpAsked(CompletableFuture<Boolean> done) implements DaemonEvent {}
}
