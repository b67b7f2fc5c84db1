package io.torussm.daemon.console;

import io.torussm.daemon.control.LabControl;
import io.torussm.event.FatalErrors;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The console of {@code torus-sm fabric}: lines go to the fabric as they are. */
public final class LabCommands implements CommandSet {
    private static final int PATIENCE_S = 20;

    private final LabControl control;

    /** Returns the commands of a lab. */
    public LabCommands(LabControl control) {
        this.control = control;
    }

    @Override
    public Commands.Reply run(String line, Commands.Asker asker) {
        if (!asker.mayChange() && !control.isLook(line)) {
            return Commands.Reply.bad("nothing can be changed from here; use the socket");
        }
        try {
            LabControl.Said said =
                    control.say(line, asker.user()).toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
            return new Commands.Reply(said.lines(), said.isGood(), false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Commands.Reply.bad("the console ends");
        } catch (TimeoutException e) {
            return Commands.Reply.bad("the fabric has not answered within " + PATIENCE_S + " s");
        } catch (ExecutionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            FatalErrors.escalate(why);
            return new Commands.Reply(List.of(why.toString()), false, false);
        }
    }
}
