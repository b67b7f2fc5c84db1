package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.access.User;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import java.util.function.Consumer;

/**
 * The check of requests on a loopback address. Any local user may read and change. A local browser may show pages of
 * other sites. So a change must have the origin of this server, and must be JSON, which no HTML form can send.
 */
final class LocalAccess implements HttpAccess {
    private static final User LOCAL = new User("somebody", Role.ADMIN);

    private final Operations operations;

    LocalAccess(Operations operations) {
        this.operations = operations;
    }

    @Override
    public Admission admit(Channel client, HttpRequest request) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            return Admission.readOnly();
        }
        Operations.Match match = operations.match(request.method().name(), request.uri());
        Operation<?> operation = match.operation();
        if (operation == null) {
            return Admission.refused(Reply.text(
                    match.methods().isEmpty() ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.METHOD_NOT_ALLOWED,
                    "there is nothing to change at this address in this way"));
        } else if (!RequestOrigins.isSameOrigin(request)) {
            return Admission.refused(Reply.text(
                    HttpResponseStatus.FORBIDDEN,
                    "a page from elsewhere asks for this in your browser; it is not done"));
        } else if (!isJson(request)) {
            return Admission.refused(Reply.text(
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "the body is to be JSON: Content-Type: application/json"));
        }
        return Admission.of(new PermittedRequest(operation, LOCAL, "127.0.0.1", match.parts()));
    }

    private static boolean isJson(HttpRequest request) {
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        return type.split(";", 2)[0].strip().equalsIgnoreCase(Reply.JSON);
    }

    @Override
    public void tlsFailed(Channel client, Throwable cause) {
        throw new IllegalStateException("there is no TLS here", cause);
    }

    @Override
    public void perform(PermittedRequest asked, byte[] body, Consumer<Reply> answer) {
        operations.perform(asked, body, answer);
    }
}
