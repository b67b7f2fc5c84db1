package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.torussm.daemon.access.Access;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.FailedLogins;
import io.torussm.daemon.access.User;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The check of requests over TLS. Every path requires a valid token or certificate, and a change requires a role. Each
 * change becomes an event, even if it is rejected.
 */
final class AuthenticatedAccess implements HttpAccess {
    private static final EventLog EVENTS = EventLog.of(AuthenticatedAccess.class);

    private final AccessFiles files;
    private final Operations operations;
    private final HttpCounts counts;
    private final FailedLogins failures = new FailedLogins(System::nanoTime);
    private final LogRateLimiter failureLog = new LogRateLimiter(System::nanoTime);
    private final LogRateLimiter refusalLog = new LogRateLimiter(System::nanoTime);

    AuthenticatedAccess(AccessFiles files, Operations operations, HttpCounts counts) {
        this.files = files;
        this.operations = operations;
        this.counts = counts;
    }

    @Override
    public Admission admit(Channel client, HttpRequest request) {
        List<String> shown = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        if (shown.size() > 1) {
            return Admission.refused(Reply.text(HttpResponseStatus.BAD_REQUEST, "one Authorization is enough"));
        }
        Access.Login login = files.active().login(shown.isEmpty() ? null : shown.get(0), certificate(client));
        User user = login.user();
        if (user == null) {
            return Admission.refused(unauthorized(address(client), login.reason()));
        }
        Admission admission = admit(user, client, request);
        if (admission.refusal() == null) {
            counts.count(HttpCounts.Outcome.ADMITTED);
        }
        return admission;
    }

    /**
     * Returns the refusal of a request, and limits the rate of addresses with wrong credentials. A correct token is
     * never delayed, because other users may share its address, and its 256 bits cannot be guessed. A request without
     * credentials is no failure.
     */
    private Reply unauthorized(InetAddress address, String reason) {
        long waitS = failures.waitS(address);
        if (waitS > 0 && !reason.isEmpty()) {
            counts.count(HttpCounts.Outcome.PACED);
            return Reply.text(HttpResponseStatus.TOO_MANY_REQUESTS, "too many wrong tokens came from your address")
                    .with("Retry-After", Long.toString(waitS));
        }
        counts.count(HttpCounts.Outcome.UNAUTHORIZED);
        if (!reason.isEmpty()) {
            failures.recordFailure(address);
            report(address, reason);
        }
        return Reply.text(HttpResponseStatus.UNAUTHORIZED, "a token or a client certificate is wanted; see https_users")
                .with(HttpHeaderNames.WWW_AUTHENTICATE.toString(), "Basic realm=\"torus-sm\", charset=\"UTF-8\"");
    }

    private void report(InetAddress address, String reason) {
        LogRateLimiter.Line line = failureLog.recordEvent(address.getHostAddress());
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.HTTPS_LOGIN_FAILED,
                    EventField.COUNT.of(line.count()),
                    EventField.ADDRESS.of(line.source()),
                    EventField.REASON.of(reason));
        }
    }

    private Admission admit(User user, Channel client, HttpRequest request) {
        if (request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD)) {
            return Admission.readOnly();
        }
        Operations.Match match = operations.match(request.method().name(), request.uri());
        Operation<?> operation = match.operation();
        if (operation == null) {
            return Admission.refused(notFound(match.methods()));
        }
        String address = address(client).getHostAddress();
        PermittedRequest asked = new PermittedRequest(operation, user, address, match.parts());
        if (!user.role().covers(operation.role())) {
            counts.count(HttpCounts.Outcome.FORBIDDEN);
            reportRefusal(asked);
            return Admission.refused(Reply.text(
                    HttpResponseStatus.FORBIDDEN,
                    "role " + operation.role().label() + " is wanted, and " + user.name() + " has "
                            + user.role().label()));
        }
        if (!RequestOrigins.isSameOrigin(request)) {
            return Admission.refused(Reply.text(
                    HttpResponseStatus.FORBIDDEN,
                    "a page from elsewhere asks for this in your browser; it is not done"));
        }
        return Admission.of(asked);
    }

    private static Reply notFound(Set<String> methods) {
        return methods.isEmpty()
                ? Reply.text(HttpResponseStatus.NOT_FOUND, "there is nothing to change at this address")
                : Reply.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "here you may " + String.join(", ", methods))
                        .with(HttpHeaderNames.ALLOW.toString(), String.join(", ", methods));
    }

    private void reportRefusal(PermittedRequest asked) {
        if (refusalLog.recordEvent(asked.user().name()).isDue()) {
            EVENTS.report(
                    SmEvent.CHANGE_REFUSED,
                    EventField.USER.of(asked.user()),
                    EventField.ADDRESS.of(asked.address()),
                    EventField.ACTION.of(asked.operation().action(asked.parts())));
        }
    }

    private static @Nullable X509Certificate certificate(Channel client) {
        SslHandler tls = client.pipeline().get(SslHandler.class);
        try {
            return tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** Reports a client with which TLS failed. A client that only tests the port, or is slow, is not reported. */
    @Override
    public void tlsFailed(Channel client, Throwable cause) {
        counts.count(HttpCounts.Outcome.NO_TLS);
        if (cause instanceof NotSslRecordException) {
            report(address(client), "it speaks no TLS");
        } else if (cause instanceof SSLHandshakeException && !(cause instanceof SslHandshakeTimeoutException)) {
            report(
                    address(client),
                    "no TLS came about: " + String.valueOf(cause.getMessage()).replaceAll("[^ -~]", "?"));
        }
    }

    /** Returns the address of a client, which is missing only after its disconnection. */
    private static InetAddress address(Channel client) {
        return client.remoteAddress() instanceof InetSocketAddress peer
                ? peer.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    public void perform(PermittedRequest asked, byte[] body, Consumer<Reply> answer) {
        operations.perform(asked, body, answer);
    }
}
