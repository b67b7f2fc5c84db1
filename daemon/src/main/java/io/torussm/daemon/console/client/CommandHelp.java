package io.torussm.daemon.console.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.control.SmControl;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;

/** The text of {@code help} without a running daemon. */
public final class CommandHelp {
    private CommandHelp() {}

    /**
     * A response.
     *
     * @param isGood true if there is help on the requested subject
     */
    public record Text(List<String> lines, boolean isGood) {}

    /**
     * Returns the list of commands, or the help on one command.
     *
     * @param request {@code help}, or {@code help COMMAND}
     */
    public static Text of(String request) {
        SmControl nobody = (SmControl) Proxy.newProxyInstance(
                SmControl.class.getClassLoader(), new Class<?>[] {SmControl.class}, (proxy, method, arguments) -> null);
        Commands.Reply reply = new Commands(nobody).run(request, false);
        return new Text(reply.lines(), reply.isGood());
    }

    /**
     * Checks whether a request changes nothing, according to the help on its command.
     *
     * @param help response to {@code help COMMAND --json}
     * @param words words of the request
     * @throws IOException if the response is not JSON
     */
    public static boolean isReadOnly(List<String> help, List<String> words) throws IOException {
        boolean isPlain = words.stream().skip(1).allMatch(word -> word.startsWith("--"));
        String effect = new ObjectMapper()
                .readTree(String.join("\n", help))
                .path("command")
                .path("effect")
                .asText(Command.Effect.NONE.name());
        return effect.equals(Command.Effect.NONE.name()) || (isPlain && !effect.equals(Command.Effect.ALWAYS.name()));
    }
}
