package io.torussm.daemon.console;

import io.torussm.daemon.control.LabControl;
import io.torussm.event.FatalErrors;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The commands of {@code torus-sm fabric}'s console. Each line is passed unchanged to the fabric, whose commands are
 * those of ibsim and of docs/operator/lab.md.
 */
public final class LabCommands implements CommandSet {
    /** Time-out of a response. After it, the fabric may still execute the line. */
    private static final int RESPONSE_S = 20;

    private final LabControl control;

    /** Returns the commands of a lab. */
    public LabCommands(LabControl control) {
        this.control = control;
    }

    @Override
    public Commands.Reply run(String line, Commands.Requester asker) {
        if (!asker.mayChange() && !control.isReadOnly(line)) {
            return Commands.Reply.refusal("nothing can be changed from here; use the socket");
        }
        try {
            LabControl.Response response =
                    control.execute(line, asker.user()).toCompletableFuture().get(RESPONSE_S, TimeUnit.SECONDS);
            return Commands.Reply.of(response.lines(), response.isGood());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Commands.Reply.refusal("the console ends");
        } catch (TimeoutException e) {
            return Commands.Reply.refusal("the fabric has not answered within " + RESPONSE_S + " s");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            FatalErrors.escalate(cause);
            return Commands.Reply.refusal(cause.toString());
        }
    }
}
