package io.torussm.daemon.http.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The operations on a fabric that {@code torus-sm fabric} serves. */
public final class LabOperations {
    private static final int MAX_NAME = 64;

    private final LabControl control;

    /** A line of the console. */
    record LineBody(String line) {}

    /** A script of faults. */
    record ScriptBody(String name, String text) {}

    public LabOperations(LabControl control) {
        this.control = control;
    }

    public List<Operation<?>> all() {
        return List.of(
                new Operation<>(
                        "POST",
                        LabHandler.ROOT + "console",
                        Role.OPERATE,
                        "carry out a line of the console",
                        LineBody.class,
                        (user, parts, body) -> toReply(control.execute(requireValue("line", body.line()), user))),
                new Operation<>(
                        "POST",
                        LabHandler.ROOT + "scripts",
                        Role.OPERATE,
                        "begin a script of faults",
                        ScriptBody.class,
                        (user, parts, body) ->
                                toReply(control.begin(name(body.name()), requireValue("text", body.text()), user))));
    }

    private static String requireValue(String name, String value) {
        if (value == null) {
            throw new IllegalArgumentException("\"" + name + "\" is missing");
        }
        return value;
    }

    private static String name(String name) {
        if (name == null || !name.matches("[A-Za-z0-9._-]{1," + MAX_NAME + "}")) {
            throw new IllegalArgumentException(
                    "\"name\" is to be up to " + MAX_NAME + " letters, digits, dots, hyphens and underscores");
        }
        return name;
    }

    private static CompletionStage<Reply> toReply(CompletionStage<LabControl.Response> stage) {
        return stage.thenApply(response -> response.isGood()
                ? Reply.ok(response)
                : Reply.text(HttpResponseStatus.BAD_REQUEST, String.join("\n", response.lines())));
    }
}
