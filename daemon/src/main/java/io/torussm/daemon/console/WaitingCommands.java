package io.torussm.daemon.console;

import java.util.List;
import java.util.function.Supplier;

/** The console of a daemon that waits for its port: {@code status} says for what; no other command has a subnet. */
public final class WaitingCommands implements CommandSet {
    private final Supplier<String> reason;

    /**
     * Returns the commands of a daemon without a port.
     *
     * @param reason one line; any thread
     */
    public WaitingCommands(Supplier<String> reason) {
        this.reason = reason;
    }

    @Override
    public Commands.Reply run(String line, Commands.Asker asker) {
        String text = "waiting for a port: " + reason.get();
        return line.strip().equals("status")
                ? new Commands.Reply(List.of("state: " + text), true, false)
                : Commands.Reply.bad("torus-sm runs, but has no subnet yet; " + text);
    }
}
