package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import java.lang.reflect.Proxy;
import java.util.List;

/** What {@code help} says, for a time when no daemon answers. */
public final class CommandHelp {
    private CommandHelp() {}

    /**
     * An answer.
     *
     * @param isGood whether there is help on what was asked for
     */
    public record Text(List<String> lines, boolean isGood) {}

    /**
     * The list of commands, or more of one.
     *
     * @param request {@code help}, and perhaps a command
     */
    public static Text of(String request) {
        SmControl nobody = (SmControl) Proxy.newProxyInstance(
                SmControl.class.getClassLoader(), new Class<?>[] {SmControl.class}, (proxy, method, arguments) -> null);
        Commands.Reply reply = new Commands(nobody).run(request, false);
        return new Text(reply.lines(), reply.isGood());
    }
}
