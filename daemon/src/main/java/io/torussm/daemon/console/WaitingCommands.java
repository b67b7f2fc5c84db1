package io.torussm.daemon.console;

import java.util.List;
import java.util.function.Supplier;

/**
 * The commands of a daemon that waits for its port. {@code status} reports the reason; all other commands are refused.
 */
public final class WaitingCommands implements CommandSet {
    private final Supplier<String> reason;

    /**
     * Returns the commands of a daemon without a port.
     *
     * @param reason source of the reason, in one line; called on any thread
     */
    public WaitingCommands(Supplier<String> reason) {
        this.reason = reason;
    }

    @Override
    public Commands.Reply run(String line, Commands.Requester asker) {
        String text = "waiting for a port: " + reason.get();
        return line.strip().equals("status")
                ? new Commands.Reply(List.of("state: " + text), true, false)
                : Commands.Reply.refusal("torus-sm runs, but has no subnet yet; " + text);
    }
}
