package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.http.Reply;
import java.util.function.Consumer;

/** The check of requests without TLS. All clients may read; changes are rejected. */
final class ReadOnlyAccess implements HttpAccess {
    @Override
    public Admission admit(Channel client, HttpRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)
                ? Admission.readOnly()
                : Admission.refused(Reply.text(
                        HttpResponseStatus.METHOD_NOT_ALLOWED, "there is nothing to change here; see https_listen"));
    }

    @Override
    public void tlsFailed(Channel client, Throwable cause) {
        throw new IllegalStateException("there is no TLS here", cause);
    }

    @Override
    public void perform(PermittedRequest asked, byte[] body, Consumer<Reply> answer) {
        throw new IllegalStateException("nothing can be asked for here");
    }
}
